"""C and C++ statements, as tree-sitter reads them, to neutral ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from scaffold_cli.syntax import building
from scaffold_cli.syntax.c_exits import jump, landing
from scaffold_cli.syntax.c_expressions import Expressions, type_text, unchained
from scaffold_cli.syntax.nodes import field, line, make, named, text
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind

if TYPE_CHECKING:
    from tree_sitter import Node

_ASSERTS = re.compile(r"(?:\w+_)?(?:assert|ASSERT)(?:_\w+)?|D?CHECK|Q_ASSERT|g_return(?:_val)?_if_fail|av_assert[0-9]")
_NEGATED_ASSERTS = frozenset({"BUG_ON"})
_RETURN_MACRO = re.compile(r"(?:RETURN|return)_(?P<value>\w+)")
_CONSTANTS = {"NULL": "null", "FALSE": "false", "TRUE": "true", "false": "false", "true": "true"}
_HEADERS = ("preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "preproc_elifdef")
_SEQUENCES = ("compound_statement", "declaration_list", "field_declaration_list", "enumerator_list", "ERROR")
"""What holds statements, those in error too."""
_PARTS_OF_CONDITIONS = ("name", "condition", "alternative")


class Declares(Protocol):
    """What statements hand to others: definitions, declarations, imports."""

    table: dict[str, Callable[[Node], Sequence[Stmt]]]
    """Statements for each kind of node that declares."""


class Statements:
    """Lowers statements. One can become several; what does not parse becomes OTHER, its parsed parts after it."""

    def __init__(self, expressions: Expressions) -> None:
        self.declares: Declares
        self._expressions = expressions
        self._table: dict[str, Callable[[Node], Sequence[Stmt]]] = {
            "compound_statement": self.block,
            "expression_statement": self._expression_statement,
            "if_statement": self._if,
            "else_clause": lambda node: self.sequence(named(node)),
            "while_statement": self._while,
            "do_statement": self._do,
            "for_statement": self._for,
            "for_range_loop": self._for_range,
            "switch_statement": self._switch,
            "labeled_statement": self._labelled,
            "goto_statement": lambda node: [jump(text(field(node, "label")), line(node))],
            "return_statement": lambda node: [make(StmtKind.RETURN, node, "", self._expressions.all(named(node)))],
            "co_return_statement": lambda node: [make(StmtKind.RETURN, node, "", self._expressions.all(named(node)))],
            "throw_statement": lambda node: [make(StmtKind.RAISE, node, "", self._expressions.all(named(node)))],
            "break_statement": lambda node: [make(StmtKind.BREAK, node)],
            "continue_statement": lambda node: [make(StmtKind.CONTINUE, node)],
            "try_statement": self._try,
            "attributed_statement": lambda node: self.statement(named(node)[-1]),
            "static_assert_declaration": lambda node: [make(StmtKind.EMPTY, node)],
            "case_statement": self._stray_case,
            "ERROR": self._broken,
        }
        for kind in _HEADERS:
            self._table[kind] = self._conditional_text

    def statement(self, node: Node) -> Sequence[Stmt]:
        """One statement."""
        handler = self._table.get(node.type) or self.declares.table.get(node.type)
        if handler is None:
            return self.effect(node)
        try:
            found = handler(node)
        except (ValueError, IndexError):  # a part the grammar promises is missing: the tree has errors
            return self._broken(node)
        return [*self._marks(node), *found] if node.has_error and node.type not in _SEQUENCES else found

    def _marks(self, node: Node) -> list[Stmt]:
        """The text of parts of a statement that do not parse and are no statements themselves."""
        parts = [child for child in node.children if child.has_error or child.is_error]
        plain = [child for child in parts if child.is_error or not (child.is_missing or self._is_statement(child))]
        return [make(StmtKind.OTHER, child, building.shortened(text(child))) for child in plain]

    def _is_statement(self, node: Node) -> bool:
        return node.type in self._table or node.type in self.declares.table or node.type in _SEQUENCES

    def block(self, node: Node) -> Block:
        """The statements of a block, or the one statement that stands for it."""
        return self.sequence(named(node)) if node.type == "compound_statement" else self.sequence([node])

    def sequence(self, nodes: Iterable[Node]) -> Block:
        """Statements one after another."""
        found: list[Stmt] = []
        for node in nodes:
            found.extend(self.statement(node))
        return tuple(found)

    def effect(self, node: Node) -> list[Stmt]:
        """An expression that stands as a statement."""
        if node.type == "comma_expression":
            return [one for part in unchained(node) for one in self.effect(part)]
        if node.type == "assignment_expression":
            return [self._assignment(node)]
        lowered = self._expressions.lower(node)
        if lowered.kind is ExprKind.CALL and lowered.parts[0].kind is ExprKind.NAME:
            return [_by_macro(node, lowered.parts[0].text, lowered)]
        returned = _RETURN_MACRO.fullmatch(lowered.text) if lowered.kind is ExprKind.NAME else None
        if returned is not None:
            return [make(StmtKind.RETURN, node, "", (_macro_value(returned["value"], lowered),))]
        return [building.effect(make(StmtKind.EXPR, node, "", (lowered,)))]

    def _expression_statement(self, node: Node) -> Sequence[Stmt]:
        inner = named(node)
        return self.effect(inner[0]) if inner else ()

    def _assignment(self, node: Node) -> Stmt:
        """``a = b = c`` is one ASSIGN with two targets."""
        operator = text(field(node, "operator"))
        targets = [field(node, "left")]
        value = field(node, "right")
        while operator == "=" and value.type == "assignment_expression" and text(field(value, "operator")) == "=":
            targets.append(field(value, "left"))
            value = field(value, "right")
        lowered = self._expressions.all([value, *targets])
        self._expressions.assigned.update([target.text for target in lowered[1:]])
        return make(StmtKind.ASSIGN, node, operator, lowered)

    def _broken(self, node: Node) -> list[Stmt]:
        """The text of what does not parse, then the statements found inside it."""
        inner = [child for child in named(node) if self._is_statement(child)]
        return [make(StmtKind.OTHER, node, building.shortened(text(node))), *self.sequence(inner)]

    def _conditional_text(self, node: Node) -> Sequence[Stmt]:
        """``#if``: every branch counts, one after another, except those switched off by ``#if 0``."""
        condition = node.child_by_field_name("condition")
        off = condition is not None and text(condition) == "0"
        marked = [node.children_by_field_name(label) for label in _PARTS_OF_CONDITIONS]
        heads = {child.id for children in marked for child in children}
        found = () if off else self.sequence([child for child in named(node) if child.id not in heads])
        rest = node.child_by_field_name("alternative")
        return (*found, *self.statement(rest)) if rest is not None else found

    def _if(self, node: Node) -> list[Stmt]:
        """A declaration in the condition stands before its IF, so a later one in a chain opens the else block."""
        found = self._initializer(field(node, "condition"))
        tests: list[Expr] = []
        blocks: list[Block] = []
        rest: Node | None = node
        while rest is not None and rest.type == "if_statement":
            if rest is not node and self._declares_in_condition(rest):
                break
            tests.append(self._condition(field(rest, "condition")))
            blocks.append(self.block(field(rest, "consequence")))
            otherwise = rest.child_by_field_name("alternative")
            rest = named(otherwise)[0] if otherwise is not None and named(otherwise) else None
        blocks.append(self.block(rest) if rest is not None else ())
        return [*found, make(StmtKind.IF, node, "", tests, tuple(blocks))]

    @staticmethod
    def _declares_in_condition(node: Node) -> bool:
        condition = field(node, "condition")
        return any(child.type in ("init_statement", "declaration") for child in condition.named_children)

    def _initializer(self, condition: Node) -> list[Stmt]:
        found: list[Stmt] = []
        for child in condition.named_children:
            if child.type == "init_statement":
                found += self.sequence(named(child))
            elif child.type == "declaration":
                found += self.statement(child)
        return found

    def _condition(self, node: Node) -> Expr:
        inner = named(node)[-1]
        if inner.type == "declaration":
            return self._expressions.lower(field(inner, "declarator"))
        return self._expressions.lower(inner)

    def _while(self, node: Node) -> list[Stmt]:
        condition = field(node, "condition")
        test = self._condition(condition)
        loop = make(StmtKind.LOOP, node, "while", (test,), (self.block(field(node, "body")), ()))
        return [*self._initializer(condition), loop]

    def _do(self, node: Node) -> Sequence[Stmt]:
        test = self._condition(field(node, "condition"))
        return [make(StmtKind.LOOP, node, "do", (test,), (self.block(field(node, "body")), ()))]

    def _for(self, node: Node) -> list[Stmt]:
        start, condition = node.child_by_field_name("initializer"), node.child_by_field_name("condition")
        update = node.child_by_field_name("update")
        found = list(self.statement(start)) if start is not None else []
        always = Expr(ExprKind.CONSTANT, "true", (), line(node))
        test = self._expressions.lower(condition) if condition is not None else always
        body = self.block(field(node, "body"))
        if update is not None:
            body = (*body, *self.effect(update))
        return [*found, make(StmtKind.LOOP, node, "while", (test,), (body, ()))]

    def _for_range(self, node: Node) -> list[Stmt]:
        target = building.name(text(innermost(field(node, "declarator"))), line(node))
        header = (target, self._expressions.lower(field(node, "right")))
        return [make(StmtKind.LOOP, node, "for", header, (self.block(field(node, "body")), ()))]

    def _switch(self, node: Node) -> list[Stmt]:
        """Labels that share statements become one case; statements that run on into the next say so."""
        subject = self._condition(field(node, "condition"))
        cases: list[Stmt] = []
        labels: list[Expr] = []
        has_default = False
        items = list(_cases(field(node, "body")))
        for position, item in enumerate(items):
            value = item.child_by_field_name("value")
            has_default |= value is None
            labels += self._expressions.all([value] if value is not None else [])
            body = self.sequence([child for child in named(item) if value is None or child.id != value.id])
            if not body and position + 1 < len(items):
                continue
            if body and position + 1 < len(items) and not building.ends(body) and not body[-1].text.startswith("goto "):
                body = (*body, make(StmtKind.OTHER, item, "fallthrough"))
            cases.append(building.case(() if has_default else labels, None, body, line(item), item.end_point[0] + 1))
            labels, has_default = [], False
        switch = make(StmtKind.SWITCH, node, "", (subject,), (tuple(cases),))
        return [*self._initializer(field(node, "condition")), switch]

    def _stray_case(self, node: Node) -> Sequence[Stmt]:
        """A case whose switch did not parse."""
        value = node.child_by_field_name("value")
        return self.sequence([child for child in named(node) if value is None or child.id != value.id])

    def _labelled(self, node: Node) -> list[Stmt]:
        label = field(node, "label")
        return [landing(text(label), line(node)), *self.sequence([one for one in named(node) if one.id != label.id])]

    def _try(self, node: Node) -> list[Stmt]:
        handlers = tuple([self._handler(child) for child in named(node) if child.type == "catch_clause"])
        return [make(StmtKind.TRY, node, "", (), (self.block(field(node, "body")), handlers, (), ()))]

    def _handler(self, node: Node) -> Stmt:
        params = named(field(node, "parameters"))
        bound = ""
        types: tuple[Expr, ...] = ()
        if params and params[0].type == "parameter_declaration":
            kind = field(params[0], "type")
            types = (building.name(type_text(kind), line(kind)),)
            declarator = params[0].child_by_field_name("declarator")
            bound = text(innermost(declarator)).strip("&* ") if declarator is not None else ""
        return make(StmtKind.HANDLER, node, bound, types, (self.block(field(node, "body")),))


