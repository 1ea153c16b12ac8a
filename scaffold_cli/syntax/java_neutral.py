"""What both Java front-ends share: literals, types, names and visibility."""

from __future__ import annotations

import re

from scaffold_cli.syntax.building import Scope, name
from scaffold_cli.syntax.outline import Expr, ExprKind

_PUBLIC_WORDS = frozenset({"public", "protected"})
CONSTRUCTOR = "<init>"

_ESCAPE = re.compile(r"\\(?:u+([0-9a-fA-F]{4})|([0-3]?[0-7]{1,2})|(\n)|(.))", re.DOTALL)
_SIMPLE_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "s": " "}
_TIGHT = re.compile(r"\s*([<>,\[\]&.()])\s*")
_ARGUMENTS = re.compile(r"<.*>")
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def is_public(scope: Scope, modifiers: frozenset[str]) -> bool:
    """Can code elsewhere use a member with these modifiers? Members of interfaces are public unless private."""
    return scope.is_open and bool(_PUBLIC_WORDS & modifiers or (scope.in_interface and "private" not in modifiers))


def dotted_name(text: str, line: int) -> Expr:
    """``a.b.C`` as NAME below ATTRIBUTEs; type arguments are left out."""
    if text.isidentifier():
        return name(text, line)
    first, *rest = _ARGUMENTS.sub("", clean_type(text)).split(".")
    found = name(first, line)
    for part in rest:
        found = Expr(ExprKind.ATTRIBUTE, part, (found,), line)
    return found


def number(text: str, line: int) -> Expr:
    """A number in its canonical decimal spelling."""
    return Expr(ExprKind.NUMBER, _canonical(text.replace("_", "").lower()), (), line)


def _canonical(digits: str) -> str:
    try:
        if digits.startswith("0x"):
            return str(int(digits.rstrip("l"), 16)) if "p" not in digits else repr(float.fromhex(digits.rstrip("fd")))
        if digits.startswith("0b"):
            return str(int(digits.rstrip("l"), 2))
        whole = digits.rstrip("l")
        if whole.isdigit():
            return str(int(whole, 8 if len(whole) > 1 and whole.startswith("0") else 10))
        return repr(float(digits.rstrip("fd")))
    except ValueError:
        return digits


def string(literal: str, line: int) -> Expr:
    """A string, character or text block literal with its quotes."""
    content = _without_indent(literal[3:-3]) if literal.startswith('"""') else literal[1:-1]
    return Expr(ExprKind.STRING, unescape(content), (), line)


def unescape(text: str) -> str:
    """Java's escapes resolved (JLS 3.3, 3.10.7)."""
    if "\\" not in text:
        return text
    value = _ESCAPE.sub(_escaped, text)
    if any("\ud800" <= char <= "\udfff" for char in value):  # pairs written as two \\u escapes
        value = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


def _escaped(match: re.Match[str]) -> str:
    hexadecimal, octal, line_end, simple = match.groups()
    if hexadecimal is not None:
        return chr(int(hexadecimal, 16))
    if octal is not None:
        return chr(int(octal, 8))
    return "" if line_end is not None else _SIMPLE_ESCAPES.get(simple, simple)


def _without_indent(content: str) -> str:
    """A text block's content without incidental white space (JLS 3.10.6)."""
    lines = content.split("\n")[1:]
    counted = [line for line in lines if line.strip()] + lines[-1:]
    margin = min((len(line) - len(line.lstrip()) for line in counted), default=0)
    return "\n".join(line[margin:].rstrip() for line in lines)


def clean_type(text: str) -> str:
    """A type as written, spaces made uniform: ``Map<String,List<? extends T>>``."""
    if text.isidentifier():
        return text
    if "/" in text:
        text = _COMMENT.sub(" ", text)
    return _TIGHT.sub(r"\1", " ".join(text.split()))
