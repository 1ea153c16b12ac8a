"""Operators on Java text. They edit at the positions tree-sitter gives; all other bytes stay as they are."""
