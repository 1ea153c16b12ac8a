"""Texts of a unit with the name they are given under, and which text before is which text after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.syntax.outline import Expr, ExprKind, Stmt, StmtKind

_LIKE = 0.4
"""Least likeness (difflib's ratio) of two texts to be the same one, edited."""
_MOST = 60
"""More texts (of either side) that differ are not paired."""
_KEPT = 8
_HOLE = "{}"
"""Stands for a value in a text that is put together."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text, values in it as ``{}``; `name` is the key, header or argument it is given under, in small letters."""

    name: str
    text: str
    line: int


@lru_cache(maxsize=_KEPT)
def texts(item: Mined) -> tuple[Text, ...]:
    """All texts of a unit in source order."""
    return tuple([found for statement in item.reading.statements for found in _of(statement)])


def _of(statement: Stmt) -> Iterator[Text]:
    name = ""
    if statement.kind is StmtKind.ASSIGN:
        target = statement.exprs[-1]
        name = target.parts[1].text if target.kind is ExprKind.SUBSCRIPT else target.text
    for expression in statement.exprs:
        yield from _within(expression, name.lower())


def _within(node: Expr, name: str) -> Iterator[Text]:
    whole = _joined(node)
    if whole is not None:
        yield Text(name, whole, node.line)
        return
    if node.kind is ExprKind.PAIR or node.kind is ExprKind.KEYWORD:
        key = node.parts[0].text if node.kind is ExprKind.PAIR else node.text
        yield from _within(node.parts[-1], key.lower())
    elif node.kind is ExprKind.CALL:
        before = ""
        for part in node.parts:
            yield from _within(part, before or name)
            before = part.text.lower() if part.kind is ExprKind.STRING else ""
    else:
        for part in node.parts:
            yield from _within(part, name)


def _joined(node: Expr) -> str | None:
    """The text of a literal or of what is put together from literals and values; None for anything else."""
    if node.kind is ExprKind.STRING:
        return node.text
    is_sum = node.kind is ExprKind.BINARY and node.text == "+"
    is_filled = node.kind is ExprKind.BINARY and node.text == "%" and node.parts[0].kind is ExprKind.STRING
    if is_filled:
        return node.parts[0].text
    if node.kind is not ExprKind.FORMAT and not is_sum:
        return None
    pieces = [_joined(part) for part in node.parts]
    return (
        None
        if all(piece is None for piece in pieces)
        else "".join(_HOLE if piece is None else piece for piece in pieces)
    )


@lru_cache(maxsize=_KEPT)
def edited(before: Mined, after: Mined) -> Sequence[tuple[Text, Text | None]]:
    """Texts only one side has, paired by name and likeness; None where nothing like it is left."""
    old, new = texts(before), texts(after)
    kept, known = Counter(item.text for item in new), Counter(item.text for item in old)
    gone = [item for item in old if not _took(kept, item.text)]
    come = [item for item in new if not _took(known, item.text)]
    if len(gone) > _MOST or len(come) > _MOST:
        return []
    pairs: list[tuple[Text, Text | None]] = []
    for item in gone:
        best = max(come, key=lambda other: _likeness(item, other), default=None)
        if best is not None and _likeness(item, best) >= _LIKE:
            come.remove(best)
            pairs.append((item, best))
        else:
            pairs.append((item, None))
    return pairs


def _took(left: Counter[str], text: str) -> bool:
    if left[text] > 0:
        left[text] -= 1
        return True
    return False


def _likeness(one: Text, other: Text) -> float:
    if one.name == other.name and one.name:
        return 1.0
    return SequenceMatcher(None, one.text.lower(), other.text.lower(), autojunk=False).ratio()
