"""Go's literals: numbers, strings and runes to neutral nodes."""

from __future__ import annotations

import re

from scaffold_cli.syntax.outline import Expr, ExprKind

_ESCAPE = re.compile(r"\\(?:U([0-9a-fA-F]{8})|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([0-7]{3})|(.))", re.DOTALL)
_SIMPLE_ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_LAST_CODE_POINT = 0x10FFFF


def number(text: str, line: int) -> Expr:
    """A number in its canonical decimal spelling; imaginary ones stay as written."""
    return Expr(ExprKind.NUMBER, _canonical(text.replace("_", "").lower()), (), line)


def _canonical(digits: str) -> str:
    try:
        if digits.isdigit():
            return str(int(digits, 8 if len(digits) > 1 and digits.startswith("0") else 10))
        if digits.startswith(("0x", "0b", "0o")):
            return repr(float.fromhex(digits)) if "p" in digits else str(int(digits, 0))
        return repr(float(digits))
    except ValueError:
        return digits


def string(literal: str, line: int) -> Expr:
    """A string or rune literal with its quotes; bytes by escapes read as Latin-1."""
    content = literal[1:-1]
    value = content if literal.startswith("`") else _ESCAPE.sub(_escaped, content)
    return Expr(ExprKind.STRING, value, (), line)


def _escaped(match: re.Match[str]) -> str:
    long, short, byte, octal, simple = match.groups()
    code = long or short or byte
    if code is not None:
        point = int(code, 16)
        return chr(point) if point <= _LAST_CODE_POINT and not 0xD800 <= point <= 0xDFFF else "\ufffd"
    if octal is not None:
        return chr(int(octal, 8))
    return _SIMPLE_ESCAPES.get(simple, simple)
