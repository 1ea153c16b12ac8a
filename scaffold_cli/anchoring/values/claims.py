"""What the other side says of itself, newly believed; text newly run as code."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.values.templates import is_value, template
from scaffold_cli.anchoring.views import callee, expressions
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import Expr, ExprKind

_PROXIES = WordPatterns((word, "proxy") for word in ("trusted", "trust*", "known", "prox*", "allow*"))
_RUNNING = frozenset({"eval", "exec", "system", "popen"})


def believed_claims(versions: Versions) -> Iterator[Shift]:
    """A header by which a client may call itself what it likes, newly read (``X-Forwarded-For``)."""
    if versions.before.unit.function is None:
        return
    for text, line in _texts(versions.after):
        entry = versions.catalogue.claims.get(text.lower())
        if entry is None or any(map(_PROXIES.find, versions.after.names)):
            continue
        if text.lower() in versions.around.claims_before(versions.catalogue):  # reads all files, so asked last
            continue
        because, how = f"it does not go by `{text}`", f"line {line} now believes `{text}`, which a client can send"
        yield shift(f"no {text}", versions.before.unit.line, because, how, entry=entry)
        return


def _texts(item: Mined) -> Iterator[tuple[str, int]]:
    for node in item.reading.of(ExprKind.STRING):
        yield node.text, node.line


def run_as_code(versions: Versions) -> Iterator[Shift]:
    """More text put together from values is run as code or by a shell than before."""
    if versions.before.unit.function is None:
        return
    old, new = _run(versions.before), _run(versions.after)
    if len(new) > len(old):
        call = new[-1]
        because, how = "no text put together from values is run", f"now {plain(call)[:80]}"
        yield shift(f"no {callee(call)}()", versions.before.unit.line, because, how, entry="validation")


def _run(item: Mined) -> list[Expr]:
    return [
        node
        for expression in expressions(item.unit.block)
        for node in expression.walk()
        if node.kind is ExprKind.CALL and callee(node) in _RUNNING and len(node.parts) > 1 and _is_pasted(node.parts[1])
    ]


def _is_pasted(argument: Expr) -> bool:
    found = template(argument)
    return found is not None and any(map(is_value, found.holes))


_ADDRESS = frozenset({"args", "GET", "query", "query_params", "params", "query_string", "getParameter"})
_CREDENTIAL = WordPatterns(
    (word, "credential") for word in ("token*", "api key", "apikey", "password*", "secret", "session*", "access key")
)


def credentials_in_addresses(versions: Versions) -> Iterator[Shift]:
    """A credential is newly taken from the query of an address, which is logged, kept and passed on."""
    if versions.before.unit.function is None:
        return
    come = _taken(versions.after) - _taken(versions.before)
    if come:
        because, how = "no credential is taken from an address", f"{min(come)!r} is now taken from the query"
        yield shift("credential", versions.before.unit.line, because, how, entry="authentication")


def _taken(item: Mined) -> set[str]:
    found: set[str] = set()
    for node in item.reading.nodes:
        if node.kind is ExprKind.CALL and callee(node) == "get" and len(node.parts) > 1:
            owner, key = node.parts[0].parts[0] if node.parts[0].parts else node.parts[0], node.parts[1]
        elif node.kind is ExprKind.SUBSCRIPT:
            owner, key = node.parts
        else:
            continue
        if owner.text in _ADDRESS and key.kind is ExprKind.STRING and _CREDENTIAL.find(key.text) is not None:
            found.add(key.text)
    return found
