"""The assertions of a test's body: those that are reached, whose failure counts, helpers of the file included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Function, Stmt, StmtKind
from scaffold_cli.testing.integrity.calls import chain_root, checks_of_call, raised
from scaffold_cli.testing.integrity.conditions import demands
from scaffold_cli.testing.integrity.interface import Check, Strength
from scaffold_cli.testing.integrity.spelling import called, dotted, function_name
from scaffold_cli.testing.integrity.words import RAISES

_DEPTH = 3
"""How far helpers are followed into helpers."""
_SKIPS = frozenset(
    {"pytest.skip", "self.skipTest", "unittest.skip", "skip", "assumeTrue", "Assume.assumeTrue", "t.skip"}
)
_XFAILS = frozenset({"pytest.xfail"})
_ENDINGS = frozenset({"pytest.exit", "sys.exit", "os._exit", "exit", "System.exit", "process.exit"})
_SWALLOWING = frozenset({"AssertionError", "Exception", "BaseException", "Throwable", "Error", "AssertionFailedError"})


@dataclass(slots=True)
class Found:
    """What a body holds. `marks` are skips that nothing stands before."""

    checks: list[Check] = field(default_factory=list)
    marks: set[str] = field(default_factory=set)
    statements: int = 0
    calls: set[str] = field(default_factory=set)


def read_body(function: Function, helpers: Mapping[str, Function]) -> Found:
    """Everything `function` demands. `helpers` are the functions of the file by their last name."""
    found = Found()
    _Walk(helpers, found).block(function.body, 0, frozenset({function.name}))
    return found


def read_expression(expr: Expr, helpers: Mapping[str, Function]) -> Found:
    """The same for a test whose body is one expression."""
    found = Found()
    statement = Stmt(StmtKind.EXPR, "", (expr,), (), expr.line, expr.line)
    _Walk(helpers, found).block((statement,), 0, frozenset())
    return found


@dataclass(slots=True)
class _Walk:
    helpers: Mapping[str, Function]
    found: Found

    def block(self, block: Block, depth: int, seen: frozenset[str], *, sure: bool = True) -> bool:
        """Read a block; false when what follows it is not reached."""
        for statement in block:
            if statement.kind not in (StmtKind.EMPTY, StmtKind.FUNCTION, StmtKind.CLASS):
                self.found.statements += depth == 0
            if not self._statement(statement, depth, seen, sure):
                return False
        return True

    def _statement(self, statement: Stmt, depth: int, seen: frozenset[str], sure: bool) -> bool:
        self.found.calls |= called(statement.exprs)
        match statement.kind:
            case StmtKind.ASSERT:
                self.found.checks += demands(statement.exprs[0])
            case StmtKind.EXPR:
                at = len(self.found.checks)
                goes_on = self._expression(statement.exprs[0], depth, seen, sure)
                if _is_promised(statement.exprs[0]):
                    self.found.checks[at:] = [
                        replace(check, strength=Strength.NOTHING) for check in self.found.checks[at:]
                    ]
                return goes_on
            case StmtKind.RETURN:
                if statement.exprs:
                    self._expression(statement.exprs[0], depth, seen, sure)
                return False
            case StmtKind.RAISE:
                self._raise(statement, sure)
                return False
            case StmtKind.IF:
                return self._if(statement, depth, seen, sure)
            case StmtKind.TRY:
                self._try(statement, depth, seen, sure)
            case StmtKind.WITH:
                self._with(statement)
                return self.block(statement.blocks[0], depth, seen, sure=sure)
            case StmtKind.ASSIGN:
                self._assigned(statement, depth, seen)
            case _:
                for inner in statement.blocks:
                    self.block(inner, depth, seen, sure=False)
        return True

    def _void(self, at: int) -> None:
        """What was demanded from `at` on demands nothing."""
        self.found.checks[at:] = [replace(check, strength=Strength.NOTHING) for check in self.found.checks[at:]]

    def _raise(self, statement: Stmt, sure: bool) -> None:
        name = called(statement.exprs) or {dotted(expr) for expr in statement.exprs}
        if sure and name & {"SkipTest", "Skipped", "SkipException"}:
            self.found.marks.add("skip")

    def _if(self, statement: Stmt, depth: int, seen: frozenset[str], sure: bool) -> bool:
        for test, branch in zip(statement.exprs, statement.blocks, strict=False):
            if test.kind in (ExprKind.CONSTANT, ExprKind.NUMBER) and test.text in ("false", "null", "0"):
                continue
            if _refuses(branch):
                self.found.checks += demands(test, positive=False)
            always = test.kind is ExprKind.CONSTANT and test.text == "true"
            goes_on = self.block(branch, depth, seen, sure=sure and always)
            if always:
                return goes_on
        self.block(statement.blocks[-1], depth, seen, sure=False)
        return True

    def _try(self, statement: Stmt, depth: int, seen: frozenset[str], sure: bool) -> None:
        at = len(self.found.checks)
        self.block(statement.blocks[0], depth, seen, sure=sure)
        if any(_swallows(handler) for handler in statement.blocks[1]):
            self._void(at)
        for inner in statement.blocks[1:]:
            self.block(inner, depth, seen, sure=sure and inner is statement.blocks[-1])

    def _with(self, statement: Stmt) -> None:
        for expr in statement.exprs:
            context = expr.parts[1] if expr.kind is ExprKind.ASSIGN else expr
            if context.kind is ExprKind.CALL and function_name(context).lower() in RAISES:
                self.found.checks.append(raised(context))

    def _assigned(self, statement: Stmt, depth: int, seen: frozenset[str]) -> None:
        value = statement.exprs[0]
        if value.kind is ExprKind.CALL and function_name(value).lower() in RAISES:
            self.found.checks += checks_of_call(value)
        elif value.kind is ExprKind.CALL and function_name(value) in self.helpers:
            self._follow(value, depth, seen)

    def _expression(self, expr: Expr, depth: int, seen: frozenset[str], sure: bool) -> bool:
        while expr.kind is ExprKind.UNARY and expr.text == "await":
            expr = expr.parts[0]
        if expr.kind is not ExprKind.CALL:
            if expr.kind is ExprKind.ATTRIBUTE and chain_root(expr) is not None:
                self.found.checks += checks_of_call(expr)
            return True
        name = dotted(expr.parts[0])
        if name in _SKIPS or name in _XFAILS:
            if sure:
                self.found.marks.add("xfail" if name in _XFAILS else "skip")
            return not sure or name.endswith("assumeTrue")
        if name in _ENDINGS:
            return not sure
        if not self._follow(expr, depth, seen):
            self.found.checks += checks_of_call(expr)
            self._inside(expr, depth, seen)
        return True

    def _follow(self, call: Expr, depth: int, seen: frozenset[str]) -> bool:
        """Read a helper of the file in place; false when it is none."""
        helper = self.helpers.get(function_name(call))
        if helper is None or depth >= _DEPTH or helper.name in seen:
            return False
        at = len(self.found.checks)
        self.block(helper.body, depth + 1, seen | {helper.name}, sure=False)
        self.found.checks[at:] = [replace(check, line=call.line) for check in self.found.checks[at:]]
        return len(self.found.checks) > at

    def _inside(self, call: Expr, depth: int, seen: frozenset[str]) -> None:
        """Assertions in functions handed to a call (`assertAll(() -> …)`)."""
        for part in call.parts[1:]:
            if part.kind is ExprKind.LAMBDA and part.parts:
                self._expression(part.parts[0], depth, seen, sure=False)
            elif part.kind is ExprKind.LAMBDA and part.text in self.helpers:
                self.block(self.helpers[part.text].body, depth + 1, seen | {part.text}, sure=False)


def _refuses(branch: Block) -> bool:
    """True for a branch that fails the test."""
    for statement in branch:
        if statement.kind is StmtKind.RAISE:
            return bool({"AssertionError", "Error"} & (called(statement.exprs) | {dotted(e) for e in statement.exprs}))
        if statement.kind is StmtKind.EXPR and statement.exprs[0].kind is ExprKind.CALL:
            return function_name(statement.exprs[0]) == "fail"
    return False


def _swallows(handler: Stmt) -> bool:
    """True when an assertion that fails goes unheard there."""
    names = {dotted(part) for expr in handler.exprs for part in (expr, *expr.parts)}
    caught = not handler.exprs or names & _SWALLOWING
    body: Iterator[Stmt] = (statement for statement in handler.blocks[0])
    loud = any(item.kind in (StmtKind.RAISE, StmtKind.ASSERT) or called(item.exprs) & {"fail"} for item in body)
    return bool(caught) and not loud


def _is_promised(expr: Expr) -> bool:
    """``expect(x).rejects.toThrow()`` that nobody waits for: the test is over before it fails."""
    return expr.kind is ExprKind.CALL and any(
        node.kind is ExprKind.ATTRIBUTE and node.text in ("rejects", "resolves") for node in expr.walk()
    )
