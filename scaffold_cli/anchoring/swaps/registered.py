"""Protections that are registered with something that runs them: filters, introspectors, interceptors."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.values.shifts import Shift, Versions, lost
from scaffold_cli.anchoring.views import callee
from scaffold_cli.anchoring.word_lists import WordList
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind

_REGISTERING = WordList("registering")
_PROTECTING = WordList("registered-protections")


def dropped_registrations(versions: Versions) -> Iterator[Shift]:
    """``introspectors.add(SUPPRESS_CLASS)`` is gone and nothing of that name came."""
    for statement in versions.edits.gone:
        call = statement.exprs[0] if statement.kind is StmtKind.EXPR and statement.exprs else None
        if call is None or call.kind is not ExprKind.CALL or _REGISTERING.find(callee(call)) is None:
            continue
        for argument in call.parts[1:]:
            name = _named(argument)
            if _PROTECTING.find(name) is not None and name not in versions.around.names_come | versions.after.names:
                yield lost(
                    name, call.line, f"`{name}` is registered with `{callee(call)}()`", "it is left out", "validation"
                )


def _named(argument: Expr) -> str:
    """The last name of what is registered: a class, a constant, the class of what is made on the spot."""
    if argument.kind is ExprKind.CALL:
        return callee(argument)
    return argument.text if argument.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE) else ""
