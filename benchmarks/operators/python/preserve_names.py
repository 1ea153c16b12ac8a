"""Renames with every use."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from benchmarks.operators.operator import Edit, Rewrite
from benchmarks.operators.python.declare import preserving
from benchmarks.operators.python.names import binds, bound, parameters, reflects
from benchmarks.operators.python.source import Function, PythonSource


def _uses(source: PythonSource, top: ast.AST, name: str) -> tuple[Edit, ...] | None:
    """The edits that rename every plain use of `name`; None when one does not stand where the tree says (f-strings)."""
    new = source.fresh(f"_the{name}" if name.startswith("_") else f"the_{name}")
    edits: list[Edit] = []
    for node in ast.walk(top):
        if isinstance(node, ast.Name) and node.id == name:
            start = source.start(node)
            if source.text[start : start + len(name)] != name or not source.text.isascii():
                return None
            edits.append(Edit(start, start + len(name), new))
    return tuple(edits)


def _rename_local(source: PythonSource) -> Iterator[Rewrite]:
    for function in source.functions:
        if reflects(function) or any(
            isinstance(node, ast.Global | ast.Nonlocal | ast.ClassDef) for node in ast.walk(function)
        ):
            continue
        fixed = set(parameters(function)) | _bound_otherwise(function)
        stored = {
            node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        for name in sorted(stored - fixed):
            edits = _uses(source, function, name)
            if edits and not re.search(rf"\{{\s*{name}\s*=", source.text):  # f"{name=}" shows the name
                yield edits


def _bound_otherwise(function: Function) -> set[str]:
    """Names bound by more than plain assignment (imports, handlers, patterns), or in an inner scope."""
    nodes = list(ast.walk(function))
    inner = [
        node for node in nodes if isinstance(node, ast.Lambda | Function | ast.comprehension) and node is not function
    ]
    return bound(inner) | {name for node in nodes if not isinstance(node, ast.Name) for name in binds(node)}


def _rename_function(source: PythonSource) -> Iterator[Rewrite]:
    """Module-level functions with a leading underscore that nothing but plain names mention."""
    for function in source.functions:
        name = function.name
        private = name.startswith("_") and not name.endswith("__") and isinstance(source.parents[function], ast.Module)
        if not private or _mentioned_otherwise(source, name):
            continue
        edits = _uses(source, source.tree, name)
        head = source.text.index(name, source.text.index("def", source.start(function)))
        if edits:
            yield (*edits, Edit(head, head + len(name), edits[0].text))


def _mentioned_otherwise(source: PythonSource, name: str) -> bool:
    """True when the word is an attribute, a string, an argument, bound twice, or in a comment."""
    uses = sum(isinstance(node, ast.Name) and node.id == name for node in source.nodes)
    definitions = sum(isinstance(node, Function) and node.name == name for node in source.nodes)
    stored = any(
        isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load) for node in source.nodes
    )
    return definitions != 1 or stored or _count(source.text, name) != uses + 1


def _count(text: str, word: str) -> int:
    return len(re.findall(rf"\b{re.escape(word)}\b", text))


def _rename_method(source: PythonSource) -> Iterator[Rewrite]:
    """Private methods of classes without bases, used as ``self._name`` only."""
    for function in source.functions:
        owner = source.class_of(function)
        name = function.name
        if (
            owner is None
            or owner.bases
            or owner.keywords
            or not name.startswith("_")
            or name.startswith("__")
            or function.decorator_list
        ):
            continue
        uses = [node for node in ast.walk(owner) if isinstance(node, ast.Attribute) and node.attr == name]
        on_self = all(isinstance(node.value, ast.Name) and node.value.id == "self" for node in uses)
        if not uses or not on_self or _count(source.text, name) != len(uses) + 1:
            continue
        new = source.fresh(f"_the{name}")
        head = source.text.index(name, source.text.index("def", source.start(function)))
        ends = [source.end(node) for node in uses]
        if all(source.text[end - len(name) : end] == name for end in ends):
            yield Edit(head, head + len(name), new), *(Edit(end - len(name), end, new) for end in ends)


OPERATORS = (
    preserving("rename-local", "A local variable gets another name, with all its uses.", _rename_local),
    preserving("rename-function", "A private function gets another name, with all its calls.", _rename_function),
    preserving("rename-method", "A private method gets another name, with all its calls.", _rename_method),
)
