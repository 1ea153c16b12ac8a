"""Judging: what became of a fact nothing equals any more."""
