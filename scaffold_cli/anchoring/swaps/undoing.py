"""A protective form that is taken back: ``unescape(escape(x))``, ``escape(x).replace("&lt;", "<")``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.swaps.looking import Assigned, assigned, nodes
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import brings_back, callee
from scaffold_cli.anchoring.words import words
from scaffold_cli.syntax.outline import Expr, ExprKind

_OPPOSITES = {"encode": "decode", "encrypt": "decrypt", "mask": "unmask", "escape": "unescape", "quote": "unquote"}
_DEEP = 3
_REPLACING = frozenset({"replace", "replaceAll"})
_QUIET = frozenset({"b64encode", "urlsafe_b64encode", "encode", "hexlify"})
"""Encodings that protect nothing by themselves."""


def taken_back(versions: Versions) -> Iterator[Shift]:
    """One call more than before undoes what another call did to the same value."""
    old = Counter(done for done, _ in _undone(versions.before))
    for done, node in _undone(versions.after):
        if old[done] > 0:
            old[done] -= 1
            continue
        entry = versions.catalogue.protective(done)
        if entry is not None and (done in versions.before.calls):
            line = next((inner.line for _, inner in nodes(versions.before) if _calls(inner, done)), node.line)
            yield shift(f"{done}()", line, f"`{done}()` protects", f"now taken back by {plain(node)}", entry=entry)


def _calls(node: Expr, name: str) -> bool:
    return node.kind is ExprKind.CALL and callee(node) == name


def _undone(item: Mined) -> Iterator[tuple[str, Expr]]:
    """Each call that takes back what another did, with the name of that one."""
    values = assigned(item)
    for _, node in nodes(item):
        if node.kind is not ExprKind.CALL:
            continue
        for given in _given(node):
            inner = [callee(part) for part in _followed(given, values).walk() if part.kind is ExprKind.CALL]
            done = next((name for name in inner if name not in _QUIET and _takes_back(node, name)), None)
            if done is not None:
                yield done, node


def _followed(node: Expr, values: Assigned) -> Expr:
    """What a name given once stands for."""
    for _ in range(_DEEP):
        known = values.get(node.text, ()) if node.kind is ExprKind.NAME else ()
        if len(known) != 1:
            break
        node = known[0]
    return node


def _given(call: Expr) -> tuple[Expr, ...]:
    function = call.parts[0]
    owner = (function.parts[0],) if function.kind is ExprKind.ATTRIBUTE else ()
    return (*call.parts[1:2], *owner)


def _takes_back(call: Expr, done: str) -> bool:
    name, first = callee(call), words(done)
    if name in _REPLACING:
        return brings_back(call)
    spoken = words(name)
    for word in first:
        opposite = _OPPOSITES.get(word, f"un{word}")
        if opposite in spoken or name.lower().startswith(f"un{done.lower()}"):
            return True
    return False
