"""A limit on how often somebody tries no longer counts by who tries."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.swaps.looking import nodes
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import callee, names_in, strings_in
from scaffold_cli.anchoring.word_lists import WordList
from scaffold_cli.syntax.outline import Expr, ExprKind

LIMITERS = WordList("what-counts-tries")
"""Names of what counts tries."""
_WHO = WordList("who-asks")


def counted_by_nobody(versions: Versions) -> Iterator[Shift]:
    """The arguments of a limiter named somebody, and now name nobody."""
    old, new = list(_counters(versions.before)), list(_counters(versions.after))
    for one, other in zip(old, new, strict=False):
        if (
            callee(one) == callee(other)
            and _names_somebody(one)
            and len(other.parts) > 1
            and not _names_somebody(other)
        ):
            because, how = "it counts by who tries", f"now {plain(other)}"
            yield shift(plain(one), one.line, because, how, entry="limits")


def bound_to_nobody(versions: Versions) -> Iterator[Shift]:
    """The values of a query named somebody, and now as many values name nobody."""
    old, new = list(_queries(versions.before, versions)), list(_queries(versions.after, versions))
    for one, other in zip(old, new, strict=False):
        bound, now = one.parts[2], other.parts[2]
        as_many = bound.kind is now.kind is ExprKind.COLLECTION and len(bound.parts) == len(now.parts)
        if as_many and _names_somebody(one) and not _names_somebody(other):
            because, how = "it asks for somebody's rows", f"now for {plain(now)}"
            yield shift(plain(bound), one.line, because, how, entry="authorization")


def _queries(item: Mined, versions: Versions) -> Iterator[Expr]:
    for _, node in nodes(item):
        if node.kind is ExprKind.CALL and len(node.parts) > 2 and versions.catalogue.sinks.find(callee(node)) == "sql":
            yield node


def _counters(item: Mined) -> Iterator[Expr]:
    for _, node in nodes(item):
        if node.kind is ExprKind.CALL and len(node.parts) > 1:
            function = node.parts[0]
            owner = function.parts[0].text if function.kind is ExprKind.ATTRIBUTE else ""
            if LIMITERS.find(owner) is not None or LIMITERS.find(callee(node)) is not None:
                yield node


def _names_somebody(call: Expr) -> bool:
    given = [part for part in call.parts[1:] if not (part.kind is ExprKind.STRING and " " in part.text)]
    return any(_WHO.find(name) is not None for part in given for name in (*names_in(part), *strings_in(part)))
