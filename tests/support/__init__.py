"""Helpers shared by the tests: real repositories in temporary folders."""
