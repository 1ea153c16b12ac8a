"""Checks and deeds that were done under one lock or in one transaction, and are not any more (CWE-362, CWE-367)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides, bare_calls, callee, calls, spelled
from scaffold_cli.anchoring.refusal import refusal_of
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Function, Outline, Stmt, StmtKind, walk

_LOCKS = WordPatterns(
    (word, "locks")
    for word in ("lock*", "*lock", "mutex*", "mu", "semaphore*", "synchronized", "atomic", "transaction*", "critical*",
                 "exclusive*", "begin", "for update", "with for update", "select for update", "monitor", "serializable")
)  # fmt: skip
_TAKING = frozenset(
    {"lock", "Lock", "acquire", "lockInterruptibly", "tryLock", "enter", "runExclusive", "transaction", "withLock",
     "with_lock", "compareAndSet", "compare_and_swap", "CompareAndSwap", "atomically"}
)  # fmt: skip
_READING = frozenset({ExprKind.CALL, ExprKind.ATTRIBUTE, ExprKind.SUBSCRIPT, ExprKind.ASSIGN})
_UNLOCKED = frozenset({"RLock", "readLock", "unlock", "Unlock", "release"})


@dataclass(frozen=True, slots=True)
class _Held:
    """What is done under locks: refusing tests and what is called or assigned, spelled; `locks`: what is taken."""

    tests: frozenset[str]
    deeds: frozenset[str]
    locks: frozenset[str]


def unlocked(sides: Sides) -> Iterator[Disarmed]:
    """One for each function that was there before."""
    known = {function.name: function for function in sides.before.functions}
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is None or (old.body == function.body and old.modifiers == function.modifiers):
            continue
        was, now = _held(old, sides.before), _held(function, sides.after)
        everything = _Held(*_contents(function.body), frozenset())
        fewer = len(now.locks) < len(was.locks) and bool(was.locks - now.locks)
        if was.deeds and fewer and _lockish(function) <= _lockish(old) and was.deeds & everything.deeds:
            what = f"What `{function.name}` did under a lock or in one transaction it does without."
            yield Disarmed("lock-lost", what, sides.after.path, function.line, function.name)
        elif _lets_go(old, function):
            what = f"`{function.name}` lets go of the lock in between, and what it asked may have changed by then."
            yield Disarmed("lock-lost", what, sides.after.path, function.line, function.name)
        elif (was.tests & everything.tests) - now.tests - _of_arguments(old) and was.deeds & now.deeds:
            what = f"`{function.name}` asks before it takes the lock, and what it asked may have changed by then."
            yield Disarmed("lock-lost", what, sides.after.path, function.line, function.name)


def _lets_go(old: Function, new: Function) -> bool:
    """True when a lock that was taken once is given back and taken again, and refusing tests stood under it."""
    was, now = _takings(old), _takings(new)
    return any(
        was[owner, taken] == 1
        and now[owner, taken] > 1
        and any(now[owner, name] > was[owner, name] for name in _UNLOCKED)
        for owner, taken in was
        if taken in _TAKING
    )


def _takings(function: Function) -> Counter[tuple[str, str]]:
    """How often each lock is taken, or given back, in the order of the function itself."""
    standing = (call for call, _ in bare_calls(function.body) if call.parts[0].kind is ExprKind.ATTRIBUTE)
    return Counter((spelled(call.parts[0].parts[0]), callee(call)) for call in standing)


def _of_arguments(function: Function) -> frozenset[str]:
    """Tests that read nothing but plain parameters: those cannot change while a lock is waited for."""
    fixed = {param.name for param in function.params} - {"self", "this", "cls"} - set(_assigned(function))
    tests = (test for statement in walk(function.body) if statement.kind is StmtKind.IF for test in statement.exprs)
    return frozenset(spelled(test) for test in tests if all(_is_fixed(node, fixed) for node in test.walk()))


def _is_fixed(node: Expr, fixed: set[str]) -> bool:
    return node.kind not in _READING and (node.kind is not ExprKind.NAME or node.text in fixed)


def _assigned(function: Function) -> Iterator[str]:
    for statement in walk(function.body):
        if statement.kind is StmtKind.ASSIGN:
            yield from (target.text for target in statement.exprs[1:])


def _held(function: Function, source: Outline) -> _Held:
    if "synchronized" in function.modifiers or any(_is_lock(mark) for mark in function.decorators):
        return _Held(*_contents(function.body), frozenset({"synchronized"}))
    inner = {item.name: item.body for item in source.functions if item.name.startswith(f"{function.name}.")}
    blocks = [*_locked(function.body), *_handed(function, inner)]
    tests, deeds = _contents(tuple(statement for _, block in blocks for statement in block))
    return _Held(tests, deeds, frozenset(name for name, _ in blocks))


def _locked(block: Block) -> Iterator[tuple[str, Block]]:
    """What is taken, and what is done while it is held."""
    seen: set[str] = set()
    for place, statement in enumerate(block):
        taken = [value for value in statement.exprs if _is_lock(value)]
        if statement.kind is StmtKind.WITH and (taken or statement.text == "synchronized"):
            yield from ((spelled(value), statement.blocks[0]) for value in taken or statement.exprs[:1])
            yield from _locked(statement.blocks[0])
        elif statement.kind is StmtKind.EXPR and _takes(statement.exprs[0]):
            name = spelled(statement.exprs[0])
            if name not in seen:  # what is done while it is held the first time holds the rest
                yield name, block[place + 1 :]
            seen.add(name)
        else:
            for inner in statement.blocks:
                yield from _locked(inner)


def _handed(function: Function, inner: Mapping[str, Block]) -> Iterator[tuple[str, Block]]:
    """``mutex.runExclusive(() => …)``: what is taken, and what it is handed to do."""
    for call in calls(function.body):
        if _takes(call):
            bodies = [inner[part.text] for part in call.parts[1:] if part.text in inner]
            yield from ((spelled(call.parts[0]), body) for body in bodies)


def _is_lock(value: Expr) -> bool:
    if value.kind is ExprKind.ASSIGN:
        value = value.parts[1]
    name = callee(value) if value.kind is ExprKind.CALL else value.text
    return _LOCKS.find(name) is not None


def _takes(value: Expr) -> bool:
    return value.kind is ExprKind.CALL and value.parts[0].kind is ExprKind.ATTRIBUTE and callee(value) in _TAKING


def _lockish(function: Function) -> frozenset[str]:
    """Calls that may take a lock in a form that is not followed: by the name of a helper."""
    named = frozenset(callee(call) for call in calls(function.body)) - _UNLOCKED
    return frozenset(name for name in named if name in _TAKING or _LOCKS.find(name) is not None)


def _contents(block: Block) -> tuple[frozenset[str], frozenset[str]]:
    """Refusing tests, and what changes something: calls that stand for themselves, and what attributes are given."""
    tests, deeds = set[str](), set[str]()
    for statement in walk(block):
        if statement.kind is StmtKind.IF:
            for test, branch in zip(statement.exprs, statement.blocks, strict=False):
                ending = refusal_of(branch)
                if ending is not None and ending.is_refusing:
                    tests.add(spelled(test))
        elif _changes(statement):
            deeds.add(f"{statement.text}{' '.join(map(spelled, statement.exprs))}")
    return frozenset(tests), frozenset(deeds)


def _changes(statement: Stmt) -> bool:
    if statement.kind is StmtKind.EXPR:
        return statement.exprs[0].kind is ExprKind.CALL and callee(statement.exprs[0]) not in _TAKING | _UNLOCKED
    targets = statement.exprs[1:] if statement.kind is StmtKind.ASSIGN else ()
    return any(target.kind in (ExprKind.ATTRIBUTE, ExprKind.SUBSCRIPT) for target in targets)
