"""A small notes service."""
