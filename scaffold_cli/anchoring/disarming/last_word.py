"""Who has the last word over a value: fixed ones that what comes from outside may replace now (CWE-915)."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides, callee, spelled
from scaffold_cli.anchoring.words import words
from scaffold_cli.syntax.outline import Expr, ExprKind, Function, walk

_DEFAULTS = frozenset({"default", "defaults", "base", "initial", "fallback", "preset", "presets"})
_MERGING = frozenset({"assign", "merge", "extend", "defaults", "defaultsDeep"})


def last_word(sides: Sides) -> Iterator[Disarmed]:
    """``{...body, role: "user"}`` became ``{role: "user", ...body}``."""
    known = {function.name: function for function in sides.before.functions}
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is None or old.body == function.body:
            continue
        before = set(_overruled(old, later=True)) - set(_overruled(old, later=False))
        still = set(_overruled(function, later=True))
        now = dict.fromkeys(pair for pair in _overruled(function, later=False) if pair not in still)
        for key, given in now:
            if (key, given) in before:
                what = f"What is given in `{function.name}` may replace `{key}`, which was set after it."
                yield Disarmed("guard-bypassed", what, sides.after.path, function.line, function.name)
                return


def _overruled(function: Function, *, later: bool) -> Iterator[tuple[str, str]]:
    """Each fixed key with each spread value that stands before it (`later`), or after it."""
    for statement in walk(function.body):
        for node in (inner for value in statement.exprs for inner in value.walk()):
            parts = _merged(node)
            for place, part in enumerate(parts):
                given = _spread(part)
                if given is not None:
                    others = parts[place + 1 :] if later else parts[:place]
                    yield from ((key, spelled(given)) for other in others for key in _keys(other))


def _merged(node: Expr) -> tuple[Expr, ...]:
    if _is_dict(node):
        return node.parts
    if node.kind is ExprKind.BINARY and node.text == "|" and any(map(_is_dict, node.parts)):
        return node.parts
    if node.kind is ExprKind.CALL and callee(node) in _MERGING and len(node.parts) > 2:
        return node.parts[1:]
    return ()


def _is_dict(node: Expr) -> bool:
    return node.kind is ExprKind.COLLECTION and node.text == "dict"


def _spread(part: Expr) -> Expr | None:
    """What is put in as a whole, unless its name says that it is there to be replaced."""
    if part.kind is ExprKind.UNARY and part.parts:
        part = part.parts[0]
    elif part.kind not in (ExprKind.NAME, ExprKind.ATTRIBUTE):
        return None
    return None if _DEFAULTS & {*words(part.text)} else part


def _keys(part: Expr) -> Iterator[str]:
    if part.kind is ExprKind.PAIR and part.parts[0].kind in (ExprKind.STRING, ExprKind.NAME):
        yield part.parts[0].text
    elif _is_dict(part):
        for inner in part.parts:
            yield from _keys(inner)
