"""What is searched: one function with a protection that no longer holds, and how its refusal shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

from scaffold_cli.anchoring.predicates import Polarity, polarity_of
from scaffold_cli.anchoring.refusal import refusal_of
from scaffold_cli.model.change import Change, FileVersion
from scaffold_cli.model.verdict import Effect, Place, Violation
from scaffold_cli.syntax.frontends import language_of, outline
from scaffold_cli.syntax.outline import Block, Function, Language, Outline, Stmt, StmtKind, walk

Span = tuple[int, int]
"""First and last line, 1-based and inclusive."""

_NEVER_IMPORTED = frozenset({"setup.py", "conftest.py", "__main__.py", "manage.py"})
"""Files that do something when they are imported, or only make sense to the program that loads them."""
_ENDS = frozenset({"raise", "abort", "refuse", "return", "assert"})


class Sign(StrEnum):
    """How one sees that the old code refused."""

    ENDED = "ended"
    """The call ended, in whatever way, on a line of the refusal."""
    RAISED = "raised"
    """The call raised on a line of the protection, and not by accident."""
    FALSE = "false"
    """A check answered false (or nothing)."""
    TRUE = "true"
    """A check for something bad answered true."""
    KEPT_OUT = "kept-out"
    """The call ended before the function itself was entered (a decorator)."""


@dataclass(frozen=True, slots=True)
class Target:
    """One function on both sides. `refusal` are the lines of the old side on which it refused; `refusals` those
    of the new side on which it still refuses something."""

    violation: str
    before: Outline
    after: Outline
    old: Function
    new: Function
    sign: Sign
    refusal: Span
    refusals: tuple[Span, ...]


def targets(violations: Iterable[Violation], change: Change) -> Iterator[Target]:
    """A target for each violation in a Python function that stands on both sides and can be called by name."""
    before = {pair.before.path: pair.before for pair in change.files if pair.before is not None}
    after = {pair.after.path: pair.after for pair in change.files if pair.after is not None}
    for violation in violations:
        old, new = violation.before, violation.after
        if old is None or new is None or violation.effect is Effect.UNDECIDED:
            continue
        if old.path in before and new.path in after:
            yield from _target(violation, old, before[old.path], new, after[new.path])


def _target(violation: Violation, old: Place, before: FileVersion, new: Place, after: FileVersion) -> Iterator[Target]:
    if not (_is_importable(before) and _is_importable(after)):
        return
    one, other = outline(before), outline(after)
    found, counterpart = _function(one, old.symbol), _function(other, new.symbol)
    if found is None or counterpart is None or "\n".join(one.text[old.line - 1 : old.end_line]) != old.text:
        return
    seen = _sign(violation, old, found)
    if seen is not None:
        sign, span = seen
        yield Target(violation.id, one, other, found, counterpart, sign, span, tuple(_refusals(counterpart.body)))


def _is_importable(version: FileVersion) -> bool:
    path = PurePosixPath(version.path)
    named = path.suffix == ".py" and path.name not in _NEVER_IMPORTED and path.stem.isidentifier()
    return named and version.is_text and language_of(version.path, version.data) is Language.PYTHON


def _function(source: Outline, symbol: str) -> Function | None:
    """The function of this dotted name when it is the only one and stands in the module or in a class."""
    found = [item for item in source.functions if item.name == symbol]
    if len(found) != 1 or found[0].name.rpartition(".")[0] != found[0].owner:
        return None
    return found[0]


def _sign(violation: Violation, place: Place, function: Function) -> tuple[Sign, Span] | None:
    kind = violation.code.partition("-")[0]
    if kind == "decorator":
        return Sign.KEPT_OUT, (0, 0)
    statement = _statement(function.body, place)
    if statement is None:
        return None
    if kind == "guard" or statement.kind is StmtKind.IF:
        return _guard_sign(statement, function)
    end = statement.end_line if statement.kind in (StmtKind.HANDLER, StmtKind.EXPR, StmtKind.ASSIGN) else place.end_line
    return Sign.RAISED, (place.line, max(end, place.end_line))


def _statement(body: Block, place: Place) -> Stmt | None:
    """The innermost statement that spans the lines of `place`."""
    around = [item for item in walk(body) if item.line <= place.line and item.end_line >= place.end_line]
    return max(around, key=lambda item: (item.line, -item.end_line), default=None)


def _guard_sign(statement: Stmt, function: Function) -> tuple[Sign, Span] | None:
    span = (statement.line, statement.end_line)
    if statement.kind is StmtKind.ASSERT:
        return Sign.RAISED, span
    if statement.kind is StmtKind.RAISE:
        return Sign.ENDED, span
    if statement.kind is StmtKind.RETURN:
        polarity = polarity_of(function.short_name)
        signs = {Polarity.POSITIVE: Sign.FALSE, Polarity.NEGATIVE: Sign.TRUE}
        return (signs[polarity], span) if polarity in signs else None
    if statement.kind in (StmtKind.IF, StmtKind.CASE):
        ends = [(block, refusal) for block in statement.blocks if (refusal := refusal_of(block)) is not None]
        refusing = [block for block, refusal in ends if refusal.is_refusing]
        other = [block for block, refusal in ends if refusal.kind in _ENDS]
        block = next(iter(refusing or other), None)
        return (Sign.ENDED, _span(block)) if block else None
    return None


def _refusals(body: Block) -> Iterator[Span]:
    for statement in walk(body):
        if statement.kind is StmtKind.ASSERT:
            yield statement.line, statement.end_line
        elif statement.kind in (StmtKind.IF, StmtKind.CASE, StmtKind.HANDLER):
            for block in statement.blocks:
                refusal = refusal_of(block)
                if refusal is not None and refusal.is_refusing:
                    yield _span(block)


def _span(block: Block) -> Span:
    return block[0].line, block[-1].end_line
