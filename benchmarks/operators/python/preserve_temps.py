"""Values given a name, and names given up."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from benchmarks.operators.operator import Edit, Rewrite
from benchmarks.operators.python.declare import preserving
from benchmarks.operators.python.names import reflects
from benchmarks.operators.python.preserve_branches import plain_ifs
from benchmarks.operators.python.source import PythonSource


def _extract_condition(source: PythonSource) -> Iterator[Rewrite]:
    for node, _ in plain_ifs(source):
        function = source.function_of(node)
        if (
            function is not None
            and not reflects(function)
            and not isinstance(node.test, ast.Name)
            and source.owns_lines(node, node)
        ):
            name = source.fresh("condition")
            assignment = f"{source.indent(node)}{name} = ({source.code(node.test)})\n"
            yield source.insert_before(node, assignment), source.replace(node.test, name)


def _extract_result(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.Return):
        assert isinstance(node, ast.Return)
        function = source.function_of(node)
        simple = node.value is None or isinstance(node.value, ast.Name | ast.Constant)
        if function is not None and not simple and not reflects(function) and source.owns_lines(node, node):
            assert node.value is not None
            indent, name = source.indent(node), source.fresh("outcome")
            yield (
                source.replace_lines(
                    node, node, f"{indent}{name} = ({source.code(node.value)})\n{indent}return {name}\n"
                ),
            )


def _inline_temp(source: PythonSource) -> Iterator[Rewrite]:
    for block in source.blocks:
        for one, other in itertools.pairwise(block):
            match one:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    use = _first_use(other, name)
                    function = source.function_of(one)
                    if use is None or function is None or reflects(function) or not source.owns_lines(one, one):
                        continue
                    count = sum(isinstance(node, ast.Name) and node.id == name for node in ast.walk(function))
                    if count == 2 and not any(name in getattr(node, "names", ()) for node in ast.walk(function)):
                        start, end = source.lines_of(one, one)
                        yield Edit(start, end, ""), source.replace(use, f"({source.code(value)})")


def _first_use(node: ast.stmt, name: str) -> ast.expr | None:
    """The use of `name` in a statement, when it is what the statement evaluates first."""
    match node:
        case ast.Return(value=ast.expr() as value):
            found: ast.expr = value
        case ast.If(test=ast.UnaryOp(op=ast.Not(), operand=value)) | ast.If(test=value):
            found = value
        case _:
            return None
    while isinstance(found, ast.Compare | ast.BoolOp | ast.Attribute | ast.Subscript):
        match found:
            case ast.Compare(left=inner) | ast.Attribute(value=inner) | ast.Subscript(value=inner):
                found = inner
            case ast.BoolOp(values=[inner, *_]):
                found = inner
    return found if isinstance(found, ast.Name) and found.id == name else None


def _extract_constant(source: PythonSource) -> Iterator[Rewrite]:
    """A number compared with, or a text handed to a call, becomes a constant of the module."""
    for node in source.of(ast.Compare, ast.Call):
        items = node.comparators if isinstance(node, ast.Compare) else node.args if isinstance(node, ast.Call) else []
        if source.function_of(node) is None or _is_decoration(source, node):
            continue
        for item in items:
            if (
                isinstance(item, ast.Constant)
                and isinstance(item.value, str | bytes | int)
                and not isinstance(item.value, bool)
            ):
                name = source.fresh("_FIXED_VALUE")
                definition = f"{name} = ({source.code(item)})\n\n"
                yield source.insert_before(source.top_level(node), definition), source.replace(item, name)


def _is_decoration(source: PythonSource, node: ast.AST) -> bool:
    """True inside decorators, defaults and annotations, which are not the body of a function."""
    while not isinstance(node, ast.stmt):
        node = source.parents[node]
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.AnnAssign)


OPERATORS = (
    preserving("extract-condition", "A condition is given a name first.", _extract_condition),
    preserving("extract-result", "A returned value is given a name first.", _extract_result),
    preserving("inline-temp", "A variable used once, at once, is replaced by its value.", _inline_temp),
    preserving(
        "extract-constant", "A literal in a comparison or call becomes a constant of the module.", _extract_constant
    ),
)
