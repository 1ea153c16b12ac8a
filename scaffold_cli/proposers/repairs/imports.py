"""Adding an import where a reader would look for it."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from scaffold_cli.proposers.repairs.names import Names, uses

_Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement


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
    if index < len(body) and _is_import(body[index]):
        # The new import takes over the blank lines above the one it goes before; comments stay with theirs.
        old = cst.ensure_type(body[index], cst.SimpleStatementLine)
        blanks = _blanks(old)
        statement = statement.with_changes(leading_lines=blanks)
        body[index] = old.with_changes(leading_lines=old.leading_lines[len(blanks) :])
    elif index == 0 or not _is_plain(body[index - 1]):
        statement = statement.with_changes(leading_lines=[cst.EmptyLine(indent=False)] if index else [])
        if index < len(body):
            body[index] = _set_off(body[index])
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


def _set_off(statement: _Statement) -> _Statement:
    """What follows a lone import, with a blank line before it."""
    lines = statement.leading_lines
    if lines and lines[0].comment is None:
        return statement
    return statement.with_changes(leading_lines=[cst.EmptyLine(indent=False), *lines])


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


def _is_plain(statement: cst.BaseStatement) -> bool:
    return isinstance(_simple(statement), cst.Import)


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
