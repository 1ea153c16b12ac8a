"""Loops against any and all."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchmarks.operators.operator import Rewrite
from benchmarks.operators.python.declare import preserving
from benchmarks.operators.python.names import binds, bound, grouped, names, negated, reflects, suspends
from benchmarks.operators.python.preserve_branches import STEP
from benchmarks.operators.python.source import Function, PythonSource


def _used_elsewhere(function: Function, inside: ast.AST, targets: set[str]) -> bool:
    """True when a loop variable means something in the function outside `inside`."""
    within = {id(node) for node in ast.walk(inside)}
    rest = [node for node in ast.walk(function) if id(node) not in within]
    used = {node.id for node in rest if isinstance(node, ast.Name)} | {name for node in rest for name in binds(node)}
    return bool(used & targets)


def _loops(source: PythonSource) -> Iterator[tuple[Function, ast.For, ast.If, ast.stmt | None]]:
    """Every loop that only looks for one item, its test, and the statement behind it."""
    for block in source.blocks:
        for place, node in enumerate(block):
            match node:
                case ast.For(body=[ast.If(orelse=[], body=[_]) as test], orelse=[], type_comment=None):
                    function = source.function_of(node)
                    quiet = (
                        not suspends(node)
                        and not reflects(node)
                        and not bound([test.test])
                        and "next" not in names([node])
                    )
                    if function is None or not quiet or "\n" in source.code(node.iter) + source.code(test.test):
                        continue
                    if not _used_elsewhere(function, node, bound([node.target])) and source.movable(node, node):
                        yield function, node, test, block[place + 1] if place + 1 < len(block) else None


def _search(source: PythonSource, node: ast.For, test: str) -> str:
    return f"{test} for {source.code(node.target)} in {grouped(source, node.iter)}"


def _loop_to_any(source: PythonSource) -> Iterator[Rewrite]:
    for _, node, test, behind in _loops(source):
        indent = source.indent(node)
        match (test.body[0], behind):
            case (ast.Raise() as exit_, _) if not names([exit_]) & bound([node.target]):
                search = _search(source, node, source.code(test.test))
                text = f"{indent}if any({search}):\n{source.shifted(exit_, exit_, indent + STEP)}"
                yield (source.replace_lines(node, node, text),)
            case (ast.Return(value=ast.Constant(value=True)), ast.Return(value=ast.Constant(value=False))):
                assert behind is not None
                text = f"{indent}return any({_search(source, node, source.code(test.test))})\n"
                yield (source.replace_lines(node, behind, text),)
            case (ast.Return(value=ast.Constant(value=False)), ast.Return(value=ast.Constant(value=True))):
                assert behind is not None
                text = f"{indent}return all({_search(source, node, negated(source, test.test))})\n"
                yield (source.replace_lines(node, behind, text),)


def _any_to_loop(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.If, ast.Return):
        search = node.test if isinstance(node, ast.If) else node.value if isinstance(node, ast.Return) else None
        function = source.function_of(node)
        match search:
            case ast.Call(
                func=ast.Name(id="any" | "all" as word), args=[ast.GeneratorExp(elt=elt, generators=[one])], keywords=[]
            ):
                pass
            case _:
                continue
        assert isinstance(node, ast.If | ast.Return)
        if function is None or one.ifs or one.is_async or ("\n" in source.code(node) and isinstance(node, ast.Return)):
            continue
        if (
            reflects(function)
            or bound([elt])
            or _used_elsewhere(function, search, bound([one.target]))
            or not source.movable(node, node)
        ):
            continue
        text = _as_loop(source, node, word, elt, one)
        if text is not None:
            yield (source.replace_lines(node, node, text),)


def _as_loop(
    source: PythonSource, node: ast.If | ast.Return, word: str, elt: ast.expr, one: ast.comprehension
) -> str | None:
    indent, inner = source.indent(node), source.indent(node) + STEP
    if "\n" in source.code(elt):
        return None
    head = f"{indent}for {source.code(one.target)} in {source.code(one.iter)}:\n"
    if isinstance(node, ast.Return):
        test = source.code(elt) if word == "any" else negated(source, elt)
        found = word == "any"
        return f"{head}{inner}if {test}:\n{inner}{STEP}return {found}\n{indent}return {not found}\n"
    is_guard = len(node.body) == 1 and isinstance(node.body[0], ast.Raise) and not node.orelse
    if word == "all" or not is_guard or not source.text.startswith("if", source.start(node)):
        return None
    return f"{head}{inner}if {source.code(elt)}:\n{source.shifted(node.body[0], node.body[0], inner + STEP)}"


OPERATORS = (
    preserving("loop-to-any", "A loop that looks for one item becomes any or all.", _loop_to_any),
    preserving("any-to-loop", "any or all over a generator becomes a loop.", _any_to_loop),
)
