"""From a call of an assertion library to what it demands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scaffold_cli.syntax.outline import Expr, ExprKind
from scaffold_cli.testing.integrity import words
from scaffold_cli.testing.integrity.conditions import demands, tolerance_of
from scaffold_cli.testing.integrity.interface import Check, Strength
from scaffold_cli.testing.integrity.spelling import (
    arguments,
    called,
    dotted,
    function_name,
    is_literal,
    number,
    spelled,
)

_BY_TRUTH = {
    "asserttrue": True,
    "assert_true": True,
    "assert_": True,
    "ok": True,
    "assertfalse": False,
    "assert_false": False,
}
_ASSERT_OBJECTS = frozenset({"assert", "Assert", "Assertions", "self", "cls", "testing", "npt", "TestCase", "t"})
_WITH_DELTA = 3
"""assertEquals(expected, actual, delta)."""


def checks_of_call(call: Expr) -> Iterator[Check]:
    """The checks of one call statement; nothing for a call that asserts nothing."""
    while call.kind is ExprKind.UNARY and call.text in ("await", "yield", "void"):
        call = call.parts[0]
    if call.kind in (ExprKind.AND, ExprKind.OR, ExprKind.NOT):
        return
    root = chain_root(call)
    if root is not None:
        yield from _chain(call, root)
    elif call.kind is ExprKind.CALL:
        yield from _direct(call)


def chain_root(call: Expr) -> Expr | None:
    """The ``expect(x)`` or ``assertThat(x)`` at the start of a chain of demands, when there is a chain."""
    node, depth = call, 0
    while node.kind in (ExprKind.CALL, ExprKind.ATTRIBUTE) and node.parts:
        if node.kind is ExprKind.CALL and function_name(node) in words.CHAINS and depth:
            return node
        node, depth = node.parts[0], depth + 1
    return None


def raised(call: Expr, line: int = 0) -> Check:
    """The check of ``raises(Error, match=…)`` in any library's spelling."""
    given = arguments(call)
    name = function_name(call).lower()
    types = [_type_name(item) for item in given if item.kind in (ExprKind.TYPE, ExprKind.NAME, ExprKind.ATTRIBUTE)]
    first = given[0] if given else None
    several = first is not None and first.kind is ExprKind.COLLECTION
    error = "" if several or not types else types[0]
    pattern = name in words.PATTERNS or any(
        part.kind is ExprKind.KEYWORD and part.text == "match" for part in call.parts
    )
    return Check(
        Strength.EXACT, "raises", error=error, pattern=pattern, calls=called(call.parts[1:]), line=line or call.line
    )


def _type_name(expr: Expr) -> str:
    name = dotted(expr)
    return name.removesuffix(".class")


def _chain(call: Expr, root: Expr) -> Iterator[Check]:
    """One check for each demand that hangs from the root."""
    looked_at = arguments(root)
    key = ",".join(map(spelled, looked_at))
    names = called(looked_at)
    if function_name(root) == "verify":
        yield Check(Strength.EXACT, "verify", spelled(call), calls=frozenset({call.parts[0].text}), line=call.line)
        return
    positive, raising = True, function_name(root) in ("assertThatThrownBy", "assertThatExceptionOfType")
    demanded: list[tuple[str, list[Expr]]] = []
    node: Expr = call
    while node is not root:
        if node.kind is ExprKind.CALL:
            demanded.append((function_name(node), arguments(node)))
            node = node.parts[0].parts[0] if node.parts[0].parts else root
        else:
            demanded.append((node.text, []))
            node = node.parts[0]
    for word, given in reversed(demanded):
        low = word.lower()
        if low == "not":
            positive = not positive
        elif low in words.RAISES and not (low == "throws" and not given and not raising):
            raising = True
            error = _type_name(given[0]) if given and given[0].kind is not ExprKind.STRING else ""
            pattern = bool(given) and given[0].kind is not ExprKind.NAME
            yield Check(
                Strength.EXACT, "raises", positive=positive, error=error, pattern=pattern, calls=names, line=call.line
            )
        elif low in _LINKS and not given:
            continue
        else:
            yield _demand(word, given, key, positive, names, call.line)
    if raising and not any(word.lower() in words.RAISES for word, _ in demanded):
        error = next((_type_name(given[0]) for word, given in demanded if "instanceof" in word.lower() and given), "")
        yield Check(Strength.EXACT, "raises", error=error, calls=names, line=call.line)


