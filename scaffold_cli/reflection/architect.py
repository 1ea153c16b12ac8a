"""Architect: the anchors a step must keep, in the order a prompt names them."""

from __future__ import annotations

from collections.abc import Sequence

from scaffold_cli.model.protection import Anchor
from scaffold_cli.reflection.assimilator import Assimilator


def anchors_for(paths: Sequence[str], anchors: Sequence[Anchor], assimilator: Assimilator) -> tuple[Anchor, ...]:
    """Anchors in the files shown come first, among them those that were attacked, then hard ones before soft."""
    shown = set(paths)
    ordered = assimilator.prioritised(anchors)
    return tuple(sorted(ordered, key=lambda anchor: anchor.protection.place.path not in shown))
