"""The log of trajectories, one JSON line each, and what it says together (ReflexiCoder; layout of fact sheet 2.9)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from scaffold_cli.model.errors import UsageError
from scaffold_cli.model.plain import Json


def append(log: Path, record: Json) -> None:
    """Add one record. Raises UsageError when the file cannot be written."""
    line = json.dumps(record, sort_keys=True, ensure_ascii=True) + "\n"
    try:
        with log.open("a", encoding="ascii") as stream:
            stream.write(line)
    except OSError as error:
        raise UsageError(f"{log} cannot be written: {error.strerror}.") from error


def read(log: Path) -> list[dict[str, Any]]:
    """The records of a log. Raises UsageError for a file that cannot be read, naming the line that is none."""
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        raise UsageError(f"{log} cannot be read: {error.strerror}.") from error
    found = []
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
            if not isinstance(record["valid"], bool) or not isinstance(record["statuses"], list):
                raise TypeError("no record of a trajectory")
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise UsageError(f"Line {number} of {log} is no record of a trajectory.") from error
        found.append(record)
    return found


def summed_up(records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """How many there are and are valid, reflections as {count: trajectories}, tokens, first and last scores, reward.

    A mean is None where no record tells the value; an invalid trajectory has no reflections, as with the authors.
    """
    valid = [record for record in records if record["valid"]]
    tokens = [record["tokens"] for record in records if record.get("tokens") is not None]
    scored = [record["scores"] for record in records if record.get("scores")]
    rewards = [record["reward"]["total"] for record in records if record.get("reward")]
    histogram = Counter(len(record["statuses"]) if record["valid"] else 0 for record in records)
    return {
        "trajectories": len(records),
        "valid": len(valid),
        "reflections": {str(count): histogram[count] for count in sorted(histogram)},
        "tokens": {"min": min(tokens, default=None), "average": _mean(tokens), "max": max(tokens, default=None)},
        "first answers": _mean(scores[0] for scores in scored),
        "last answers": _mean(scores[-1] for scores in scored),
        "reward": _mean(rewards),
    }


def _mean(values: Iterable[float]) -> float | None:
    listed = list(values)
    return round(fmean(listed), 4) if listed else None
