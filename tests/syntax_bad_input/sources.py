"""One guarded function in every language, and texts that no front-end of that language can read."""

from __future__ import annotations

import json

GUARDED = {
    "a.py": "def load(p):\n    if '..' in p:\n        raise ValueError(p)\n    return open(p)\n",
    "A.java": 'class A {\n  void load(String p) {\n    if (p.contains("..")) throw new Bad(p);\n    open(p);\n  }\n}\n',
    "a.js": 'function load(p) {\n  if (p.includes("..")) throw new Error(p);\n  return open(p);\n}\n',
    "a.ts": 'function load(p: string) {\n  if (p.includes("..")) throw new Error(p);\n  return open(p);\n}\n',
    "a.go": 'package a\n\nfunc load(p string) {\n\tif strings.Contains(p, "..") {\n\t\tpanic(p)\n\t}\n\topen(p)\n}\n',
    "a.c": 'int load(char *p) {\n  if (strstr(p, ".."))\n    return -1;\n  return open(p, 0);\n}\n',
    "a.cpp": 'int load(char *p) {\n  if (strstr(p, ".."))\n    throw Bad(p);\n  return open(p, 0);\n}\n',
}
"""By path: a refusal of ``..`` before `open`."""


def unguarded(path: str) -> str:
    """The same function without its refusal."""
    lines = GUARDED[path].split("\n")
    first = next(number for number, line in enumerate(lines) if ".." in line)
    last = next(number for number, line in enumerate(lines) if "open(" in line)
    return "\n".join(lines[:first] + lines[last:])


def notebook(*cells: tuple[str, str], indent: int | None = 1, language: str = "python") -> str:
    """A notebook of (kind, source) cells, with outputs that must not matter."""
    made = []
    for kind, source in cells:
        cell: dict[str, object] = {"cell_type": kind, "metadata": {}, "source": source.splitlines(keepends=True)}
        if kind == "code":
            cell |= {"execution_count": 1, "outputs": [{"output_type": "stream", "text": ["if x:\n", " raise y\n"]}]}
        made.append(cell)
    whole = {"cells": made, "metadata": {"language_info": {"name": language}}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=indent) + "\n"
