"""Spans of time and rates as numbers: ``timedelta(minutes=5)``, ``Duration.ofDays(1)``, ``"15m"``, ``"5/minute"``."""

from __future__ import annotations

import re

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.swaps.looking import number_of
from scaffold_cli.anchoring.views import callee
from scaffold_cli.syntax.outline import Expr, ExprKind

_SECONDS = {
    "microsecond": 1e-6, "millisecond": 1e-3, "ms": 1e-3, "second": 1, "sec": 1, "s": 1, "minute": 60, "min": 60,
    "m": 60, "hour": 3600, "hr": 3600, "h": 3600, "day": 86400, "d": 86400, "week": 604800, "w": 604800,
    "month": 2592000, "year": 31536000, "y": 31536000,
}  # fmt: skip
_SPAN = re.compile(r"^\s*(\d+(?:\.\d+)?)\s*([a-z]+?)s?\s*$")
_RATE = re.compile(r"(\d+)\s*(?:/|per)\s*(\d*)\s*([a-z]+?)s?\b")
_SIZE = re.compile(r"^\s*(\d+(?:\.\d+)?)\s*(b|k|m|g|t)i?b?\s*$")
_BYTES = {"b": 1, "k": 1024, "m": 1024**2, "g": 1024**3, "t": 1024**4}
_BUILDERS = frozenset({"timedelta", "relativedelta", "Timedelta", "duration"})


def seconds_of(node: Expr, item: Mined) -> float | None:
    """The span of time an expression is, in seconds; None for anything else, plain numbers included."""
    if node.kind is ExprKind.STRING:
        found = _SPAN.match(node.text.lower())
        unit = _SECONDS.get(found[2]) or _SECONDS.get(found[2] + "s") if found else None
        return float(found[1]) * unit if found and unit else None
    if node.kind is ExprKind.BINARY and node.text == "*" and len(node.parts) == 2:
        spans = [seconds_of(part, item) for part in node.parts]
        numbers = [number_of(part, item) for part in node.parts]
        pairs = ((spans[0], numbers[1]), (spans[1], numbers[0]))
        return next((span * times for span, times in pairs if span is not None and times is not None), None)
    if node.kind is not ExprKind.CALL:
        return None
    name = callee(node)
    if name in _BUILDERS:
        return _built(node, item)
    unit = _SECONDS.get(name.removeprefix("of").lower().removesuffix("s")) if name.startswith("of") else None
    number = number_of(node.parts[1], item) if unit is not None and len(node.parts) == 2 else None
    return None if unit is None or number is None else number * unit


def _built(call: Expr, item: Mined) -> float | None:
    """``timedelta(days, seconds)`` and its named parts, added up."""
    total = 0.0
    for position, part in enumerate(call.parts[1:]):
        name = part.text if part.kind is ExprKind.KEYWORD else ("days", "seconds")[min(position, 1)]
        number = number_of(part.parts[0] if part.kind is ExprKind.KEYWORD else part, item)
        unit = _SECONDS.get(name.removesuffix("s"))
        if number is None or unit is None:
            return None
        total += number * unit
    return total if len(call.parts) > 1 else None


def size_of(text: str) -> float | None:
    """How many bytes a text such as ``"100kb"`` says; None for any other."""
    found = _SIZE.match(text.lower())
    return float(found[1]) * _BYTES[found[2]] if found else None


def rate_of(text: str) -> float | None:
    """How many each second a text lets through (``"5 per 10 minutes"``), the laxest of several; None when none."""
    rates = []
    for count, times, unit in _RATE.findall(text.lower()):
        seconds = _SECONDS.get(unit)
        if seconds is not None:
            rates.append(int(count) / (seconds * int(times or 1)))
    return max(rates, default=None)
