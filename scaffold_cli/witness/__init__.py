"""Witnesses: an input that the code refused before a change and accepts after it, found by running both sides."""
