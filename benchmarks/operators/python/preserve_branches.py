"""Branches written another way: else, elif, nesting, early exits, conditional expressions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchmarks.operators.operator import Edit, Rewrite
from benchmarks.operators.python.declare import preserving
from benchmarks.operators.python.names import grouped, negated
from benchmarks.operators.python.source import PythonSource

_EXITS = (ast.Return, ast.Raise, ast.Continue, ast.Break)
STEP = "    "


def leaves(block: list[ast.stmt]) -> bool:
    """True when control never runs past the block's end."""
    return isinstance(block[-1], _EXITS)


def plain_ifs(source: PythonSource) -> Iterator[tuple[ast.If, list[ast.stmt]]]:
    """Every if (no elif) that starts its own line with its body below, and the statements that follow it."""
    for block in source.blocks:
        for place, node in enumerate(block):
            if not isinstance(node, ast.If) or node.body[0].lineno == node.test.end_lineno:
                continue
            if source.text.startswith("if", source.start(node)):
                yield node, block[place + 1 :]


def _nest_the_rest(source: PythonSource) -> Iterator[Rewrite]:
    for node, rest in plain_ifs(source):
        if (
            rest
            and not node.orelse
            and leaves(node.body)
            and "\n" not in source.code(node.test)
            and _both(source, node, rest)
        ):
            indent = source.indent(node)
            inner = indent + STEP
            text = f"{indent}if {negated(source, node.test)}:\n{source.shifted(rest[0], rest[-1], inner)}"
            text += f"{indent}else:\n{source.shifted(node.body[0], node.body[-1], inner)}"
            yield (source.replace_lines(node, rest[-1], text),)


def _both(source: PythonSource, node: ast.If, rest: list[ast.stmt]) -> bool:
    return source.movable(rest[0], rest[-1]) and source.movable(node.body[0], node.body[-1])


def _else_after_exit(source: PythonSource) -> Iterator[Rewrite]:
    for node, rest in plain_ifs(source):
        if rest and not node.orelse and leaves(node.body) and source.movable(rest[0], rest[-1]):
            indent = source.indent(node)
            text = f"{indent}else:\n{source.shifted(rest[0], rest[-1], indent + STEP)}"
            yield (source.replace_lines(rest[0], rest[-1], text),)


def _else_line(source: PythonSource, node: ast.If) -> tuple[int, int] | None:
    """Offsets of the lines between body and else block, when they hold nothing but ``else:``."""
    start = source.line_start((node.body[-1].end_lineno or 0) + 1)
    end = source.line_start(source.first_line(node.orelse[0]))
    return (start, end) if source.text[start:end].strip() == "else:" else None


def _drop_else(source: PythonSource) -> Iterator[Rewrite]:
    for node, _ in plain_ifs(source):
        if not node.orelse or not leaves(node.body) or not source.movable(node.orelse[0], node.orelse[-1]):
            continue
        gap = _else_line(source, node)
        if gap is not None:
            text = source.shifted(node.orelse[0], node.orelse[-1], source.indent(node))
            yield Edit(*gap, ""), source.replace_lines(node.orelse[0], node.orelse[-1], text)


def _swap_branches(source: PythonSource) -> Iterator[Rewrite]:
    for node, _ in plain_ifs(source):
        if (
            not node.orelse
            or not source.movable(node.body[0], node.body[-1])
            or not source.movable(node.orelse[0], node.orelse[-1])
        ):
            continue
        if _else_line(source, node) is not None and "\n" not in source.code(node.test):
            one, other = (source.block_text(block[0], block[-1]) for block in (node.body, node.orelse))
            yield (
                source.replace(node.test, negated(source, node.test)),
                source.replace_lines(node.body[0], node.body[-1], other),
                source.replace_lines(node.orelse[0], node.orelse[-1], one),
            )


def _elif_to_else_if(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.If):
        assert isinstance(node, ast.If)
        inner = node.orelse[0] if len(node.orelse) == 1 else None
        if (
            isinstance(inner, ast.If)
            and source.text.startswith("elif", source.start(inner))
            and source.movable(inner, inner)
        ):
            indent = source.indent(inner)
            lines = source.block_text(inner, inner).splitlines(keepends=True)
            lines[0] = lines[0].replace("elif", "if", 1)
            text = "".join(STEP + line if line.strip() else line for line in lines)
            yield (source.replace_lines(inner, inner, f"{indent}else:\n{text}"),)


def _else_if_to_elif(source: PythonSource) -> Iterator[Rewrite]:
    for node, _ in plain_ifs(source):
        inner = node.orelse[0] if len(node.orelse) == 1 else None
        if (
            isinstance(inner, ast.If)
            and source.text.startswith("if", source.start(inner))
            and source.movable(inner, inner)
        ):
            gap = _else_line(source, node)
            if gap is not None and inner.lineno > node.body[-1].lineno + 1:
                indent = source.indent(node)
                text = source.shifted(inner, inner, indent).replace(f"{indent}if", f"{indent}elif", 1)
                yield Edit(*gap, ""), source.replace_lines(inner, inner, text)


def _ternary_to_if(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.Return):
        assert isinstance(node, ast.Return)
        value = node.value
        if isinstance(value, ast.IfExp) and source.movable(node, node) and "\n" not in source.code(node):
            indent = source.indent(node)
            then, other = source.code(value.body), source.code(value.orelse)
            text = f"{indent}if {source.code(value.test)}:\n{indent}{STEP}return {then}\n{indent}return {other}\n"
            yield (source.replace_lines(node, node, text),)


def _if_to_ternary(source: PythonSource) -> Iterator[Rewrite]:
    for node, rest in plain_ifs(source):
        match (node.body, node.orelse, rest[:1]):
            case ([ast.Return(value=ast.expr() as one)], [], [ast.Return(value=ast.expr() as other) as last]):
                choice = f"{grouped(source, one)} if {grouped(source, node.test)} else {grouped(source, other)}"
                text = f"{source.indent(node)}return {choice}\n"
                if source.owns_lines(node, last) and "#" not in source.block_text(node, last):
                    yield (source.replace_lines(node, last, text),)


OPERATORS = (
    preserving(
        "nest-the-rest",
        "An early exit becomes the else branch, the rest is nested under the negated condition.",
        _nest_the_rest,
    ),
    preserving("else-after-exit", "What follows an early exit moves into an else branch.", _else_after_exit),
    preserving("drop-else-after-exit", "The else branch behind an exit loses its else.", _drop_else),
    preserving("swap-branches", "The condition is negated and both branches change places.", _swap_branches),
    preserving("elif-to-else-if", "An elif becomes an if inside else.", _elif_to_else_if),
    preserving("else-if-to-elif", "An if alone inside else becomes an elif.", _else_if_to_elif),
    preserving("ternary-to-if", "A returned conditional expression becomes an if with two returns.", _ternary_to_if),
    preserving("if-to-ternary", "An if with two returns becomes one returned conditional expression.", _if_to_ternary),
)
