"""A read of at most so much, and the bound its length is held against: they must fit, or nothing is ever too long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.operands import sized_operand
from scaffold_cli.anchoring.swaps.looking import assigned, nodes, number_of
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import callee
from scaffold_cli.syntax.outline import Expr, ExprKind

_READING = frozenset({"read", "recv", "read1", "readNBytes", "readnbytes", "readline", "iter_content", "readUpTo"})
_MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_ENDLESS = float("inf")


@dataclass(frozen=True, slots=True)
class _Amount:
    """A number of bytes: an offset from what `base` names; no base for plain numbers."""

    base: str
    offset: float


@dataclass(frozen=True, slots=True)
class _Bounded:
    """A read whose length is compared: how much is read at most (None: all), and the longest that is let through."""

    text: str
    line: int
    read: _Amount | None
    most: _Amount

    @property
    def spare(self) -> float | None:
        """How much more is read than is let through; not above 0: too much is never noticed. None: not known."""
        if self.read is None:
            return _ENDLESS
        return self.read.offset - self.most.offset if self.read.base == self.most.base else None


def unfitting_reads(versions: Versions) -> Iterator[Shift]:
    """The bound was noticed when it was passed, and now it is not, is wider, or all is read before it is looked at."""
    old, new = list(_bounded(versions.before)), list(_bounded(versions.after))
    for was, now in zip(old, new, strict=False):
        how = _how(was, now)
        if how:
            yield shift(was.text, was.line, "it limits how much is read", how, entry="limits")


def _how(was: _Bounded, now: _Bounded) -> str:
    if was.read is not None and now.read is None:
        return "all is read before its length is looked at"
    if was.spare is not None and now.spare is not None and was.spare > 0 >= now.spare:
        return "no more is read than the bound lets through, so what was cut off is not noticed"
    if was.most.base == now.most.base and was.most.base and was.most.offset < now.most.offset:
        return f"now {now.text}"
    return ""


def _bounded(item: Mined) -> Iterator[_Bounded]:
    reads = {
        name: values[0] for name, values in assigned(item).items() if len(values) == 1 and _reads(values[0]) is not None
    }
    for _, node in nodes(item):
        if node.kind is not ExprKind.COMPARE or node.text not in _MIRROR:
            continue
        left, right = node.parts
        for one, other, operator in ((left, right, node.text), (right, left, _MIRROR[node.text])):
            sized = sized_operand(one)
            source = None if sized is None else _reads(reads.get(sized.text, sized))
            if source is not None:
                most = _amount(other, item)
                least_refused = operator in (">=", "<")
                most = _Amount(most.base, most.offset - 1) if least_refused else most
                yield _Bounded(plain(node), node.line, _given(source, item), most)


def _reads(value: Expr) -> Expr | None:
    while value.kind is ExprKind.UNARY and value.text == "await":
        value = value.parts[0]
    return value if value.kind is ExprKind.CALL and callee(value) in _READING else None


def _given(call: Expr, item: Mined) -> _Amount | None:
    return _amount(call.parts[1], item) if len(call.parts) > 1 else None


def _amount(node: Expr, item: Mined) -> _Amount:
    """``MOST + 1`` as an offset from MOST, numbers and constants of the file as they are."""
    number = number_of(node, item)
    if number is not None:
        return _Amount("", number)
    values = assigned(item).get(node.text, ()) if node.kind is ExprKind.NAME else ()
    if len(values) == 1 and values[0].kind is ExprKind.BINARY:
        return _amount(values[0], item)
    if node.kind is ExprKind.BINARY and node.text in ("+", "-") and len(node.parts) == 2:
        left, right = node.parts
        if node.text == "+" and number_of(left, item) is not None:
            left, right = right, left
        step = number_of(right, item)
        if step is not None:
            inner = _amount(left, item)
            return _Amount(inner.base, inner.offset + (step if node.text == "+" else -step))
    return _Amount(plain(node), 0)
