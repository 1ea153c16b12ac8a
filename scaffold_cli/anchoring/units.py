"""Mine one file: all facts of each of its units, worked out once for each content."""

from __future__ import annotations

from collections import Counter, OrderedDict
from threading import Lock

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.clearing import clearing, separators
from scaffold_cli.anchoring.effects import called_all, effects
from scaffold_cli.anchoring.facts import Mined, Unit, units_of
from scaffold_cli.anchoring.guards import guards
from scaffold_cli.anchoring.normal import Forms
from scaffold_cli.anchoring.scope import Scope
from scaffold_cli.anchoring.settings import settings
from scaffold_cli.anchoring.views import expressions, names_in
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
    return tuple(mine_unit(unit, catalogue) for unit in units_of(source))


def mine_unit(unit: Unit, catalogue: Catalogue) -> Mined:
    """All facts of one unit."""
    scope = Scope(unit.function.params if unit.function is not None else (), unit.block)
    forms = Forms(scope)
    facts = (
        *guards(unit, forms, catalogue),
        *effects(unit, forms, catalogue),
        *settings(unit, forms, catalogue),
        *clearing(unit, forms, catalogue),
        *separators(unit, forms),
    )
    tops = list(expressions(unit.block))
    names = frozenset(name for top in tops for name in names_in(top))
    return Mined(unit, facts, Counter(called_all(tops)), names, scope.locals_and(unit.block))
