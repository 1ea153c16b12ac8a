"""Φ, the anchors of a chain: mined at the baseline and after every accepted step; the set only grows."""

from __future__ import annotations

from collections.abc import Iterable

from scaffold_cli.model.change import FileVersion
from scaffold_cli.model.protection import Anchor
from scaffold_cli.vcs.tree import PLAIN, GitTree


class AnchorSet:
    """Anchors by id. No anchor is ever retired inside a chain (our choices SC-6 and SC-7)."""

    def __init__(self) -> None:
        self._anchors: dict[str, Anchor] = {}

    def grow(self, anchors: Iterable[Anchor]) -> None:
        """Add what is new. A known anchor keeps the form it was first seen in."""
        for anchor in anchors:
            self._anchors.setdefault(anchor.id, anchor)

    @property
    def anchors(self) -> tuple[Anchor, ...]:
        """All of them, in the order they were found."""
        return tuple(self._anchors.values())

    def __len__(self) -> int:
        return len(self._anchors)


def mined(tree: GitTree, paths: Iterable[str], max_file_bytes: int) -> tuple[Anchor, ...]:
    """The anchors of these files of `tree`; files over the size limit (bytes) are left to the gate to name."""
    from scaffold_cli.anchoring.mining import mine

    entries = tree.entries()
    plain = [path for path in paths if path in entries and entries[path].mode in PLAIN]
    sizes = tree.store.sizes(entries[path].oid for path in plain)
    small = [path for path in plain if sizes[entries[path].oid] <= max_file_bytes]
    contents = tree.read_many(small)
    versions = [FileVersion(path, contents[path], entries[path].mode, oid=entries[path].oid) for path in small]
    return tuple(mine(versions, tree.read))
