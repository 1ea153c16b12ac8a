"""Mine one file: all facts of each of its units, worked out once for each content."""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import replace
from itertools import chain
from threading import Lock

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.clearing import PREFIX_TESTS, clearing, separators
from scaffold_cli.anchoring.effects import effects
from scaffold_cli.anchoring.facts import Mined, Unit, units_of
from scaffold_cli.anchoring.guards import guards
from scaffold_cli.anchoring.library import Library, library_of
from scaffold_cli.anchoring.live import live
from scaffold_cli.anchoring.normal import Forms
from scaffold_cli.anchoring.paths import statements_with_path
from scaffold_cli.anchoring.reading import read
from scaffold_cli.anchoring.scope import Scope
from scaffold_cli.anchoring.settings import settings
from scaffold_cli.model.change import FileVersion
from scaffold_cli.syntax.frontends import outline
from scaffold_cli.syntax.outline import Outline

_CACHE_ENTRIES = 512
_cache: OrderedDict[tuple[str, bytes, int], tuple[Mined, ...]] = OrderedDict()
_lock = Lock()


def mine_file(version: FileVersion, catalogue: Catalogue) -> tuple[Mined, ...]:
    """The mined units of one file version; nothing when it does not parse."""
    key = (version.path, version.data, id(catalogue))
    with _lock:
        known = _cache.get(key)
        if known is not None:
            _cache.move_to_end(key)
            return known
    result = mine_outline(outline(version), catalogue)
    with _lock:
        _cache[key] = result
        while len(_cache) > _CACHE_ENTRIES:
            _cache.popitem(last=False)
    return result


def mine_outline(source: Outline, catalogue: Catalogue) -> tuple[Mined, ...]:
    """The mined units of an outline."""
    if source.problem is not None:
        return ()
    library = library_of(source)
    return tuple(mine_unit(unit, catalogue, library) for unit in units_of(source))


def mine_unit(unit: Unit, catalogue: Catalogue, library: Library | None = None) -> Mined:
    """All facts of one unit; what it calls and names counts even where it can never run."""
    reading = read(unit.block)
    scope = Scope(unit.function.params if unit.function is not None else (), reading)
    forms = Forms(scope, library)
    running = live(unit.block)
    written = unit
    if running is not unit.block:
        unit = replace(unit, block=running)
    calls = Counter(chain.from_iterable(reading.calls.values()))
    paths = statements_with_path(unit.block)
    facts = (
        *guards(unit, forms, catalogue, reading.calls),
        *effects(unit, paths, forms, catalogue),
        *settings(unit, reading, forms, catalogue),
        *clearing(unit, paths, forms, catalogue),
        *(separators(reading.nodes, forms) if calls.keys() & PREFIX_TESTS else ()),
    )
    return Mined(written, facts, calls, reading.names, scope.locals_and(reading.statements))
