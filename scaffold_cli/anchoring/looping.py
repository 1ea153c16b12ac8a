"""What ends a loop that input could keep going: an empty read, and what was visited before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scaffold_cli.anchoring.facts import Fact, plain_fact
from scaffold_cli.anchoring.reading import Reading
from scaffold_cli.anchoring.views import callee
from scaffold_cli.anchoring.words import words
from scaffold_cli.model.protection import Level, ProtectionKind
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind, walk

_READING = frozenset({"read", "recv", "receive", "readline", "fetch"})
_ADDING = frozenset({"add", "append", "put", "push"})
_LEAVES = frozenset({StmtKind.BREAK, StmtKind.RETURN, StmtKind.RAISE, StmtKind.CONTINUE})
_EMPTY = frozenset(
    {(ExprKind.STRING, ""), (ExprKind.CONSTANT, "null"), (ExprKind.NUMBER, "0"), (ExprKind.NUMBER, "-1")}
)


def loop_ends(reading: Reading) -> Iterator[Fact]:
    """A fact for each reading loop that ends with its input, and for each test that nothing is visited twice."""
    loops = [item for item in reading.statements if item.kind is StmtKind.LOOP and item.text != "for"]
    for loop in loops:
        yield from _read_to_the_end(loop)
    yield from _visited_once(reading)


def _read_to_the_end(loop: Stmt) -> Iterator[Fact]:
    body = loop.blocks[0]
    for name in _reads_in(loop):
        because = f"hard because the loop ends when `{name}()` gives nothing"
        yield _fact(f"nothing left of {name}()", loop.line, "end", because, frozenset({name}))
    reads = dict(_reads(body))
    tests = [(loop.exprs[0], loop.line), *_exits(body)] if loop.exprs else list(_exits(body))
    for name, source in reads.items():
        line = next((line for test, line in tests if _asks_end(test, name)), 0)
        if line:
            because = f"hard because the loop ends when `{source}()` gives nothing"
            yield _fact(f"nothing left of {source}()", line, "end", because, frozenset({source}))


def _reads_in(loop: Stmt) -> Iterator[str]:
    """What the test of a loop itself reads by: ``while chunk := f.read(9)``."""
    for test in loop.exprs[:1]:
        for node in test.walk():
            if node.kind is ExprKind.ASSIGN and node.parts[1].kind is ExprKind.CALL:
                source = callee(node.parts[1])
                if not _READING.isdisjoint(words(source)):
                    yield source


def _reads(body: Block) -> Iterator[tuple[str, str]]:
    """Names that a loop reads into, with what they are read by."""
    for statement in walk(body):
        if statement.kind is StmtKind.ASSIGN and statement.exprs[0].kind is ExprKind.CALL:
            source = callee(statement.exprs[0])
            if not _READING.isdisjoint(words(source)):
                yield from ((target.text, source) for target in statement.exprs[1:] if target.kind is ExprKind.NAME)


def _exits(body: Block) -> Iterator[tuple[Expr, int]]:
    return ((test, line) for test, line, _ in _leaving(item for item in walk(body) if item.kind is StmtKind.IF))


def _leaving(branching: Iterable[Stmt]) -> Iterator[tuple[Expr, int, bool]]:
    """The tests of IF statements on which one leaves, with the line and the answer it leaves on."""
    for statement in branching:
        for test, branch in zip(statement.exprs, statement.blocks, strict=False):
            if branch and branch[-1].kind in _LEAVES:
                yield test, statement.line, True
        if len(statement.exprs) == 1 and statement.blocks[-1] and statement.blocks[-1][-1].kind in _LEAVES:
            yield statement.exprs[0], statement.line, False


def _asks_end(test: Expr, name: str) -> bool:
    """``not x``, ``x``, ``x == ""``, ``x is None``, ``x < 0``, ``x in ("", …)``, alone or joined with other tests."""
    if test.kind in (ExprKind.AND, ExprKind.OR, ExprKind.NOT):
        return any(_asks_end(part, name) for part in test.parts)
    if test.kind is not ExprKind.COMPARE:
        return test.kind is ExprKind.NAME and test.text == name
    left, right = test.parts
    if right.kind is ExprKind.NAME and right.text == name:
        left, right = right, left
    items = right.parts if right.kind is ExprKind.COLLECTION else (right,)
    return (left.kind, left.text) == (ExprKind.NAME, name) and any((item.kind, item.text) in _EMPTY for item in items)


def _visited_once(reading: Reading) -> Iterator[Fact]:
    """A branch that leaves when something is in a collection it is put into otherwise."""
    branches = _leaving(item for item in reading.statements if item.kind is StmtKind.IF)
    asked = [
        (test, line)
        for test, line, holds in branches
        if test.kind is ExprKind.COMPARE and test.text == ("in" if holds else "not in")
    ]
    added = _added(reading) if asked else frozenset()
    for test, line in asked:
        if tuple(map(_text, test.parts)) in added:
            yield _fact("visited before", line, "visited", "hard because nothing is visited twice", frozenset())


def _added(reading: Reading) -> frozenset[tuple[str, ...]]:
    """What is put into which collection."""
    return frozenset(
        (_text(call.parts[1]), _text(call.parts[0].parts[0]))
        for call in reading.of(ExprKind.CALL)
        if callee(call) in _ADDING and len(call.parts) == 2 and call.parts[0].kind is ExprKind.ATTRIBUTE
    )


def _text(node: Expr) -> str:
    return f"{node.kind}{node.text}({','.join(map(_text, node.parts))})"


def _fact(form: str, line: int, action: str, because: str, protects: frozenset[str]) -> Fact:
    return plain_fact(
        ProtectionKind.SETTING,
        Level.DATA_FLOW,
        form,
        line,
        action=action,
        because=because,
        entry="limits",
        protects=protects,
    )
