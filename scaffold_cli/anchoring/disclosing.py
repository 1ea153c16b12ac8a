"""Secrets that newly reach a log, and checks whose answer turned from no to yes: what only a pair of units shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.effects import is_logging
from scaffold_cli.anchoring.facts import Fact, Mined, plain_fact
from scaffold_cli.anchoring.live import live
from scaffold_cli.anchoring.predicates import Polarity, polarity_of
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.model.protection import Level, ProtectionKind
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind, walk

_SECRETS = WordPatterns(
    (pattern, "secret")
    for pattern in (
        "password*", "passwd", "passphrase", "secret*", "ticket*", "credential*", "api key", "private key",
        "secret key", "access token", "auth token", "refresh token", "session token", "bearer token",
        "card number", "cvv", "cvc", "iban", "ssn", "social security*", "passport number", "pin code",
    )
)  # fmt: skip
_MILD = WordPatterns(
    (pattern, "mild")
    for pattern in (
        "mask*", "redact*", "hash*", "len", "length", "size", "bool", "type", "name*", "count", "is*", "has*", "file",
        "path", "id", "expir*", "class", "exists", "valid*", "equals", "age", "ttl",
    )
)  # fmt: skip
"""Words that say a value is shortened, hidden or only about the secret."""


def newly_logged(before: Mined, after: Mined) -> Iterator[Fact]:
    """One fact for each secret that the unit logs now and did not log before, though it had it."""
    if before.unit.function is None:
        return
    old = Counter(_logged(before))
    for name in _logged(after):
        if old[name] == 0 and name in before.names | before.defined:
            old[name] += 1
            yield _fact(before, f"log({name})", f"`{name}` names a secret", "disclosure")


def _logged(item: Mined) -> Iterator[str]:
    for node in item.reading.of(ExprKind.CALL):
        if is_logging(node):
            for argument in node.parts[1:]:
                yield from secrets_in(argument)


def is_secret(name: str) -> bool:
    """True for a name that says a secret is in it, and not only something about one."""
    return _SECRETS.find(name) is not None and _MILD.find(name) is None


def secrets_in(node: Expr) -> Iterator[str]:
    """Names of secrets whose value an expression shows."""
    if node.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE):
        owner = node.parts[0].text if node.kind is ExprKind.ATTRIBUTE else ""
        if is_secret(node.text):
            yield node.text
        elif owner and is_secret(f"{owner}_{node.text}") and not is_secret(owner):
            yield owner
        return
    if node.kind is ExprKind.CALL and _MILD.find(node.parts[0].text) is not None:
        return
    if node.kind in (ExprKind.COMPARE, ExprKind.LAMBDA):
        return
    for part in node.parts:
        yield from secrets_in(part)


def turned_answers(before: Mined, after: Mined) -> Iterator[Fact]:
    """One fact when a check that said no now says yes, and nothing else in its tests changed."""
    name = before.unit.short_name
    if before.unit.function is None or polarity_of(name) is Polarity.NONE:
        return
    refusing = "false" if polarity_of(name) is Polarity.POSITIVE else "true"
    granting = "true" if refusing == "false" else "false"
    old, new = _answers(before), _answers(after)
    if old[refusing] > new[refusing] and old[granting] < new[granting] and _tests(before) == _tests(after):
        yield _fact(before, f"return {refusing}", f"`{name}()` is a check", "validation")


def always_granting(before: Mined, after: Mined, catalogue: Catalogue) -> Iterator[Fact]:
    """One fact when a check that could say no now says yes whatever it is asked."""
    name = before.unit.short_name
    is_check = polarity_of(name) is not Polarity.NONE and (catalogue.protective(name) or catalogue.guards.find(name))
    if before.unit.function is None or not is_check:
        return
    granting = "true" if polarity_of(name) is Polarity.POSITIVE else "false"
    if set(_live_answers(after)) == {granting} and set(_live_answers(before)) - {granting}:
        yield _fact(before, f"{name}() may say no", f"`{name}()` is a check", "validation")


def _live_answers(item: Mined) -> Iterator[str]:
    """What a function can answer: constants by name, anything else as one."""
    for statement in walk(live(item.unit.block)):
        if statement.kind is StmtKind.RETURN and statement.exprs:
            value = statement.exprs[0]
            yield value.text if value.kind is ExprKind.CONSTANT else "something"


def _answers(item: Mined) -> Counter[str]:
    return Counter(
        statement.exprs[0].text
        for statement in item.reading.statements
        if statement.kind is StmtKind.RETURN and statement.exprs and statement.exprs[0].kind is ExprKind.CONSTANT
    )


def _tests(item: Mined) -> list[str]:
    return [
        _text(test)
        for statement in item.reading.statements
        if statement.kind is StmtKind.IF
        for test in statement.exprs
    ]


def _text(value: Expr) -> str:
    return f"{value.kind}{value.text}({','.join(map(_text, value.parts))})"


def _fact(item: Mined, form: str, because: str, entry: str) -> Fact:
    return plain_fact(
        ProtectionKind.CALL,
        Level.PATTERN,
        form,
        item.unit.line,
        action="answer",
        subject=form,
        entry=entry,
        because=f"hard because {because}",
    )
