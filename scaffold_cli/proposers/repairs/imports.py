"""Adding an import where a reader would look for it."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from scaffold_cli.proposers.repairs.names import Names, uses


def ensure_import(module: cst.Module, name: str, instead_of: str = "") -> cst.Module:
    """`module` with ``import name`` among its first imports, once.

    An ``import instead_of`` that nothing uses any more is replaced by it.
    """
    body = list(module.body)
    if instead_of and not uses(module, instead_of):
        body = [statement for statement in body if not _imports(statement, instead_of)]
    if Names(module).is_imported(name) and any(_imports(statement, name) for statement in body):
        return module.with_changes(body=body)
    statement = cst.SimpleStatementLine([cst.Import([cst.ImportAlias(cst.Name(name))])])
    index = _place(body, name)
    if index < len(body) and not any(_is_import(item) for item in body):
        return module.with_changes(body=[*body[:index], statement, *_spaced(body[index:], index == 0)])
    if index < len(body) and index > 0 and not _is_import(body[index - 1]) and _is_import(body[index]):
        # The new first import takes over the blank lines and comments above the old first one.
        old = cst.ensure_type(body[index], cst.SimpleStatementLine)
        statement = statement.with_changes(leading_lines=_blanks(old))
        body[index] = old.with_changes(leading_lines=old.leading_lines[len(_blanks(old)) :])
    return module.with_changes(body=[*body[:index], statement, *body[index:]])


def _place(body: Sequence[cst.BaseStatement], name: str) -> int:
    """Where ``import name`` goes: in order among the plain imports of the first run, else before or after it."""
    start = 1 if body and _is_docstring(body[0]) else 0
    while start < len(body) and _is_future(body[start]):
        start += 1
    end = start
    while end < len(body) and _is_import(body[end]):
        end += 1
    plain = [index for index in range(start, end) if _plain_name(body[index])]
    for index in plain:
        if _plain_name(body[index]) > name:
            return index
    return plain[-1] + 1 if plain else start


def _spaced(rest: Sequence[cst.BaseStatement], at_top: bool) -> Sequence[cst.BaseStatement]:
    first = rest[0]
    lines = getattr(first, "leading_lines", ())
    if at_top and not any(line.comment is None for line in lines):
        return [first.with_changes(leading_lines=[cst.EmptyLine(), *lines]), *rest[1:]]
    return rest


def _blanks(statement: cst.SimpleStatementLine) -> list[cst.EmptyLine]:
    blanks = []
    for line in statement.leading_lines:
        if line.comment is not None:
            break
        blanks.append(line)
    return blanks


def _simple(statement: cst.BaseStatement) -> cst.BaseSmallStatement | None:
    if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1:
        return statement.body[0]
    return None


def _is_import(statement: cst.BaseStatement) -> bool:
    return isinstance(_simple(statement), cst.Import | cst.ImportFrom)


def _plain_name(statement: cst.BaseStatement) -> str:
    small = _simple(statement)
    return small.names[0].evaluated_name if isinstance(small, cst.Import) else ""


def _imports(statement: cst.BaseStatement, name: str) -> bool:
    small = _simple(statement)
    if not isinstance(small, cst.Import) or len(small.names) != 1:
        return False
    return small.names[0].evaluated_name == name and small.names[0].asname is None


def _is_future(statement: cst.BaseStatement) -> bool:
    small = _simple(statement)
    return (
        isinstance(small, cst.ImportFrom) and isinstance(small.module, cst.Name) and small.module.value == "__future__"
    )


def _is_docstring(statement: cst.BaseStatement) -> bool:
    small = _simple(statement)
    return isinstance(small, cst.Expr) and isinstance(small.value, cst.SimpleString | cst.ConcatenatedString)
