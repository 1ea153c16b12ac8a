"""Python expressions to neutral ones."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from scaffold_cli.syntax.outline import MAX_DEPTH, Expr, ExprKind

_BINARY = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitOr: "|",
    ast.BitAnd: "&",
    ast.BitXor: "^",
    ast.MatMult: "@",
}
_COMPARE = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}
_UNARY = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}
_CONSTANTS = {None: "null", True: "true", False: "false", ...: "..."}

Lowered = tuple[Expr, ...]


def operator_text(operator: ast.operator) -> str:
    """The operator as written, such as ``+``."""
    return _BINARY[type(operator)]


class Expressions:
    """Lowers expressions; deeper than `MAX_DEPTH` becomes OTHER."""

    def __init__(self) -> None:
        self._depth = 0
        self._table: dict[type[ast.AST], Callable[[Any], Expr]] = {
            ast.Name: lambda node: Expr(ExprKind.NAME, node.id, (), node.lineno),
            ast.Attribute: self._attribute,
            ast.Call: self._call,
            ast.Constant: _constant,
            ast.Subscript: self._subscript,
            ast.Slice: self._slice,
            ast.Compare: self._compare,
            ast.BoolOp: self._bool_op,
            ast.UnaryOp: self._unary,
            ast.BinOp: self._binary,
            ast.JoinedStr: self._joined,
            ast.FormattedValue: self._formatted,
            ast.Lambda: self._lambda,
            ast.List: lambda node: self._collection("list", node.elts, node.lineno),
            ast.Tuple: lambda node: self._collection("tuple", node.elts, node.lineno),
            ast.Set: lambda node: self._collection("set", node.elts, node.lineno),
            ast.Dict: self._dict,
            ast.ListComp: lambda node: self._comprehension("list", node.elt, node),
            ast.SetComp: lambda node: self._comprehension("set", node.elt, node),
            ast.GeneratorExp: lambda node: self._comprehension("generator", node.elt, node),
            ast.DictComp: self._dict_comprehension,
            ast.IfExp: self._conditional,
            ast.NamedExpr: lambda node: self._node(ExprKind.ASSIGN, "=", (node.target, node.value), node.lineno),
            ast.Await: lambda node: self._node(ExprKind.UNARY, "await", (node.value,), node.lineno),
            ast.Yield: lambda node: self._node(ExprKind.UNARY, "yield", _present(node.value), node.lineno),
            ast.YieldFrom: lambda node: self._node(ExprKind.UNARY, "yield from", (node.value,), node.lineno),
            ast.Starred: lambda node: self._node(ExprKind.UNARY, "*", (node.value,), node.lineno),
        }

    def lower(self, node: ast.expr) -> Expr:
        """One expression."""
        if self._depth >= MAX_DEPTH:
            return Expr(ExprKind.OTHER, "(nested too deeply)", (), node.lineno)
        handler = self._table.get(type(node))
        if handler is None:
            return Expr(ExprKind.OTHER, type(node).__name__, (), node.lineno)
        self._depth += 1
        result = handler(node)
        self._depth -= 1
        return result

    def all(self, nodes: Iterable[ast.expr]) -> Lowered:
        """Several expressions."""
        return tuple([self.lower(node) for node in nodes])

    def _node(self, kind: ExprKind, text: str, parts: Iterable[ast.expr], line: int) -> Expr:
        return Expr(kind, text, self.all(parts), line)

    def _attribute(self, node: ast.Attribute) -> Expr:
        return Expr(ExprKind.ATTRIBUTE, node.attr, (self.lower(node.value),), node.lineno)

    def _call(self, node: ast.Call) -> Expr:
        parts = [self.lower(node.func)]
        parts += [self.lower(argument) for argument in node.args]
        for keyword in node.keywords:
            value = self.lower(keyword.value)
            kind, text = (ExprKind.KEYWORD, keyword.arg) if keyword.arg else (ExprKind.UNARY, "**")
            parts.append(Expr(kind, text, (value,), keyword.value.lineno))
        return Expr(ExprKind.CALL, "", tuple(parts), node.lineno)

    def _subscript(self, node: ast.Subscript) -> Expr:
        return self._node(ExprKind.SUBSCRIPT, "", (node.value, node.slice), node.lineno)

    def _slice(self, node: ast.Slice) -> Expr:
        null = Expr(ExprKind.CONSTANT, "null", (), node.lineno)
        parts = [null if part is None else self.lower(part) for part in (node.lower, node.upper, node.step)]
        return Expr(ExprKind.SLICE, "", tuple(parts), node.lineno)

    def _compare(self, node: ast.Compare) -> Expr:
        operands = self.all([node.left, *node.comparators])
        links = [
            Expr(ExprKind.COMPARE, _COMPARE[type(op)], (operands[i], operands[i + 1]), node.lineno)
            for i, op in enumerate(node.ops)
        ]
        return links[0] if len(links) == 1 else Expr(ExprKind.AND, "", tuple(links), node.lineno)

    def _bool_op(self, node: ast.BoolOp) -> Expr:
        kind = ExprKind.AND if isinstance(node.op, ast.And) else ExprKind.OR
        parts: list[Expr] = []
        for part in self.all(node.values):
            parts.extend(part.parts if part.kind is kind else (part,))
        return Expr(kind, "", tuple(parts), node.lineno)

    def _unary(self, node: ast.UnaryOp) -> Expr:
        operand = self.lower(node.operand)
        if isinstance(node.op, ast.Not):
            return Expr(ExprKind.NOT, "", (operand,), node.lineno)
        sign = _UNARY[type(node.op)]
        if sign == "-" and operand.kind is ExprKind.NUMBER:
            return Expr(ExprKind.NUMBER, f"-{operand.text}", (), node.lineno)
        return Expr(ExprKind.UNARY, sign, (operand,), node.lineno)

    def _binary(self, node: ast.BinOp) -> Expr:
        operands = [node.right]
        left: ast.expr = node.left
        while isinstance(left, ast.BinOp) and type(left.op) is type(node.op) and not isinstance(node.op, ast.Pow):
            operands.append(left.right)
            left = left.left
        operands.append(left)
        return self._node(ExprKind.BINARY, operator_text(node.op), reversed(operands), node.lineno)

    def _joined(self, node: ast.JoinedStr) -> Expr:
        return self._node(ExprKind.FORMAT, "", node.values, node.lineno)

    def _formatted(self, node: ast.FormattedValue) -> Expr:
        value = self.lower(node.value)
        if node.conversion == ord("r"):
            name = Expr(ExprKind.NAME, "repr", (), node.lineno)
            return Expr(ExprKind.CALL, "", (name, value), node.lineno)
        return value

    def _lambda(self, node: ast.Lambda) -> Expr:
        arguments = node.args
        params = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        params += _present(arguments.vararg) + _present(arguments.kwarg)
        names = [Expr(ExprKind.NAME, param.arg, (), param.lineno) for param in params]
        return Expr(ExprKind.LAMBDA, "", (self.lower(node.body), *names), node.lineno)

    def _collection(self, text: str, items: Sequence[ast.expr], line: int) -> Expr:
        return self._node(ExprKind.COLLECTION, text, items, line)

    def _dict(self, node: ast.Dict) -> Expr:
        pairs = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                pairs.append(Expr(ExprKind.UNARY, "**", (self.lower(value),), value.lineno))
            else:
                pairs.append(Expr(ExprKind.PAIR, "", (self.lower(key), self.lower(value)), key.lineno))
        return Expr(ExprKind.COLLECTION, "dict", tuple(pairs), node.lineno)

    def _comprehension(self, text: str, element: ast.expr, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Expr:
        return Expr(ExprKind.COMPREHENSION, text, (self.lower(element), *self._clauses(node.generators)), node.lineno)

    def _dict_comprehension(self, node: ast.DictComp) -> Expr:
        element = self._node(ExprKind.PAIR, "", (node.key, node.value), node.lineno)
        return Expr(ExprKind.COMPREHENSION, "dict", (element, *self._clauses(node.generators)), node.lineno)

    def _clauses(self, generators: Iterable[ast.comprehension]) -> list[Expr]:
        return [
            self._node(ExprKind.CLAUSE, "", (clause.target, clause.iter, *clause.ifs), clause.target.lineno)
            for clause in generators
        ]

    def _conditional(self, node: ast.IfExp) -> Expr:
        return self._node(ExprKind.CONDITIONAL, "", (node.test, node.body, node.orelse), node.lineno)


def _constant(node: ast.Constant) -> Expr:
    value = node.value
    if isinstance(value, str):
        return Expr(ExprKind.STRING, value, (), node.lineno)
    if isinstance(value, bytes):
        return Expr(ExprKind.STRING, value.decode("latin-1"), (), node.lineno)
    if value is None or value is ... or isinstance(value, bool):
        return Expr(ExprKind.CONSTANT, _CONSTANTS[value], (), node.lineno)
    if isinstance(value, int) and value.bit_length() > 256:
        return Expr(ExprKind.NUMBER, hex(value), (), node.lineno)
    return Expr(ExprKind.NUMBER, repr(value), (), node.lineno)


def _present(node: Any) -> list[Any]:
    return [] if node is None else [node]
