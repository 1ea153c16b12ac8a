"""Operators on Python text. They edit at the positions `ast` gives; all other bytes stay as they are."""
