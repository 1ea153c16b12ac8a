"""What every look at disarmed protections gets and gives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Function, Outline, Stmt, StmtKind, walk

_PROTECTIVE = re.compile(r"(?i)^_*(check|verify|validate|assert|require|ensure|authori[sz]e|authenticate|deny|guard)")
_LEAVING = frozenset({StmtKind.RETURN, StmtKind.BREAK, StmtKind.CONTINUE})
_BROAD = frozenset({"Exception", "BaseException", "Throwable", "Error", "RuntimeException", "object"})


@dataclass(frozen=True, slots=True)
class Disarmed:
    """One place after a change where a protection loses its effect. `code` is kebab-case, `what` a sentence."""

    code: str
    what: str
    path: str
    line: int
    symbol: str = ""


@dataclass(frozen=True)
class Sides:
    """Both sides of one file, and the functions and classes of the whole change after it, by last name."""

    before: Outline
    after: Outline
    functions: Mapping[str, Function]

    @cached_property
    def refusing(self) -> frozenset[str]:
        """Last names of the functions that refused something."""
        return frozenset(item.short_name for item in self.before.functions if refuses(item))


@dataclass(frozen=True, slots=True)
class Refusal:
    """An ``if`` that raises. `depth` counts the conditions it stands under; `caught`: the error is swallowed."""

    test: Expr
    error: str
    depth: int
    caught: bool
    line: int

    @property
    def key(self) -> tuple[str, str]:
        """Equal for the same condition with the same error."""
        return spelled(self.test), self.error


def spelled(expr: Expr) -> str:
    """The same text for the same expression, whatever line it is on."""
    parts = f"({','.join(map(spelled, expr.parts))})" if expr.parts else ""
    return f"{expr.kind}:{expr.text}{parts}"


def dotted(expr: Expr) -> str:
    """``a.b.c`` of names and attributes; empty for others."""
    if expr.kind in (ExprKind.NAME, ExprKind.TYPE):
        return expr.text
    if expr.kind is ExprKind.ATTRIBUTE:
        head = dotted(expr.parts[0])
        return f"{head}.{expr.text}" if head else ""
    return ""


def callee(call: Expr) -> str:
    """The last word of what is called."""
    head = call.parts[0] if call.parts else call
    return head.text if head.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE) else ""


def calls(block: Block) -> Iterator[Expr]:
    """Every call in a block and below."""
    for statement in walk(block):
        for expr in statement.exprs:
            yield from (node for node in expr.walk() if node.kind is ExprKind.CALL)


def refusals(block: Block, depth: int = 0, caught: frozenset[str] = frozenset()) -> Iterator[Refusal]:
    """Every refusal of a block; an earlier ``if … return`` is a condition on what follows."""
    for statement in block:
        if statement.kind is StmtKind.IF:
            raising = [bool(block) and _raised(block) is not None for block in statement.blocks]
            further = [not all(raising[:place] + raising[place + 1 :]) for place in range(len(raising))]
            for place, (test, branch) in enumerate(zip(statement.exprs, statement.blocks, strict=False)):
                error = _raised(branch)
                if error is not None:
                    yield Refusal(test, error, depth, _is_caught(error, caught), statement.line)
                yield from refusals(branch, depth + further[place], caught)
            yield from refusals(statement.blocks[-1], depth + further[-1], caught)
            depth += any(branch and branch[-1].kind is StmtKind.RETURN for branch in statement.blocks)
        elif statement.kind is StmtKind.TRY:
            yield from refusals(statement.blocks[0], depth, caught | swallowed(statement))
            for inner in statement.blocks[1:]:
                yield from refusals(inner, depth, caught)
        elif statement.kind is StmtKind.WITH:
            yield from refusals(statement.blocks[0], depth, caught | suppressed(statement))
        else:
            for inner in statement.blocks:
                yield from refusals(inner, depth + 1, caught)


def is_protective(call: Expr, sides: Sides) -> bool:
    """True for a call whose name says that it checks, or of a function of the file that refused something."""
    name = callee(call)
    return bool(_PROTECTIVE.match(name)) or name in sides.refusing


def refuses(function: Function | None) -> bool:
    """True for a function that refuses something; False for none."""
    return function is not None and next(refusals(function.body), None) is not None


def bare_calls(block: Block) -> Iterator[tuple[Expr, bool]]:
    """Calls that stand for themselves, and whether they are awaited."""
    for statement in walk(block):
        node = statement.exprs[0] if statement.kind is StmtKind.EXPR else None
        waits = node is not None and node.kind is ExprKind.UNARY and node.text == "await"
        if node is not None and waits:
            node = node.parts[0]
        if node is not None and node.kind is ExprKind.CALL:
            yield node, waits


def swallowed(attempt: Stmt) -> frozenset[str]:
    """The errors whose handlers go on as if nothing had happened; ``""`` stands for any."""
    names: set[str] = set()
    if any(item.kind in _LEAVING for item in attempt.blocks[-1]):
        names.add("")  # what leaves a finally block takes every error with it
    for handler in attempt.blocks[1]:
        if not any(item.kind in (StmtKind.RAISE, StmtKind.RETURN) for item in walk(handler.blocks[0])):
            given = [part for expr in handler.exprs for part in (expr, *expr.parts)]
            names |= {dotted(item).rpartition(".")[2] for item in given} if handler.exprs else {""}
    return frozenset(names)


def suppressed(statement: Stmt) -> frozenset[str]:
    """The errors of ``contextlib.suppress``."""
    found = [expr for expr in statement.exprs if expr.kind is ExprKind.CALL and callee(expr) == "suppress"]
    return frozenset(dotted(part).rpartition(".")[2] for expr in found for part in expr.parts[1:])


def is_broad(names: frozenset[str]) -> bool:
    """True when any error is among them."""
    return bool(names & _BROAD) or "" in names


def _is_caught(error: str, caught: frozenset[str]) -> bool:
    return error in caught or is_broad(caught)


def _raised(branch: Block) -> str | None:
    for statement in branch:
        if statement.kind is StmtKind.RAISE:
            raised = statement.exprs[0] if statement.exprs else None
            if raised is not None and raised.kind is ExprKind.CALL:
                return dotted(raised.parts[0]).rpartition(".")[2]
            return dotted(raised).rpartition(".")[2] if raised is not None else ""
    return None
