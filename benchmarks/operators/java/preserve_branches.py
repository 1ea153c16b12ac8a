"""Branches and conditions written another way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from benchmarks.operators.java.declare import preserving
from benchmarks.operators.java.source import JavaSource, alternatives, condition, field, operator_of, statements
from benchmarks.operators.operator import Edit, Rewrite

if TYPE_CHECKING:
    from tree_sitter import Node

_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
_LITERALS = ("decimal_integer_literal", "null_literal", "string_literal", "character_literal")
_EXITS = ("throw_statement", "return_statement")


def _ifs(source: JavaSource) -> Iterator[tuple[Node, Node, Node]]:
    """Every if that is a statement of a block, its test and its body."""
    for node in source.of("if_statement"):
        test, body = condition(node), field(node, "consequence")
        if test is not None and body is not None and node.parent is not None and node.parent.type == "block":
            yield node, test, body


def _binds(test: Node, source: JavaSource) -> bool:
    """True when a pattern in the test names a value for later."""
    return "instanceof" in source.code(test) or "->" in source.code(test)


def _exits(body: Node) -> bool:
    inside = statements(body) if body.type == "block" else [body]
    return bool(inside) and inside[-1].type in _EXITS


def _rest(node: Node) -> list[Node]:
    assert node.parent is not None
    return [item for item in statements(node.parent) if item.start_byte > node.start_byte]


def _else_after_exit(source: JavaSource) -> Iterator[Rewrite]:
    for node, test, body in _ifs(source):
        rest = _rest(node)
        if (
            rest
            and field(node, "alternative") is None
            and _exits(body)
            and body.type == "block"
            and not _binds(test, source)
        ):
            start, end = source.end(node), source.end(rest[-1])
            yield Edit(start, start, " else {"), Edit(end, end, f"\n{source.indent(node)}}}")


def _nest_the_rest(source: JavaSource) -> Iterator[Rewrite]:
    for node, test, body in _ifs(source):
        rest = _rest(node)
        if (
            rest
            and field(node, "alternative") is None
            and _exits(body)
            and body.type == "block"
            and not _binds(test, source)
        ):
            start, end = source.end(node), source.end(rest[-1])
            head = f"if (!({source.code(test)})) {{"
            tail = f"\n{source.indent(node)}}} else {source.code(body)}"
            yield Edit(source.start(node), start, head), Edit(end, end, tail)


def _swap_branches(source: JavaSource) -> Iterator[Rewrite]:
    for node, test, body in _ifs(source):
        other = field(node, "alternative")
        if other is not None and other.type == body.type == "block" and not _binds(test, source):
            swapped = source.replace(body, source.code(other)), source.replace(other, source.code(body))
            yield source.replace(test, f"!({source.code(test)})"), *swapped


def _split_or(source: JavaSource) -> Iterator[Rewrite]:
    for node, test, body in _ifs(source):
        parts = alternatives(test, "||")
        if len(parts) > 1 and field(node, "alternative") is None and _exits(body) and not _binds(test, source):
            between = "\n" + source.indent(node)
            yield (
                source.replace(node, between.join(f"if ({source.code(part)}) {source.code(body)}" for part in parts)),
            )


def _nest_and(source: JavaSource) -> Iterator[Rewrite]:
    for node, test, body in _ifs(source):
        parts = alternatives(test, "&&")
        if len(parts) > 1 and field(node, "alternative") is None and not _binds(test, source):
            rest = " && ".join(source.code(part) for part in parts[1:])
            yield (source.replace(node, f"if ({source.code(parts[0])}) {{ if ({rest}) {source.code(body)} }}"),)


def _de_morgan(source: JavaSource) -> Iterator[Rewrite]:
    for node in source.of("if_statement"):
        test = condition(node)
        for sign, other in (("||", " && "), ("&&", " || ")):
            parts = alternatives(test, sign) if test is not None else []
            if test is not None and len(parts) > 1 and not _binds(test, source):
                yield (source.replace(test, "!(" + other.join(f"!({source.code(part)})" for part in parts) + ")"),)


def _reverse_comparison(source: JavaSource) -> Iterator[Rewrite]:
    for node in source.of("binary_expression"):
        left, right, sign = field(node, "left"), field(node, "right"), operator_of(node)
        if (
            left is not None
            and right is not None
            and sign in _MIRRORED
            and right.type in _LITERALS
            and left.type != "binary_expression"
        ):
            yield (source.replace(node, f"{source.code(right)} {_MIRRORED[sign]} {source.code(left)}"),)


def _braces(source: JavaSource) -> Iterator[Rewrite]:
    for _, _, body in _ifs(source):
        if body.type != "block":
            yield (source.replace(body, f"{{ {source.code(body)} }}"),)
        elif len(statements(body)) == 1 and body.named_child_count == 1 and statements(body)[0].type in _EXITS:
            yield (source.replace(body, source.code(statements(body)[0])),)


def _ternary_to_if(source: JavaSource) -> Iterator[Rewrite]:
    for node in source.of("return_statement"):
        value = node.named_children[0] if node.named_child_count == 1 else None
        test, one, other = field(value, "condition"), field(value, "consequence"), field(value, "alternative")
        in_block = node.parent is not None and node.parent.type == "block"
        typed = source.method_of(node)
        kind = field(typed, "type")
        if (
            value is None
            or value.type != "ternary_expression"
            or test is None
            or one is None
            or other is None
            or not in_block
        ):
            continue
        if kind is not None and source.code(kind) in ("boolean", "String"):  # numbers would be promoted together
            between = "\n" + source.indent(node)
            yield (
                source.replace(
                    node,
                    f"if ({source.code(test)}) {{ return {source.code(one)}; }}{between}return {source.code(other)};",
                ),
            )


OPERATORS = (
    preserving("else-after-exit", "What follows an early exit moves into an else branch.", _else_after_exit),
    preserving("nest-the-rest", "An early exit becomes the else branch, the rest is nested.", _nest_the_rest),
    preserving("swap-branches", "The condition is negated and both branches change places.", _swap_branches),
    preserving("split-or-guard", "A guard on `a || b` becomes two guards.", _split_or),
    preserving("nest-and", "A condition `a && b` becomes two nested ifs.", _nest_and),
    preserving("de-morgan", "A condition is negated twice, once inside.", _de_morgan),
    preserving("reverse-comparison", "A comparison with a literal is mirrored.", _reverse_comparison),
    preserving("toggle-braces", "A branch of one statement gains or loses its braces.", _braces),
    preserving("ternary-to-if", "A returned conditional expression becomes an if with two returns.", _ternary_to_if),
)
