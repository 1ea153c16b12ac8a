"""Texts put together from fixed pieces and values, in any spelling: f-strings, ``%``, ``+``, ``format``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scaffold_cli.anchoring.views import callee
from scaffold_cli.syntax.outline import Expr, ExprKind

_PLAIN = frozenset({ExprKind.STRING, ExprKind.NUMBER, ExprKind.CONSTANT})


@dataclass(frozen=True, slots=True)
class Template:
    """The fixed pieces of a text, joined, with ``\\0`` where a value goes, and the values."""

    text: str
    holes: tuple[Expr, ...]
    line: int


def template(node: Expr, follow: Mapping[str, Expr] | None = None) -> Template | None:
    """`node` as a template, or None when it is no text. `follow` gives what names stand for."""
    known = follow or {}
    if node.kind is ExprKind.STRING:
        return Template(node.text, (), node.line)
    if node.kind is ExprKind.NAME and node.text in known:
        return template(known[node.text], {name: value for name, value in known.items() if name != node.text})
    if node.kind is ExprKind.FORMAT or (node.kind is ExprKind.BINARY and node.text == "+"):
        found = _joined(node.parts, node.line, known)
        return found if node.kind is ExprKind.FORMAT or found.text.strip("\0") else None
    base, values = _formatting(node)
    return _filled(base, values, known) if base is not None else None


def _formatting(node: Expr) -> tuple[Expr | None, tuple[Expr, ...]]:
    """The text and the values of ``text % values`` and ``text.format(values)``."""
    if node.kind is ExprKind.BINARY and node.text == "%" and len(node.parts) == 2:
        right = node.parts[1]
        return node.parts[0], right.parts if right.kind is ExprKind.COLLECTION else (right,)
    if node.kind is not ExprKind.CALL or len(node.parts) < 2 or callee(node) not in ("format", "formatted"):
        return None, ()
    function = node.parts[0]
    if function.kind is ExprKind.ATTRIBUTE and function.parts[0].text not in ("String", "MessageFormat"):
        return function.parts[0], node.parts[1:]
    return node.parts[1], node.parts[2:]


def _joined(parts: tuple[Expr, ...], line: int, known: Mapping[str, Expr]) -> Template:
    pieces: list[str] = []
    holes: list[Expr] = []
    for part in parts:
        inner = template(part, known)
        if inner is None:
            pieces.append("\0")
            holes.append(part)
        else:
            pieces.append(inner.text)
            holes += inner.holes
    return Template("".join(pieces), tuple(holes), line)


def _filled(base: Expr, values: tuple[Expr, ...], known: Mapping[str, Expr]) -> Template | None:
    start = template(base, known)
    if start is None:
        return None
    holes = [value.parts[0] if value.kind in (ExprKind.KEYWORD, ExprKind.PAIR) else value for value in values]
    return Template(f"{start.text}\0", (*start.holes, *holes), base.line)


def is_value(node: Expr) -> bool:
    """True for what differs from run to run: anything but literals and names written like constants."""
    if node.kind in _PLAIN:
        return False
    if node.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE):
        return not node.text.isupper()
    if node.kind in (ExprKind.BINARY, ExprKind.FORMAT, ExprKind.CONDITIONAL, ExprKind.COLLECTION):
        return any(is_value(part) for part in node.parts)
    return True
