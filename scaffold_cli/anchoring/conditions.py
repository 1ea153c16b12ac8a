"""Which of two refusals refuses more, told from their literals."""

from __future__ import annotations

from scaffold_cli.anchoring.words import words

_OPERATORS = (" == ", " != ", " <= ", " < ")


def compare_terms(before: frozenset[str], after: frozenset[str]) -> int:
    """Below 0 when `after` refuses in fewer cases than `before`, above 0 when in more, 0 when nothing can be said.

    Both must agree but for one literal each, and those two must compare the same operands: ``a <= b`` holds more
    often than ``a < b`` and than ``a == b``.
    """
    gone, come = before - after, after - before
    if len(gone) != 1 or len(come) != 1:
        return 0
    return _compare_literals(next(iter(gone)), next(iter(come)))


def _compare_literals(one: str, other: str) -> int:
    prefix = _is_prefix_of(one, other) - _is_prefix_of(other, one)
    old, new = _split(one), _split(other)
    if prefix or old is None or new is None:
        return prefix
    if old[0] == new[0] in ("<", "<="):
        return _compare_bounds(old, new)
    wider = {("<=", "<"), ("<=", "==")}
    if old[1:] != new[1:]:
        return 0
    return ((new[0], old[0]) in wider) - ((old[0], new[0]) in wider)


def _is_prefix_of(partial: str, whole: str) -> bool:
    """True when `partial` refuses what does not begin, end in or hold a text that `whole` wants to be equal."""
    split = _split(whole)
    if split is None or split[0] != "!=":
        return False
    for text, value in (split[1:], split[:0:-1]):
        forms = (
            f"!{value}.{name}({text})" for name in ("startswith", "endswith", "startsWith", "endsWith", "contains")
        )
        if partial in forms or partial in (f"{value}[0] != {text}", f"{value}[-1] != {text}", f"{text} not in {value}"):
            return True
    return False


def _compare_bounds(old: tuple[str, str, str], new: tuple[str, str, str]) -> int:
    """Two literals ``left < right``: the one whose right side grew, or whose left side shrank, holds more often."""
    if old[2] == new[2]:
        return -_grown(old[1], new[1])
    return _grown(old[2], new[2]) if old[1] == new[1] else 0


def _grown(old: str, new: str) -> int:
    """1 when the number or product `new` is larger than `old`, -1 when smaller, 0 when nothing can be said."""
    first, second = _number(old), _number(new)
    if first is not None and second is not None:
        return (second > first) - (second < first)
    return 1 if _is_multiple(old, new) else -1 if _is_multiple(new, old) else 0


def _is_multiple(old: str, new: str) -> bool:
    factor = new.removesuffix(f" * {old})").lstrip("(") if new.endswith(f" * {old})") else ""
    factor = factor or (new[1:-1].removeprefix(f"{old} * ") if new.startswith(f"({old} * ") else "")
    number = _number(factor)
    return number is not None and number > 1


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _split(literal: str) -> tuple[str, str, str] | None:
    for operator in _OPERATORS:
        left, found, right = literal.partition(operator)
        if found:
            return operator.strip(), left, right
    return None


_HIGHEST = frozenset({"admin", "administrator", "administrators", "superuser", "root", "sysadmin"})


def asks_higher(before: str, after: str) -> bool:
    """True when the permission asked is now one of those who may do everything. Other permissions are not ranked."""
    return not _HIGHEST.isdisjoint(words(after)) and _HIGHEST.isdisjoint(words(before))
