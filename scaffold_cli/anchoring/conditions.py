"""Which of two refusals refuses more, told from their literals."""

from __future__ import annotations

_OPERATORS = (" == ", " != ", " <= ", " < ")


def compare_terms(before: frozenset[str], after: frozenset[str]) -> int:
    """Below 0 when `after` refuses in fewer cases than `before`, above 0 when in more, 0 when nothing can be said.

    Both must agree but for one literal each, and those two must compare the same operands: ``a <= b`` holds more
    often than ``a < b`` and than ``a == b``.
    """
    gone, come = before - after, after - before
    if len(gone) != 1 or len(come) != 1:
        return 0
    old, new = _split(next(iter(gone))), _split(next(iter(come)))
    if old is None or new is None or old[1:] != new[1:]:
        return 0
    wider = {("<=", "<"), ("<=", "==")}
    if (old[0], new[0]) in wider:
        return -1
    return 1 if (new[0], old[0]) in wider else 0


def _split(literal: str) -> tuple[str, str, str] | None:
    for operator in _OPERATORS:
        left, found, right = literal.partition(operator)
        if found:
            return operator.strip(), left, right
    return None
