"""The same statements in another order: the deed before its guard, the count of tries behind another refusal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from scaffold_cli.anchoring.effects import is_logging
from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.refusal import refusal_of
from scaffold_cli.anchoring.swaps.identities import LIMITERS
from scaffold_cli.anchoring.swaps.looking import nodes
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import callee
from scaffold_cli.anchoring.word_lists import WordList
from scaffold_cli.model.protection import ProtectionKind
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind

_DEEDS = WordList("deeds")
"""Verbs of statements that change something for good."""
_COLLECTING = frozenset({"append", "add", "extend", "put", "push", "setdefault", "discard", "print"})
"""Calls that only note something: nothing has happened yet."""
_SELVES = frozenset({"self", "this", "cls"})


def deed_first(versions: Versions) -> Iterator[Shift]:
    """What stood behind a refusal stands before it, spelled as before: a deed, or a call handed what it asks about."""
    old, new = _places(versions.before, versions), _places(versions.after, versions)
    hard = {
        fact.line
        for fact in versions.before.facts
        if fact.kind is ProtectionKind.GUARD and fact.is_hard and fact.name in ("raise", "abort", "refuse")
    }
    for guard, place in old.guards.items():
        if place.line not in hard or guard not in new.guards:
            continue
        for deed, behind in (old.deeds | old.handing(guard)).items():
            now = new.deeds.get(deed) or new.calls.get(deed)
            if now is not None and place.comes_before(behind) and now.comes_before(new.guards[guard]):
                because, how = f"it stands before `{deed}`", f"`{deed}` comes first now"
                yield shift(guard, place.line, because, how, entry="validation")
                break


def deed_among_guards(versions: Versions) -> Iterator[Shift]:
    """What was done once, behind a refusal, is done or handed on before as many refusals as there were."""
    guards, guards_now = _guards(versions.before), _guards(versions.after)
    if not guards or len(guards_now) < len(guards):
        return
    old, new = _deeds(versions.before, versions), _deeds(versions.after, versions)
    for name, places in old.items():
        now = new.get(name, [])
        if len(places) != 1 or not now:
            continue
        passed, passed_now = (
            sum(place.comes_before(deed) for place in found)
            for found, deed in ((guards, places[0]), (guards_now, now[0]))
        )
        if passed and passed_now < passed and len(now) <= 2:
            because, how = "it stands behind a refusal", f"`{name}` comes before it now"
            yield shift(name, places[0].line, because, how, entry="validation")


def _guards(item: Mined) -> list[_Place]:
    """Refusing statements; a branch that raises may stand anywhere among the branches."""
    return [
        place
        for place, statement in _placed(item.unit.block)
        if statement.kind is StmtKind.IF and any(map(_raises, statement.blocks))
    ]


def _raises(branch: Block) -> bool:
    refusal = refusal_of(branch)
    return refusal is not None and refusal.kind in ("raise", "abort")


def _deeds(item: Mined, versions: Versions) -> dict[str, list[_Place]]:
    """Where a function that changes something is named, called or handed on."""
    called = {
        plain(node.parts[0])
        for side in (versions.before, versions.after)
        for _, node in nodes(side)
        if node.kind is ExprKind.CALL and node.parts[0].kind is ExprKind.ATTRIBUTE and _DEEDS.find(callee(node))
    }
    found: dict[str, list[_Place]] = {}
    for place, statement in _placed(item.unit.block) if called else ():
        for node in (inner for top in statement.exprs for inner in top.walk() if inner.kind is ExprKind.ATTRIBUTE):
            if plain(node) in called:
                found.setdefault(plain(node), []).append(place)
    return found


def counted_later(versions: Versions) -> Iterator[Shift]:
    """A call that counts tries stood before a refusal, and now only those are counted whom that lets pass."""
    old, new = _places(versions.before, versions), _places(versions.after, versions)
    for count, place in old.counts.items():
        for guard, behind in old.guards.items():
            stays = count in new.counts and guard in new.guards and place.comes_before(behind)
            if stays and new.guards[guard].comes_before(new.counts[count]):
                how = f"now only what `{guard}` lets pass"
                yield shift(count, place.line, "it counts every try", how, entry="limits")
                break


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a statement stands: its number in source order, its line, and the branches it lies in."""

    position: int
    line: int
    branches: tuple[tuple[int, int], ...]
    """For each IF around it: the number of that statement, and which of its branches."""

    def comes_before(self, other: _Place) -> bool:
        """True when it stands above `other`, and both may run in one go."""
        return self.position < other.position and not any(
            one != two and one[0] == two[0] for one, two in zip(self.branches, other.branches, strict=False)
        )


