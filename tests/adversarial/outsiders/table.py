"""What the tables of attempts share."""

from __future__ import annotations

from tests.adversarial.attacks import Files


def swap(path: str, text: str, old: str, new: str) -> tuple[Files, Files]:
    """A file of this text, and the same with one place changed."""
    assert old in text, old
    return {path: text}, {path: text.replace(old, new, 1)}
