"""How input is taken apart: parsers that gave way to cutting, errors that no longer end the reading, direct lookups."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.effects import called_all
from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.refusal import refusal_of
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, lost, shift
from scaffold_cli.anchoring.views import callee, expressions
from scaffold_cli.anchoring.words import WordPatterns, words
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind

_PARSERS = frozenset(
    {"LdapName", "Rdn", "X500Name", "URI", "InetAddress", "InternetAddress", "HostAndPort", "MediaType", "MimeType"}
    | {"HttpCookie", "ip_address", "ip_network", "ip_interface", "inet_pton", "parseaddr", "getaddresses"}
    | {"urlsplit", "urlparse", "parse_qs", "parse_qsl", "SimpleCookie", "parse_header", "str2dn"}
)
"""What reads a text by the grammar it is written in: names, addresses, links, headers."""
_CUTTING = frozenset(
    {"StringTokenizer", "split", "rsplit", "partition", "rpartition", "substring", "substr", "subSequence"}
)
_UNREADABLE = WordPatterns(
    (word, "unreadable")
    for word in (
        "value error", "number format*", "illegal argument*", "unicode*", "decod*", "pars*", "syntax", "uri syntax*",
        "malformed*", "invalid*", "format exception", "illegal format*", "unknown host*", "data format*",
    )
)  # fmt: skip
"""Errors that say of an input that it cannot be read."""
_DEPTH = 3
_NAMING = frozenset({"ctx", "context", "naming", "jndi"})


def cut_by_hand(versions: Versions) -> Iterator[Shift]:
    """A text that a parser read is now cut at characters, which may stand inside quotes or other fields as well."""
    old, new = _reached(versions, before=True), _reached(versions, before=False)
    gone = sorted(name for name in _PARSERS & old - new if not versions.around.is_kept(name))
    if gone and _CUTTING & new - old and not _PARSERS & new - old:
        because, how = f"`{gone[0]}` reads it by its grammar", f"it is now cut by {min(_CUTTING & new - old)}()"
        yield shift(f"{gone[0]}()", versions.before.unit.line, because, how, entry="validation")


def _reached(versions: Versions, *, before: bool) -> frozenset[str]:
    """Names that the unit of one side calls, itself or through functions of the change."""
    calls_of = versions.around.called_before if before else versions.around.calls_of
    found = frontier = frozenset((versions.before if before else versions.after).calls)
    for _ in range(_DEPTH):
        frontier = frozenset().union(*(calls_of.get(name, frozenset()) for name in frontier)) - found
        found |= frontier
    return found


def unheeded_errors(versions: Versions) -> Iterator[Shift]:
    """A part that cannot be read ended the work with no answer; now the work goes on without it."""
    going_on = list(_handled(versions.after.unit.block, tail=True))
    for tried, caught, handler, _ in _handled(versions.before.unit.block, tail=True):
        refusal = refusal_of(handler.blocks[0])
        if refusal is None or refusal.kind != "refuse" or _UNREADABLE.find(caught) is None:
            continue
        for calls, name, other, goes_on in going_on:
            if name == caught and calls & tried and goes_on and not _leaves(other.blocks[0]):
                because, how = f"{caught} ends the work with no answer", "it is now passed over, and the work goes on"
                yield shift(f"{caught}: no answer", handler.line, because, how, entry="validation")
                return


_Handled = tuple[frozenset[str], str, Stmt, bool]


def _handled(block: Block, *, tail: bool) -> Iterator[_Handled]:
    """What is tried, an error caught, its handler, and whether work is done behind it (`tail`: nothing around does)."""
    for position, statement in enumerate(block):
        ends = tail and all(map(_is_end, block[position + 1 :]))
        if statement.kind is StmtKind.TRY:
            body, handlers = statement.blocks[:2]
            calls = frozenset(called_all(top for item in body for top in _all(item)))
            for handler in handlers:
                for caught in handler.exprs:
                    yield calls, caught.text, handler, not (ends or _leaves(body))
        for inner in statement.blocks:
            yield from _handled(inner, tail=ends)


def _all(statement: Stmt) -> Iterator[Expr]:
    yield from statement.exprs
    for inner in statement.blocks:
        yield from expressions(inner)


def _leaves(block: Block) -> bool:
    return bool(block) and block[-1].kind in (StmtKind.RETURN, StmtKind.RAISE, StmtKind.CONTINUE, StmtKind.BREAK)


def _is_end(statement: Stmt) -> bool:
    """True for ``return None`` and such: the function answers what its handler answered."""
    answered = statement.exprs[:1]
    return statement.kind is StmtKind.RETURN and all(value.kind is ExprKind.CONSTANT for value in answered)


def direct_lookups(versions: Versions) -> Iterator[Shift]:
    """A name was looked up by a function that was handed the naming context; now the context is asked itself."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or edit.old.kind is not ExprKind.CALL:
            continue
        taken = {plain(part) for part in edit.old.parts[1:]}
        name = callee(edit.old)
        for call in (node for node in edit.new.walk() if _asks_context(node)):
            given = {plain(call.parts[0].parts[0]), *map(plain, call.parts[1:])}
            if given <= taken and not _is_inlined(name, versions):
                because, how = f"`{name}()` stands between the name and the lookup", "any name is now looked up"
                yield lost(plain(edit.old), edit.old.line, because, how, "validation")


def _asks_context(node: Expr) -> bool:
    """``context.lookup(name)``, of something called a naming context."""
    if node.kind is not ExprKind.CALL or callee(node) != "lookup" or len(node.parts) != 2:
        return False
    function = node.parts[0]
    return function.kind is ExprKind.ATTRIBUTE and not _NAMING.isdisjoint(words(function.parts[0].text))


def _is_inlined(name: str, versions: Versions) -> bool:
    """True when the function called was part of the change, and did nothing more than look up."""
    return any(_is(item, name) and item.calls.keys() <= {"lookup"} for item in versions.around.before)


def _is(item: Mined, name: str) -> bool:
    return item.unit.function is not None and item.unit.short_name == name
