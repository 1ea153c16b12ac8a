"""Comments, constants and log lines."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.operators.java.declare import preserving
from benchmarks.operators.java.source import JavaSource, field, operator_of, statements
from benchmarks.operators.operator import Rewrite


def _add_comment(source: JavaSource) -> Iterator[Rewrite]:
    for block in source.of("block"):
        for node in statements(block):
            yield (source.insert_before(node, f"// The next step, in words.\n{source.indent(node)}"),)


def _add_logging(source: JavaSource) -> Iterator[Rewrite]:
    for method in source.of("method_declaration"):
        body = field(method, "body")
        if body is not None and statements(body):
            first = statements(body)[0]
            line = f'java.util.logging.Logger.getLogger("trace").fine("enter");\n{source.indent(first)}'
            yield (source.insert_before(first, line),)


def _extract_constant(source: JavaSource) -> Iterator[Rewrite]:
    """A number compared with becomes a constant of a top-level class."""
    for node in source.of("binary_expression"):
        right, method = field(node, "right"), source.method_of(node)
        owner = method.parent if method is not None else None
        outer = owner.parent if owner is not None and owner.type == "class_body" else None
        top = outer is not None and outer.parent is not None and outer.parent.type == "program"
        if right is None or method is None or not top or operator_of(node) not in ("<", ">", "<=", ">=", "==", "!="):
            continue
        if right.type == "decimal_integer_literal" and source.code(right).isdigit():
            name = source.fresh("FIXED_VALUE")
            definition = f"private static final int {name} = {source.code(right)};\n\n{source.indent(method)}"
            yield source.insert_before(method, definition), source.replace(right, name)


OPERATORS = (
    preserving("add-comment", "A comment is put above a statement.", _add_comment),
    preserving("add-logging", "A method writes a fine-grained log line when it starts.", _add_logging),
    preserving("extract-constant", "A number in a comparison becomes a constant of the class.", _extract_constant),
)
