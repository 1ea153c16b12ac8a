"""What a protection is told: an algorithm that comes from outside, a limit kept for more keys, less to vouch for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides, callee, calls, dotted, spelled
from scaffold_cli.anchoring.views import names_in
from scaffold_cli.anchoring.words import words
from scaffold_cli.syntax.outline import Expr, ExprKind, Function, StmtKind, walk

_ALGORITHM = re.compile(r"(?i)^(sha|hs|rs|es|ps|ed|aes|blake|bcrypt|scrypt|argon)_?-?\w*\d")
_LIMITING = frozenset(
    {"limit", "limiter", "limits", "throttle", "throttler", "rate", "quota", "lockout", "attempts", "bucket"}
)
_SIGNING = frozenset({"hmac", "mac", "sign", "signature", "digest"})
_COMPARING = frozenset({"compare", "equal", "equals", "is", "verify"})
"""What only holds two signatures against each other: either side may be made of less."""
_WAYS = 3
"""Names between a value and the parameters it is made of, at most."""
_JOINED = frozenset({ExprKind.FORMAT, ExprKind.BINARY})
_SELVES = frozenset({"self", "this", "cls"})


def chosen(sides: Sides) -> Iterator[Disarmed]:
    """One for each argument of a call that was there before."""
    known = {function.name: function for function in sides.before.functions}
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is None or old.body == function.body:
            continue
        yield from (
            Disarmed("guard-weakened", what, sides.after.path, line, function.name)
            for what, line in (*_told_otherwise(old, function), *_signed_less(old, function))
        )


def _told_otherwise(old: Function, new: Function) -> Iterator[tuple[str, int]]:
    for was, now in _same_calls(old, new):
        for one, other in zip(was.parts[1:], now.parts[1:], strict=False):
            if _is_fixed(one) and made_of(other, new):
                yield f"`{callee(now)}` in `{new.name}` uses whichever algorithm it is told; it was fixed.", now.line
            elif _limits(now) and _is_kept_apart(one, other):
                yield f"`{callee(now)}` in `{new.name}` counts for more keys: each has a limit of its own.", now.line


def _signed_less(old: Function, new: Function) -> Iterator[tuple[str, int]]:
    """A value that went into what is signed or digested does not any more, and is still there."""
    shared = _values(old) & _values(new)
    was, now = _signed(old), _signed(new)
    for place in sorted(was.keys() & now.keys()):
        lost = {name for name in was[place] - now[place] if name in shared and not _sources(name, new) <= now[place]}
        if lost and now[place]:  # where nothing is left, another key or text came in its place
            yield f"What `{place[0]}` in `{new.name}` vouches for leaves out `{min(lost)}`.", new.line


def _signed(function: Function) -> dict[tuple[str, str], frozenset[str]]:
    """What goes into each argument of the functions that sign or digest, all calls together."""
    found: dict[tuple[str, str], frozenset[str]] = {}
    for call in calls(function.body):
        name = dotted(call.parts[0])
        said = words(name)
        if not _SIGNING.isdisjoint(said) and _COMPARING.isdisjoint(said):
            for number, part in enumerate(call.parts[1:]):
                place = name, part.text if part.kind is ExprKind.KEYWORD else str(number)
                found[place] = found.get(place, frozenset()) | made_of(part, function, _values(function))
    return found


def _same_calls(old: Function, new: Function) -> Iterator[tuple[Expr, Expr]]:
    """Calls of one function with as many arguments, where each side has one of that name that the other has not."""
    sides = [{spelled(call): call for call in calls(item.body)} for item in (old, new)]
    gone = [call for text, call in sides[0].items() if text not in sides[1]]
    come = [call for text, call in sides[1].items() if text not in sides[0]]
    for was in gone:
        alike = [
            now for now in come if dotted(now.parts[0]) == dotted(was.parts[0]) and len(now.parts) == len(was.parts)
        ]
        if len(alike) == 1 and dotted(was.parts[0]):
            yield was, alike[0]


def _is_fixed(value: Expr) -> bool:
    """An algorithm written out: ``hashlib.sha256``, ``"HS256"``, ``algorithms=["RS256"]``."""
    if value.kind in (ExprKind.KEYWORD, ExprKind.COLLECTION) and value.parts:
        return all(map(_is_fixed, value.parts))
    return value.kind in (ExprKind.STRING, ExprKind.ATTRIBUTE) and _ALGORITHM.match(value.text) is not None


def _params(function: Function) -> frozenset[str]:
    return frozenset(param.name for param in function.params) - _SELVES


def _values(function: Function) -> frozenset[str]:
    """Parameters and names that are given in the function."""
    given = (item for item in walk(function.body) if item.kind is StmtKind.ASSIGN)
    return _params(function) | {target.text for item in given for target in item.exprs[1:] if target.text}


def _sources(name: str, function: Function) -> frozenset[str]:
    """The parameters a name is made of; the name itself where it is made of none."""
    return made_of(Expr(ExprKind.NAME, name, (), function.line), function) or frozenset({name})


def made_of(value: Expr, function: Function, known: frozenset[str] | None = None) -> frozenset[str]:
    """The parameters (or `known` names) a value is made of, directly or by way of names given in the function."""
    names = set(names_in(value))
    values = [item for item in walk(function.body) if item.kind is StmtKind.ASSIGN]
    for _ in range(_WAYS):
        for item in values:
            if any(node.text in names for target in item.exprs[1:] for node in target.walk()):
                names |= set(names_in(item.exprs[0]))
    return frozenset(names & (_params(function) if known is None else known))


def _limits(call: Expr) -> bool:
    return any(_LIMITING & {*words(node.text)} for node in call.parts[0].walk())


def _is_kept_apart(one: Expr, other: Expr) -> bool:
    """True for ``address`` that became ``address + token``: the same, told apart by something else besides."""
    if one.kind not in (ExprKind.NAME, ExprKind.ATTRIBUTE) or other.kind not in _JOINED:
        return False
    parts = {spelled(node) for node in other.walk()}
    others = {node.text for node in other.walk() if node.kind is ExprKind.NAME and node.text not in _SELVES}
    return spelled(one) in parts and bool(others - set(names_in(one)))
