"""The same statements in another order: the deed before its guard, the count of tries behind another refusal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scaffold_cli.anchoring.effects import is_logging
from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.refusal import refusal_of
from scaffold_cli.anchoring.swaps.identities import LIMITERS
from scaffold_cli.anchoring.swaps.looking import nodes
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import callee
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.model.protection import ProtectionKind
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind, walk

_DEEDS = WordPatterns(
    (word, "deed")
    for word in (
        "^delete*", "^remove*", "^save*", "^write*", "^send*", "^execute*", "^commit", "^create*", "^update*",
        "^insert*", "^transfer*", "^grant*", "^set password", "^post", "^put", "^publish*", "^drop*", "^store*",
        "^pay*", "^charge*", "^move*", "^rename*", "^unlink", "^rmtree", "^purge*", "^wipe*", "^login*", "^log in",
        "^exec*", "^run*", "^deploy*", "^approve*", "^assign*", "^add user*", "^set role*",
    )
)  # fmt: skip
"""Verbs of statements that change something for good."""


def deed_first(versions: Versions) -> Iterator[Shift]:
    """What stood behind a refusal stands before it, spelled as before."""
    old, new = _places(versions.before, versions), _places(versions.after, versions)
    hard = {
        fact.line
        for fact in versions.before.facts
        if fact.kind is ProtectionKind.GUARD and fact.is_hard and fact.name in ("raise", "abort", "refuse")
    }
    for guard, (place, line) in old.guards.items():
        if line not in hard or guard not in new.guards:
            continue
        for deed, (behind, _) in old.deeds.items():
            if place < behind and deed in new.deeds and new.deeds[deed][0] < new.guards[guard][0]:
                because, how = f"it stands before `{deed}`", f"`{deed}` comes first now"
                yield shift(guard, line, because, how, entry="validation")
                break


def deed_among_guards(versions: Versions) -> Iterator[Shift]:
    """What was done once, behind a refusal, is done or handed on before as many refusals as there were."""
    guards, guards_now = _guards(versions.before), _guards(versions.after)
    if not guards or len(guards_now) < len(guards):
        return
    old, new = _deeds(versions.before, versions), _deeds(versions.after, versions)
    for name, (places, line) in old.items():
        now = new.get(name, ([], 0))[0]
        if len(places) != 1 or not now:
            continue
        passed, passed_now = (
            sum(place < deed for place in found) for found, deed in ((guards, places[0]), (guards_now, now[0]))
        )
        if passed and passed_now < passed and len(now) <= 2:
            because, how = "it stands behind a refusal", f"`{name}` comes before it now"
            yield shift(name, line, because, how, entry="validation")


def _guards(item: Mined) -> list[int]:
    """Positions of refusing statements."""
    return [
        position
        for position, statement in enumerate(walk(item.unit.block))
        if statement.kind is StmtKind.IF and any(_raises(branch) for branch in statement.blocks[:-1])
    ]


def _raises(branch: Block) -> bool:
    refusal = refusal_of(branch)
    return refusal is not None and refusal.kind in ("raise", "abort")


def _deeds(item: Mined, versions: Versions) -> dict[str, tuple[list[int], int]]:
    """Positions at which a function that changes something is named, called or handed on, and the first line."""
    called = {
        plain(node.parts[0])
        for side in (versions.before, versions.after)
        for _, node in nodes(side)
        if node.kind is ExprKind.CALL and node.parts[0].kind is ExprKind.ATTRIBUTE and _DEEDS.find(callee(node))
    }
    found: dict[str, tuple[list[int], int]] = {}
    for position, statement in enumerate(walk(item.unit.block)):
        for node in (inner for top in statement.exprs for inner in top.walk() if inner.kind is ExprKind.ATTRIBUTE):
            if plain(node) in called:
                found.setdefault(plain(node), ([], statement.line))[0].append(position)
    return found


def counted_later(versions: Versions) -> Iterator[Shift]:
    """A call that counts tries stood before a refusal, and now only those are counted whom that lets pass."""
    old, new = _places(versions.before, versions), _places(versions.after, versions)
    for count, (place, line) in old.counts.items():
        for guard, (behind, _) in old.guards.items():
            stays = place < behind and count in new.counts and guard in new.guards
            if stays and new.guards[guard][0] < new.counts[count][0]:
                yield shift(count, line, "it counts every try", f"now only what `{guard}` lets pass", entry="limits")
                break


class _Places:
    """Where guards, deeds and counting calls that are spelled once stand: position and line."""

    def __init__(self) -> None:
        self.guards: dict[str, tuple[int, int]] = {}
        self.deeds: dict[str, tuple[int, int]] = {}
        self.counts: dict[str, tuple[int, int]] = {}


def _places(item: Mined, versions: Versions) -> _Places:
    found = _Places()
    times: Counter[str] = Counter()
    for position, statement in enumerate(walk(item.unit.block)):
        for table, expression in _told(statement, found, versions):
            text = plain(expression)
            times[text] += 1
            table[text] = (position, statement.line)
    for table in (found.guards, found.deeds, found.counts):
        for text in [text for text in table if times[text] > 1]:
            del table[text]
    return found


def _told(statement: Stmt, found: _Places, versions: Versions) -> Iterator[tuple[dict[str, tuple[int, int]], Expr]]:
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
