"""Defaults that got weaker between two versions of a unit: a flag switched off, a weak choice let into a list."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.facts import Fact, Mined, plain_fact
from scaffold_cli.anchoring.views import names_in
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.model.protection import Level, ProtectionKind
from scaffold_cli.syntax.outline import Expr, ExprKind

_LOOSENING = WordPatterns(
    (pattern, "loosens") for pattern in ("allow*", "skip*", "unsafe*", "insecure", "trust*", "disable*", "ignore*")
)
"""Parameters that let more pass when they are true."""
_WEAK = frozenset(
    {
        "none",
        "null",
        "anonymous",
        "*",
        "sslv2",
        "sslv3",
        "ssl",
        "tlsv1",
        "tlsv10",
        "tlsv11",
        "md5",
        "rc4",
        "des",
        "3des",
    }
)
"""Choices the field agrees to leave out of lists of methods, protocols and algorithms; spelled without signs."""
_REFUSED = WordPatterns(
    (pattern, "refused")
    for pattern in (
        "deny*", "denied", "block*", "black*", "disallow*", "disabled", "forbid*", "exclude*", "weak*", "unsafe*",
        "insecure*", "reject*", "deprecat*", "no", "not", "bad", "ignore*", "skip*",
    )
)  # fmt: skip
"""Words by which a statement says that its list names what is refused."""
_NAMED = frozenset({ExprKind.STRING, ExprKind.NAME, ExprKind.ATTRIBUTE})


def weaker_defaults(before: Mined, after: Mined, catalogue: Catalogue) -> Iterator[tuple[Fact, str]]:
    """Each default that got weaker, with what it is now."""
    yield from _flags(before, after, catalogue)
    old = dict.fromkeys(frozenset(_choices(node)) for node in _lists(before))
    for node in _lists(after):
        choices = frozenset(_choices(node))
        if choices in old or choices.isdisjoint(_WEAK):
            continue
        for known in old:
            come = (choices - known) & _WEAK
            if come and choices >= known and len(known) > 0:
                name = min(come)
                yield _fact(before, f"[{', '.join(sorted(known))}]", f"it leaves out `{name}`"), f"now with {name}"
                break


def _flags(before: Mined, after: Mined, catalogue: Catalogue) -> Iterator[tuple[Fact, str]]:
    old, new = _truths(before), _truths(after)
    protects = catalogue.protective(before.unit.short_name) is not None
    for name, value in old.items():
        loosens = _LOOSENING.find(name) is not None
        if name in new and new[name] != value and value == ("false" if loosens else "true"):
            because = f"`{before.unit.short_name}()` protects" if protects else f"`{name}` is on by default"
            because = f"`{name}` loosens a check" if loosens else because
            yield _fact(before, f"{name} = {value}", because), f"now {name} = {new[name]}"


def _truths(item: Mined) -> dict[str, str]:
    """Parameters whose default is a truth value."""
    params = item.unit.function.params if item.unit.function is not None else ()
    return {
        param.name: param.default.text
        for param in params
        if param.default is not None
        and param.default.kind is ExprKind.CONSTANT
        and param.default.text in ("true", "false")
    }


def _lists(item: Mined) -> Iterator[Expr]:
    for statement in item.reading.statements:
        if any(_REFUSED.find(name) is not None for expression in statement.exprs for name in names_in(expression)):
            continue
        for node in (node for expression in statement.exprs for node in expression.walk()):
            if node.kind is ExprKind.COLLECTION and node.text != "dict" and len(node.parts) > 0:
                yield node


def _choices(node: Expr) -> Iterator[str]:
    for part in node.parts:
        if part.kind in _NAMED and part.text:
            text = part.text if part.text == "*" else "".join(letter for letter in part.text if letter.isalnum())
            yield text.lower()


def _fact(item: Mined, form: str, because: str) -> Fact:
    return plain_fact(
        ProtectionKind.SETTING,
        Level.PATTERN,
        form,
        item.unit.line,
        action="default",
        entry="validation",
        because=f"hard because {because}",
    )
