"""Where guards stand in a body: each condition that ends in a refusal, with what runs only after it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scaffold_cli.anchoring.paths import Path, answered, failed, is_refused_otherwise, passed
from scaffold_cli.anchoring.predicates import Polarity
from scaffold_cli.anchoring.refusal import Refusal, refusal_of, tells_error
from scaffold_cli.anchoring.swallowed import is_swallowing
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind, walk

_LOGICAL = frozenset({ExprKind.AND, ExprKind.OR, ExprKind.NOT, ExprKind.COMPARE})
_AT_AN_END = frozenset({"startswith", "startsWith", "endswith", "endsWith"})
_ENDS = frozenset({StmtKind.ASSERT, StmtKind.RAISE, StmtKind.RETURN})
"""Statements without blocks that may be a guard or end one."""
_MOST_EARLIER = 100
"""Earlier tests farther up than this many are left out: what leaves that often is a table, and each guard of it holds
all the tests above it."""


class Site(NamedTuple):
    """Where a guard stands: the statement, its refusal, and the statements that run only after it let pass."""

    statement: Stmt
    refusal: Refusal
    tests: tuple[tuple[Expr, bool], ...]
    path: Path
    rest: tuple[Block, ...]
    passed: Path = ()
    """Earlier tests that return, so that control comes here only when they fail."""
    answered: Path = ()
    """Those of them that return an answer of their own."""
    takes_the_rest: bool = False
    """True for a refusal of whatever no branch before it took."""
    only_answers: bool = False
    """True for a plain answer to a question, no refusal; the same in other words may have been one."""


def sites(block: Block, polarity: Polarity) -> Iterator[Site]:
    """The guards of a body. A returned quantifier, and in a predicate any returned condition, counts as one, too."""
    yield from _sites(block, _Where())
    for statement, path in returned_conditions(block):
        value = statement.exprs[0]
        quantifier = _quantifier(value)
        if quantifier:
            good = quantifier == "all"
        elif polarity is Polarity.NONE:
            continue
        else:
            good = polarity is Polarity.POSITIVE
        refusal = Refusal("refuse" if good else "return", "return")
        yield Site(statement, refusal, ((value, not good),), path, ())


def _quantifier(value: Expr) -> str:
    is_call = value.kind is ExprKind.CALL and len(value.parts) == 2 and value.parts[0].kind is ExprKind.NAME
    return value.parts[0].text if is_call and value.parts[0].text in ("any", "all") else ""


def returned_conditions(block: Block, path: Path = ()) -> Iterator[tuple[Stmt, Path]]:
    """RETURN statements whose value is a condition, plain or a quantifier's call, with the tests around them."""
    for statement in map(_as_branches, block):
        if statement.kind is StmtKind.RETURN and statement.exprs and _is_condition(statement.exprs[0]):
            yield statement, path
        elif statement.kind is StmtKind.IF:
            for position, branch in enumerate(statement.blocks[:-1]):
                yield from returned_conditions(branch, (*path, (statement.exprs[position], True)))
            yield from returned_conditions(statement.blocks[-1], path)
        else:
            for inner in statement.blocks:
                yield from returned_conditions(inner, path)


def _is_condition(value: Expr) -> bool:
    return value.kind in _LOGICAL or _is_plain(value) or bool(_quantifier(value))


def _is_plain(value: Expr) -> bool:
    """True for a name, an attribute, or a test of where a text begins or ends."""
    if value.kind is ExprKind.CALL:
        function = value.parts[0]
        return function.kind is ExprKind.ATTRIBUTE and function.text in _AT_AN_END and len(value.parts) == 2
    return value.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE)


def answers_plainly(site: Site) -> bool:
    """True for ``return self.open``: an answer that may stand in for a stricter condition, but asks nothing itself."""
    return site.statement.kind is StmtKind.RETURN and not site.rest and all(_is_plain(test) for test, _ in site.tests)


class _Where(NamedTuple):
    """Around a block: the tests that hold, the earlier ones that failed, and what runs after it."""

    path: Path = ()
    passed: Path = ()
    rest: tuple[Block, ...] = ()
    answered: Path = ()

    def under(self, tests: Path) -> _Where:
        return _Where((*self.path, *tests), self.passed, self.rest, self.answered)

    def site(self, statement: Stmt, refusal: Refusal, tests: Path, rest: tuple[Block, ...]) -> Site:
        return Site(statement, refusal, tests, self.path, rest, self.passed, self.answered)


