"""Reading tree-sitter nodes: what every grammar's front-end needs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from scaffold_cli.syntax.building import shortened
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Range


_CHUNK = 1 << 16
_OPERATION = 3
"""Children of a binary expression: left, operator, right."""
_LEAST_WORK = 200
_WORK_PER_BYTE = 0.05
"""Most work a parse may take, in steps the parser reports. Real sources, with errors or without, stay below 0.012 a
byte; texts that make the error recovery go back again and again reach 0.7, and minutes, within a few kilobytes."""


class TooMuchWorkError(Exception):
    """A text on which the parser would work out of all proportion to its length."""


def parse(data: bytes, grammar: Language, part: Range | None = None) -> Node:
    """The root of a parse of `data`, or of the `part` of it. A parser each time: layers run side by side.

    Raises `TooMuchWorkError`, by a count of steps, not a clock: the same text always has the same outcome.
    """
    from tree_sitter import Parser

    ranges = [part] if part is not None else None
    size = part.end_byte - part.start_byte if part is not None else len(data)
    limit = _LEAST_WORK + size * _WORK_PER_BYTE
    steps = 0

    def stop(_offset: int, _has_error: bool) -> bool:
        nonlocal steps
        steps += 1
        return steps > limit

    try:  # steps are reported only for a text that is handed over in chunks
        parser = Parser(grammar, included_ranges=ranges)
        tree = parser.parse(lambda offset, _: data[offset : offset + _CHUNK], progress_callback=stop)
    except ValueError:
        raise TooMuchWorkError("takes out of all proportion long to parse") from None
    # Once more to have the text in the nodes; a tree without errors is taken over as it is.
    again = Parser(grammar, included_ranges=ranges)
    return (again.parse(data) if tree.root_node.has_error else again.parse(data, tree)).root_node


def named(node: Node) -> list[Node]:
    """Named children without comments."""
    return [child for child in node.named_children if not child.is_extra]


def text(node: Node) -> str:
    """The source of a node."""
    source = node.text
    return source.decode("utf-8", "replace") if source is not None else ""


def line(node: Node) -> int:
    """Where a node starts, 1-based."""
    return node.start_point[0] + 1


def field(node: Node, label: str) -> Node:
    """A child the grammar promises; a tree without errors always has it."""
    child = node.child_by_field_name(label)
    if child is None:
        raise ValueError(f"line {line(node)}: a {node.type} without {label}")
    return child


def leaf(kind: ExprKind, node: Node) -> Expr:
    """An expression spelled as in the source, with nothing below it."""
    source = node.text
    return Expr(kind, source.decode("utf-8", "replace") if source else "", (), node.start_point[0] + 1)


def operation(node: Node) -> tuple[Node, str, Node]:
    """The left side, the operator and the right side of a binary expression, comments left out."""
    children = node.children
    left, operator, right = children if len(children) == _OPERATION else [one for one in children if not one.is_extra]
    return left, operator.type, right


def make(
    kind: StmtKind, node: Node, label: str = "", exprs: Iterable[Expr] = (), blocks: tuple[Block, ...] = ()
) -> Stmt:
    """A statement that spans `node`."""
    return Stmt(kind, label, tuple(exprs), blocks, line(node), node.end_point[0] + 1)


def describe_error(root: Node) -> str | None:
    """Where the first error of a tree is, in words; None for a tree without errors."""
    if not root.has_error:
        return None
    node = _first_error(root)
    if node.is_missing:
        return f"line {line(node)}: {node.type!r} is missing"
    return f"line {line(node)}: unexpected {shortened(text(node))[:40]!r}"


def _first_error(root: Node) -> Node:
    """The first node that is in error or missing."""
    node = root
    while not (node.is_missing or node.is_error):
        broken = next((child for child in node.children if child.has_error or child.is_missing or child.is_error), None)
        if broken is None:
            break
        node = broken
    return node
