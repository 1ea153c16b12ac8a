"""Where in a text rewrites are worth most: the functions that refuse something."""

from __future__ import annotations

import ast
from functools import lru_cache

from benchmarks.operators.operator import Language


@lru_cache(maxsize=64)
def refusing_functions(text: str, language: Language) -> tuple[tuple[int, int], ...]:
    """Offsets of every function that raises or throws; empty for a text that does not parse."""
    if language is Language.PYTHON:
        return _python(text)
    from benchmarks.operators.java.source import throwing_methods

    return throwing_methods(text)


def _python(text: str) -> tuple[tuple[int, int], ...]:
    from benchmarks.operators.python.source import parse

    source = parse(text)
    if source is None:
        return ()
    refusing = [item for item in source.functions if any(isinstance(node, ast.Raise) for node in ast.walk(item))]
    return tuple((source.start(item), source.end(item)) for item in refusing)
