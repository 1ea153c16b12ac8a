"""Guards: conditions that end in a refusal, in normal form, with what they dominate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.covering import is_presence
from scaffold_cli.anchoring.facts import Fact, Unit, last_line
from scaffold_cli.anchoring.forms import Forms
from scaffold_cli.anchoring.normal import Normaliser, Refusals
from scaffold_cli.anchoring.paths import path_terms
from scaffold_cli.anchoring.predicates import polarity_of
from scaffold_cli.anchoring.sites import Site, answers_plainly, sites
from scaffold_cli.anchoring.strength import CallIndex, GuardStrength, asks_runtime, strength_of
from scaffold_cli.anchoring.views import strings_in
from scaffold_cli.model.protection import Level, ProtectionKind
from scaffold_cli.syntax.outline import Expr, ExprKind


def guards(unit: Unit, forms: Forms, catalogue: Catalogue, calls: CallIndex) -> Iterator[Fact]:
    """The guards of one unit, one fact for each refusal (disjunct) of each condition."""
    for site in sites(unit.block, polarity_of(unit.short_name)):
        if _asks_itself(site, forms.scope.values):
            continue
        found = strength_of(site, unit, catalogue, calls, forms.exact.follow)
        if site.refusal.kind != "skip" or (found.because and found.dominated):
            yield from _facts(site, found, forms)


def _facts(site: Site, found: GuardStrength, forms: Forms) -> Iterator[Fact]:
    protects = found.dominated
    context, around = (path_terms(site.path, spelling) for spelling in (forms.shape, forms.exact))
    names = {node.text for test, _ in site.tests for node in test.walk() if node.kind is ExprKind.NAME}
    exact = _conditions(site.tests, forms.exact)
    shapes = _beside(exact, _conditions(site.tests, forms.shape))
    follows = not names.isdisjoint(forms.scope.values)
    bares = _beside(exact, _conditions(site.tests, forms.bare)) if follows else shapes
    dominates = found.because.startswith("hard because it dominates")
    covers = _covers(site, forms.full)
    asks = _conditions(site.tests, forms.full)
    answered = frozenset(literal for case in _conditions(site.answered, forms.full) for literal in case)
    end_line = last_line(site.statement)
    constants = tuple([text for part in site.refusal.exprs for text in strings_in(part)])
    shifting = forms.scope.gives_anew(names)
    only_answers = site.only_answers or answers_plainly(site)
    for position, (form, terms, bare) in enumerate(zip(exact, shapes, bares, strict=True)):
        if "true" in form or not terms:
            continue
        condition = " and ".join(sorted(form))
        asked = asks[position] if len(asks) == len(exact) else frozenset().union(*asks)
        is_soft = only_answers or (dominates and all(map(is_presence, terms)))
        is_soft = is_soft or asks_runtime(asked) or not found.holds_for(form)
        yield Fact(
            kind=ProtectionKind.GUARD,
            level=Level.DATA_FLOW if protects else Level.PATTERN,
            form=f"{condition} -> {site.refusal.kind}",
            shape=_spelled(terms, form, site.refusal.kind),
            name=site.refusal.kind,
            line=site.statement.line,
            end_line=end_line,
            condition=condition,
            action=site.refusal.text,
            subject=found.subject,
            entry=found.entry,
            because="" if is_soft else found.because,
            terms=_told_apart(terms | context, form | around),
            bare=_spelled(bare, form, site.refusal.kind),
            protects=protects,
            covers=covers[position] if len(covers) == len(exact) else frozenset().union(*covers),
            answered=answered,
            constants=constants,
            shifting=shifting,
            takes_the_rest=site.takes_the_rest,
            only_answers=site.only_answers,
            asks=asked,
        )


def _asks_itself(site: Site, values: Mapping[str, Expr]) -> bool:
    """True for ``token = sent.token`` and later ``if sent.token != token``: a value does not differ from itself."""
    if len(site.tests) != 1 or site.tests[0][0].kind is not ExprKind.COMPARE:
        return False
    test, holds = site.tests[0]
    own = [values[part.text] for part in test.parts if part.kind is ExprKind.NAME and part.text in values]
    differs = test.text in (("!=", "is not") if holds else ("==", "is"))
    return differs and any(_is_same(value, part) for value in own for part in test.parts)


def _is_same(one: Expr, other: Expr) -> bool:
    """True for two expressions that read alike and call nothing."""
    if one.kind is ExprKind.CALL or (one.kind, one.text, len(one.parts)) != (other.kind, other.text, len(other.parts)):
        return False
    return all(map(_is_same, one.parts, other.parts))


def _beside(exact: Refusals, others: Refusals) -> Refusals:
    """Other spellings of the same refusals; where several read alike in them, all together stand for each."""
    return others if len(others) == len(exact) else (frozenset().union(*others),) * len(exact)


def _told_apart(terms: frozenset[str], exact: frozenset[str]) -> frozenset[str]:
    """Literals without local names, and one more for each that reads like another."""
    return terms | {f"({more} more)" for more in range(len(terms), len(exact))}


def _spelled(terms: frozenset[str], form: frozenset[str], kind: str) -> str:
    """A refusal in a spelling without local names: of how many tests, where several read alike in it."""
    count = f" ({len(form)})" if len(terms) < len(form) else ""
    return f"{' and '.join(sorted(terms))}{count} -> {kind}"


_Covers = tuple[frozenset[frozenset[str]], ...]
_MAX_CASES = 24
"""More cases than this, and nothing is said about them."""


def _covers(site: Site, full: Normaliser) -> _Covers:
    """For each refusal of a site, every case it covers: with the tests around it and the earlier ones that failed."""
    around = _conditions((*site.path, *site.passed), full)
    if len(around) >= _MAX_CASES:
        return ()
    return tuple(frozenset(_possible(term | case) for case in around) for term in _conditions(site.tests, full))


def _possible(term: frozenset[str]) -> frozenset[str]:
    return term - {"true"}


def _conditions(tests: tuple[tuple[Expr, bool], ...], normaliser: Normaliser) -> Refusals:
    terms: Refusals = (frozenset(),)
    for test, holds in tests:
        terms = tuple(left | right for left in terms for right in normaliser.condition(test, holds))[:_MAX_CASES]
    return terms
