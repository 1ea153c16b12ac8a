"""Why a guard is hard: by what it dominates, what its condition asks, or how it refuses (docs/anchors.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.facts import Unit
from scaffold_cli.anchoring.predicates import Polarity, polarity_of
from scaffold_cli.anchoring.sites import Site
from scaffold_cli.anchoring.views import called_names, callee, is_bound, is_limit, is_null_check, names_in, strings_in
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind, walk

_USAGE = frozenset({"exit()", "quit()"})
"""A program that ends because it was called wrongly protects nothing."""

ENVIRONMENT = WordPatterns(
    (pattern, "environment")
    for pattern in ("import", "timeout*", "module not found", "not implemented", "stop iteration", "keyboard interrupt",
                    "unsupported operation", "class not found", "deprecat*", "skip test", "assertion")
)  # fmt: skip
"""Errors that tell of the installation or of unfinished code, not of what came in."""

_RUNTIME = WordPatterns(
    (pattern, "runtime")
    for pattern in ("java version", "jdk version", "jre version", "jvm version", "python version", "version info",
                    "specification version", "hexversion", "node version", "go version", "runtime version")
)  # fmt: skip
"""Names of the version of what the program runs on; all hold that word."""
_METHOD = frozenset({"method", "request_method", "http_method"})
_CONTENT = frozenset({"content_type", "mimetype", "get_content_maintype", "get_content_type", "is_json"})
_SETTINGS = frozenset({"settings", "config", "app", "conf"})
_ASKING = frozenset({ExprKind.COMPARE, ExprKind.ATTRIBUTE})
"""Nodes that may ask something of the request, or of a size."""
_BY_METHOD = "hard because it asks how the request was made"
_CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})


Follow = Callable[[Expr], Expr]


@dataclass(frozen=True, slots=True)
class GuardStrength:
    """The entry a guard belongs to, why it is hard ("" when soft), what it dominates, and the sink among that."""

    entry: str
    because: str
    dominated: frozenset[str]
    subject: str

    def holds_for(self, case: frozenset[str]) -> bool:
        """False for a case of the condition that does not ask what makes the guard hard."""
        return self.because != _BY_METHOD or any(name in literal for literal in case for name in _METHOD)


def asks_runtime(literals: Iterable[str]) -> bool:
    """True when nothing is asked but the version of what the program runs on: that tells nothing of what came in."""
    asked = list(literals)
    return bool(asked) and all("version" in literal.lower() and _RUNTIME.find(literal) is not None for literal in asked)


def strength_of(site: Site, unit: Unit, catalogue: Catalogue, calls: CallIndex, follow: Follow) -> GuardStrength:
    """The first rule that holds decides. `follow` gives the value a name stands for."""
    dominated = calls.called(site.rest)
    sinks = sorted(name for name in dominated if catalogue.sinks.find(name) is not None)
    subject = sinks[0] if sinks else "the rest of the function"
    if site.refusal.text in _USAGE:
        return GuardStrength("", "", dominated, subject)
    entry, because = _by_condition(site, catalogue, follow)
    if site.refusal.kind == "skip":
        return GuardStrength(entry, because, dominated, subject)
    if not because and all(is_null_check(test) and not _forbids(test, holds) for test, holds in site.tests):
        entry, because = _by_message(site, catalogue)
        return GuardStrength(entry, because, dominated, subject)
    if not because and site.refusal.is_refusing and sinks:
        entry, because = _before_sink(site, sinks[0], catalogue), f"hard because it dominates `{sinks[0]}()`"
    if not because:
        entry, because = _by_refusal(site, unit, catalogue)
    return GuardStrength(entry, because, dominated, subject)


def _forbids(test: Expr, holds: bool) -> bool:
    """True for a refusal of what is there (``x is not None``), where the missing is let through."""
    while test.kind is ExprKind.NOT:
        test, holds = test.parts[0], not holds
    return test.kind is ExprKind.COMPARE and (test.text in ("!=", "is not")) is holds


def _asked(nodes: Sequence[Expr], follow: Follow) -> Iterator[str]:
    """What a test calls, itself or to get a value it tests."""
    yield from filter(None, [callee(node) for node in nodes if node.kind is ExprKind.CALL])
    for node in nodes:
        if node.kind is ExprKind.NAME:
            value = follow(node)
            if value.kind is ExprKind.CALL:
                yield from filter(None, (callee(value),))


def _by_condition(site: Site, catalogue: Catalogue, follow: Follow) -> tuple[str, str]:
    tests = [tuple(test.walk()) for test, _ in site.tests]
    for nodes in tests:
        for name in _asked(nodes, follow):
            entry = catalogue.protective(name)
            if entry is not None:
                return entry, f"hard because its condition asks `{name}()`"
        for node in nodes:
            if node.kind is ExprKind.STRING and node.text in catalogue.literals:
                return catalogue.literals[node.text], f"hard because it looks for {node.text!r}"
    compared = [node for nodes in tests for node in nodes if node.kind in _ASKING]
    how = _by_request(site.refusal.kind, compared)
    if how[1]:
        return how
    leaves = site.refusal.is_refusing or site.refusal.kind == "return"
    if leaves and any(map(is_limit, compared)):
        return "limits", "hard because it limits a size"
    return "", ""


def _by_request(ending: str, nodes: Iterable[Expr]) -> tuple[str, str]:
    """Hard by what it asks of the request, or of the way the program runs."""
    for node in nodes:
        if _asks_method(node):
            return "csrf", _BY_METHOD
        if ending == "skip" and _asks_content(node):
            return "csrf", "hard because it asks what kind of content came"
        if ending == "skip" and _asks_debugging(node):
            return "disclosure", "hard because it is done only while debugging"
    return "", ""


def _asks_method(node: Expr) -> bool:
    """``request.method == "POST"``: what changes something is not done by a mere link."""
    if node.kind is not ExprKind.COMPARE or node.text not in ("==", "!="):
        return False
    asks = any(part.kind is ExprKind.ATTRIBUTE and part.text in _METHOD for part in node.parts)
    return asks and any(part.kind is ExprKind.STRING and part.text in _CHANGING for part in node.parts)


def _asks_content(node: Expr) -> bool:
    """``message.get_content_maintype() == "application"``: other sites can send other kinds without being asked."""
    if node.kind is not ExprKind.COMPARE or not any(part.kind is ExprKind.STRING for part in node.parts):
        return False
    return any((callee(part) if part.kind is ExprKind.CALL else part.text) in _CONTENT for part in node.parts)


def _asks_debugging(test: Expr) -> bool:
    """``settings.DEBUG``: what is done only then is not for the world."""
    return test.kind is ExprKind.ATTRIBUTE and test.text in ("DEBUG", "debug") and test.parts[0].text in _SETTINGS


def _before_sink(site: Site, sink: str, catalogue: Catalogue) -> str:
    """The entry of a guard in front of a sink: a bound on a number is one whatever comes after it."""
    tests = [test for test, _ in site.tests]
    if all(is_bound(test) for test in tests):
        return "limits"
    return catalogue.sinks.find(sink) or ""


def _by_refusal(site: Site, unit: Unit, catalogue: Catalogue) -> tuple[str, str]:
    if site.refusal.is_refusing:
        for word in _evidence(site):
            entry = catalogue.guards.find(word)
            if entry is not None:
                return entry, f"hard because it refuses on {word!r}"
    if site.refusal.kind in ("raise", "abort") and not _only_tells(site):
        return "validation", f"hard because it refuses by {site.refusal.text}"
    name = unit.short_name
    if (
        site.refusal.kind in ("refuse", "return")
        and polarity_of(name) is not Polarity.NONE
        and not _affirms(site, name)
        and (site.refusal.exprs or not _refuses_by_raising(unit.block))
    ):
        entry = catalogue.protective(name) or catalogue.guards.find(name)
        if entry is not None:
            return entry, f"hard because `{name}()` is a check"
    return "", ""


def _refuses_by_raising(block: Block) -> bool:
    """True for a check that answers nothing and raises: there a bare return lets pass."""
    statements = list(walk(block))
    answers = any(item.kind is StmtKind.RETURN and item.exprs for item in statements)
    return not answers and any(item.kind is StmtKind.RAISE for item in statements)


def _affirms(site: Site, name: str) -> bool:
    """True for ``return True`` in ``is_safe()``: a way in, not a refusal."""
    good = "true" if polarity_of(name) is Polarity.POSITIVE else "false"
    return any(value.kind is ExprKind.CONSTANT and value.text == good for value in site.refusal.exprs)


def _only_tells(site: Site) -> bool:
    """True when the error tells of the installation, or when an error met before is passed on as it is."""
    if ENVIRONMENT.find(site.refusal.text) is not None:
        return True
    raised = site.refusal.exprs[:1] if site.refusal.kind == "raise" else ()
    return any(node.kind is ExprKind.SUBSCRIPT or _is_variable(node) for node in raised)


def _is_variable(node: Expr) -> bool:
    return node.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE) and node.text.lstrip("_")[:1].islower()


def _by_message(site: Site, catalogue: Catalogue) -> tuple[str, str]:
    """For a test of nothing but presence: only what it says when it refuses speaks for it."""
    if site.refusal.kind in ("raise", "abort"):
        for part in site.refusal.exprs:
            for word in (*names_in(part), *strings_in(part)):
                entry = catalogue.guards.find(word)
                if entry is not None:
                    return entry, f"hard because it refuses on {word!r}"
    return "", ""


def _evidence(site: Site) -> Iterator[str]:
    for test, _ in site.tests:
        yield from names_in(test)
    for part in site.refusal.exprs:
        yield from names_in(part)
        yield from strings_in(part)


class CallIndex:
    """Names called below each statement of one unit, worked out once."""

    def __init__(self, called: Mapping[int, Sequence[str]]) -> None:
        self._called = called
        self._below: dict[int, tuple[Stmt, frozenset[str]]] = {}
        self._behind: dict[tuple[int, int, int], frozenset[str]] = {}

    def called(self, blocks: Iterable[Block]) -> frozenset[str]:
        """Names called anywhere in these blocks."""
        found = [names for block in blocks if block and (names := self._in(block))]
        return found[0] if len(found) == 1 else frozenset().union(*found)

    def _in(self, block: Block) -> frozenset[str]:
        """Names called in a block; ends of one block are asked for again and again, so each is kept."""
        known: frozenset[str] = frozenset()
        start, length, last = 0, len(block), id(block[-1])
        while start < length and (found := self._behind.get((id(block[start]), last, length - start))) is None:
            start += 1
        if start < length and found is not None:
            known = found
        for position in range(start - 1, -1, -1):
            names = self._under(block[position])
            if not names <= known:
                known |= names
            self._behind[id(block[position]), last, length - position] = known
        return known

    def _under(self, statement: Stmt) -> frozenset[str]:
        known = self._below.get(id(statement))
        if known is None:
            written = self._called.get(id(statement))
            own = frozenset(_calls_of(statement) if written is None else written)
            names = own | self.called(statement.blocks) if statement.blocks else own
            known = self._below[id(statement)] = (statement, names)  # kept, so that no other takes its id
        return known[1]


def _calls_of(statement: Stmt) -> Iterator[str]:
    """For a statement that is not written like this: ``return a if c else b`` taken apart."""
    return (name for expression in statement.exprs for name in called_names(expression))
