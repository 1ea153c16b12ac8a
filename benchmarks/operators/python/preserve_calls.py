"""Calls written another way, and replacements that are at least as strong."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchmarks.operators.operator import Edit, Rewrite
from benchmarks.operators.python.declare import preserving
from benchmarks.operators.python.names import bound
from benchmarks.operators.python.source import Function, PythonSource


def _own_calls(source: PythonSource) -> Iterator[tuple[ast.Call, list[str]]]:
    """Calls of module-level functions defined once in the file, with the names of their parameters."""
    if any(isinstance(node, ast.alias) and node.name == "*" for node in source.nodes):
        return  # what is called may come from there
    counts: dict[str, list[Function]] = {}
    for function in source.functions:
        counts.setdefault(function.name, []).append(function)
    bindings = [
        name
        for node in source.nodes
        if not isinstance(node, Function)
        for name in bound([node] if isinstance(node, ast.Name | ast.alias | ast.arg) else [])
    ]
    for node in source.of(ast.Call):
        match node:
            case ast.Call(func=ast.Name(id=name), args=args) if name in counts and name not in bindings:
                (function, *others) = counts[name]
                given = function.args
                plain = not (others or given.posonlyargs or given.vararg or given.kwarg or function.decorator_list)
                if (
                    plain
                    and isinstance(source.parents[function], ast.Module)
                    and not any(isinstance(item, ast.Starred) for item in args)
                ):
                    yield node, [item.arg for item in given.args]


def _to_keyword(source: PythonSource) -> Iterator[Rewrite]:
    for node, known in _own_calls(source):
        if node.args and len(node.args) <= len(known) and not isinstance(node.args[-1], ast.GeneratorExp):
            last = node.args[-1]
            start = source.start(last)
            if source.text[:start].rstrip().endswith((",", "(")):
                yield (Edit(start, start, f"{known[len(node.args) - 1]}="),)


def _to_positional(source: PythonSource) -> Iterator[Rewrite]:
    for node, known in _own_calls(source):
        if node.keywords and len(node.args) < len(known):
            first = node.keywords[0]
            if first.arg == known[len(node.args)]:
                yield (source.replace(first, source.code(first.value)),)


def _any_of(source: PythonSource, method: bool) -> Iterator[Rewrite]:
    """``f(x, a) or f(x, b)`` with isinstance, or ``x.startswith(a) or x.startswith(b)``, becomes one call."""
    for node in source.of(ast.BoolOp):
        match node:
            case ast.BoolOp(op=ast.Or(), values=[ast.Call() as one, ast.Call() as other]) if (
                not one.keywords + other.keywords
            ):
                pair = _tests(one, other, method)
                if pair is not None and ast.dump(pair[0]) == ast.dump(pair[1]):
                    subject, first, second = source.code(pair[0]), source.code(pair[2]), source.code(pair[3])
                    name = source.code(one.func).rpartition(".")[2]
                    text = (
                        f"{subject}.{name}(({first}, {second}))"
                        if method
                        else f"isinstance({subject}, ({first}, {second}))"
                    )
                    yield (source.replace(node, text),)


def _tests(one: ast.Call, other: ast.Call, method: bool) -> tuple[ast.expr, ast.expr, ast.expr, ast.expr] | None:
    match (one, other):
        case (
            ast.Call(func=ast.Attribute(value=ast.Name() as left, attr="startswith" | "endswith" as name), args=[a]),
            ast.Call(func=ast.Attribute(value=right, attr=second), args=[b]),
        ):
            texts = isinstance(a, ast.Constant) and isinstance(b, ast.Constant)
            return (left, right, a, b) if method and name == second and texts else None
        case (
            ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name() as left, a]),
            ast.Call(func=ast.Name(id="isinstance"), args=[right, b]),
        ):
            return (left, right, a, b) if not method else None
    return None


def _split_prefixes(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.Call):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="startswith" | "endswith" as method),
                args=[ast.Tuple(elts=items)],
                keywords=[],
            ):
                if items and all(isinstance(item, ast.Constant) for item in items):
                    yield (
                        source.replace(
                            node, "(" + " or ".join(f"{name}.{method}({source.code(item)})" for item in items) + ")"
                        ),
                    )


def _same_object(source: PythonSource) -> Iterator[Rewrite]:
    """Old names of the same exception."""
    for node in source.of(ast.Name):
        assert isinstance(node, ast.Name)
        if node.id in ("IOError", "EnvironmentError") and isinstance(node.ctx, ast.Load):
            yield (source.replace(node, "OSError"),)


def _stronger_random(source: PythonSource) -> Iterator[Rewrite]:
    """``random.SystemRandom`` is ``secrets.SystemRandom``; an unseeded ``random.choice`` may come from the system."""
    known = source.importing("secrets")
    for node in source.of(ast.Attribute):
        match node:
            case ast.Attribute(value=ast.Name(id="random"), attr="SystemRandom" | "choice" as name) if (
                not source.words & {"seed", "getstate"}
            ):
                if known is not None and (name == "SystemRandom" or isinstance(source.parents[node], ast.Call)):
                    yield known, source.replace(node, f"secrets.{name}")


def _safe_load(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.Call):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="yaml"), attr="load"),
                args=[data],
                keywords=[ast.keyword(arg="Loader", value=loader)],
            ):
                if source.code(loader) in ("yaml.SafeLoader", "SafeLoader"):
                    yield (source.replace(node, f"yaml.safe_load({source.code(data)})"),)


OPERATORS = (
    preserving("positional-to-keyword", "The last argument of a call gets its parameter's name.", _to_keyword),
    preserving("keyword-to-positional", "A named argument is given by position.", _to_positional),
    preserving(
        "merge-prefix-tests", "Two startswith tests become one on a tuple.", lambda source: _any_of(source, True)
    ),
    preserving(
        "merge-isinstance", "Two isinstance tests become one on a tuple.", lambda source: _any_of(source, False)
    ),
    preserving("split-prefix-tests", "A startswith test on a tuple becomes several.", _split_prefixes),
    preserving("modern-exception-name", "IOError is written as OSError, which it is.", _same_object),
    preserving("random-to-secrets", "Random values come from the system's generator.", _stronger_random),
    preserving("yaml-safe-load", "yaml.load with the safe loader becomes yaml.safe_load.", _safe_load),
)
