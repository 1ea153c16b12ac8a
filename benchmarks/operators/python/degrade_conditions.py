"""Conditions that refuse less."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from benchmarks.operators.operator import Rewrite
from benchmarks.operators.python.declare import degrading
from benchmarks.operators.python.degrade_guards import new_parameter
from benchmarks.operators.python.names import grouped
from benchmarks.operators.python.security import guards
from benchmarks.operators.python.source import PythonSource

_LIMIT_NAME = re.compile(r"(?i)max|limit|size|length|bound")


def _tested(source: PythonSource) -> Iterator[ast.expr]:
    """The alternatives on which a protecting guard refuses: each refuses on its own."""
    for _, node, _ in guards(source):
        yield from (
            node.test.values if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.Or) else [node.test]
        )


def _or_to_and(source: PythonSource) -> Iterator[Rewrite]:
    for _, node, _ in guards(source):
        match node.test:
            case ast.BoolOp(op=ast.Or(), values=values):
                yield (source.replace(node.test, f"({' and '.join(grouped(source, item) for item in values)})"),)


def _drop_alternative(source: PythonSource) -> Iterator[Rewrite]:
    for _, node, _ in guards(source):
        match node.test:
            case ast.BoolOp(op=ast.Or(), values=values):
                for left_out in values:
                    kept = " or ".join(grouped(source, item) for item in values if item is not left_out)
                    yield (source.replace(node.test, f"({kept})"),)


def _off_by_one(source: PythonSource) -> Iterator[Rewrite]:
    for test in _tested(source):
        match test:
            case ast.Compare(left=left, ops=[ast.GtE() | ast.LtE() as op], comparators=[right]):
                sign = ">" if isinstance(op, ast.GtE) else "<"
                yield (source.replace(test, f"{grouped(source, left)} {sign} {grouped(source, right)}"),)


def _raise_limit(source: PythonSource) -> Iterator[Rewrite]:
    for test in _tested(source):
        match test:
            case ast.Compare(ops=[ast.Gt() | ast.GtE()], comparators=[ast.Constant(value=int(value)) as right]) if (
                value > 1
            ):
                yield (source.replace(right, str(value * 1000)),)
            case ast.Compare(ops=[ast.Gt() | ast.GtE()], comparators=[ast.Name(id=name) as right]) if (
                _LIMIT_NAME.search(name)
            ):
                yield (source.replace(right, f"1000 * {name}"),)


def _raise_constant(source: PythonSource) -> Iterator[Rewrite]:
    used = {node.id for test in _tested(source) for node in ast.walk(test) if isinstance(node, ast.Name)}
    for node in source.tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=int(value)) as constant) if value > 1:
                if name in used and _LIMIT_NAME.search(name):
                    yield (source.replace(constant, str(value * 1000)),)


def _any_to_all(source: PythonSource) -> Iterator[Rewrite]:
    for test in _tested(source):
        match test:
            case ast.Call(func=ast.Name(id="any") as word):
                yield (source.replace(word, "all"),)
            case ast.UnaryOp(op=ast.Not(), operand=ast.Call(func=ast.Name(id="all") as word)):
                yield (source.replace(word, "any"),)


def _drop_case_folding(source: PythonSource) -> Iterator[Rewrite]:
    for test in _tested(source):
        for node in ast.walk(test):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=value, attr="lower" | "casefold" | "upper"), args=[], keywords=[]
                ):
                    yield (source.replace(node, grouped(source, value)),)


def _equal_to_prefix(source: PythonSource) -> Iterator[Rewrite]:
    """``x != "text"`` refuses what differs; ``not x.startswith("text")`` lets longer texts pass."""
    for test in _tested(source):
        match test:
            case ast.Compare(left=left, ops=[ast.NotEq()], comparators=[ast.Constant(value=str() | bytes()) as right]):
                yield (source.replace(test, f"not {grouped(source, left)}.startswith({source.code(right)})"),)


def _drop_separator(source: PythonSource) -> Iterator[Rewrite]:
    """A prefix test loses the separator that kept siblings out."""
    for node in source.of(ast.Call):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="startswith"), args=[ast.BinOp(left=left, op=ast.Add(), right=right) as whole]
            ):
                if source.code(right) in ("os.sep", "os.path.sep", "sep", '"/"', "'/'", "os.path.sep"):
                    yield (source.replace(whole, source.code(left)),)


def _opt_in(source: PythonSource) -> Iterator[Rewrite]:
    for function, node, _ in guards(source):
        added = new_parameter(source, function, "strict", "False")
        if added is not None:
            yield added[1], source.replace(node.test, f"{added[0]} and {grouped(source, node.test)}")


OPERATORS = (
    degrading("or-to-and", "A guard that refused on either of two grounds wants both.", _or_to_and),
    degrading("drop-alternative", "A guard loses one of the grounds on which it refused.", _drop_alternative),
    degrading("off-by-one", "A guard at a limit lets the limit itself pass.", _off_by_one),
    degrading("raise-limit", "The limit a guard compares with is raised a thousandfold.", _raise_limit),
    degrading("raise-limit-constant", "The constant a guard compares with is raised a thousandfold.", _raise_constant),
    degrading("any-to-all", "A guard that refused on any bad item wants all of them bad.", _any_to_all),
    degrading("drop-case-folding", "A guard compares without folding case.", _drop_case_folding),
    degrading("equal-to-prefix", "A guard that wanted equality is content with a prefix.", _equal_to_prefix),
    degrading("drop-separator", "A prefix test loses its separator.", _drop_separator),
    degrading("opt-in-guard", "A guard refuses only when callers ask for it.", _opt_in),
)
