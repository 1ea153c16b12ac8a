"""Names a text reads and nothing in it defines: what a small model forgets to import."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from pathlib import PurePosixPath

_PYTHON = frozenset({".py", ".pyi"})
_GIVEN = frozenset(vars(builtins)) | {"__file__", "__path__", "__class__"}
"""Names every module or method has."""


def undefined_names(path: str, text: str) -> frozenset[str]:
    """Names a Python text reads and defines in none of its scopes; empty for other languages.

    Empty too for a text that cannot be parsed, or takes in names by a star import: nothing is known of those.
    """
    if PurePosixPath(path).suffix not in _PYTHON:
        return frozenset()
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError, RecursionError):
        return frozenset()
    defined = {name for node in nodes for name in _defines(node)}
    read = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return frozenset() if "*" in defined else frozenset(read - defined - _GIVEN)


def _defines(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.ClassDef(name=name) | ast.arg(arg=name) | ast.MatchMapping(rest=str(name)):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.alias(name=name, asname=local):
            yield local or name.partition(".")[0]
        case ast.Global(names=names):
            yield from names
        case _ if name := getattr(node, "name", ""):
            yield str(name)  # parameters of types
