"""Questions about one expression that normal forms ask: a size, a literal, a sum of literals, several calls in one."""

from __future__ import annotations

from scaffold_cli.syntax.outline import Expr, ExprKind

_SIZES = frozenset({"len", "size", "length", "count"})


def alternatives(node: Expr) -> Expr | None:
    """``p.startswith(("a", "b"))`` and ``isinstance(p, (A, B))`` as one call for each alternative."""
    function = node.parts[0]
    asks_end = function.kind is ExprKind.ATTRIBUTE and function.text in ("startswith", "endswith")
    asks_type = function.kind is ExprKind.NAME and function.text in ("isinstance", "issubclass")
    if not asks_end and not asks_type:
        return None
    last = node.parts[-1]
    if last.kind is not ExprKind.COLLECTION or len(node.parts) != (2 if asks_end else 3) or not last.parts:
        return None
    calls = tuple(node._replace(parts=(*node.parts[:-1], item)) for item in last.parts)
    return calls[0] if len(calls) == 1 else Expr(ExprKind.OR, "", calls, node.line)


def sized_operand(node: Expr) -> Expr | None:
    """What is measured by ``len(x)``, ``x.size()``, ``x.length``."""
    if node.kind is ExprKind.CALL and node.parts[0].kind is ExprKind.NAME and node.parts[0].text == "len":
        return node.parts[1] if len(node.parts) == 2 else None
    if node.kind is ExprKind.CALL and len(node.parts) == 1:
        node = node.parts[0]
    if node.kind is ExprKind.ATTRIBUTE and node.text in _SIZES:
        return node.parts[0]
    return None


def is_literal(node: Expr) -> bool:
    """True for a string, a number, a truth value or null."""
    return node.kind in (ExprKind.STRING, ExprKind.NUMBER, ExprKind.CONSTANT)


def folded(node: Expr) -> str | None:
    """Integer arithmetic on literals, worked out."""
    try:
        numbers = [int(text) for part in node.parts if (text := _number(part)) is not None]
    except ValueError:
        return None
    if len(numbers) != len(node.parts):
        return None
    result = numbers[0]
    for number in numbers[1:]:
        if node.text == "*":
            result *= number
        elif node.text == "+":
            result += number
        elif node.text == "-":
            result -= number
        elif node.text in ("<<", "**") and 0 <= number <= 64 and abs(result) <= 4096:
            result = result << number if node.text == "<<" else result**number
        else:
            return None
    return str(result)


def _number(part: Expr) -> str | None:
    if part.kind is ExprKind.NUMBER:
        return part.text
    return folded(part) if part.kind is ExprKind.BINARY else None
