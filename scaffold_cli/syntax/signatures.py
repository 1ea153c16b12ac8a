"""Public signatures of a file, and which of them a change takes away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scaffold_cli.syntax.outline import Function, Language, Outline

_TYPED_SHAPE = frozenset({Language.JAVA, Language.GO, Language.C, Language.CPP})
"""Languages whose callers depend on the types of parameters, in order, and not on their names."""


class Signature(NamedTuple):
    """What callers of a public function or class rely on.

    `name` is dotted through classes; `shape` is the parameter list, or the kind of a class ("class", "enum").
    """

    name: str
    shape: str

    def __str__(self) -> str:
        return f"{self.name}{self.shape}" if self.shape.startswith("(") else f"{self.shape} {self.name}"


class Lost(NamedTuple):
    """A public signature that is gone. `now` lists what the name stands for afterwards; empty when it is removed."""

    path: str
    signature: Signature
    line: int
    now: tuple[Signature, ...] = ()

    def __str__(self) -> str:
        if not self.now:
            return f"{self.signature} removed"
        return f"{self.signature} became {', '.join(map(str, self.now))}"


def public_signatures(outline: Outline) -> dict[Signature, int]:
    """Each public signature of a file with the line of its definition (1-based)."""
    found = {Signature(item.name, item.kind): item.line for item in outline.classes if item.is_public}
    for function in outline.functions:
        if function.is_public:
            found.setdefault(Signature(function.name, _shape(function, outline.language)), function.line)
    return found


def lost_signatures(pairs: Iterable[tuple[Outline | None, Outline | None]]) -> tuple[Lost, ...]:
    """Public signatures that are in some before-outline and in no after-outline of the change.

    A definition that moved to another file of the change under its dotted name is not lost.
    """
    pairs = list(pairs)
    before = [(outline.path, public_signatures(outline)) for outline, _ in pairs if outline is not None]
    after = [public_signatures(outline) for _, outline in pairs if outline is not None]
    spare = Counter(signature for known in after for signature in known)
    by_name: dict[str, list[Signature]] = {}
    for signature in spare:
        by_name.setdefault(signature.name, []).append(signature)
    lost = []
    for path, known in before:
        for signature, line in known.items():
            if spare[signature] > 0:
                spare[signature] -= 1
            else:
                lost.append(Lost(path, signature, line, _instead(signature, known, by_name)))
    return tuple(lost)


def _instead(
    signature: Signature, before: Mapping[Signature, int], after: Mapping[str, list[Signature]]
) -> tuple[Signature, ...]:
    """New signatures of the same name."""
    return tuple(sorted(new for new in after.get(signature.name, ()) if new not in before))


def _shape(function: Function, language: Language) -> str:
    if language in _TYPED_SHAPE:
        return f"({', '.join(_plain_type(param.type) for param in function.params)})"
    return f"({', '.join(param.name + ('=' if param.default is not None else '') for param in function.params)})"


def _plain_type(text: str) -> str:
    """A type without spaces and qualifying packages, so that an import spelled out is no change."""
    words = "".join(text.split())
    return words if "<" in words else words.rpartition(".")[2] or words
