"""Mine anchors from files: the public face of mining."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable

from scaffold_cli.anchoring.catalogue import Catalogue, load
from scaffold_cli.anchoring.facts import Fact, Unit
from scaffold_cli.anchoring.units import mine_file
from scaffold_cli.model.change import FileVersion
from scaffold_cli.model.protection import Anchor, Protection, Strength
from scaffold_cli.model.verdict import Place
from scaffold_cli.syntax.frontends import has_front_end, language_of
from scaffold_cli.syntax.roles import is_test_file


def mine(
    files: Iterable[FileVersion],
    read: Callable[[str], bytes | None] | None = None,
    catalogue: Catalogue | None = None,
) -> tuple[Anchor, ...]:
    """The anchors of these files, in file and line order; ids are unique and stable under line shifts.

    `read` gives the bytes of other files of the same tree (helpers that are imported), or None. Files that do not
    parse, are not text, or hold tests have no anchors.
    """
    known = catalogue if catalogue is not None else load()
    anchors: list[Anchor] = []
    for version in files:
        if not version.is_text or is_test_file(version.path):
            continue
        if not has_front_end(language_of(version.path, version.data)):
            continue
        found = [(fact, mined.unit) for mined in mine_file(version, known) for fact in mined.facts]
        anchors += number([anchor(fact, unit) for fact, unit in sorted(found, key=lambda pair: pair[0].line)])
    return tuple(anchors)


def number(anchors: Iterable[Anchor]) -> list[Anchor]:
    """Tell equal anchors of one unit apart by an occurrence number at the end of their ids."""
    seen: Counter[str] = Counter()
    result = []
    for item in anchors:
        seen[item.id] += 1
        count = seen[item.id]
        result.append(
            item if count == 1 else Anchor(f"{item.id}.{count}", item.protection, item.strength, item.because)
        )
    return result


def anchor(fact: Fact, unit: Unit) -> Anchor:
    """Pin one fact: hard or soft, with the rule behind it."""
    key = "\0".join((unit.path, unit.symbol, fact.kind.value, fact.name, fact.form))
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
    strength = Strength.HARD if fact.is_hard else Strength.SOFT
    because = fact.because or "soft because nothing but its shape speaks for it"
    return Anchor(f"{fact.kind.value}-{digest[:10]}", protection(fact, unit), strength, because)


def protection(fact: Fact, unit: Unit) -> Protection:
    """The public form of a fact."""
    return Protection(
        kind=fact.kind,
        level=fact.level,
        subject=fact.subject or fact.name,
        condition=fact.condition,
        action=fact.action,
        place=place(unit, fact.line, fact.end_line),
        rule=fact.entry,
    )


def place(unit: Unit, line: int, end_line: int) -> Place:
    """Lines of a unit's file with their text."""
    source = unit.lines[line - 1 : end_line]
    return Place(unit.path, line, end_line, "\n".join(source), unit.symbol)
