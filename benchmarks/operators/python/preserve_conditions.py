"""Conditions written another way, with the same order of evaluation."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchmarks.operators.operator import Rewrite
from benchmarks.operators.python.declare import preserving
from benchmarks.operators.python.names import grouped
from benchmarks.operators.python.preserve_branches import STEP, plain_ifs
from benchmarks.operators.python.source import PythonSource

_MIRRORED: dict[type[ast.cmpop], str] = {
    ast.Lt: ">",
    ast.Gt: "<",
    ast.LtE: ">=",
    ast.GtE: "<=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_SYMBOLS: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.Gt: ">", ast.LtE: "<=", ast.GtE: ">="}


def _split_or(source: PythonSource) -> Iterator[Rewrite]:
    for node, _ in plain_ifs(source):
        match node:
            case ast.If(
                test=ast.BoolOp(op=ast.Or(), values=values),
                body=[ast.Raise() | ast.Return() | ast.Continue() as only],
                orelse=[],
            ):
                indent, body = source.indent(node), source.block_text(only, only)
                if source.movable(node, node) and not any("\n" in source.code(value) for value in values):
                    text = "".join(f"{indent}if {source.code(value)}:\n{body}" for value in values)
                    yield (source.replace_lines(node, node, text),)


def _merge_guards(source: PythonSource) -> Iterator[Rewrite]:
    for node, rest in plain_ifs(source):
        match (node.body, node.orelse, rest[:1]):
            case ([ast.Raise() | ast.Return() as one], [], [ast.If(test=test, body=[other], orelse=[]) as second]):
                same = ast.dump(one) == ast.dump(other) and source.owns_lines(second, second)
                if same and source.owns_lines(node, node) and "\n" not in source.code(node.test) + source.code(test):
                    condition = f"{grouped(source, node.test)} or {grouped(source, test)}"
                    text = f"{source.indent(node)}if {condition}:\n{source.block_text(one, one)}"
                    yield (source.replace_lines(node, second, text),)


def _nest_and(source: PythonSource) -> Iterator[Rewrite]:
    for node, _ in plain_ifs(source):
        match node:
            case ast.If(test=ast.BoolOp(op=ast.And(), values=[first, *others]), orelse=[]):
                if not source.movable(node, node) or "\n" in source.code(node.test):
                    continue
                indent, inner = source.indent(node), source.indent(node) + STEP
                second = " and ".join(grouped(source, value) for value in others)
                body = source.shifted(node.body[0], node.body[-1], inner + STEP)
                yield (
                    source.replace_lines(node, node, f"{indent}if {source.code(first)}:\n{inner}if {second}:\n{body}"),
                )


def _merge_nested(source: PythonSource) -> Iterator[Rewrite]:
    for node, _ in plain_ifs(source):
        match node:
            case ast.If(body=[ast.If(test=test, body=body, orelse=[]) as inner], orelse=[]):
                one, other = grouped(source, node.test), grouped(source, test)
                if source.movable(inner, inner) and "\n" not in one + other and body[0].lineno > inner.lineno:
                    block = source.shifted(body[0], body[-1], source.indent(inner))
                    text = f"{source.indent(node)}if {one} and {other}:\n{block}"
                    yield (source.replace_lines(node, node, text),)


def _de_morgan(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.UnaryOp):
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=ast.BoolOp(op=op, values=values)):
                joined = " and " if isinstance(op, ast.Or) else " or "
                text = joined.join(negated_exactly(source, value) for value in values)
                yield (source.replace(node, f"({text})"),)


def negated_exactly(source: PythonSource, value: ast.expr) -> str:
    """``not value`` as text; a comparison by ``in`` or ``is`` takes the not inside."""
    match value:
        case ast.Compare(ops=[ast.In()], left=left, comparators=[right]):
            return f"{grouped(source, left)} not in {grouped(source, right)}"
        case ast.Compare(ops=[ast.Is()], left=left, comparators=[right]):
            return f"{grouped(source, left)} is not {grouped(source, right)}"
    return f"not {grouped(source, value)}"


def _fold_negations(source: PythonSource) -> Iterator[Rewrite]:
    """``not a or not b`` as the whole test of an if, where only its truth counts."""
    for node in source.of(ast.If, ast.While):
        assert isinstance(node, ast.If | ast.While)
        match node.test:
            case ast.BoolOp(op=op, values=values) if all(
                isinstance(item, ast.UnaryOp) and isinstance(item.op, ast.Not) for item in values
            ):
                joined = " and " if isinstance(op, ast.Or) else " or "
                text = joined.join(grouped(source, item.operand) for item in values if isinstance(item, ast.UnaryOp))
                yield (source.replace(node.test, f"not ({text})"),)


def _reverse_comparison(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.Compare):
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[ast.Constant() as right]) if type(op) in _MIRRORED:
                if not isinstance(left, ast.Constant):
                    yield (source.replace(node, f"{source.code(right)} {_MIRRORED[type(op)]} {grouped(source, left)}"),)


def _membership_to_equalities(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.Compare):
        match node:
            case ast.Compare(
                left=ast.Name(id=name), ops=[ast.In() | ast.NotIn() as op], comparators=[ast.Tuple(elts=items)]
            ):
                if 1 < len(items) < 5 and all(
                    isinstance(item, ast.Constant) and isinstance(item.value, str | int) for item in items
                ):
                    sign, joined = (" == ", " or ") if isinstance(op, ast.In) else (" != ", " and ")
                    yield (
                        source.replace(
                            node, "(" + joined.join(name + sign + source.code(item) for item in items) + ")"
                        ),
                    )


def _equalities_to_membership(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.BoolOp):
        assert isinstance(node, ast.BoolOp)
        wanted, word = (ast.Eq, "in") if isinstance(node.op, ast.Or) else (ast.NotEq, "not in")
        pairs = [_name_against_text(item, wanted) for item in node.values]
        subjects = {pair[0] for pair in pairs if pair}
        if all(pairs) and len(subjects) == 1:
            values = ", ".join(source.code(pair[1]) for pair in pairs if pair)
            yield (source.replace(node, f"{subjects.pop()} {word} ({values})"),)


def _name_against_text(node: ast.expr, operator: type[ast.cmpop]) -> tuple[str, ast.expr] | None:
    match node:
        case ast.Compare(left=ast.Name(id=name), ops=[op], comparators=[ast.Constant(value=str() | int()) as right]):
            return (name, right) if isinstance(op, operator) else None
    return None


def _split_chain(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.Compare):
        match node:
            case ast.Compare(left=left, ops=[one, other], comparators=[ast.Name() as middle, right]):
                if type(one) in _SYMBOLS and type(other) in _SYMBOLS:
                    first = f"{grouped(source, left)} {_SYMBOLS[type(one)]} {middle.id}"
                    yield (
                        source.replace(
                            node, f"({first} and {middle.id} {_SYMBOLS[type(other)]} {grouped(source, right)})"
                        ),
                    )


def _parenthesise(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.If):
        assert isinstance(node, ast.If)
        yield (source.replace(node.test, f"({source.code(node.test)})"),)


OPERATORS = (
    preserving("split-or-guard", "A guard on `a or b` becomes two guards.", _split_or),
    preserving("merge-guards", "Two guards in a row with the same exit become one on `a or b`.", _merge_guards),
    preserving("nest-and", "A condition `a and b` becomes two nested ifs.", _nest_and),
    preserving("merge-nested-ifs", "Two nested ifs become one on `a and b`.", _merge_nested),
    preserving("de-morgan", "The negation of `a or b` is pushed inside.", _de_morgan),
    preserving("fold-negations", "`not a or not b` becomes `not (a and b)` in a test.", _fold_negations),
    preserving("reverse-comparison", "A comparison with a constant is mirrored.", _reverse_comparison),
    preserving("membership-to-equalities", "`x in (a, b)` becomes `x == a or x == b`.", _membership_to_equalities),
    preserving("equalities-to-membership", "`x == a or x == b` becomes `x in (a, b)`.", _equalities_to_membership),
    preserving("split-chained-comparison", "`a <= x <= b` becomes `a <= x and x <= b`.", _split_chain),
    preserving("parenthesise-condition", "A condition is put in parentheses.", _parenthesise),
)
