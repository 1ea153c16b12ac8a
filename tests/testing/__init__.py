"""Tests of the testing room."""
