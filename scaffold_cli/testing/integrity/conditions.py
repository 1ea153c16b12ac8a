"""From a condition, as in ``assert CONDITION``, to what it demands."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.syntax.outline import Expr, ExprKind
from scaffold_cli.testing.integrity.interface import Check, Strength
from scaffold_cli.testing.integrity.spelling import (
    arguments,
    called,
    function_name,
    is_literal,
    keyword,
    number,
    spelled,
)

_NEGATED = {"!=": "==", "not in": "in", "is not": "is"}
_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_OPPOSITE = {"<": ">=", ">": "<=", "<=": ">", ">=": "<"}
_PATTERN_CALLS = frozenset({"search", "match", "fullmatch", "startswith", "endswith", "startsWith", "endsWith"})
_CLOSE_CALLS = frozenset({"approx", "isclose", "allclose"})


def demands(condition: Expr, positive: bool = True) -> Iterator[Check]:
    """The checks of a condition; a conjunction gives several."""
    match condition.kind:
        case ExprKind.NOT:
            yield from demands(condition.parts[0], not positive)
        case ExprKind.AND if positive:
            for part in condition.parts:
                yield from demands(part, positive)
        case ExprKind.OR if not positive:
            for part in condition.parts:
                yield from demands(part, positive)
        case ExprKind.OR | ExprKind.AND:
            yield _either(condition, positive)
        case ExprKind.COMPARE:
            yield _compared(condition, positive)
        case _:
            yield _plain(condition, positive)


def _either(condition: Expr, positive: bool) -> Check:
    """One of several is enough: as weak as the weakest, and never exact."""
    parts = [check for part in condition.parts for check in demands(part, positive)]
    weakest = min((check.strength for check in parts), default=Strength.NOTHING)
    return _check(condition, min(weakest, Strength.BOUND), spelled(condition), positive=positive)


def _compared(compare: Expr, positive: bool) -> Check:
    left, right = compare.parts
    operator = compare.text
    if operator in _NEGATED:
        operator, positive = _NEGATED[operator], not positive
    if operator in _OPPOSITE and not positive:
        operator, positive = _OPPOSITE[operator], True
    if is_literal(left) and not is_literal(right) and operator != "in":
        left, right, operator = right, left, _FLIPPED.get(operator, operator)
    if spelled(left) == spelled(right) or (is_literal(left) and is_literal(right)):
        return _check(compare, Strength.NOTHING, spelled(compare))
    if operator == "==" and (close := _close(left) or _close(right)):
        other = right if _close(left) else left
        strength = Strength.CLOSE if positive else Strength.TRUTHY
        allowed = tolerance_of(close)
        return _check(compare, strength, spelled(other), spelled(close), positive=positive, tolerance=allowed)
    if operator in ("==", "is"):
        sized = function_name(left) in ("len", "size", "count") if left.kind is ExprKind.CALL else False
        strength = Strength.BOUND if sized else Strength.EXACT
        strength = strength if positive else Strength.TRUTHY
        return _check(compare, strength, spelled(left), spelled(right), positive=positive)
    if operator == "in":
        looked_at, other = (left, right) if is_literal(right) else (right, left)
        return _check(compare, Strength.BOUND, spelled(looked_at), f"in {spelled(other)}", positive=positive)
    if operator == "instanceof":
        return _check(compare, Strength.TRUTHY, spelled(left), spelled(right), positive=positive)
    return _ordered(compare, left, operator, right, positive)


def _ordered(compare: Expr, left: Expr, operator: str, right: Expr, positive: bool) -> Check:
    """An order; that of a difference and a small number is equality within a tolerance."""
    limit = number(right)
    is_difference = left.kind is ExprKind.CALL and function_name(left) in ("abs", "fabs")
    tolerance = limit if is_difference and operator in ("<", "<=") else None
    strength = Strength.CLOSE if tolerance is not None else Strength.BOUND
    expected = f"{operator} {spelled(right)}"
    return _check(compare, strength, spelled(left), expected, positive=positive, tolerance=tolerance)


def _plain(condition: Expr, positive: bool) -> Check:
    if is_literal(condition) or condition.kind is ExprKind.LAMBDA:
        return _check(condition, Strength.NOTHING, spelled(condition))
    if condition.kind is ExprKind.CALL:
        name = function_name(condition)
        if name in _PATTERN_CALLS:
            return _check(condition, Strength.BOUND, spelled(condition), positive=positive)
        if name in _CLOSE_CALLS:
            return _check(
                condition, Strength.CLOSE, spelled(condition), positive=positive, tolerance=tolerance_of(condition)
            )
        if name in ("equals", "equal", "array_equal") and arguments(condition):
            given = arguments(condition)
            receiver = condition.parts[0].parts[0] if condition.parts[0].parts else given[0]
            return _check(
                condition,
                Strength.EXACT if positive else Strength.TRUTHY,
                spelled(receiver),
                spelled(given[-1]),
                positive=positive,
            )
    return _check(condition, Strength.TRUTHY, spelled(condition), positive=positive)


def _close(expr: Expr) -> Expr | None:
    return expr if expr.kind is ExprKind.CALL and function_name(expr) in _CLOSE_CALLS else None


def tolerance_of(call: Expr) -> float | None:
    """The allowed difference named in a call; None when it is the library's own."""
    named = keyword(call, "rel", "abs", "rel_tol", "abs_tol", "rtol", "atol", "delta", "decimal", "places")
    value = number(named)
    if value is None:
        return None
    in_digits = keyword(call, "decimal", "places") is not None
    return 10.0**-value if in_digits and value < 300 else value


def _check(
    expr: Expr,
    strength: Strength,
    key: str,
    expected: str = "",
    *,
    positive: bool = True,
    tolerance: float | None = None,
) -> Check:
    return Check(strength, key, expected, positive, tolerance=tolerance, calls=called([expr]), line=expr.line)
