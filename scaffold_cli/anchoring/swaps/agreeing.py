"""Two values that must agree: one of them cut to a piece, or made from the other, so that they agree by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.operands import sized_operand
from scaffold_cli.anchoring.swaps.looking import LITERALS, PLAIN, Assigned, assigned, conditions, nodes
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import callee, names_in
from scaffold_cli.anchoring.word_lists import WordList
from scaffold_cli.syntax.outline import Expr, ExprKind

_CUTTING = frozenset({"slice", "substring", "substr", "subarray", "copyOf", "copyOfRange", "subSequence"})
_EQUALS = frozenset({"equals", "equalsIgnoreCase"})
_CASES = frozenset({"lower", "upper", "casefold", "toLowerCase", "toUpperCase"})
_SECRET = WordList("secrets-compared")
_LOOKUPS = frozenset({"get", "pop", "getParameter", "getHeader", "getAttribute", "getOrDefault", "setdefault"})
_DEEP = 3
"""How many names deep a value is followed."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """A comparison of two values, neither of them written out. `flaw` is "" where it compares them whole."""

    text: str
    line: int
    flaw: str


def loosened_agreements(versions: Versions) -> Iterator[Shift]:
    """Fewer comparisons hold two independent values whole against each other, and one of another kind is new."""
    old, new = _agreements(versions.before, versions), _agreements(versions.after, versions)
    sound = [item for item in old if not item.flaw]
    kept = {item.text for item in new if not item.flaw}
    gone = [item for item in sound if item.text not in kept]
    if len(sound) <= sum(not item.flaw for item in new) or not gone:
        return
    flaws = [item.flaw for item in old]
    for item in new:
        if item.flaw and flaws.count(item.flaw) < sum(other.flaw == item.flaw for other in new):
            because = "both values must agree"
            yield shift(gone[0].text, gone[0].line, because, f"now {item.flaw}", entry="validation")
            return


def uneven_pairs(versions: Versions) -> Iterator[Shift]:
    """Two values held against each other item by item are no longer asked for the same length."""
    zipped = [node for _, node in nodes(versions.after) if node.kind is ExprKind.CALL and callee(node) == "zip"]
    left = {sizes for _, node in nodes(versions.after) if (sizes := _sizes(node))}
    for _, node in nodes(versions.before):
        sizes = _sizes(node)
        if not sizes or sizes in left:
            continue
        loose = (call for call in zipped if not any(part.kind is ExprKind.KEYWORD for part in call.parts))
        if any(sizes == frozenset(map(plain, call.parts[1:])) for call in loose):
            how = "what one has more is not compared"
            yield shift(plain(node), node.line, "both must be as long", how, entry="validation")


def _sizes(node: Expr) -> frozenset[str]:
    """What two values are called whose sizes are compared."""
    if node.kind is not ExprKind.COMPARE or node.text not in ("==", "!="):
        return frozenset()
    sized = [sized_operand(part) for part in node.parts]
    return frozenset(plain(part) for part in sized if part is not None) if None not in sized else frozenset()


def _agreements(item: Mined, versions: Versions) -> list[Agreement]:
    values = assigned(item)
    refusing = {id(inner) for test, _ in conditions(item, answers=False) for inner in test.walk()}
    found = []
    for _, node in nodes(item):
        sides = _sides(node, versions)
        if sides is None or not (id(node) in refusing or _proves(node, sides)):
            continue
        if not any(_is_written_out(side, item) for side in sides):
            flaw = _flaw(*sides, values) or ("whatever the case of its letters" if _ignores_case(node, sides) else "")
            found.append(Agreement(plain(node), node.line, flaw))
    return found


def _proves(node: Expr, sides: tuple[Expr, Expr]) -> bool:
    """True for a comparison in constant time, or of what is secret by its name."""
    if node.kind is ExprKind.CALL and callee(node) != "equals":
        return True
    return any(_SECRET.find(name) is not None for side in sides for name in names_in(side))


def _ignores_case(node: Expr, sides: tuple[Expr, Expr]) -> bool:
    """True for a secret compared in letters of one case; digits in hexadecimal spelling are none by name."""
    names = {name for side in sides for name in names_in(side)}
    folds = callee(node) == "equalsIgnoreCase" if node.kind is ExprKind.CALL else bool(names & _CASES)
    return folds and any(_SECRET.find(name) is not None for name in names)


def _sides(node: Expr, versions: Versions) -> tuple[Expr, Expr] | None:
    if node.kind is ExprKind.COMPARE and node.text in ("==", "!="):
        return node.parts[0], node.parts[1]
    if node.kind is not ExprKind.CALL:
        return None
    name = callee(node)
    if name in _EQUALS and len(node.parts) == 2 and node.parts[0].kind is ExprKind.ATTRIBUTE:
        return node.parts[0].parts[0], node.parts[1]
    if len(node.parts) == 3 and (name == "equals" or versions.catalogue.protective(name) == "constant-time"):
        return node.parts[1], node.parts[2]
    return None


def _is_written_out(side: Expr, item: Mined) -> bool:
    return side.kind in LITERALS or side.kind is ExprKind.COLLECTION or item.library.constant(side) is not None


def _flaw(one: Expr, other: Expr, values: Assigned) -> str:
    sides = [_possible(side, values) for side in (one, other)]
    if any(is_cut(value) for side in sides for value in side):
        return "only a piece of them is compared"
    texts = [{plain(value) for value in side if value.kind not in LITERALS} for side in sides]
    within = [{plain(node) for value in side for node in value.walk()} for side in sides]
    if texts[0] & within[1] or texts[1] & within[0]:
        return "one of them may be made from the other"
    sources = [{found for value in side if (found := _source(value))} for side in sides]
    return "both come from the same place" if sources[0] & sources[1] else ""


def _possible(side: Expr, values: Assigned) -> list[Expr]:
    """A value and all it may stand for, choices and defaults taken apart."""
    found, frontier = [side], [side]
    for _ in range(_DEEP):
        frontier = [value for node in frontier if node.kind is ExprKind.NAME for value in values.get(node.text, ())]
        frontier = [value for value in frontier if not any(value is known for known in found)]
        found += frontier
    return found


def is_cut(value: Expr) -> bool:
    """True for a piece that ends early; what only leaves out the start (a prefix) is whole enough."""
    if value.kind is ExprKind.SUBSCRIPT and value.parts[1].kind is ExprKind.SLICE:
        upper = value.parts[1].parts[1]
        return not (upper.kind is ExprKind.CONSTANT and upper.text == "null")
    if value.kind is not ExprKind.CALL:
        return False
    if callee(value) in _CUTTING and len(value.parts) > 2:
        return True
    owner = value.parts[0].parts[0] if value.parts[0].kind is ExprKind.ATTRIBUTE else None
    return owner is not None and len(value.parts) == 1 and is_cut(owner)


def _source(value: Expr) -> str:
    """What a value is looked up in by a key that is written out."""
    if value.kind is ExprKind.SUBSCRIPT and value.parts[1].kind is ExprKind.STRING:
        return plain(value.parts[0])
    if value.kind is ExprKind.CALL and len(value.parts) > 1 and value.parts[1].kind is ExprKind.STRING:
        function = value.parts[0]
        if function.kind is ExprKind.ATTRIBUTE and function.text in _LOOKUPS and function.parts[0].kind in PLAIN:
            return plain(function.parts[0])
    return ""
