"""Recorded output that tests compare with, rewritten by the change itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold_cli.testing.integrity.interface import Breach, BreachKind, Material

_SNAPSHOT = re.compile(
    r"\.(snap|ambr|snapshot|golden|approved(\.\w+)?|expected)$|(^|/)(__snapshots__|__image_snapshots__|snapshots|golden|cassettes)/"
)


def snapshots(material: Material) -> Iterator[Breach]:
    """Snapshot files of which lines are gone or different; new entries beside the old ones are fine."""
    for pair in material.change.files:
        before, after = pair.before, pair.after
        if before is None or not _SNAPSHOT.search(before.path) or not before.data:
            continue
        had = before.data.splitlines()
        has = after.data.splitlines() if after is not None else []
        kept = iter(has)
        if after is None or not all(line in kept for line in had):
            word = "taken away" if after is None else "rewritten"
            yield Breach(
                BreachKind.SNAPSHOT,
                f"The recorded output {before.path}, which tests compare with, is {word} by the change.",
                before.path,
                before=material.place(before.path, 1, after=False),
                after=material.place(after.path, 1, after=True) if after is not None else None,
            )
