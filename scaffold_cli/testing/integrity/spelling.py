"""Expressions as text to compare: without lines, quotes or spacing."""

from __future__ import annotations

from collections.abc import Iterable

from scaffold_cli.syntax.outline import Expr, ExprKind

_LITERAL = frozenset({ExprKind.STRING, ExprKind.NUMBER, ExprKind.CONSTANT})


def spelled(expr: Expr) -> str:
    """The same text for the same expression, whatever line it is on."""
    parts = f"({','.join(map(spelled, expr.parts))})" if expr.parts else ""
    return f"{expr.kind}:{expr.text}{parts}"


def is_literal(expr: Expr) -> bool:
    """True for a constant, or a collection of nothing else."""
    if expr.kind in _LITERAL:
        return True
    inside = expr.kind in (ExprKind.COLLECTION, ExprKind.PAIR, ExprKind.UNARY)
    return inside and all(is_literal(part) for part in expr.parts)


def function_name(call: Expr) -> str:
    """The last word of what a call calls; empty when it has none."""
    return call.parts[0].text if call.parts and call.parts[0].kind in (ExprKind.NAME, ExprKind.ATTRIBUTE) else ""


def arguments(call: Expr) -> list[Expr]:
    """Positional arguments."""
    return [part for part in call.parts[1:] if part.kind is not ExprKind.KEYWORD]


def keyword(call: Expr, *names: str) -> Expr | None:
    """The value of the first of these keyword arguments that is given."""
    found = (part.parts[0] for part in call.parts[1:] if part.kind is ExprKind.KEYWORD and part.text in names)
    return next(found, None)


def dotted(expr: Expr) -> str:
    """``a.b.c`` of names and attributes; calls and subscripts on the way are left out."""
    if expr.kind is ExprKind.NAME or expr.kind is ExprKind.TYPE:
        return expr.text
    if expr.kind is ExprKind.ATTRIBUTE:
        head = dotted(expr.parts[0])
        return f"{head}.{expr.text}" if head else expr.text
    if expr.kind in (ExprKind.CALL, ExprKind.SUBSCRIPT) and expr.parts:
        return dotted(expr.parts[0])
    return ""


def called(exprs: Iterable[Expr]) -> frozenset[str]:
    """The last words of everything called in these expressions."""
    nodes = (node for expr in exprs for node in expr.walk() if node.kind is ExprKind.CALL)
    return frozenset(filter(None, map(function_name, nodes)))


def number(expr: Expr | None) -> float | None:
    """The value of a numeric literal."""
    if expr is None or expr.kind is not ExprKind.NUMBER:
        return None
    try:
        return float(expr.text)
    except ValueError:
        return None
