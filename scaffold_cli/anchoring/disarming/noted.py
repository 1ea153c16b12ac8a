"""Deeds and failures that are no longer written down where somebody looks, or only at times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scaffold_cli.anchoring.disarming.counted import limits
from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides, bare_calls, callee, spelled
from scaffold_cli.anchoring.views import names_in
from scaffold_cli.anchoring.words import words
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Function, Stmt, StmtKind, walk

_AUDIT = frozenset(
    {"audit", "audits", "auditor", "auditing", "audited", "auditlog", "failed", "failure", "failures", "lockout",
     "penalize", "penalise", "strike", "strikes", "attempts"}
)  # fmt: skip
"""Words of what writes a deed down, or counts a failure against somebody."""
_COUNTING = frozenset({"count", "increment", "incr", "bump", "spend", "consume"})
"""First words of what counts a use; it matters where a limit is asked for."""


@dataclass(frozen=True, slots=True)
class _Note:
    """A call that notes something, and the tests it stands under, spelled."""

    call: Expr
    tests: frozenset[str]
    line: int


def noted(sides: Sides) -> Iterator[Disarmed]:
    """One for each function that was there before."""
    known = {function.name: function for function in sides.before.functions}
    before, after = _times(sides.before.functions), _times(_everything(sides))
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is None or old.body == function.body:
            continue
        was, now = list(_notes(old)), list(_notes(function))
        here, own = (Counter(callee(item.call) for item in notes) for notes in (now, was))
        for note in was:
            name = callee(note.call)
            same = [item for item in now if callee(item.call) == name]
            moved = after[name] - here[name] > before[name] - own[name]
            if moved or any(item.tests <= note.tests for item in same):
                continue
            if len(now) < len(was):
                what = f"`{function.name}` no longer notes `{name}`, by which misuse is found."
                yield Disarmed("audit-lost", what, sides.after.path, function.line, function.name)
            elif any(item.tests > note.tests and not _is_presence(item, note) for item in same):
                what = f"`{function.name}` notes `{name}` only under a further condition."
                yield Disarmed("audit-lost", what, sides.after.path, function.line, function.name)


def _everything(sides: Sides) -> Iterable[Function]:
    """The functions of the file after the change, and those of other files of it."""
    own = {item.name for item in sides.after.functions}
    return *sides.after.functions, *(item for item in sides.functions.values() if item.name not in own)


def _times(functions: Iterable[Function]) -> Counter[str]:
    return Counter(callee(note.call) for function in functions for note in _notes(function))


def _notes(function: Function) -> Iterator[_Note]:
    """What a function notes for others; what is put into a collection of its own is for its answer."""
    made = (item for item in walk(function.body) if item.kind is StmtKind.ASSIGN)
    own = {target.text for item in made if item.exprs[0].kind is ExprKind.COLLECTION for target in item.exprs[1:]}
    limited = bool(limits(function.body))
    for note in _placed(function.body, frozenset()):
        head = note.call.parts[0]
        if own.isdisjoint(names_in(head)) and (_is_audit(head) or (limited and _counts(note.call))):
            yield note


def _placed(block: Block, tests: frozenset[str]) -> Iterator[_Note]:
    for statement in block:
        if statement.kind is StmtKind.IF:
            for place, branch in enumerate(statement.blocks):
                asked = statement.exprs[: place + 1]
                under = {f"{'' if place == at else '!'}{spelled(test)}" for at, test in enumerate(asked)}
                yield from _placed(branch, tests | under)
        else:
            yield from (_Note(call, tests, statement.line) for call in _standing(statement))
            for inner in statement.blocks:
                yield from _placed(inner, tests)


def _standing(statement: Stmt) -> Iterator[Expr]:
    """Calls that stand for themselves, awaited or put off by ``defer``."""
    if statement.kind is StmtKind.EXPR:
        value = statement.exprs[0]
        if value[:2] == (ExprKind.UNARY, "defer") and value.parts[0].kind is ExprKind.CALL:
            yield value.parts[0]
        yield from (call for call, _ in bare_calls((statement,)))


def _is_presence(now: _Note, was: _Note) -> bool:
    """True where the further conditions only ask whether there is somebody to tell: ``if self.audit is not None``."""
    owner = {node.text for node in now.call.parts[0].walk()}
    return all(any(word in test for word in owner if word) for test in now.tests - was.tests)


def _is_audit(head: Expr) -> bool:
    """True for a call on, or of, what audits by its name: ``audit.shared(x)``, ``write_audit(x)``."""
    return any(_AUDIT & {*words(node.text)} for node in _chain(head))


def _counts(call: Expr) -> bool:
    return next(iter(words(callee(call))), "") in _COUNTING


def _chain(value: Expr) -> Iterator[Expr]:
    while value.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE):
        yield value
        if not value.parts:
            return
        value = value.parts[0]
