"""Conditions and guards moved into helpers, decorators and context managers of the same file."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchmarks.operators.operator import Rewrite
from benchmarks.operators.python.declare import preserving
from benchmarks.operators.python.names import parameters, suspends, taken_along
from benchmarks.operators.python.preserve_branches import STEP, plain_ifs
from benchmarks.operators.python.source import Function, PythonSource


def guards(source: PythonSource) -> Iterator[tuple[Function, ast.If, list[ast.stmt]]]:
    """Every if in a function that only raises, with the statements behind it."""
    for node, rest in plain_ifs(source):
        function = source.function_of(node)
        raises = not node.orelse and isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is not None
        if function is not None and raises:
            yield function, node, rest


def _extract_predicate(source: PythonSource) -> Iterator[Rewrite]:
    for node, _ in plain_ifs(source):
        function = source.function_of(node)
        if function is None or isinstance(node.test, ast.Name | ast.Constant):
            continue
        handed = taken_along(source, function, [node.test])
        if handed:
            name, given = source.fresh("_condition_holds"), ", ".join(handed)
            helper = f"def {name}({given}):\n{STEP}return ({source.code(node.test)})\n\n\n"
            yield (
                source.insert_before(source.top_level(function), helper),
                source.replace(node.test, f"{name}({given})"),
            )


def _extract_guard(source: PythonSource) -> Iterator[Rewrite]:
    for function, node, _ in guards(source):
        handed = taken_along(source, function, [node])
        if handed is not None and source.movable(node, node):
            name, given = source.fresh("_refuse_bad_input"), ", ".join(handed)
            helper = f"def {name}({given}):\n{source.shifted(node, node, STEP)}\n\n"
            call = f"{source.indent(node)}{name}({given})\n"
            yield source.insert_before(source.top_level(function), helper), source.replace_lines(node, node, call)


def _extract_to_method(source: PythonSource) -> Iterator[Rewrite]:
    for function, node, _ in guards(source):
        owner = source.class_of(function)
        handed = taken_along(source, function, [node]) if owner is not None else None
        if handed and handed[0] == "self" and parameters(function)[:1] == ["self"] and source.movable(node, node):
            name, indent = source.fresh("_refuse_unfit"), source.indent(function)
            helper = f"{indent}def {name}({', '.join(handed)}):\n{source.shifted(node, node, indent + STEP)}\n"
            call = f"{source.indent(node)}self.{name}({', '.join(handed[1:])})\n"
            yield source.insert_before(function, helper), source.replace_lines(node, node, call)


def _leading_guard(source: PythonSource, function: Function, node: ast.If) -> bool:
    """True when the guard is the first thing a plain, undecorated function with simple parameters does."""
    body = [item for item in function.body if not (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant))]
    given = function.args
    simple = not (given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg or given.defaults)
    plain = isinstance(function, ast.FunctionDef) and not function.decorator_list and not suspends(function)
    return simple and plain and len(body) > 1 and body[0] is node and source.movable(node, node)


def _guard_to_decorator(source: PythonSource) -> Iterator[Rewrite]:
    for function, node, _ in guards(source):
        handed = taken_along(source, function, [node]) if _leading_guard(source, function, node) else None
        known = source.importing("functools")
        if not handed or known is None:
            continue
        name, given, indent = source.fresh("_guarded"), ", ".join(parameters(function)), source.indent(function)
        inner = STEP * 2
        helper = f"def {name}(function):\n{STEP}@functools.wraps(function)\n{STEP}def checked({given}):\n"
        helper += f"{source.shifted(node, node, inner)}{inner}return function({given})\n\n{STEP}return checked\n\n\n"
        top = source.top_level(function)
        if top is function:
            yield known, source.insert_before(function, f"{helper}@{name}\n"), source.replace_lines(node, node, "")
        else:
            yield (
                known,
                source.insert_before(top, helper),
                source.insert_before(function, f"{indent}@{name}\n"),
                source.replace_lines(node, node, ""),
            )


def _guard_to_context(source: PythonSource) -> Iterator[Rewrite]:
    for function, node, rest in guards(source):
        handed = taken_along(source, function, [node]) if rest and not suspends(function) else None
        known = source.importing("contextlib")
        if not handed or known is None or not source.movable(node, node) or not source.movable(rest[0], rest[-1]):
            continue
        name, given, indent = source.fresh("_checked"), ", ".join(handed), source.indent(node)
        helper = (
            f"@contextlib.contextmanager\ndef {name}({given}):\n{source.shifted(node, node, STEP)}{STEP}yield\n\n\n"
        )
        text = f"{indent}with {name}({given}):\n{source.shifted(rest[0], rest[-1], indent + STEP)}"
        yield (
            known,
            source.insert_before(source.top_level(function), helper),
            source.replace_lines(node, rest[-1], text),
        )


OPERATORS = (
    preserving("extract-predicate", "A condition moves into a new function that returns it.", _extract_predicate),
    preserving("extract-guard", "A guard moves into a new function that raises.", _extract_guard),
    preserving("extract-guard-to-method", "A guard moves into a new method that raises.", _extract_to_method),
    preserving(
        "guard-to-decorator", "A leading guard moves into a new decorator of the function.", _guard_to_decorator
    ),
    preserving(
        "guard-to-context-manager",
        "A guard moves into a new context manager around what it guarded.",
        _guard_to_context,
    ),
)
