"""scaffold: a guard that keeps a chain of code edits from ending less safe than it began."""

__version__ = "0.1.0"
