"""Signs in names and texts: words of the catalogue that an expression speaks of."""

from __future__ import annotations

import re
from collections import Counter

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.syntax.outline import Expr, ExprKind

_NAMED = frozenset({ExprKind.NAME, ExprKind.ATTRIBUTE, ExprKind.KEYWORD})
_PATTERN = re.compile(r"[\\^$*+?\[\]]{2}|\[\^")
"""What only a regular expression is likely to hold."""
_MESSAGE = 200
"""Characters of a text that are looked at for words."""


class Vocabulary:
    """Counts what the catalogue knows in expressions; answers are kept, since names come again."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._tables = {
            "word of refusal": catalogue.guards,
            "sink": catalogue.sinks,
            "secret": catalogue.cleared,
            "careful word": catalogue.careful,
            "narrowing argument": catalogue.arguments,
            "request": catalogue.requested,
        }
        self._known: dict[str, tuple[str, ...]] = {}

    def is_protective(self, name: str) -> bool:
        """True for a name of a function that protects."""
        return self._catalogue.protective(name) is not None

    def is_refusing(self, name: str) -> bool:
        """True for a name with a word of refusals."""
        return self._catalogue.guards.find(name) is not None

    def count(self, node: Expr, side: str, signs: Counter[str]) -> None:
        """Add what `node` and all below it speak of; `side` is "-" (only before) or "+" (only after)."""
        for part in node.walk():
            if part.kind in _NAMED:
                signs.update(side + sign for sign in self.of_name(part.text))
            elif part.kind is ExprKind.STRING:
                signs.update(side + sign for sign in self._of_text(part.text))

    def of_name(self, name: str) -> tuple[str, ...]:
        """What a name speaks of."""
        if name not in self._known:
            found = [sign for sign, table in self._tables.items() if table.find(name) is not None]
            found += ["protective name"] if self.is_protective(name) else []
            found += ["unsafe name"] if name in self._catalogue.unsafe else []
            self._known[name] = tuple(found)
        return self._known[name]

    def _of_text(self, text: str) -> list[str]:
        found = ["dangerous text"] if text in self._catalogue.literals else []
        found += ["protective text"] if text.lower() in self._catalogue.strings else []
        is_message = " " in text and self.is_refusing(text[:_MESSAGE].replace(" ", "_"))
        found += ["message of refusal"] if is_message else []
        return [*found, "pattern"] if _PATTERN.search(text) else found