def innermost(node: Node) -> Node:
    """The name inside a declarator: what pointers, arrays, references and parentheses are wrapped around."""
    while True:
        inner = node.child_by_field_name("declarator")
        if inner is None and node.type in _WRAPPERS:
            inner = next((child for child in named(node) if child.type != "ms_call_modifier"), None)
        if inner is None:
            return node
        node = inner


_WRAPPERS = ("reference_declarator", "parenthesized_declarator", "attributed_declarator")


def _cases(body: Node) -> Iterable[Node]:
    """The cases of a switch, those inside ``#if`` too."""
    for child in named(body):
        if child.type == "case_statement":
            yield child
        elif child.type in _HEADERS:
            yield from _cases(child)


def _by_macro(node: Node, name: str, call: Expr) -> Stmt:
    """Calls that are statements of their own kind by wide convention: assertions, macros that return."""
    arguments = call.parts[1:]
    if arguments and _ASSERTS.fullmatch(name):
        return make(StmtKind.ASSERT, node, "", arguments)
    if arguments and name in _NEGATED_ASSERTS:
        return make(StmtKind.ASSERT, node, "", (Expr(ExprKind.NOT, "", arguments[:1], line(node)),))
    if _RETURN_MACRO.fullmatch(name) is not None:
        return make(StmtKind.RETURN, node, "", arguments[:1])
    return make(StmtKind.EXPR, node, "", (call,))


def _macro_value(word: str, written: Expr) -> Expr:
    constant = _CONSTANTS.get(word)
    return Expr(ExprKind.CONSTANT, constant, (), written.line) if constant is not None else written
