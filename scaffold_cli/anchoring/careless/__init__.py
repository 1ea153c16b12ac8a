"""Careless C: what the CERT C rules forbid because nothing else stands between it and corrupt memory.

Unlike an anchor this looks at one version alone, so it serves the self-check, where a wrong alarm costs one more
question to a model, and never the gate.
"""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.careless import bounds, pointers
from scaffold_cli.anchoring.careless.reading import Careless
from scaffold_cli.model.change import FileVersion
from scaffold_cli.syntax.frontends import outline
from scaffold_cli.syntax.outline import Language

__all__ = ["Careless", "careless"]

_LANGUAGES = (Language.C, Language.CPP)


def careless(version: FileVersion) -> Iterator[Careless]:
    """What is careless in the functions of a C or C++ file, function by function; nothing of other files."""
    file = outline(version)
    for function in file.functions if file.language in _LANGUAGES and file.problem is None else ():
        yield from pointers.unchecked_allocations(function)
        yield from pointers.uses_after_free(function)
        yield from bounds.endless_copies(function)
        yield from bounds.lengths_from_data(function)
        yield from bounds.indices_below_zero(function)
        yield from bounds.sums_that_overflow(function)
        yield from bounds.lengths_less_one(function)
