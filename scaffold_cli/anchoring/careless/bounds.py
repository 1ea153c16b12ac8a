"""Copies, indices and sums that nothing bounds."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold_cli.anchoring.careless.reading import Careless, calls, checked, nodes, tests, values
from scaffold_cli.anchoring.views import callee, is_fixed, names_in
from scaffold_cli.syntax.outline import Expr, ExprKind, Function, walk

_COPYING = frozenset({"strcpy", "strcat", "stpcpy", "wcscpy", "wcscat"})
_PRINTING = frozenset({"sprintf", "vsprintf"})
_SCANNING = frozenset({"scanf", "fscanf", "sscanf"})
_ANY_LENGTH = re.compile(r"%(?:\*?s|\[)")
_MOVING = frozenset({"memcpy", "memmove", "wmemcpy"})
_FROM_OUTSIDE = frozenset({"rand", "random", "lrand48", "atoi", "atol", "atoll", "strtol", "strtoll"})
_SIGNED = re.compile(r"(?:const |signed )*(?:int|long(?: long)?(?: int)?|short(?: int)?|ssize_t|ptrdiff_t|int\d+_t)")
_LARGE = 1 << 16
"""A constant that takes a number of 32 bits over its end from values that do come up."""
_LOWEST = frozenset({"-1", "0", "1"})


def endless_copies(function: Function) -> Iterator[Careless]:
    """STR31-C: text is written until it ends, whatever room there is."""
    asked = checked(function)
    for call in calls(function):
        name, arguments = callee(call), call.parts[1:]
        copies = name in _COPYING and len(arguments) == 2 and arguments[1].kind is not ExprKind.STRING
        if copies and not asked & set(names_in(arguments[1])):
            endless = True
        elif name in _SCANNING:
            endless = any(part.kind is ExprKind.STRING and _ANY_LENGTH.search(part.text) for part in arguments)
        else:
            endless = name == "gets" or (name in _PRINTING and not all(map(is_fixed, arguments[1:])))
        if endless:
            what = f"`{name}()` writes as much as comes, whatever room there is."
            yield Careless(function.name, call.line, "STR31-C", what)


def lengths_from_data(function: Function) -> Iterator[Careless]:
    """ARR38-C: as many bytes are copied as the data says."""
    asked, given = checked(function), values(function)
    for call in calls(function):
        if callee(call) not in _MOVING or len(call.parts) != 4:
            continue
        length = call.parts[3]
        names = set(names_in(length))
        names |= {inner for name in names for inner in given.get(name, ())}
        sized = any(node.kind is ExprKind.CALL and callee(node) == "sizeof" for node in length.walk())
        if names and not sized and not names & asked:
            what = f"`{callee(call)}()` copies a length that nothing compares with the room there is."
            yield Careless(function.name, call.line, "ARR38-C", what)


def indices_below_zero(function: Function) -> Iterator[Careless]:
    """ARR30-C: a signed argument is an index, and nothing says that it is not below the first element."""
    signed = {param.name for param in function.params if _SIGNED.fullmatch(param.type.strip())}
    bounded = {name for test in tests(function) for node in test.walk() for name in _bounded_below(node)}
    for statement in walk(function.body):
        for node in nodes(statement):
            if node.kind is not ExprKind.SUBSCRIPT or len(node.parts) < 2:
                continue
            index = node.parts[1]
            for name in sorted(signed & set(_plain_names(index)) - bounded):
                signed.discard(name)
                what = f"`{name}` may be negative where it is used as an index."
                yield Careless(function.name, node.line, "ARR30-C", what)


def _plain_names(index: Expr) -> Iterator[str]:
    """The names an index is, or is one more or less than."""
    if index.kind is ExprKind.NAME:
        yield index.text
    elif index.kind is ExprKind.BINARY and index.text in ("+", "-"):
        yield from (part.text for part in index.parts if part.kind is ExprKind.NAME)


def _bounded_below(node: Expr) -> Iterator[str]:
    if node.kind is ExprKind.CAST and "signed" not in node.text.replace("unsigned", ""):
        yield from names_in(node) if "unsigned" in node.text or "size_t" in node.text else ()
    if node.kind is not ExprKind.COMPARE or len(node.parts) != 2:
        return
    for one, other in (node.parts, node.parts[::-1]):
        low = other.text in _LOWEST or (other.kind is ExprKind.NAME and re.search("min|first|low", other.text.lower()))
        if low or (other.kind is ExprKind.UNARY and other.text == "-"):
            yield from names_in(one)


def sums_that_overflow(function: Function) -> Iterator[Careless]:
    """INT32-C: a number of any size is added to, or multiplied."""
    asked = checked(function)
    signed = {param.name for param in function.params if _SIGNED.fullmatch(param.type.strip())} - asked
    for statement in walk(function.body):
        for node in nodes(statement):
            if node.kind is not ExprKind.BINARY or node.text not in ("+", "*"):
                continue
            outside = [part for part in node.parts if part.kind is ExprKind.CALL and callee(part) in _FROM_OUTSIDE]
            names = [part.text for part in node.parts if part.kind is ExprKind.NAME and part.text in signed]
            large = any(part.text.isdecimal() and int(part.text) >= _LARGE for part in node.parts)
            if outside or (names and large):
                number = f"{callee(outside[0])}()" if outside else names[0]
                what = f"`{number}` may be so large that the result does not fit."
                yield Careless(function.name, node.line, "INT32-C", what)


def lengths_less_one(function: Function) -> Iterator[Careless]:
    """STR34-C in spirit: the last character of a text that may have none."""
    asked = checked(function)
    for statement in walk(function.body):
        for node in nodes(statement):
            if node.kind is not ExprKind.BINARY or node.text != "-" or node.parts[-1].text != "1":
                continue
            inner = [part for top in node.parts[:-1] for part in (top, *(top.parts if _is_sum(top) else ()))]
            for part in inner:
                if part.kind is ExprKind.CALL and callee(part) in ("strlen", "wcslen") and not asked & _names(part):
                    what = "The text may be empty where its last character is looked for."
                    yield Careless(function.name, node.line, "ARR30-C", what)


def _is_sum(node: Expr) -> bool:
    return node.kind is ExprKind.BINARY and node.text == "+"


def _names(call: Expr) -> set[str]:
    return {name for part in call.parts[1:] for name in names_in(part)}
