"""Memory as JSON lines: one case on each line, in a form that survives versions, backends and embeddings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from scaffold_cli.memory.case import Case
from scaffold_cli.memory.store import Store
from scaffold_cli.memory.writer import redacted
from scaffold_cli.model.plain import PlainError, canonical, from_plain, to_plain

_BATCH = 500
_USES = 10**9
"""Uses believed at most."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of the lines of an import: `broken` holds line numbers (from 1) with the reason."""

    new: int
    known: int
    broken: tuple[tuple[int, str], ...]


def dump(cases: Iterable[Case]) -> Iterator[bytes]:
    """One line for each case, ended by a line feed."""
    for case in cases:
        yield canonical(to_plain(case)) + b"\n"


def load(lines: Iterable[bytes], store: Store) -> Imported:
    """Store every line that holds a case; a broken one is named and left out. Secrets are taken out again."""
    broken: list[tuple[int, str]] = []
    good = _read(lines, broken)
    new = total = 0
    while batch := list(islice(good, _BATCH)):
        new += store.add(batch)
        total += len(batch)
    return Imported(new, total - new, tuple(broken))


def _read(lines: Iterable[bytes], broken: list[tuple[int, str]]) -> Iterator[Case]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            case = _checked(from_plain(Case, json.loads(line)))
        except (ValueError, PlainError, RecursionError) as error:
            broken.append((number, str(error) or "nested too deeply"))
        else:
            yield redacted(case)


def _checked(case: Case) -> Case:
    """The case if a store can hold it. Raises ValueError for one that says of no verdict, or is no text."""
    if not case.verdict:
        raise ValueError("it names no verdict that accepted it")
    try:
        json.dumps(to_plain(case), ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ValueError("it holds halves of characters") from error
    return replace(case, uses=min(max(0, case.uses), _USES))
