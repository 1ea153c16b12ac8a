"""Guards: conditions that end in a refusal, in normal form, with what they dominate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.facts import Fact, last_line
from scaffold_cli.anchoring.normal import Forms, Normaliser, Refusals
from scaffold_cli.anchoring.paths import Path, passed, path_terms
from scaffold_cli.anchoring.refusal import Refusal, refusal_of
from scaffold_cli.anchoring.views import called_names, is_limit, names_in, strings_in
from scaffold_cli.model.protection import Level, ProtectionKind
from scaffold_cli.syntax.outline import Block, Expr, Stmt, StmtKind, walk


@dataclass(frozen=True, slots=True)
class _Site:
    """Where a guard stands: the statement, its refusal, and the statements that run only after it let pass."""

    statement: Stmt
    refusal: Refusal
    tests: tuple[tuple[Expr, bool], ...]
    path: Path
    rest: tuple[Block, ...]


def guards(block: Block, forms: Forms, catalogue: Catalogue) -> Iterator[Fact]:
    """The guards of one body, one fact for each refusal (disjunct) of each condition."""
    for site in _sites(block, (), ()):
        yield from _facts(site, forms, catalogue)


def _sites(block: Block, path: Path, rest: tuple[Block, ...]) -> Iterator[_Site]:
    returned: list[tuple[Expr, bool]] = []
    for index, statement in enumerate(block):
        after = (block[index + 1 :], *rest)
        if statement.kind is StmtKind.IF:
            yield from _branches(statement, path, after)
            returned += passed(statement)
        elif statement.kind is StmtKind.ASSERT:
            refusal = Refusal("raise", "AssertionError", statement.exprs[1:])
            yield _Site(statement, refusal, ((statement.exprs[0], False),), path, after)
        elif statement.kind is StmtKind.RAISE and returned:
            refusal_here = refusal_of((statement,))
            if refusal_here is not None:
                yield _Site(statement, refusal_here, tuple(returned), path, ())
        elif statement.kind is StmtKind.SWITCH:
            yield from _switch(statement, path, after)
        elif statement.kind in (StmtKind.LOOP, StmtKind.WITH, StmtKind.TRY):
            for inner in statement.blocks:
                yield from _sites(inner, path, after)
        elif statement.kind is StmtKind.HANDLER:
            yield from _sites(statement.blocks[0], path, after)


def _branches(statement: Stmt, path: Path, after: tuple[Block, ...]) -> Iterator[_Site]:
    for position, (test, branch) in enumerate(zip(statement.exprs, statement.blocks, strict=False)):
        refusal = refusal_of(branch)
        if refusal is not None:
            others = tuple(other for other in statement.blocks[position + 1 :] if other)
            yield _Site(statement, refusal, ((test, True),), path, (*others, *after))
        yield from _sites(branch, (*path, (test, True)), after)
    otherwise = statement.blocks[-1]
    negated = tuple((test, False) for test in statement.exprs)
    refusal = refusal_of(otherwise)
    if refusal is not None and refusal.is_refusing:
        yield _Site(statement, refusal, negated, path, (*statement.blocks[:-1], *after))
    yield from _sites(otherwise, (*path, *negated), after)


def _switch(statement: Stmt, path: Path, after: tuple[Block, ...]) -> Iterator[_Site]:
    for case in statement.blocks[0]:
        refusal = refusal_of(case.blocks[0])
        if refusal is not None and refusal.is_refusing:
            labels = case.exprs or statement.exprs
            yield _Site(case, refusal, tuple((label, bool(case.exprs)) for label in labels[:1]), path, after)
        yield from _sites(case.blocks[0], path, after)


def _facts(site: _Site, forms: Forms, catalogue: Catalogue) -> Iterator[Fact]:
    entry, because, protects = _strength(site, catalogue)
    context = path_terms(site.path, forms.shape)
    triples = (
        _conditions(site.tests, forms.exact),
        _conditions(site.tests, forms.shape),
        _conditions(site.tests, forms.bare),
    )
    for form, terms, bare in zip(*triples, strict=False):
        if "true" in form:
            continue
        condition = " and ".join(sorted(form))
        yield Fact(
            kind=ProtectionKind.GUARD,
            level=Level.DATA_FLOW if protects else Level.PATTERN,
            form=f"{condition} -> {site.refusal.kind}",
            shape=f"{' and '.join(sorted(terms))} -> {site.refusal.kind}",
            name=site.refusal.kind,
            line=site.statement.line,
            end_line=last_line(site.statement),
            condition=condition,
            action=site.refusal.text,
            subject=_subject(protects, catalogue),
            entry=entry,
            because=because,
            terms=frozenset(terms | context),
            bare=f"{' and '.join(sorted(bare))} -> {site.refusal.kind}",
            protects=protects,
        )


def _conditions(tests: tuple[tuple[Expr, bool], ...], normaliser: Normaliser) -> Refusals:
    terms: Refusals = (frozenset(),)
    for test, holds in tests:
        terms = tuple(left | right for left in terms for right in normaliser.refusals(test, holds))[:24]
    return terms


def _strength(site: _Site, catalogue: Catalogue) -> tuple[str, str, frozenset[str]]:
    """(catalogue entry, why it is hard, the calls it dominates)."""
    dominated = frozenset(name for block in site.rest for name in _called(block))
    for name in sorted(dominated):
        sink = catalogue.sinks.find(name)
        if sink is not None and site.refusal.is_refusing:
            return sink, f"hard because it dominates `{name}()`", dominated
    tests = [test for test, _ in site.tests]
    for test in tests:
        for name in called_names(test):
            entry = catalogue.protective(name)
            if entry is not None:
                return entry, f"hard because its condition asks `{name}()`", dominated
        for text in strings_in(test):
            if text in catalogue.literals:
                return catalogue.literals[text], f"hard because it looks for {text!r}", dominated
    if site.refusal.is_refusing and any(is_limit(node) for test in tests for node in test.walk()):
        return "limits", "hard because it limits a size", dominated
    if site.refusal.is_refusing:
        for word in _evidence(site, tests):
            entry = catalogue.guards.find(word)
            if entry is not None:
                return entry, f"hard because it refuses on {word!r}", dominated
    return "", "", dominated


def _evidence(site: _Site, tests: list[Expr]) -> Iterator[str]:
    for test in tests:
        yield from names_in(test)
    for part in site.refusal.exprs:
        yield from names_in(part)
        yield from strings_in(part)


def _called(block: Block) -> Iterator[str]:
    for statement in walk(block):
        for expression in statement.exprs:
            yield from called_names(expression)


def _subject(protects: frozenset[str], catalogue: Catalogue) -> str:
    sinks = sorted(name for name in protects if catalogue.sinks.find(name) is not None)
    return sinks[0] if sinks else "the rest of the function"
