"""Coverage: which sinks of a function stand behind a protection, and which behind none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.effects import is_logging
from scaffold_cli.anchoring.facts import Fact, Mined
from scaffold_cli.anchoring.helpers import with_helper_calls
from scaffold_cli.anchoring.mining import place
from scaffold_cli.anchoring.units import mine_file
from scaffold_cli.anchoring.views import callee, expressions, is_fixed, qualified
from scaffold_cli.model.change import FileVersion
from scaffold_cli.model.protection import ProtectionKind
from scaffold_cli.model.verdict import Place
from scaffold_cli.syntax.frontends import has_front_end, language_of, outline
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind, walk
from scaffold_cli.syntax.roles import is_test_file

_EXISTS = re.compile(
    r"!?[^<>=&|!]*\b(?:exists|lexists|isfile|isdir|is_file|is_dir|isFile|isDirectory|canRead)\([^<>=&|!]*\)"
)
"""Asks whether a file is there, and nothing else: one outside of the folder is there too."""
_GENERAL = frozenset({"validation", "authorization"})
"""Entries that protect whatever comes after them."""


class Cover(StrEnum):
    """What a sink stands behind."""

    GUARD = "guard"
    """A hard guard earlier in the function lets only some values or callers through to it."""
    CALL = "call"
    """What it is given went through a function the catalogue knows, or such a check was made before."""
    DECORATOR = "decorator"
    """A decorator or annotation of the function."""
    FIXED = "fixed"
    """Nothing: it is given fixed values only, so there is nothing to protect it from."""
    NONE = "none"
    """Nothing that is known here."""


@dataclass(frozen=True, slots=True)
class Sink:
    """One sensitive call. `rule` is its catalogue entry, `by` what covers it as text, with its line."""

    place: Place
    call: str
    rule: str
    cover: Cover
    by: str = ""


def coverage(files: Iterable[FileVersion], catalogue: Catalogue) -> tuple[Sink, ...]:
    """The sinks of these files in path and line order; files that hold tests or have no front-end are left out.

    Helpers are followed within these files. A caller's guards are not: a sink may well be protected from outside.
    """
    sources = [item for item in files if item.is_text and not is_test_file(item.path) and _is_read(item)]
    imports = {item.path: frozenset(bound.local for bound in outline(item).imports) for item in sources}
    units = with_helper_calls([mined for item in sources for mined in mine_file(item, catalogue)], catalogue)
    found = [sink for mined in units for sink in _Reader(mined, imports[mined.unit.path], catalogue).sinks()]
    return tuple(sorted(found, key=lambda sink: (sink.place.path, sink.place.line)))


def _is_read(version: FileVersion) -> bool:
    return has_front_end(language_of(version.path, version.data))


class _Reader:
    """The sinks of one unit. `imported` are the names its file imports: what is called on them is no value."""

    def __init__(self, mined: Mined, imported: frozenset[str], catalogue: Catalogue) -> None:
        self._mined = mined
        self._imported = imported
        self._catalogue = catalogue
        self._calls = [
            node
            for expression in expressions(mined.unit.block)
            for node in expression.walk()
            if node.kind is ExprKind.CALL and not is_logging(node)
        ]
        self._plain = {callee(node) for node in self._calls if _is_plain(node)}
        self._checked = self._checked_names()

    def sinks(self) -> Iterator[Sink]:
        for node in self._calls:
            name = callee(node)
            rule = self._catalogue.sinks.find(name) if name else None
            if rule is not None and self._entry(node) is None:
                cover, by = self._cover(node, rule)
                yield Sink(place(self._mined.unit, node.line, node.line), name, rule, cover, by)

    def _entry(self, call: Expr) -> str | None:
        return self._catalogue.protective(qualified(call))

    def _cover(self, node: Expr, rule: str) -> tuple[Cover, str]:
        """The first thing found to stand before the call."""
        facts = self._mined.facts
        guards = [fact for fact in facts if _guards(fact, node)]
        if "CWE-22" in self._catalogue.entries[rule].cwe:
            guards = [fact for fact in guards if not _EXISTS.fullmatch(fact.condition)]
        guard = next((fact for fact in guards if fact.entry == rule), next(iter(guards), None))
        if guard is not None:
            return Cover.GUARD, f"{guard.condition} -> {guard.action} (line {guard.line})"
        by = self._wrapper(node, rule) or self._check_before(node, rule)
        if by:
            return Cover.CALL, by
        decorator = next((fact for fact in facts if fact.kind is ProtectionKind.DECORATOR and fact.entry), None)
        if decorator is not None:
            return Cover.DECORATOR, f"@{decorator.form}"
        return (Cover.FIXED if self._is_fixed(node) else Cover.NONE), ""

    def _wrapper(self, node: Expr, rule: str) -> str:
        """A protective call among the arguments or what it is called on, or a name that holds the answer of one."""
        for part in (inner for top in node.parts for inner in top.walk()):
            if part.kind is ExprKind.CALL and _covers(self._entry(part), rule):
                return f"{callee(part)}()"
            if part.kind is ExprKind.NAME and part.text in self._checked:
                entry, by = self._checked[part.text]
                if _covers(entry, rule):
                    return by
        return ""

    def _check_before(self, node: Expr, rule: str) -> str:
        for fact in self._mined.facts:
            check = fact.kind is ProtectionKind.CALL and fact.action == "call" and not fact.protects
            known = fact.line > self._mined.unit.line
            if check and (known or fact.name in self._plain) and fact.line <= node.line and _covers(fact.entry, rule):
                return f"{fact.name}() (line {fact.line})" if known else f"{fact.name}()"
            if fact.name == "query" and fact.rank == 1 and fact.line == node.line:
                return "values bound as parameters"
        return ""

    def _is_fixed(self, node: Expr) -> bool:
        """True when neither an argument nor the object it is called on can be anything but what is written there."""
        function = node.parts[0]
        plain = function.kind is ExprKind.NAME or (
            function.kind is ExprKind.ATTRIBUTE and function.parts[0].text in self._imported
        )
        return plain and all(map(_is_constant, node.parts[1:]))

    def _checked_names(self) -> dict[str, tuple[str, str]]:
        """Names that are assigned the answer of a protective call: the entry and the call."""
        found: dict[str, tuple[str, str]] = {}
        for statement in walk(self._mined.unit.block):
            if statement.kind is not StmtKind.ASSIGN or not statement.exprs:
                continue
            names = [target.text for target in statement.exprs[1:] if target.kind is ExprKind.NAME]
            for part in statement.exprs[0].walk():
                entry = self._entry(part) if part.kind is ExprKind.CALL else None
                if entry is not None:
                    found.update(dict.fromkeys(names, (entry, f"{callee(part)}() (line {part.line})")))
        return found


def _guards(fact: Fact, node: Expr) -> bool:
    dominates = fact.kind is ProtectionKind.GUARD and callee(node) in fact.protects
    return dominates and fact.is_hard and fact.line <= node.line


def _is_plain(call: Expr) -> bool:
    """True for a call of a function of the module or a method of the same object."""
    function = call.parts[0]
    own = function.kind is ExprKind.ATTRIBUTE and function.parts[0].text in ("self", "cls", "this")
    return own or function.kind is ExprKind.NAME


def _covers(entry: str | None, rule: str) -> bool:
    return entry is not None and (entry == rule or entry in _GENERAL)


def _is_constant(argument: Expr) -> bool:
    parts = argument.parts if argument.kind in (ExprKind.COLLECTION, ExprKind.PAIR) else ()
    return all(map(_is_constant, parts)) if parts else is_fixed(argument)
