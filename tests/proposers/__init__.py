"""Tests of the proposers, in real workspaces."""
