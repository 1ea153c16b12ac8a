"""Whether one condition holds only where another does, told from the literals of their disjunctive normal forms."""

from __future__ import annotations

import re
from collections.abc import Iterable

from scaffold_cli.anchoring.affixes import entails_text

Case = frozenset[str]
"""A conjunction of literals."""

_OPPOSITES = {" == ": " != ", " != ": " == ", " not in ": " in ", " in ": " not in "}
_SPLITS = 2
"""How many literals a case is split on, to be held by several cases together."""
_MAX_ASKED = 12
_COUNTED = re.compile(r"^len\(.*\)$|\.(?:size|length|count)(?:\(\))?$")
"""What is a whole number: above 3 is from 4 on."""
_EACH = "unary:each"
"""How an element of a value is spelled."""
_ORDERED = (" <= ", " < ", " == ")


def implies(stronger: Iterable[Case], weaker: Iterable[Case]) -> bool:
    """True when every case of `stronger` lies within a case of `weaker`; False also when that cannot be told."""
    wanted = tuple(weaker)
    return all(_lies_within(case, wanted, _SPLITS) for case in stronger if not is_empty(case))


def is_narrower(after: Iterable[Case], before: Iterable[Case]) -> bool:
    """True when `after` holds in some, but not all, of the cases in which `before` holds."""
    new, old = tuple(after), tuple(before)
    return bool(new) and implies(new, old) and not implies(old, new)


def opposite(literal: str) -> str:
    """The literal that holds exactly when `literal` does not."""
    for operator, other in _OPPOSITES.items():
        left, found, right = literal.partition(operator)
        if found:
            return f"{left}{other}{right}"
    for operator, other in ((" <= ", " < "), (" < ", " <= ")):
        left, found, right = literal.partition(operator)
        if found:
            return f"{right}{other}{left}"
    return literal[1:] if literal.startswith("!") else f"!{literal}"


def atoms(cases: Iterable[Case]) -> frozenset[str]:
    """What the cases ask, whichever answer they want."""
    return frozenset(min(literal, opposite(literal)) for case in cases for literal in case)


def is_empty(case: Case) -> bool:
    """True for a conjunction that cannot hold."""
    return any(opposite(literal) in case for literal in case)


def _lies_within(case: Case, wanted: tuple[Case, ...], splits: int) -> bool:
    """Within one of `wanted`, or within one where a literal of theirs holds and within another where it does not."""
    if any(_within(case, other) for other in wanted):
        return True
    if splits == 0 or len(wanted) < 2:
        return False
    for literal in sorted({literal for other in wanted for literal in other - case})[:_MAX_ASKED]:
        contrary = opposite(literal)
        if contrary in case or not any(contrary in other for other in wanted):
            continue
        if all(_lies_within(case | {either}, wanted, splits - 1) for either in (literal, contrary)):
            return True
    return False


def _within(case: Case, other: Case) -> bool:
    return all(any(entails(literal, wanted) for literal in case) for wanted in other)


def entails(literal: str, wanted: str) -> bool:
    """True when `wanted` holds wherever `literal` does; False also when that cannot be told."""
    if literal == wanted or _entails_absence(literal, wanted) or _entails_bound(literal, wanted):
        return True
    return entails_text(literal, wanted) or _entails_truth(literal, wanted) or _entails_element(literal, wanted)


def _entails_absence(literal: str, wanted: str) -> bool:
    """``k not in d`` entails that ``d.get(k)`` is empty, ``x is None`` that ``x`` is, ``x`` that it is not None."""
    key, found, holder = literal.partition(" not in ")
    if found:
        holder = f"{holder}." if holder != "self" else ""
        return wanted in (f"!{holder}get({key})", f"{holder}get({key}) == null")
    subject = literal.removesuffix(" == null")
    if subject != literal:
        return wanted == f"!{subject}"
    return wanted == f"{literal} != null"


def _entails_element(literal: str, wanted: str) -> bool:
    """``"\\r" in x`` entails that one of the characters of ``x`` is 13, and so that one is below 32."""
    text, found, whole = literal.partition(" in ")
    if not found or len(whole) < 1 or f"{_EACH}({whole})" not in wanted or number(text) is None:
        return False
    return _entails_bound(f"{_EACH}({whole}) == {text}", wanted)


def _entails_truth(literal: str, wanted: str) -> bool:
    """``x is False`` entails ``not x``, which nothing and zero fulfil as well."""
    subject = literal.removesuffix(" == false")
    if subject != literal:
        return wanted == f"!{subject}"
    return literal.endswith(" == true") and wanted == literal.removesuffix(" == true")


def _entails_bound(literal: str, wanted: str) -> bool:
    """``x < 3`` entails ``x < 4`` and ``x <= 4``; ``x == 3`` entails ``x <= 3``."""
    asked = _bounds(wanted)
    return len(asked) == 1 and any(_is_tighter(own, asked[0]) for own in _bounds(literal))


_Bound = tuple[str, bool, float, bool]
"""What is bounded, from above (else below), by what number, and whether the number itself is left out."""


def _bounds(literal: str) -> tuple[_Bound, ...]:
    for operator in _ORDERED:
        left, found, right = literal.partition(operator)
        if not found:
            continue
        low, high = number(left), number(right)
        if (low is None) is (high is None):
            return ()
        value = high if high is not None else low
        assert value is not None
        subject = left if high is not None else right
        if subject.startswith("ord(") and subject.endswith(")"):
            subject = subject[4:-1]
        if operator == " == ":
            return ((subject, True, value, False), (subject, False, value, False))
        is_open = operator == " < "
        if is_open and _COUNTED.search(subject) and value == int(value):
            value, is_open = value + (-1 if high is not None else 1), False
        return ((subject, high is not None, value, is_open),)
    return ()


def _is_tighter(one: _Bound, other: _Bound) -> bool:
    if one[:2] != other[:2]:
        return False
    _, is_upper, value, is_open = one
    if value == other[2]:
        return is_open or not other[3]
    return (value < other[2]) is is_upper


def number(text: str) -> float | None:
    """The number (or quoted character) a rendered operand is, or None."""
    if len(text) >= 3 and text[0] == text[-1] == "'":
        plain = text[1:-1].encode("ascii", "backslashreplace").decode("unicode_escape", "replace")
        return float(ord(plain)) if len(plain) == 1 else None
    try:
        return float(text)
    except ValueError:
        return None
