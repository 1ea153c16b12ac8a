"""C and C++ literals: numbers, strings and characters to neutral nodes."""

from __future__ import annotations

import re

from scaffold_cli.syntax.outline import Expr, ExprKind

_INTEGER = re.compile(r"([-+]?)(0x[0-9a-f]+|0b[01]+|[0-9]+)(?:u|l|z|wb|i64)*")
_STRING = re.compile(r"(?:u8|[uUL])?(?P<raw>R)?(?P<quote>[\"'])(?P<content>.*)(?P=quote)", re.DOTALL)
_RAW = re.compile(r"([^()\\\s]{0,16})\((.*)\)\1", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:U([0-9a-fA-F]{8})|u([0-9a-fA-F]{4})|x([0-9a-fA-F]+)|([0-7]{1,3})|(.))", re.DOTALL)
_SIMPLE_ESCAPES = {"a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\n": ""}
_LAST_CODE_POINT = 0x10FFFF
_LONGEST_NUMBER = 100
"""Digits in the longest number that is worked out; longer ones stay as written."""


def number(text: str, line: int) -> Expr:
    """A number in its canonical decimal spelling, suffixes gone."""
    return Expr(ExprKind.NUMBER, _canonical(text.replace("'", "").lower()), (), line)


def _canonical(digits: str) -> str:
    if len(digits) > _LONGEST_NUMBER:
        return digits
    found = _INTEGER.fullmatch(digits)
    try:
        if found is not None:
            whole = found[2]
            base = 8 if whole.isdigit() and len(whole) > 1 and whole.startswith("0") else 10
            value = int(whole, base if whole.isdigit() else 0)
            return str(-value if found[1] == "-" else value)
        if digits.startswith("0x"):
            return repr(float.fromhex(digits.rstrip("l")))
        return repr(float(digits.rstrip("fl")))
    except (ValueError, OverflowError):
        return digits


def string(literal: str, line: int) -> Expr:
    """A string or character literal with its quotes and prefix; bytes by escapes read as Latin-1."""
    found = _STRING.fullmatch(literal)
    if found is None:
        return Expr(ExprKind.STRING, literal, (), line)
    content = found["content"]
    if found["raw"]:
        raw = _RAW.fullmatch(content)
        return Expr(ExprKind.STRING, raw[2] if raw is not None else content, (), line)
    return Expr(ExprKind.STRING, _ESCAPE.sub(_escaped, content), (), line)


def _escaped(match: re.Match[str]) -> str:
    long, short, byte, octal, simple = match.groups()
    code = long or short or byte
    if code is None and octal is None:
        return _SIMPLE_ESCAPES.get(simple, simple)
    point = int(code[:8], 16) if code is not None else int(octal, 8)
    return chr(point) if point <= _LAST_CODE_POINT and not 0xD800 <= point <= 0xDFFF else "\ufffd"
