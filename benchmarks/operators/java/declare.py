"""Short forms of the two kinds of Java operator."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from benchmarks.operators.java.source import JavaSource, parse
from benchmarks.operators.operator import Kind, Language, Operator, Rewrite

Find = Callable[[JavaSource], Iterable[Rewrite]]


def preserving(name: str, what: str, find: Find) -> Operator:
    """An operator that keeps behaviour."""
    return _operator(name, Kind.PRESERVING, what, find)


def degrading(name: str, what: str, find: Find) -> Operator:
    """An operator that takes a protection away."""
    return _operator(name, Kind.DEGRADING, what, find)


def _operator(name: str, kind: Kind, what: str, find: Find) -> Operator:
    def places(text: str) -> Iterable[Rewrite]:
        source = parse(text)
        return () if source is None else find(source)

    return Operator(name, kind, Language.JAVA, what, places)
