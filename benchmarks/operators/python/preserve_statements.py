"""with, try and import written another way."""

from __future__ import annotations

import ast
import builtins
import importlib
from collections.abc import Iterator

from benchmarks.operators.operator import Edit, Rewrite
from benchmarks.operators.python.declare import preserving
from benchmarks.operators.python.names import bound
from benchmarks.operators.python.preserve_branches import STEP
from benchmarks.operators.python.source import PythonSource

_STABLE = frozenset(
    {
        "re",
        "json",
        "hmac",
        "hashlib",
        "base64",
        "binascii",
        "secrets",
        "shutil",
        "struct",
        "html",
        "functools",
        "itertools",
    }
)
"""Standard modules whose attributes nobody rebinds and every platform has."""


def _combine_with(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.With):
        match node:
            case ast.With(items=items, body=[ast.With(items=others, body=body) as inner]):
                heads = [source.code(item.context_expr) for item in [*items, *others]]
                if (
                    source.movable(inner, inner)
                    and source.owns_lines(node, node)
                    and body[0].lineno > inner.lineno
                    and not any("\n" in head for head in heads)
                ):
                    text = ", ".join(_item(source, item) for item in [*items, *others])
                    block = source.shifted(body[0], body[-1], source.indent(inner))
                    yield (source.replace_lines(node, node, f"{source.indent(node)}with {text}:\n{block}"),)


def _split_with(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.With):
        match node:
            case ast.With(items=[first, *others], body=body) if (
                others and source.movable(node, node) and body[0].lineno > node.lineno
            ):
                heads = [_item(source, item) for item in [first, *others]]
                if any("\n" in head for head in heads):
                    continue
                indent, inner = source.indent(node), source.indent(node) + STEP
                block = source.shifted(body[0], body[-1], inner + STEP)
                yield (
                    source.replace_lines(
                        node, node, f"{indent}with {heads[0]}:\n{inner}with {', '.join(heads[1:])}:\n{block}"
                    ),
                )


def _item(source: PythonSource, item: ast.withitem) -> str:
    text = source.code(item.context_expr)
    return text if item.optional_vars is None else f"{text} as {source.code(item.optional_vars)}"


def _split_except(source: PythonSource) -> Iterator[Rewrite]:
    for handler in source.of(ast.ExceptHandler):
        assert isinstance(handler, ast.ExceptHandler)
        match handler.type:
            case ast.Tuple(elts=[first, *others]) if others and not isinstance(source.parents[handler], ast.TryStar):
                if not source.owns_lines(handler.body[0], handler.body[-1]) or "\n" in source.code(handler.type):
                    continue
                rest = f"({', '.join(source.code(item) for item in others)},)"
                name = f" as {handler.name}" if handler.name else ""
                body = source.block_text(handler.body[0], handler.body[-1])
                end = source.lines_of(handler.body[0], handler.body[-1])[1]
                again = f"{source.indent(handler)}except {rest}{name}:\n{body}"
                yield source.replace(handler.type, source.code(first)), Edit(end, end, again)


def _from_import(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.tree.body:
        match node:
            case ast.Import(names=[ast.alias(name=module, asname=None)]) if module in _STABLE and source.owns_lines(
                node, node
            ):
                plain = [item for item in source.nodes if isinstance(item, ast.Name) and item.id == module]
                uses = [source.parents[item] for item in plain]
                if not all(isinstance(use, ast.Attribute) and isinstance(use.ctx, ast.Load) for use in uses):
                    continue
                attributes = {use.attr for use in uses if isinstance(use, ast.Attribute)}
                for name in sorted(attributes - source.words.intersection(bound([source.tree])) - set(dir(builtins))):
                    if hasattr(importlib.import_module(module), name) and not _is_a_name(source, name):
                        edits = [
                            source.replace(use, name)
                            for use in uses
                            if isinstance(use, ast.Attribute) and use.attr == name
                        ]
                        end = source.lines_of(node, node)[1]
                        yield (*edits, Edit(end, end, f"from {module} import {name}\n"))


def _is_a_name(source: PythonSource, name: str) -> bool:
    return any(isinstance(item, ast.Name) and item.id == name for item in ast.walk(source.tree))


OPERATORS = (
    preserving("combine-with", "Two nested with statements become one.", _combine_with),
    preserving("split-with", "One with statement of several items becomes two nested ones.", _split_with),
    preserving("split-except", "A handler of several types becomes two handlers.", _split_except),
    preserving("from-import", "`module.name` becomes `name`, imported from the module.", _from_import),
)
