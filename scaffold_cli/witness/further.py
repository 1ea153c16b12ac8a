"""Runs inside a workspace: further argument lists made by hypothesis, where the project's Python has it.

Like the driver it is passed as text and takes one JSON argument: `columns`, for each parameter its kinds and the
values tried already, and `count`. It writes one JSON line for each list, the same lists every time.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

Column = Any
"""A strategy for the expressions of one parameter (hypothesis may be absent where types are checked)."""

_TEXT = st.text(max_size=12)
_PLAIN: Mapping[str, Column] = {
    "int": st.integers(),
    "float": st.floats(allow_nan=False, allow_infinity=False),
    "bool": st.booleans(),
    "bytes": st.binary(max_size=12),
    "list": st.lists(_TEXT, max_size=3),
    "dict": st.dictionaries(_TEXT, _TEXT, max_size=3),
}
_PATTERN = re.compile(r"[\\\[^$+*]")
_BEHIND = ("", "\n", "/", "x")


def column(kinds: Sequence[str], known: Sequence[str]) -> Column:
    """Known values, plain values of each kind, texts put together from the known ones, texts their patterns match."""
    parts = [st.sampled_from(list(known)), *(_PLAIN[kind].map(repr) for kind in kinds if kind in _PLAIN)]
    if "str" in kinds:
        words = [word for word in map(_word, known) if word is not None] or [""]
        pieces = st.lists(st.one_of(st.sampled_from(words), _TEXT), min_size=1, max_size=3)
        parts.append(pieces.map(lambda found: repr("".join(found))))
        parts += [_matching(word) for word in words if _PATTERN.search(word)]
    return st.one_of(*parts)


def _word(expression: str) -> str | None:
    try:
        value = ast.literal_eval(expression)
    except ValueError:
        return None
    return value if isinstance(value, str) else None


def _matching(pattern: str) -> Column:
    """Texts a regular expression matches, with something behind."""
    try:
        matching = st.from_regex(re.compile(pattern), fullmatch=True)
    except re.error:
        return st.just(repr(pattern))
    return st.tuples(matching, st.sampled_from(_BEHIND)).map(lambda found: repr("".join(found)))


def main(request: Mapping[str, Any]) -> None:
    """Write the lists."""
    columns = [column(item["kinds"], item["known"]) for item in request["columns"]]
    limits = settings(
        max_examples=request["count"],
        database=None,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    limits(given(st.tuples(*columns))(lambda case: print(json.dumps(case))))()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
