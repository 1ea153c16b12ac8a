"""Tests of the sandbox room."""
