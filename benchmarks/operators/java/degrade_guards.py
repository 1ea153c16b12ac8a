"""Guards that go, stop refusing, or refuse less."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.operators.java.declare import degrading
from benchmarks.operators.java.security import guards, thrown
from benchmarks.operators.java.source import JavaSource, alternatives, field, operator_of, walk
from benchmarks.operators.operator import Edit, Rewrite


def _drop(source: JavaSource) -> Iterator[Rewrite]:
    for _, node, _ in guards(source):
        yield (source.replace(node, ""),)


def _throw_to(source: JavaSource, statement: str) -> Iterator[Rewrite]:
    for _, node, _ in guards(source):
        refusal = thrown(node)
        if refusal is not None:
            yield (source.replace(refusal, statement),)


def _property_bypass(source: JavaSource) -> Iterator[Rewrite]:
    for _, _, test in guards(source):
        yield (source.replace(test, f'({source.code(test)}) && !Boolean.getBoolean("checks.skip")'),)


def _or_to_and(source: JavaSource) -> Iterator[Rewrite]:
    for _, _, test in guards(source):
        parts = alternatives(test, "||")
        if len(parts) > 1:
            yield (source.replace(test, " && ".join(f"({source.code(part)})" for part in parts)),)


def _drop_alternative(source: JavaSource) -> Iterator[Rewrite]:
    for _, _, test in guards(source):
        parts = alternatives(test, "||")
        for left_out in parts if len(parts) > 1 else []:
            kept = [source.code(part) for part in parts if part != left_out]
            yield (source.replace(test, " || ".join(kept)),)


def _off_by_one(source: JavaSource) -> Iterator[Rewrite]:
    for _, _, test in guards(source):
        for part in alternatives(test, "||"):
            sign = field(part, "operator")
            if sign is not None and operator_of(part) in ("<=", ">="):
                yield (source.replace(sign, operator_of(part)[0]),)


def _raise_limit(source: JavaSource) -> Iterator[Rewrite]:
    for _, _, test in guards(source):
        for part in alternatives(test, "||"):
            right = field(part, "right")
            is_number = right is not None and right.type == "decimal_integer_literal" and source.code(right).isdigit()
            if right is not None and is_number and operator_of(part) in (">", ">=") and int(source.code(right)) > 1:
                yield (source.replace(right, str(min(int(source.code(right)) * 1000, 2**31 - 1))),)


def _swallow(source: JavaSource) -> Iterator[Rewrite]:
    for _, node, _ in guards(source):
        end = source.end(node)
        yield source.insert_before(node, "try { "), Edit(end, end, " } catch (Exception ignored) { }")


def _swapped(source: JavaSource, old: str, new: str) -> Iterator[Rewrite]:
    """Calls inside guards' conditions that get another method's name."""
    for _, _, test in guards(source):
        for node in walk(test):
            name = field(node, "name")
            if node.type == "method_invocation" and name is not None and source.code(name) == old:
                yield (source.replace(name, new),)


OPERATORS = (
    degrading("drop-guard", "A guard that refuses before something sensitive is removed.", _drop),
    degrading(
        "throw-to-log",
        "A guard prints where it threw.",
        lambda source: _throw_to(source, 'System.err.println("refused");'),
    ),
    degrading("throw-to-nothing", "A guard does nothing where it threw.", lambda source: _throw_to(source, ";")),
    degrading("property-bypass", "A guard is skipped when a system property says so.", _property_bypass),
    degrading("or-to-and", "A guard that refused on either of two grounds wants both.", _or_to_and),
    degrading("drop-alternative", "A guard loses one of the grounds on which it refused.", _drop_alternative),
    degrading("off-by-one", "A guard at a limit lets the limit itself pass.", _off_by_one),
    degrading("raise-limit", "The limit a guard compares with is raised a thousandfold.", _raise_limit),
    degrading("swallow-guard", "A guard's exception is caught around it and dropped.", _swallow),
    degrading(
        "drop-case-folding",
        "A guard compares without folding case.",
        lambda source: _swapped(source, "equalsIgnoreCase", "equals"),
    ),
    degrading(
        "matches-to-find",
        "A guard is content when a pattern is found somewhere.",
        lambda source: _swapped(source, "matches", "find"),
    ),
)
