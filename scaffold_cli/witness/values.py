"""Values worth trying for one parameter, as Python expressions, plain ones first.

The driver evaluates them with a few names in reach: `Path`; `stand_in(a=1)` is an object with that attribute and any
other; `answer(x)` a function that returns `x`; `like(p)` an ordinary text that the regular expression `p` matches.
"""

from __future__ import annotations

import itertools
import pathlib
import re
from collections.abc import Iterable, Iterator, Sequence

from scaffold_cli.syntax.outline import Expr, ExprKind
from scaffold_cli.witness.hints import Hints

_TEXTS = (
    "a", "", "..", "../x", "/", "/x", "a/../../x", "x\0", "x\n", "a\r\nb: c", "x/y", "\\", "C:\\x", "~", ".", "-x", " ",
    "<b>", "'", "\"", ";", "a;b", "|", "$(x)", "*", "%00", "%2e%2e%2f", "@", "http://x.invalid/", "//x.invalid",
    "javascript:x", "file:///x", "0", "-1", "1", "é", "\u202e",
)  # fmt: skip
_LONG = "'a' * 100000"
_PATTERN = re.compile(r"[\\\[^$+*]")
"""What a text that may be a regular expression has in it."""
_PAIRED = 5
"""Constants that are tried next to each other."""
_NUMBERS = ("1", "0", "-1", "2", "65536", "2 ** 31", "-(2 ** 31)", "10 ** 12")
_ANY = ("'..'", "None", "0", "10 ** 12", "True")
"""Values of a mapping."""
_OTHERS = {
    "bool": ("True", "False"),
    "float": ("1.0", "0.0", "-1.0", "1e12", "float('inf')", "float('nan')"),
    "list": ("[]", "['a']", "['..']", "[0]", "['a'] * 10000"),
    "tuple": ("()", "('a',)"),
    "set": ("set()", "{'a'}"),
    "dict": ("{}", "{'a': 'b'}"),
    "None": ("None",),
}
_USES: dict[str, frozenset[str]] = {
    "str": frozenset(dir(str)),
    "Path": frozenset(dir(pathlib.PurePath)) | frozenset(dir(pathlib.Path)),
    "bytes": frozenset(dir(bytes)),
    "list": frozenset(dir(list)),
    "dict": frozenset(dir(dict)),
    "int": frozenset(dir(int)),
}
_ANNOTATED = {
    "str": "str", "int": "int", "float": "float", "bool": "bool", "bytes": "bytes", "None": "None", "Path": "Path",
    "PurePath": "Path", "PathLike": "Path", "list": "list", "List": "list", "Sequence": "list", "Iterable": "list",
    "dict": "dict", "Dict": "dict", "Mapping": "dict", "tuple": "tuple", "Tuple": "tuple", "set": "set", "Set": "set",
    "Optional": "None", "AnyStr": "str",
}  # fmt: skip
_MOST = 80
"""Values tried for one parameter."""


def values(hint: Hints) -> list[str]:
    """At most 80 expressions, each once."""
    found: dict[str, None] = {}
    rows = [list(_of(kind, hint)) for kind in kinds(hint)]
    for index in range(max((len(row) for row in rows), default=0)):
        for row in rows:
            if index < len(row):
                found.setdefault(row[index])
    return list(found)[:_MOST]


def kinds(hint: Hints) -> list[str]:
    """The types the parameter may have: as annotated, else by its default and by use, else the usual ones."""
    annotated = [_ANNOTATED[word] for word in re.findall(r"\w+", hint.annotation) if word in _ANNOTATED]
    if annotated:
        return list(dict.fromkeys(annotated))
    used = hint.attributes | hint.methods
    fitting = [name for name, offered in _USES.items() if used and used <= offered]
    found = [*sorted(hint.types), *_default_kind(hint.default), *fitting]
    if used and not fitting:
        return ["stand-in"]
    if fitting:
        found = [kind for kind in found if kind in fitting]
    return list(dict.fromkeys(found)) or ["str", "int", "None", "bool", "list", "dict", "bytes"]


def _default_kind(default: Expr | None) -> Iterator[str]:
    if default is None:
        return
    if default.kind is ExprKind.STRING:
        yield "str"
    elif default.kind is ExprKind.NUMBER:
        yield "float" if "." in default.text else "int"
    elif default.kind is ExprKind.CONSTANT and default.text in ("true", "false"):
        yield "bool"
    elif default.kind is ExprKind.COLLECTION and default.text in _OTHERS:
        yield default.text


def _of(kind: str, hint: Hints) -> Iterator[str]:
    if kind == "str":
        yield from _like(hint.strings)
        yield from map(repr, _texts(hint.strings))
        yield _LONG
    elif kind == "bytes":
        yield from (repr(text.encode("utf-8", "replace")) for text in _texts(hint.strings))
        yield "b" + _LONG
    elif kind == "Path":
        yield from (f"Path({text!r})" for text in _texts(hint.strings) if "\0" not in text)
    elif kind == "int":
        yield from _numbers(hint.numbers)
    elif kind == "stand-in":
        yield from _stand_ins(hint)
    elif kind == "dict":
        yield from _OTHERS["dict"]
        yield from (f"{{{key!r}: {value}}}" for key in hint.strings for value in _ANY)
    else:
        yield from _OTHERS[kind]


def _texts(constants: Sequence[str]) -> Iterator[str]:
    """A plain word, each constant alone, inside something and next to another, then what is known to make trouble."""
    yield "a"
    for text in constants:
        yield from (text, f"{text}x", f"x{text}", f"x{text}x", f"{text}\n")
    for one, other in itertools.permutations(constants[:_PAIRED], 2):
        yield f"{one}x{other}x"
    yield from _TEXTS


def _like(constants: Iterable[str]) -> Iterator[str]:
    """Texts that a pattern among the constants matches, whole and with something before or behind."""
    for text in constants:
        if _PATTERN.search(text):
            yield f"like({text!r})"
            yield from (f"like({text!r}) + {more!r}" for more in ("\n", "x", "/../x"))
            yield from (f"{more!r} + like({text!r})" for more in ("x", "\n"))


def _numbers(constants: Iterable[str]) -> Iterator[str]:
    for text in constants:
        yield from (f"{text} + 1", text, f"{text} - 1")
    yield from _NUMBERS


def _stand_ins(hint: Hints) -> Iterator[str]:
    """Objects whose attributes all say no, all say yes, say nothing, or hold one of the constants."""
    attributes = sorted(hint.attributes - hint.methods)
    methods = sorted(hint.methods)
    for value in ("False", "True", "None", *map(repr, (*hint.strings, "..")), *hint.numbers, "0", "-1", "10 ** 12"):
        told = [f"{name}={value}" for name in attributes] + [f"{name}=answer({value})" for name in methods]
        yield f"stand_in({', '.join(told)})"
