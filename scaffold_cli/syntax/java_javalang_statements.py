"""Java statements, as javalang reads them, to neutral ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from javalang import tree

from scaffold_cli.syntax import building
from scaffold_cli.syntax import java_neutral as neutral
from scaffold_cli.syntax.java_javalang_expressions import Expressions
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind


class Declares(Protocol):
    """What statements hand to others: definitions of classes."""

    def definition(self, node: Any) -> Stmt:
        """List a class; the marker that stands for it."""
        ...


class Statements:
    """Lowers statements. javalang has no ends: a statement ends where the last one inside it begins."""

    def __init__(self, expressions: Expressions) -> None:
        self.declares: Declares
        self._expressions = expressions
        self._table: dict[type[Any], Callable[[Any], Sequence[Stmt]]] = {
            tree.Statement: lambda _: (),
            tree.BlockStatement: lambda node: self.block(node.statements),
            tree.StatementExpression: lambda node: [self._effect(node.expression)],
            tree.LocalVariableDeclaration: lambda node: self.variables(node.declarators),
            tree.IfStatement: self._if,
            tree.WhileStatement: lambda node: self._loop("while", node),
            tree.DoStatement: lambda node: self._loop("do", node),
            tree.ForStatement: self._for,
            tree.TryStatement: self._try,
            tree.SynchronizedStatement: self._synchronized,
            tree.SwitchStatement: self._switch,
            tree.ThrowStatement: lambda node: self._simple(StmtKind.RAISE, node.expression),
            tree.ReturnStatement: lambda node: self._simple(StmtKind.RETURN, node.expression),
            tree.AssertStatement: lambda node: self._simple(StmtKind.ASSERT, node.condition, node.value),
            tree.BreakStatement: lambda node: [self._make(StmtKind.BREAK, node.goto or "")],
            tree.ContinueStatement: lambda _: [self._make(StmtKind.CONTINUE)],
        }

    def statement(self, node: Any) -> Sequence[Stmt]:
        """One statement."""
        around = self._expressions.line
        if node.position is not None:
            self._expressions.line = node.position.line
        handler = self._table.get(type(node))
        result = (self.declares.definition(node),) if handler is None else handler(node)
        self._expressions.line = around
        return result

    def block(self, nodes: Iterable[Any]) -> Block:
        """Statements one after another."""
        found: list[Stmt] = []
        for node in nodes:
            found.extend(self.statement(node))
        return tuple(found)

    def variables(self, declarators: Iterable[Any]) -> list[Stmt]:
        """One ASSIGN for each declared variable."""
        found = []
        for declarator in declarators:
            value = declarator.initializer
            lowered = self._expressions.lower(value) if value is not None else building.null(self._line)
            target = building.name(declarator.name, self._line)
            found.append(self._make(StmtKind.ASSIGN, "=", (lowered, target)))
        return found

    @property
    def _line(self) -> int:
        return self._expressions.line

    def _make(self, kind: StmtKind, text: str = "", exprs: Sequence[Expr] = (), blocks: tuple[Block, ...] = ()) -> Stmt:
        end = max([self._line, *(block[-1].end_line for block in blocks if block)])
        return Stmt(kind, text, tuple(exprs), blocks, self._line, end)

    def _effect(self, node: Any) -> Stmt:
        if isinstance(node, tree.Assignment):
            exprs = self._expressions.all((node.value, node.expressionl))
            return self._make(StmtKind.ASSIGN, node.type, exprs)
        return self._make(StmtKind.EXPR, "", (self._expressions.lower(node),))

    def _simple(self, kind: StmtKind, *nodes: Any) -> list[Stmt]:
        return [self._make(kind, "", self._expressions.all([node for node in nodes if node is not None]))]

    def _if(self, node: Any) -> list[Stmt]:
        tests: list[Expr] = []
        blocks: list[Block] = []
        rest = node
        while isinstance(rest, tree.IfStatement):
            tests.append(self._expressions.lower(rest.condition))
            blocks.append(tuple(self.statement(rest.then_statement)))
            rest = rest.else_statement
        blocks.append(tuple(self.statement(rest)) if rest is not None else ())
        return [self._make(StmtKind.IF, "", tests, tuple(blocks))]

    def _loop(self, text: str, node: Any) -> list[Stmt]:
        test = self._expressions.lower(node.condition)
        return [self._make(StmtKind.LOOP, text, (test,), (tuple(self.statement(node.body)), ()))]

    def _for(self, node: Any) -> list[Stmt]:
        control = node.control
        if isinstance(control, tree.EnhancedForControl):
            target = building.name(control.var.declarators[0].name, self._line)
            header = (target, self._expressions.lower(control.iterable))
            return [self._make(StmtKind.LOOP, "for", header, (tuple(self.statement(node.body)), ()))]
        if isinstance(control.init, tree.VariableDeclaration):
            found = self.variables(control.init.declarators)
        else:
            found = [self._effect(start) for start in control.init or ()]
        always = Expr(ExprKind.CONSTANT, "true", (), self._line)
        test = self._expressions.lower(control.condition) if control.condition is not None else always
        body = list(self.statement(node.body))
        body += [self._effect(update) for update in control.update or ()]
        return [*found, self._make(StmtKind.LOOP, "while", (test,), (tuple(body), ()))]

    def _try(self, node: Any) -> list[Stmt]:
        contexts = []
        for resource in node.resources or ():
            target = building.name(resource.name, self._line)
            contexts.append(Expr(ExprKind.ASSIGN, "=", (target, self._expressions.lower(resource.value)), self._line))
        body = self.block(node.block)
        if contexts:
            body = (self._make(StmtKind.WITH, "", contexts, (body,)),)
        handlers = tuple([self._handler(handler) for handler in node.catches or ()])
        last = self.block(node.finally_block or ())
        if contexts and not handlers and not last:
            return list(body)
        return [self._make(StmtKind.TRY, "", (), (body, handlers, (), last))]

    def _handler(self, node: Any) -> Stmt:
        caught = [neutral.dotted_name(name, self._line) for name in node.parameter.types]
        return self._make(StmtKind.HANDLER, node.parameter.name, caught, (self.block(node.block),))

    def _synchronized(self, node: Any) -> list[Stmt]:
        lock = self._expressions.lower(node.lock)
        return [self._make(StmtKind.WITH, "synchronized", (lock,), (self.block(node.block),))]

    def _switch(self, node: Any) -> list[Stmt]:
        subject = self._expressions.lower(node.expression)
        cases = []
        for position, group in enumerate(node.cases):
            # javalang writes down no label for `default`, and labels that are names as bare text.
            labels = [_label(label, self._expressions, self._line) for label in group.case]
            body = self.block(group.statements)
            if position + 1 < len(node.cases) and not building.ends(body):
                body += (self._make(StmtKind.OTHER, "fallthrough"),)
            end = body[-1].end_line if body else self._line
            cases.append(building.case(labels, None, body, self._line, end))
        return [self._make(StmtKind.SWITCH, "", (subject,), (tuple(cases),))]


def _label(label: Any, expressions: Expressions, line: int) -> Expr:
    return building.name(label, line) if isinstance(label, str) else expressions.lower(label)