def _sites(block: Block, around: _Where) -> Iterator[Site]:
    returned: list[tuple[Expr, bool]] = []
    told: list[tuple[Expr, bool]] = []
    let_pass: list[Block] = []
    found: list[tuple[Expr, bool]] = []
    for index, written in enumerate(block):
        if not written.blocks and written.kind not in _ENDS:
            continue
        statement = _as_branches(written)
        rest = (block[index + 1 :], *around.rest)
        earlier = (*around.passed, *returned[-_MOST_EARLIER:])[-_MOST_EARLIER:]
        answers = (*around.answered, *told[-_MOST_EARLIER:])[-_MOST_EARLIER:]
        where = _Where(around.path, earlier, rest, answers)
        if statement.kind is StmtKind.IF:
            yield from _branches(statement, where, around, tuple(returned))
            left = passed(statement)
            returned += left
            told += answered(statement, left)
            let_pass += statement.blocks if left else ()
        elif statement.kind is StmtKind.ASSERT:
            refusal = Refusal("assert", "assert", statement.exprs[1:])
            yield where.site(statement, refusal, ((statement.exprs[0], False),), where.rest)
        elif statement.kind in (StmtKind.RAISE, StmtKind.RETURN):
            tests = tuple(returned) or (tuple(found) if statement.kind is StmtKind.RAISE else ())
            refused = () if tests or statement.kind is not StmtKind.RAISE else _refused(block[index - 1 : index])
            tests = tests or refused
            refusal_here = refusal_of((statement,)) if tests else None
            is_answer = bool(refused) or _is_plain_answer(statement)
            if refusal_here is not None and refusal_here.is_refusing and not (is_answer and _leaves_in(block[:index])):
                site = around.site(statement, refusal_here, tests, (*let_pass, *around.rest))
                yield site._replace(takes_the_rest=True, only_answers=is_answer)
        elif statement.kind is StmtKind.SWITCH:
            yield from _switch(statement, where)
        elif statement.kind is StmtKind.TRY:
            yield from _tried(statement, where)
        elif statement.kind in (StmtKind.LOOP, StmtKind.WITH, StmtKind.HANDLER):
            for inner in statement.blocks:
                yield from _sites(inner, where)
            if statement.kind is StmtKind.LOOP:
                found += _found_in(statement.blocks[0])


def _refused(above: Block) -> Path:
    """The tests of an IF that raises in every branch: what is raised behind it, as in its else, is for all the rest."""
    for statement in above:
        ends = [refusal_of(branch) for branch in statement.blocks[:-1]] if statement.kind is StmtKind.IF else []
        if ends and not statement.blocks[-1] and all(end is not None and end.kind == "raise" for end in ends):
            return tuple((test, False) for test in statement.exprs)
    return ()


def _leaves_in(block: Block) -> bool:
    """True when a block may give its function's answer otherwise than on the tests `passed` knows."""
    return any(
        inner.kind is StmtKind.RETURN
        for statement in block
        if statement.kind is not StmtKind.IF or len(passed(statement)) < len(statement.exprs)
        for inner in walk((statement,))
    )


def _found_in(body: Block) -> Iterator[tuple[Expr, bool]]:
    """The tests on which a loop gives its function's answer: what comes behind the loop is for when none held."""
    for statement in body:
        if statement.kind is StmtKind.IF and statement.blocks[0] and statement.blocks[0][-1].kind is StmtKind.RETURN:
            yield statement.exprs[0], False


def _as_branches(statement: Stmt) -> Stmt:
    """``return a if c else b`` as the IF it abbreviates."""
    if statement.kind is not StmtKind.RETURN or not statement.exprs:
        return statement
    value = statement.exprs[0]
    if value.kind is not ExprKind.CONDITIONAL:
        return statement
    answers = tuple((statement._replace(exprs=(answer,)),) for answer in value.parts[1:])
    return statement._replace(kind=StmtKind.IF, exprs=value.parts[:1], blocks=answers)


def _tried(statement: Stmt, where: _Where) -> Iterator[Site]:
    if not is_swallowing(statement):
        yield from _sites(statement.blocks[0], where)
    else:
        for site in _sites(statement.blocks[0], where._replace(rest=())):
            lets_pass = site.refusal.kind == "raise" and not any(site.rest)
            yield site._replace(refusal=Refusal("continue", "swallowed")) if lets_pass else site
    for inner in statement.blocks[1:]:
        yield from _sites(inner, where)


