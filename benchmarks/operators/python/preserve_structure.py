"""Statements, functions and methods put elsewhere in the file."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from benchmarks.operators.operator import Rewrite
from benchmarks.operators.python.declare import preserving
from benchmarks.operators.python.names import bound, is_mangled, is_pure, names, parameters, reflects, suspends
from benchmarks.operators.python.preserve_branches import STEP
from benchmarks.operators.python.source import Function, PythonSource


def _reorder(source: PythonSource) -> Iterator[Rewrite]:
    for block in source.blocks:
        for one, other in itertools.pairwise(block):
            match (one, other):
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=first),
                    ast.Assign(targets=[ast.Name(id=second_name)], value=second),
                ):
                    if (
                        name != second_name
                        and is_pure(first)
                        and is_pure(second)
                        and source.owns_lines(one, one)
                        and source.owns_lines(other, other)
                    ):
                        yield (
                            source.replace_lines(one, one, source.block_text(other, other)),
                            source.replace_lines(other, other, source.block_text(one, one)),
                        )


def _swap_functions(source: PythonSource) -> Iterator[Rewrite]:
    for block in source.blocks:
        for one, other in itertools.pairwise(block):
            if (
                (
                    isinstance(one, Function)
                    and isinstance(other, Function)
                    and _is_plain(one)
                    and _is_plain(other)
                    and one.name != other.name
                )
                and source.owns_lines(one, one)
                and source.owns_lines(other, other)
            ):
                yield (
                    source.replace_lines(one, one, source.block_text(other, other)),
                    source.replace_lines(other, other, source.block_text(one, one)),
                )


def _is_plain(function: Function) -> bool:
    given = function.args
    hints = [item.annotation for item in ast.walk(given) if isinstance(item, ast.arg)]
    fixed = all(item is None or isinstance(item, ast.Constant) for item in [*given.defaults, *given.kw_defaults])
    return not function.decorator_list and fixed and function.returns is None and not any(hints)


def _method_to_base(source: PythonSource) -> Iterator[Rewrite]:
    for owner in source.of(ast.ClassDef):
        assert isinstance(owner, ast.ClassDef)
        if owner.bases or owner.keywords or owner.decorator_list or not isinstance(source.parents[owner], ast.Module):
            continue
        head = source.text[source.start(owner) : source.line_start(owner.lineno + 1)]
        if head.rstrip() != f"class {owner.name}:" or "__slots__" in bound(owner.body) or len(owner.body) < 2:
            continue
        for function in owner.body:
            if isinstance(function, Function) and _may_be_inherited(source, owner, function):
                base = source.fresh(f"_{owner.name.strip('_')}Base")
                helper = f"class {base}:\n{source.block_text(function, function)}\n\n"
                opening = source.replace_lines(owner, owner, "")
                yield (
                    type(opening)(
                        opening.start, source.start(owner) + len(head), f"{helper}class {owner.name}({base}):\n"
                    ),
                    source.replace_lines(function, function, ""),
                )


def _may_be_inherited(source: PythonSource, owner: ast.ClassDef, function: Function) -> bool:
    dunder = function.name.startswith("__")
    others = [node for node in owner.body if node is not function]
    in_class = {name for node in others if not isinstance(node, Function) for name in names([node])}
    once = function.name not in bound(node for node in others) and function.name not in in_class
    alone = not reflects(function) and not is_mangled(function) and _is_plain(function)
    return not dunder and once and alone and source.owns_lines(function, function)


def _split_function(source: PythonSource) -> Iterator[Rewrite]:
    """The tail of a module-level function moves into a new one that is handed what it reads."""
    for function in source.functions:
        at_top = isinstance(function, ast.FunctionDef) and isinstance(source.parents[function], ast.Module)
        if not at_top or suspends(function) or reflects(function) or _has_scopes(function):
            continue
        for cut in range(1, len(function.body)):
            handed = _handed_over(function, cut)
            tail = function.body[cut:]
            if handed is not None and source.movable(tail[0], tail[-1]):
                name, given = source.fresh(f"_finish_{function.name.strip('_')}"), ", ".join(handed)
                helper = f"def {name}({given}):\n{source.shifted(tail[0], tail[-1], STEP)}\n\n"
                call = f"{source.indent(tail[0])}return {name}({given})\n"
                yield source.insert_before(function, helper), source.replace_lines(tail[0], tail[-1], call)


def _has_scopes(function: Function) -> bool:
    scopes = (ast.Global, ast.Nonlocal, ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    deleted = any(isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del) for node in ast.walk(function))
    return deleted or any(isinstance(node, scopes) for node in ast.walk(function) if node is not function)


def _handed_over(function: Function, cut: int) -> list[str] | None:
    """Names the tail reads that are surely bound before it: parameters and plain assignments; None when others are."""
    head, tail = function.body[:cut], function.body[cut:]
    sure = list(parameters(function))
    for node in head:
        if isinstance(node, ast.Assign):
            sure += [
                item.id
                for target in node.targets
                for item in ast.walk(target)
                if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)
            ]
    maybe = bound(head) - set(sure)
    used = names(tail)
    return None if used & maybe else [name for name in dict.fromkeys(sure) if name in used]


OPERATORS = (
    preserving("reorder-assignments", "Two assignments of constants in a row change places.", _reorder),
    preserving("swap-functions", "Two definitions in a row change places.", _swap_functions),
    preserving("method-to-base-class", "A method moves to a new base class.", _method_to_base),
    preserving("split-function", "The tail of a function moves into a new function.", _split_function),
)
