"""Mine one file: all facts of each of its units, worked out once for each content."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import chain

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.clearing import PREFIX_TESTS, clearing, separators
from scaffold_cli.anchoring.effects import effects
from scaffold_cli.anchoring.facts import Fact, Later, Mined, Unit, units_of
from scaffold_cli.anchoring.forms import Forms
from scaffold_cli.anchoring.guards import guards
from scaffold_cli.anchoring.library import Library, library_of
from scaffold_cli.anchoring.live import live
from scaffold_cli.anchoring.looping import loop_ends
from scaffold_cli.anchoring.paths import statements_with_path
from scaffold_cli.anchoring.reading import Reading, read
from scaffold_cli.anchoring.scope import Scope
from scaffold_cli.anchoring.settings import settings
from scaffold_cli.anchoring.strength import CallIndex
from scaffold_cli.model.change import FileVersion
from scaffold_cli.syntax.frontends import outline
from scaffold_cli.syntax.outline import Outline
from scaffold_cli.syntax.recent import Recent

_units: Recent[tuple[Catalogue, tuple[Mined, ...]]] = Recent()
"""The catalogue stands in the value so that no other takes its id."""


def mine_file(version: FileVersion, catalogue: Catalogue) -> tuple[Mined, ...]:
    """The mined units of one file version; nothing when it does not parse."""
    _, found = _units.get(version, lambda: (catalogue, mine_outline(outline(version), catalogue)), id(catalogue))
    return found


def mine_outline(source: Outline, catalogue: Catalogue) -> tuple[Mined, ...]:
    """The units of an outline; the facts of each are mined when they are asked for."""
    if source.problem is not None:
        return ()
    library = library_of(source)
    return tuple([mine_unit(unit, catalogue, library) for unit in units_of(source)])


def mine_unit(unit: Unit, catalogue: Catalogue, library: Library) -> Mined:
    """One unit; what it calls and names counts even where it can never run."""
    reading = read(unit.block)
    scope = Scope(unit.function.params if unit.function is not None else (), reading)
    calls = Counter(chain.from_iterable(reading.calls.values()))
    later = Later(partial(_facts, unit, reading, scope, library, catalogue))
    return Mined(unit, later, reading, scope, calls, scope.locals_and(reading.statements), library)


def _facts(unit: Unit, reading: Reading, scope: Scope, library: Library, catalogue: Catalogue) -> tuple[Fact, ...]:
    forms = Forms(scope, library, reading)
    running = live(unit.block)
    if running is not unit.block:
        unit = replace(unit, block=running)
    paths = statements_with_path(unit.block)
    compares_prefixes = any(name in PREFIX_TESTS for names in reading.calls.values() for name in names)
    calls = CallIndex(reading.calls)
    return (
        *guards(unit, forms, catalogue, calls),
        *effects(unit, paths, forms, catalogue, calls),
        *settings(unit, reading, forms, catalogue),
        *clearing(unit, paths, forms, catalogue),
        *loop_ends(reading),
        *(separators(reading.nodes, forms) if compares_prefixes else ()),
    )
