# ruff: noqa: E501 - a table of small files
"""Attempts to keep a change from being read by attributes of its files, brought along or there before."""

from __future__ import annotations

from collections.abc import Mapping

from tests.adversarial.attacks import UNGUARDED, Files

_LINES = (
    "*.py -diff",
    "app/** export-ignore",
    "*.py linguist-generated",
    "*.py filter=x",
    "*.py -text -diff -merge",
    "[attr]x binary\n*.py x",
)
_BAD = {"app/files.py": UNGUARDED}

ATTEMPTS: Mapping[str, tuple[Files, Files]] = {
    **{f"attributes: {line!r}": ({}, {".gitattributes": f"{line}\n", **_BAD}) for line in _LINES},
    **{f"attributes below: {line!r}": ({}, {"app/.gitattributes": f"{line}\n", **_BAD}) for line in _LINES[:3]},
    **{f"attributes before: {line!r}": ({".gitattributes": f"{line}\n"}, _BAD) for line in (*_LINES, "*.py ident", "*.py merge=ours")},
    "attributes: another encoding in the folder": ({}, {".gitattributes": "app/files.py working-tree-encoding=UTF-16\n", "app/files.py": UNGUARDED.encode("utf-16")}),
}  # fmt: skip
