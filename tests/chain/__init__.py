"""Tests of chains: real git, real layers, real isolation."""
