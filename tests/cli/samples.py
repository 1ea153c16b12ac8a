"""A small module with a guard, and what may become of it."""

from __future__ import annotations

GUARDED = """\
def read(path, root):
    if not path.resolve().is_relative_to(root):
        raise PermissionError(path)
    return open(path, encoding="utf-8").read()
"""
UNGUARDED = """\
def read(path, root):
    return open(path, encoding="utf-8").read()
"""
REWORDED = '"""Reads notes."""\n\n\n' + GUARDED
