"""What the local names of one function stand for, so that introducing or renaming a variable changes no form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from scaffold_cli.anchoring.reading import Reading, read
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Param, Stmt, StmtKind

_INLINE_NODES = 24
"""Largest value (in nodes) that stands in for its variable; larger ones keep the name."""

_CONDITION_NODES = 96
"""The same for a condition, which is taken apart into its tests."""
_LOGICAL = frozenset({ExprKind.AND, ExprKind.OR, ExprKind.NOT, ExprKind.COMPARE})

_GIVING = frozenset({StmtKind.ASSIGN, StmtKind.LOOP, StmtKind.HANDLER})
"""Statements that may give a name something."""
_STEPS = frozenset({"++", "--", "++ ", "-- ", "p++", "p--"})


class Scope:
    """Local names of one function or body.

    `values` holds what a name assigned exactly once stands for; loop and comprehension variables stand for an
    element of what they run over. Other locals are only known to be local.
    """

    def __init__(self, params: tuple[Param, ...], reading: Reading) -> None:
        self.params = frozenset(param.name.lstrip("*") for param in params)
        self.values: dict[str, Expr] = {}
        self.locals: set[str] = set(self.params)
        self._assignments: Counter[str] = Counter(self.params)
        for statement in reading.statements:
            if statement.kind in _GIVING:
                self._statement(statement)
        for node in reading.binding:
            self._expression(node)
        for name, count in self._assignments.items():
            if count != 1 or not _stands_in(self.values.get(name), name):
                self.values.pop(name, None)
        self._tell_apart()

    def _tell_apart(self) -> None:
        """Two names given by calls that read the same stand for two answers: ``a = pop(); b = pop()``."""
        calls = [(name, value) for name, value in self.values.items() if value.kind is ExprKind.CALL]
        if len(calls) > 1:
            plain = {name: _without_lines(value) for name, value in calls}
            times = Counter(plain.values())
            for name, value in plain.items():
                if times[value] > 1:
                    del self.values[name]

    @classmethod
    def of(cls, params: tuple[Param, ...], body: Block) -> Scope:
        """The scope of a body that nobody has walked yet."""
        return cls(params, read(body))

    def is_given_anew(self, expression: Expr) -> bool:
        """True when a name in `expression` has more than one value in the body."""
        return self.gives_anew(node.text for node in expression.walk() if node.kind is ExprKind.NAME)

    def gives_anew(self, names: Iterable[str]) -> bool:
        """True when one of these names has more than one value in the body."""
        return any(self._assignments.get(name, 0) > 1 for name in names)

    def locals_and(self, statements: Iterable[Stmt]) -> frozenset[str]:
        """Local names plus the attributes the statements assign."""
        attributes = {
            target.text
            for statement in statements
            if statement.kind is StmtKind.ASSIGN
            for target in statement.exprs[1:]
            if target.kind is ExprKind.ATTRIBUTE
        }
        return frozenset(self.locals | attributes)

    def _statement(self, statement: Stmt) -> None:
        if statement.kind is StmtKind.ASSIGN:
            value, *targets = statement.exprs
            for target in targets:
                self._bind(target, value if statement.text == "=" else None)
        elif statement.kind is StmtKind.LOOP and statement.text == "for":
            self._bind(statement.exprs[0], element_of(statement.exprs[1]))
        elif statement.kind is StmtKind.HANDLER and statement.text:
            self._note(statement.text, None)

    def _expression(self, node: Expr) -> None:
        if node.kind is ExprKind.ASSIGN:
            self._bind(node.parts[0], node.parts[1] if node.text == "=" else None)
        elif node.kind is ExprKind.UNARY and node.text in _STEPS and node.parts:
            self._bind(node.parts[0], None)
        elif node.kind is ExprKind.CLAUSE:
            self._bind(node.parts[0], element_of(node.parts[1]))
        elif node.kind is ExprKind.LAMBDA and not node.text:
            for param in node.parts[1:]:
                self._note(param.text, None)

    def _bind(self, target: Expr, value: Expr | None) -> None:
        if target.kind is ExprKind.NAME:
            self._note(target.text, value)
        elif target.kind is ExprKind.COLLECTION or (target.kind is ExprKind.UNARY and target.text == "*"):
            for part, given in zip(target.parts, _given(target, value), strict=True):
                self._bind(part, given)

    def _note(self, name: str, value: Expr | None) -> None:
        self.locals.add(name)
        self._assignments[name] += 1
        if value is not None:
            self.values[name] = value


def _given(target: Expr, value: Expr | None) -> Iterable[Expr | None]:
    """What each name of ``a, b = one, other`` is given; nothing known unless both sides are written out."""
    spread = any(part.kind is ExprKind.UNARY for part in target.parts)
    if value is None or value.kind is not ExprKind.COLLECTION or len(value.parts) != len(target.parts) or spread:
        return [None] * len(target.parts)
    return value.parts


def element_of(iterable: Expr) -> Expr:
    """What stands for one item of `iterable`."""
    return Expr(ExprKind.UNARY, "each", (iterable,), iterable.line)


def _without_lines(node: Expr) -> Expr:
    return Expr(node.kind, node.text, tuple([_without_lines(part) for part in node.parts]), 0)


def _stands_in(value: Expr | None, name: str) -> bool:
    """True when a value may be read for its variable: small, not about itself, and no placeholder."""
    if value is None or (value.kind is ExprKind.CONSTANT and value.text == "null"):
        return False
    most = _CONDITION_NODES if value.kind in _LOGICAL else _INLINE_NODES
    stack, nodes = [value], 0
    while stack:
        node = stack.pop()
        nodes += 1
        if nodes > most or (node.kind is ExprKind.NAME and node.text == name):
            return False
        is_namesake = node.kind is ExprKind.CALL and node.parts[0][:2] == (ExprKind.NAME, name)
        stack += node.parts[1:] if is_namesake else node.parts  # a function of that name is something else
    return True
