"""JavaScript's literals: numbers, strings and regular expressions to neutral nodes."""

from __future__ import annotations

import re

from scaffold_cli.syntax.building import name
from scaffold_cli.syntax.outline import Expr, ExprKind

_ESCAPE = re.compile(
    r"\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([0-3]?[0-7]{1,2})|(\n)|(.))", re.DOTALL
)
_SIMPLE_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}
_LAST_CODE_POINT = 0x10FFFF


def number(text: str, line: int) -> Expr:
    """A number in its canonical decimal spelling; a BigInt reads as the integer it is."""
    digits = text.replace("_", "").lower()
    if not digits.startswith("0x"):
        digits = digits.rstrip("n")
    try:
        if digits[:2] in ("0x", "0b", "0o"):
            spelled = str(int(digits.rstrip("n"), 0))
        elif digits.isdigit():
            spelled = str(int(digits))
        else:
            spelled = repr(float(digits))
    except ValueError:
        spelled = digits
    return Expr(ExprKind.NUMBER, spelled, (), line)


def string(content: str, line: int) -> Expr:
    """A string, given what stands between its quotes."""
    return Expr(ExprKind.STRING, unescape(content), (), line)


def regex(pattern: str, flags: str, line: int) -> Expr:
    """``/pattern/flags`` as the ``new RegExp("pattern", "flags")`` that it is."""
    parts = [name("RegExp", line), Expr(ExprKind.STRING, pattern, (), line)]
    if flags:
        parts.append(Expr(ExprKind.STRING, flags, (), line))
    return Expr(ExprKind.CALL, "new", tuple(parts), line)


def unescape(text: str) -> str:
    """Escape sequences resolved (ECMAScript 12.9.4)."""
    if "\\" not in text:
        return text
    value = _ESCAPE.sub(_escaped, text)
    if any("\ud800" <= char <= "\udfff" for char in value):  # pairs written as two \\u escapes
        value = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


def _escaped(match: re.Match[str]) -> str:
    braced, four, two, octal, line_end, simple = match.groups()
    code = braced or four or two
    if code is not None:
        point = int(code, 16)
        return chr(point) if point <= _LAST_CODE_POINT else "\ufffd"
    if octal is not None:
        return chr(int(octal, 8))
    return "" if line_end is not None else _SIMPLE_ESCAPES.get(simple, simple)