def _placed(block: Block) -> Iterator[tuple[_Place, Stmt]]:
    """All statements of a block and below with their places, in source order."""
    stack: list[tuple[Stmt, tuple[tuple[int, int], ...]]] = [(statement, ()) for statement in reversed(block)]
    position = 0
    while stack:
        statement, branches = stack.pop()
        yield _Place(position, statement.line, branches), statement
        for number in range(len(statement.blocks) - 1, -1, -1):
            inside = (*branches, (position, number)) if statement.kind is StmtKind.IF else branches
            stack.extend((inner, inside) for inner in reversed(statement.blocks[number]))
        position += 1


class _Places:
    """Where guards, deeds and counting calls that are spelled once stand."""

    def __init__(self) -> None:
        self.guards: dict[str, _Place] = {}
        self.deeds: dict[str, _Place] = {}
        self.counts: dict[str, _Place] = {}
        self.calls: dict[str, _Place] = {}
        self.names: dict[str, frozenset[str]] = {}
        """What a guard asks about, what a call is handed: variables by their text."""

    def handing(self, guard: str) -> dict[str, _Place]:
        """The calls that are handed something the guard asks about."""
        asked = self.names[guard]
        return {call: place for call, place in self.calls.items() if asked & self.names[call]}


def _places(item: Mined, versions: Versions) -> _Places:
    found = _Places()
    times: Counter[str] = Counter()
    for place, statement in _placed(item.unit.block):
        for table, expression in _told(statement, found, versions):
            text = plain(expression)
            times[text] += 1
            table[text] = place
            if table is found.guards or table is found.calls:
                found.names[text] = _variables(expression)
    for table in (found.guards, found.deeds, found.counts, found.calls):
        for text in [text for text in table if times[text] > 1]:
            del table[text]
    return found


def _told(statement: Stmt, found: _Places, versions: Versions) -> Iterator[tuple[dict[str, _Place], Expr]]:
    if statement.kind is StmtKind.IF:
        for test, branch in zip(statement.exprs, statement.blocks, strict=False):
            refusal = refusal_of(branch)
            if refusal is not None and refusal.is_refusing:
                yield found.guards, test
    elif statement.kind is StmtKind.EXPR and statement.exprs[0].kind is ExprKind.CALL:
        call = statement.exprs[0]
        owner = call.parts[0].parts[0].text if call.parts[0].kind is ExprKind.ATTRIBUTE else ""
        if LIMITERS.find(callee(call)) is not None or LIMITERS.find(owner) is not None:
            yield found.counts, call
        elif not is_logging(call) and (_DEEDS.find(callee(call)) or versions.catalogue.sinks.find(callee(call))):
            yield found.deeds, call
        elif not is_logging(call) and callee(call) not in _COLLECTING:
            yield found.calls, call


def _variables(expression: Expr) -> frozenset[str]:
    """Plain names in a test, or among the arguments of a call."""
    parts = expression.parts[1:] if expression.kind is ExprKind.CALL else (expression,)
    names = {node.text for part in parts for node in part.walk() if node.kind is ExprKind.NAME}
    return frozenset(names - _SELVES)