_LINKS = frozenset(
    [
        "to",
        "be",
        "been",
        "is",
        "that",
        "which",
        "and",
        "has",
        "have",
        "with",
        "at",
        "of",
        "same",
        "but",
        "does",
        "still",
        "deep",
        "resolves",
        "nested",
        "own",
        "ordered",
        "all",
        "as",
        "rejects",
        "describedas",
        "extracting",
    ]
)


def _demand(word: str, given: list[Expr], key: str, positive: bool, names: frozenset[str], line: int) -> Check:
    strength, base, same = words.strength_of(word)
    matcher = given[0] if len(given) == 1 and given[0].kind is ExprKind.CALL and base in ("is", "equalto") else None
    if matcher is not None and function_name(matcher).lower() in ("notnullvalue", "not", "anything"):
        strength = Strength.TRUTHY
    if not (positive and same) and strength is not Strength.TRUTHY:
        strength = Strength.TRUTHY
    expected = ",".join([base, *map(spelled, given)])
    digits = number(given[1]) if strength is Strength.CLOSE and len(given) > 1 else None
    tolerance = None if digits is None else 10.0**-digits
    return Check(strength, key, expected, positive is same, tolerance=tolerance, calls=names, line=line)


def _direct(call: Expr) -> Iterator[Check]:
    word = function_name(call)
    low = word.lower()
    owner = dotted(call.parts[0].parts[0]) if call.parts and call.parts[0].kind is ExprKind.ATTRIBUTE else ""
    given = arguments(call)
    if low in words.RAISES and (
        owner.rpartition(".")[2] in (*_ASSERT_OBJECTS, "pytest", "") or low.startswith("assert")
    ):
        yield replace(raised(call), calls=called(given))
    elif low in _BY_TRUTH and given:
        positive = _BY_TRUTH[low]
        condition = given[0] if given[0].kind is not ExprKind.STRING or len(given) == 1 else given[1]
        yield from (replace(check, line=call.line) for check in demands(condition, positive))
    elif low == "fail" or (low == "assertthat" and len(given) == 1):
        yield Check(Strength.TRUTHY, "reached", line=call.line)
    elif low == "assertthat" and len(given) > 1:
        yield _matched(call, given)
    elif low.startswith("assert") or owner.rpartition(".")[2] in ("assert", "Assert", "Assertions"):
        yield _asserted(call, word, owner, given)
    elif low.startswith(words.HELPERS):
        yield Check(
            Strength.EXACT,
            f"helper {word}",
            ",".join(map(spelled, given)),
            calls=called(given) | {word},
            line=call.line,
        )


def _asserted(call: Expr, word: str, owner: str, given: list[Expr]) -> Check:
    strength, base, positive = words.strength_of(word)
    known = base in words.EXACT | words.CLOSE | words.BOUND | words.TRUTHY | words.NULL
    if owner and owner not in _ASSERT_OBJECTS and base.startswith("assert_"):  # mock.assert_called_with(...)
        return Check(
            strength, f"mock {owner}", ",".join([base, *map(spelled, call.parts[1:])]), positive, line=call.line
        )
    if not known or not given:
        key = f"helper {word}"
        return Check(Strength.EXACT, key, ",".join(map(spelled, given)), calls=called(given) | {word}, line=call.line)
    if len(given) > 1 and spelled(given[0]) == spelled(given[1]):
        return Check(Strength.NOTHING, base, line=call.line)
    looked_at, rest = _sides(given)
    tolerance = tolerance_of(call)
    extra = number(given[2]) if len(given) >= _WITH_DELTA else None
    if extra is not None and base in ("assertequals", "assertalmostequal", "assertalmostequals"):
        tolerance = extra if base == "assertequals" else 10.0**-extra
        strength = Strength.CLOSE
    expected = ",".join([base, *map(spelled, rest)])
    if is_literal(looked_at) and base in words.TRUTHY:
        strength = Strength.NOTHING
    return Check(
        strength, spelled(looked_at), expected, positive, tolerance=tolerance, calls=called(given), line=call.line
    )


def _matched(call: Expr, given: list[Expr]) -> Check:
    """Hamcrest: assertThat([reason,] actual, matcher)."""
    actual, matcher = given[-2], given[-1]
    word = function_name(matcher) if matcher.kind is ExprKind.CALL else "is"
    inner = arguments(matcher) if matcher.kind is ExprKind.CALL else [matcher]
    return _demand(word, inner, spelled(actual), word != "not", called([actual]), call.line)


def _sides(given: list[Expr]) -> tuple[Expr, list[Expr]]:
    """What is looked at, and the rest: libraries differ in the order, and a literal is what is expected."""
    if len(given) > 1 and is_literal(given[0]) and not is_literal(given[1]):
        return given[1], [given[0]]
    return given[0], given[1:2]