def _is_plain_answer(statement: Stmt) -> bool:
    """A function that ends in ``return False`` answers a question; it does not turn anybody away."""
    return statement.kind is StmtKind.RETURN and (
        not statement.exprs
        or (
            statement.exprs[0].kind in (ExprKind.CONSTANT, ExprKind.STRING, ExprKind.COLLECTION)
            and not tells_error(statement.exprs[0])
        )
    )


def _only_answers(statement: Stmt) -> bool:
    """``if a: return x`` with ``else: return False``: as if the plain answer stood behind the IF."""
    *branches, otherwise = statement.blocks
    endings = [refusal_of(branch) for branch in branches]
    return _is_plain_answer(otherwise[-1]) and all(
        ending is not None and ending.kind in ("return", "refuse") for ending in endings
    )


def _branches(statement: Stmt, where: _Where, around: _Where, returned: Path) -> Iterator[Site]:
    """The guards of an IF; `returned` are the tests above it in its block that leave, which `around` leaves out."""
    for position, (test, branch) in enumerate(zip(statement.exprs, statement.blocks, strict=False)):
        refusal = refusal_of(branch)
        if refusal is None and branch and not statement.blocks[-1]:
            yield from _skips(statement, test, branch, where)
        if refusal is not None and not (
            _is_let_through(refusal, statement, position, where) or _answers_before(refusal, branch)
        ):
            others = tuple(other for other in statement.blocks[position + 1 :] if other)
            yield where.site(statement, refusal, ((test, True),), (*others, *where.rest))
        yield from _sites(branch, where if is_refused_otherwise(statement, ()) else where.under(((test, True),)))
    otherwise = statement.blocks[-1]
    refusal = refusal_of(otherwise)
    leaves = refusal is not None and (refusal.is_refusing or refusal.kind in ("break", "continue"))
    if refusal is not None and leaves:
        tests, place = failed(statement), where
        if not tests and returned and refusal.kind == "raise":  # as behind it: what is left when all others left
            tests, place = returned, around
        tests = tests or tuple((test, False) for test in statement.exprs)
        site = place.site(statement, refusal, tests, (*statement.blocks[:-1], *where.rest))
        yield site._replace(takes_the_rest=refusal.is_refusing, only_answers=_only_answers(statement))
    yield from _sites(otherwise, where.under(failed(statement)))


def _skips(statement: Stmt, test: Expr, branch: Block, where: _Where) -> Iterator[Site]:
    """Work that is left out: each part of ``a and b`` leaves it out on its own, as ``if a: if b:`` would."""
    held: Path = ()
    for part in test.parts if test.kind is ExprKind.AND else (test,):
        yield where.under(held).site(statement, Refusal("skip", "skip"), ((part, False),), (branch,))
        held = (*held, (part, True))


def _answers_before(refusal: Refusal, branch: Block) -> bool:
    """True for an error at the end of a branch that may have answered before: a guard of its own stands there."""
    return refusal.kind == "raise" and any(item.kind is StmtKind.IF and passed(item) for item in branch[:-1])


def _is_let_through(refusal: Refusal, statement: Stmt, position: int, where: _Where) -> bool:
    """True for a branch that only returns while what comes instead of it raises: it is the way in, not the refusal."""
    if refusal.text != "return" or (refusal.kind == "refuse" and refusal.exprs):
        return False
    others = [other for other in statement.blocks[position + 1 :] if other]
    ends = [refusal_of(other) for other in others or [rest[:1] for rest in where.rest[:1]]]
    return any(end is not None and _turns_away(end) for end in ends)


def _turns_away(end: Refusal) -> bool:
    return end.kind in ("raise", "abort") or (end.kind == "refuse" and any(map(tells_error, end.exprs)))


def _switch(statement: Stmt, where: _Where) -> Iterator[Site]:
    for case in statement.blocks[0]:
        refusal = refusal_of(case.blocks[0])
        if refusal is not None and refusal.is_refusing:
            labels = case.exprs or statement.exprs
            tests = tuple((label, bool(case.exprs)) for label in labels[:1])
            yield where.site(case, refusal, tests, where.rest)
        yield from _sites(case.blocks[0], where)
