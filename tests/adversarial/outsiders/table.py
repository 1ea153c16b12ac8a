"""What the tables of attempts share."""

from __future__ import annotations

from pathlib import Path

from tests.adversarial.attacks import Files


def swap(path: str, text: str, old: str, new: str) -> tuple[Files, Files]:
    """A file of this text, and the same with one place changed."""
    assert old in text, old
    return {path: text}, {path: text.replace(old, new, 1)}


_PROGRAMS = Path(__file__).with_name("programs")


def program(name: str) -> Files:
    """The files of a small program with its tests, kept as text so that nothing takes them for ours."""
    root = _PROGRAMS / name
    return {str(path.relative_to(root).with_suffix("")): path.read_text() for path in sorted(root.rglob("*.txt"))}


def places(files: Files, path: str, *pairs: tuple[str, str]) -> tuple[Files, Files]:
    """A program, and one of its files changed in several places."""
    text = str(files[path])
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new, 1)
    return files, {path: text}
