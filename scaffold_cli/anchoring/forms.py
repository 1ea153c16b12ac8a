"""The spellings in which the facts of one unit are told."""

from __future__ import annotations

from scaffold_cli.anchoring.library import Library
from scaffold_cli.anchoring.normal import Normaliser
from scaffold_cli.anchoring.reading import Reading
from scaffold_cli.anchoring.scope import Scope


class Forms:
    """The renderings facts are made with: names kept, locals blanked, locals blanked and not followed, all followed.

    Where no local of the body stands for a value, or nothing in it is spoken of by the library, two of them cannot
    differ and are one.
    """

    def __init__(self, scope: Scope, library: Library, reading: Reading) -> None:
        self.scope = scope
        self.exact = Normaliser(scope)
        self.shape = Normaliser(scope, shape=True)
        self.bare = Normaliser(scope, shape=True, inline=False) if scope.values else self.shape
        spoken_of = library.speaks_of(reading)
        self.full = Normaliser(scope, library=library) if spoken_of else self.exact
