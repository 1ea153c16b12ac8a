"""Checks that are still there and not heeded: handed back instead of raised, put off for ever, made only at times."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scaffold_cli.anchoring.disarming.interface import (
    Disarmed,
    Sides,
    bare_calls,
    callee,
    calls,
    is_protective,
    spelled,
)
from scaffold_cli.anchoring.views import names_in
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Function, Stmt, StmtKind, walk

_LAZY = frozenset({"map", "filter", "starmap", "imap"})


def unheeded(sides: Sides) -> Iterator[Disarmed]:
    """One for each refusal or check of a function that was there before."""
    known = {function.name: function for function in sides.before.functions}
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is not None and old.body != function.body:
            yield from _handed_back(old, function, sides)
            yield from _put_off(old, function, sides)
            yield from _at_times(old, function, sides)


def _handed_back(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    """``raise E(x)`` became ``return E(x)`` under the same condition."""
    raised = {key for key, kind, _ in _ends(old.body) if kind is StmtKind.RAISE}
    still = {key for key, kind, _ in _ends(new.body) if kind is StmtKind.RAISE}
    for key, kind, line in _ends(new.body):
        if kind is StmtKind.RETURN and key in raised - still:
            what = f"`{new.name}` returns the error that it raised, and who does not look at it goes on."
            yield Disarmed("guard-swallowed", what, sides.after.path, line, new.name)


def _ends(block: Block) -> Iterator[tuple[tuple[str, str], StmtKind, int]]:
    """Test and value, kind and line of each branch that ends in an error raised, or in a value returned."""
    for statement in walk(block):
        if statement.kind is StmtKind.IF:
            for test, branch in zip(statement.exprs, statement.blocks, strict=False):
                last = branch[-1] if branch else None
                if last is not None and last.kind in (StmtKind.RAISE, StmtKind.RETURN) and last.exprs:
                    yield (spelled(test), spelled(last.exprs[0])), last.kind, last.line


def _put_off(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    """A check that ran stands in a generator or a lazy call that nobody reads."""
    ran = {callee(call) for call, _ in bare_calls(old.body) if is_protective(call, sides)}
    if not ran:
        return
    still = {callee(call) for call, _ in bare_calls(new.body)}
    for value, line in _left_lying(new.body):
        for name in sorted((ran - still) & set(_called_below(value))):
            what = f"`{name}` in `{new.name}` only runs when something is read that nothing reads."
            yield Disarmed("guard-unreached", what, sides.after.path, line, new.name)


def _left_lying(block: Block) -> Iterator[tuple[Expr, int]]:
    """Values that do their work when they are read, and are not."""
    read = {name for statement in walk(block) for value in _read(statement) for name in names_in(value)}
    for statement in walk(block):
        if statement.kind is StmtKind.EXPR:
            values = statement.exprs
        elif statement.kind is StmtKind.ASSIGN and not any(target.text in read for target in statement.exprs[1:]):
            values = statement.exprs[:1]
        else:
            continue
        yield from ((value, statement.line) for value in values if _is_lazy(value))


def _read(statement: Stmt) -> tuple[Expr, ...]:
    return statement.exprs[:1] if statement.kind is StmtKind.ASSIGN else statement.exprs


def _is_lazy(value: Expr) -> bool:
    if value.kind is ExprKind.CALL:
        return value.parts[0].kind is ExprKind.NAME and callee(value) in _LAZY
    return value.kind is ExprKind.COMPREHENSION and value.text == "generator"


def _called_below(value: Expr) -> Iterator[str]:
    """What is called in a value; a function that is handed over by its name counts."""
    for node in value.walk():
        if node.kind is ExprKind.CALL:
            yield callee(node)
            yield from (part.text for part in node.parts[1:] if part.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE))


@dataclass(frozen=True, slots=True)
class _Call:
    """A call that stands for itself: the conditions it stands under, and what is called behind all of them."""

    call: Expr
    tests: tuple[Expr, ...]
    behind: frozenset[str]
    line: int


def _at_times(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    """A check that always ran stands under a condition, and what it stood before does not."""
    before = {spelled(item.call): item for item in _placed(old.body) if _checks(item.call, sides)}
    now: dict[str, list[_Call]] = {}
    for item in _placed(new.body):
        now.setdefault(spelled(item.call), []).append(item)
    for text, was in before.items():
        found = now.get(text, [])
        if was.tests or not found or not all(item.tests for item in found):
            continue
        asked = set(names_in(was.call))
        bare = [item for item in found if was.behind & item.behind and not _is_presence(item.tests, asked)]
        if len(bare) == len(found):
            what = f"`{callee(was.call)}` in `{new.name}` only runs under a condition, and what follows runs without."
            yield Disarmed("guard-conditional", what, sides.after.path, found[0].line, new.name)


def _checks(call: Expr, sides: Sides) -> bool:
    """What only makes sure that something is there (``ensure_folder``) is no check unless it is seen to refuse."""
    return callee(call) in sides.refusing or (is_protective(call, sides) and "ensure" not in callee(call).lower())


def _is_presence(tests: tuple[Expr, ...], asked: set[str]) -> bool:
    """True when the conditions only ask whether there is something to check."""
    return all(set(names_in(test)) <= asked and not _negated(test) for test in tests)


def _negated(test: Expr) -> bool:
    return any(node.kind is ExprKind.NOT for node in test.walk())


def _called_after(block: Block) -> list[frozenset[str]]:
    """For each statement of a block, what is called behind it; one walk over all, from the back."""
    found = [frozenset[str]()]
    for statement in reversed(block[1:]):
        fresh = {callee(call) for call in calls((statement,))}
        found.append(found[-1] if fresh <= found[-1] else found[-1] | fresh)
    return found[::-1]


def _placed(block: Block, tests: tuple[Expr, ...] = (), outside: frozenset[str] = frozenset()) -> Iterator[_Call]:
    """All calls that stand for themselves; an earlier ``if … return`` is a condition on what follows."""
    after = _called_after(block)
    for place, statement in enumerate(block):
        behind = outside if tests else outside | after[place]
        if statement.kind is StmtKind.IF:
            for branch in statement.blocks:
                yield from _placed(branch, (*tests, *statement.exprs), behind)
            if any(branch and branch[-1].kind is StmtKind.RETURN for branch in statement.blocks):
                tests = (*tests, *statement.exprs)
        elif statement.kind in (StmtKind.TRY, StmtKind.WITH):
            yield from _placed(statement.blocks[0], tests, behind)
        elif statement.kind is StmtKind.EXPR:
            yield from (_Call(call, tests, behind, statement.line) for call, _ in bare_calls((statement,)))
