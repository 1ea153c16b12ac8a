"""Secrets that are cleared, and separators that end a prefix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.facts import Fact, Unit, plain_fact
from scaffold_cli.anchoring.forms import Forms
from scaffold_cli.anchoring.paths import Path, path_terms
from scaffold_cli.anchoring.views import callee
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.model.protection import Level, ProtectionKind
from scaffold_cli.syntax.outline import Expr, ExprKind, Stmt, StmtKind

PREFIX_TESTS = frozenset({"startswith", "startsWith"})
_CONSTRUCTORS = frozenset({"__init__", "<init>", "setUp", "init"})
_CLEARING = frozenset({StmtKind.ASSIGN, StmtKind.DELETE})
_NAMED = WordPatterns(
    (word, "secret")
    for word in ("password*", "passwd", "secret*", "api key", "private key", "token", "access token", "refresh token",
                 "authorization", "proxy authorization", "cookie", "credential*")
)  # fmt: skip
_KEYS = WordPatterns((word, "key") for word in ("key*", "password*", "passwd", "secret*", "pin", "passphrase", "seed"))
_TAKING = frozenset({"pop", "remove", "discard", "delete"})
_SEPARATORS = frozenset({"sep", "separator", "separatorChar", "altsep"})


def clearing(unit: Unit, paths: Iterable[tuple[Stmt, Path]], forms: Forms, catalogue: Catalogue) -> Iterator[Fact]:
    """Assignments of nothing to what holds a secret, and deletions of it; initial values are left out."""
    if unit.short_name in _CONSTRUCTORS:
        return
    seen: set[str] = set()
    params = [param.name for param in unit.function.params] if unit.function is not None else []
    for statement, path in paths:
        for name, node in _cleared(statement) if statement.kind in _CLEARING else ():
            entry = catalogue.cleared.find(name)
            if entry is not None and (path or name in seen or _is_item(node)):
                yield _clear(name, node, entry, path_terms(path, forms.shape))
        for name, node in _taken_out(statement) if statement.kind is StmtKind.EXPR else ():
            yield _clear(name, node, "disclosure", path_terms(path, forms.shape))
        if statement.kind is StmtKind.ASSIGN:
            seen.update([target.text for target in statement.exprs[1:]])
        if params and not seen:
            seen.update(params)


def _cleared(statement: Stmt) -> Iterator[tuple[str, Expr]]:
    if statement.kind is StmtKind.ASSIGN and statement.text == "=" and _is_nothing(statement.exprs[0]):
        for target in statement.exprs[1:]:
            yield target.text, target
    elif statement.kind is StmtKind.DELETE:
        for target in statement.exprs:
            yield (target.parts[1].text if target.kind is ExprKind.SUBSCRIPT else target.text), target


def _is_item(node: Expr) -> bool:
    """True for a thing in a container, which was there before; a plain name may just be given up."""
    return node.kind is ExprKind.SUBSCRIPT and _NAMED.find(node.parts[1].text) is not None


def _taken_out(statement: Stmt) -> Iterator[tuple[str, Expr]]:
    """Secrets taken out of a container that nobody then looks at: ``data.pop("password", None)``."""
    call = statement.exprs[0]
    if call.kind is not ExprKind.CALL or len(call.parts) < 2:
        return
    name = call.parts[1]
    is_emptied = callee(call) == "fill" and _is_zero(call.parts[-1]) and _KEYS.find(name.text) is not None
    is_text = name.kind is ExprKind.STRING
    if is_emptied or (is_text and callee(call) in _TAKING and _NAMED.find(name.text) is not None):
        yield name.text, call


def _is_zero(value: Expr) -> bool:
    return any(part.kind is ExprKind.NUMBER and part.text == "0" for part in value.walk()) or value.text == "'\\0'"


def _is_nothing(value: Expr) -> bool:
    if value.kind is ExprKind.COLLECTION:
        return not value.parts
    return (value.kind is ExprKind.CONSTANT and value.text == "null") or (
        value.kind is ExprKind.STRING and not value.text
    )


def _clear(name: str, node: Expr, entry: str, terms: frozenset[str]) -> Fact:
    return plain_fact(
        ProtectionKind.CALL,
        Level.DATA_FLOW,
        f"clear {name}",
        node.line,
        action="clear",
        condition=f"{name} is cleared",
        entry=entry,
        because=f"hard because it drops `{name}`",
        terms=terms,
    )


def separators(nodes: Iterable[Expr], forms: Forms) -> Iterator[Fact]:
    """A path separator put after a prefix in a unit that compares prefixes: ``p.startswith(root + os.sep)``."""
    for node in nodes:
        if _ends_in_separator(node):
            form = forms.exact.render(node)
            yield plain_fact(
                ProtectionKind.CALL,
                Level.PATTERN,
                form,
                node.line,
                shape=forms.shape.render(node),
                name="separator",
                action="end prefix",
                entry="path-containment",
                because="hard because it ends a prefix that is compared",
            )


def _ends_in_separator(node: Expr) -> bool:
    if node.kind is ExprKind.BINARY and node.text == "+":
        last = node.parts[-1]
        return last.text in _SEPARATORS or (last.kind is ExprKind.STRING and last.text in ("/", "\\"))
    if node.kind is ExprKind.CALL and callee(node) == "join" and len(node.parts) > 2:
        return node.parts[-1].kind is ExprKind.STRING and not node.parts[-1].text
    return False
