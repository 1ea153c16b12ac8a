"""Which signs weigh most, in words a reader of the change understands."""

from __future__ import annotations

from scaffold_cli.anchoring.suspicion.context import AROUND
from scaffold_cli.anchoring.suspicion.forest import Forest
from scaffold_cli.anchoring.suspicion.signs import Signs
from scaffold_cli.anchoring.suspicion.texts import LONGEST

_TOLD = 4
"""Signs told."""
_LEAST = 0.01
"""A sign without which the probability falls by less is not told."""


def reasons(signs: Signs, forest: Forest) -> tuple[str, ...]:
    """The signs without which the probability falls most, the weightiest first."""
    whole = forest.score(signs)
    names = dict.fromkeys(sign.lstrip("-+") for sign, count in signs.items() if count and _is_told(sign))
    falls = sorted((whole - forest.score(_without(signs, name)), name) for name in names)
    return tuple(_told(name, signs) for fall, name in falls[::-1][:_TOLD] if fall >= _LEAST)


def _is_told(sign: str) -> bool:
    """Only what the change itself shows is a reason."""
    return sign != LONGEST and not sign.startswith(AROUND)


def _without(signs: Signs, name: str) -> Signs:
    """The same signs as if this one had not changed."""
    kept = signs.copy()
    for sign in (name, f"-{name}", f"+{name}"):
        del kept[sign]
    return kept


def _told(name: str, signs: Signs) -> str:
    gone, come, both = signs[f"-{name}"], signs[f"+{name}"], signs[name]
    if both:
        return f"{name} ({both})"
    if gone and come:
        return f"{name} ({gone} gone, {come} new)"
    return f"{name} ({gone} gone)" if gone else f"{name} ({come} new)"
