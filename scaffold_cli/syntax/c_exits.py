"""How C leaves a function: jumps to a label and error values, told apart from plain results.

C has no exceptions; a function refuses by returning a negative number, an errno name or a call around one, often by
way of ``goto``. Such exits become RAISE, so that what ``if (bad) goto fail;`` guards is seen as in other languages.
NULL and false stay RETURN: every language has them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind, walk

_ERRNO = re.compile(r"E[A-Z]{3,}[0-9]*|EIO|EOF|errno")
"""The names of <errno.h>, and EOF, which is -1."""
_ERROR_LABEL = re.compile(
    r"(?:.*_)?(?:err(?:or)?s?|fail(?:ed|ure)?|bad|invalid|abort|fatal|reject|denied)(?:_.*|\d*)", re.IGNORECASE
)
_GOTO, _LABEL = "goto ", "label "


def jump(label: str, line: int) -> Stmt:
    """A placeholder for ``goto label``, until `settle` knows where that leads."""
    return Stmt(StmtKind.OTHER, _GOTO + label, (), (), line, line)


def landing(label: str, line: int) -> Stmt:
    """A marker for ``label:``."""
    return Stmt(StmtKind.EMPTY, _LABEL + label, (), (), line, line)


def settle(body: Block) -> Block:
    """The body of one function with its jumps and error values resolved."""
    exits = [one for one in walk(body) if one.kind is StmtKind.RETURN or one.text.startswith((_GOTO, _LABEL))]
    if not exits:
        return body
    returned = {one.exprs[0].text for one in exits if one.kind is StmtKind.RETURN and one.exprs}
    labels: dict[str, Block] = {}
    if any(one.text.startswith(_LABEL) for one in exits):
        _find_labels(body, labels)
    return _Exits(labels, compares={"1", "-1"} <= returned).block(body, {})


def _find_labels(block: Block, labels: dict[str, Block]) -> None:
    waiting = [block]
    while waiting:
        one = waiting.pop()
        for position, statement in enumerate(one):
            if statement.kind is StmtKind.EMPTY and statement.text.startswith(_LABEL):
                labels[statement.text[len(_LABEL) :]] = one[position + 1 :]
            waiting.extend(statement.blocks)


@dataclass(slots=True)
class _Exits:
    labels: dict[str, Block]
    compares: bool
    """Does the function answer -1, 0 or 1, where -1 is no error?"""
    assigned: set[str] = field(default_factory=set)
    passed: set[str] = field(default_factory=set)
    """Labels before the place being read: a jump to one goes round again."""

    def block(self, block: Block, known: dict[str, Expr]) -> Block:
        """Resolve one block; `known` holds what variables stand for where it begins."""
        found: list[Stmt] = []
        for statement in block:
            if statement.kind is StmtKind.EMPTY and statement.text.startswith(_LABEL):
                self.passed.add(statement.text[len(_LABEL) :])
                continue
            if statement.kind is StmtKind.ASSIGN:
                self._note(statement, known)
            elif statement.kind is StmtKind.RETURN:
                statement = self._returned(statement, known)  # noqa: PLW2901 - the same place, resolved
            elif statement.kind is StmtKind.OTHER and statement.text.startswith(_GOTO):
                statement = self._jumped(statement, known)  # noqa: PLW2901 - the same place, resolved
            elif statement.blocks:
                statement = self._inner(statement, known)  # noqa: PLW2901 - the same place, resolved
            found.append(statement)
        return tuple(found)

    def _inner(self, statement: Stmt, known: dict[str, Expr]) -> Stmt:
        """What an inner block assigns is no longer known after it."""
        before, self.assigned = self.assigned, set()
        blocks = tuple([self.block(inner, dict(known)) for inner in statement.blocks])
        for name in self.assigned:
            known.pop(name, None)
        self.assigned |= before
        return statement._replace(blocks=blocks)

    def _note(self, statement: Stmt, known: dict[str, Expr]) -> None:
        for target in statement.exprs[1:]:
            if target.kind is ExprKind.NAME:
                self.assigned.add(target.text)
                known[target.text] = statement.exprs[0]

    def _returned(self, statement: Stmt, known: dict[str, Expr]) -> Stmt:
        error = self._error(statement.exprs[0], known) if statement.exprs else None
        return statement if error is None else statement._replace(kind=StmtKind.RAISE, exprs=(error,))

    def _jumped(self, statement: Stmt, known: dict[str, Expr]) -> Stmt:
        label = statement.text[len(_GOTO) :]
        if label not in self.labels:  # it stands where the text did not parse
            is_error = _ERROR_LABEL.fullmatch(label) is not None
            name = Expr(ExprKind.NAME, label, (), statement.line)
            return statement._replace(kind=StmtKind.RAISE, text="", exprs=(name,)) if is_error else statement
        rest = self.labels[label]
        if label in self.passed:
            return statement._replace(kind=StmtKind.CONTINUE, text="")
        last = next((one for one in rest if one.kind in (StmtKind.RETURN, StmtKind.RAISE)), None)
        exprs = last.exprs if last is not None else ()
        here = {name: value for name, value in known.items() if not _assigns(rest, name)}
        error = self._error(exprs[0], here) if exprs else None
        fixed = bool(exprs) and exprs[0].kind is ExprKind.CONSTANT
        if error is None and not fixed and _ERROR_LABEL.fullmatch(label):
            error = Expr(ExprKind.NAME, label, (), statement.line)
        if error is not None:
            return statement._replace(kind=StmtKind.RAISE, text="", exprs=(error,))
        return statement._replace(kind=StmtKind.RETURN, text="", exprs=exprs)

    def _error(self, value: Expr, known: dict[str, Expr]) -> Expr | None:
        """The error a returned value stands for, without its sign; None for a plain result."""
        if value.kind is ExprKind.NAME and value.text in known:
            value = known[value.text]
        return None if self.compares and value.kind is ExprKind.NUMBER else _error_value(value)


def _error_value(value: Expr) -> Expr | None:
    while value.kind is ExprKind.CAST:
        value = value.parts[0]
    if value.kind is ExprKind.NUMBER:
        return value if value.text.startswith("-") else None
    if value.kind is ExprKind.NAME:
        return value if _ERRNO.fullmatch(value.text) else None
    if value.kind is ExprKind.UNARY and value.text == "-":
        inner = value.parts[0]
        return inner if inner.kind is ExprKind.NAME and (inner.text.isupper() or inner.text == "errno") else None
    if value.kind is ExprKind.CALL and len(value.parts) == 2 and _error_value(value.parts[1]) is not None:
        return value
    return None


def _assigns(block: Block, name: str) -> bool:
    """True when the top of a block gives `name` another value."""
    targets = [target for one in block if one.kind is StmtKind.ASSIGN for target in one.exprs[1:]]
    return any(target.kind is ExprKind.NAME and target.text == name for target in targets)
