"""Java expressions, as javalang reads them, to neutral ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from javalang import tree
from javalang.tokenizer import Keyword

from scaffold_cli.syntax import building
from scaffold_cli.syntax import java_neutral as neutral
from scaffold_cli.syntax.java_javalang_parser import Prefixed, Wrapped
from scaffold_cli.syntax.outline import MAX_DEPTH, Block, Expr, ExprKind, Function, Param

_SUPER = (tree.SuperMethodInvocation, tree.SuperMemberReference, tree.SuperConstructorInvocation)


class Nested(Protocol):
    """What expressions hand to others: bodies made of statements and of members."""

    def block(self, nodes: Sequence[Any]) -> Block:
        """The statements of a block."""
        ...

    def anonymous_class(self, body: Sequence[Any], base: Expr) -> tuple[Expr, ...]:
        """List an anonymous class; the LAMBDAs that stand for its methods."""
        ...

    def params(self, nodes: Sequence[Any]) -> tuple[Param, ...]:
        """Formal parameters."""
        ...


def type_text(node: Any) -> str:
    """A type in its clean spelling."""
    if node is None:
        return "void"
    found = str(node.name)
    arguments = getattr(node, "arguments", None)
    if arguments is not None:
        found += f"<{','.join(_argument(argument) for argument in arguments)}>"
    if getattr(node, "sub_type", None) is not None:
        found += f".{type_text(node.sub_type)}"
    return found + "[]" * len(node.dimensions or ())


def _argument(node: Any) -> str:
    if node.pattern_type is None:
        return type_text(node.type)
    return "?" if node.pattern_type == "?" else f"? {node.pattern_type} {type_text(node.type)}"


class Expressions:
    """Lowers expressions. javalang does not place all of them: those stand on the line of what is around them."""

    def __init__(self, scope: building.Scope) -> None:
        self.nested: Nested
        self.line = 1
        self._scope = scope
        self._depth = 0
        self._table: dict[type[Any], Callable[[Any], Expr]] = {
            Wrapped: lambda node: self.lower(node.inner),
            Prefixed: lambda node: building.unary(node.operator, self.lower(node.operand), self.line),
            Keyword: lambda node: building.name(str(node.value), self.line),
            tree.Literal: self._literal,
            tree.This: lambda _: self._qualified("this", _),
            tree.MemberReference: lambda node: self._qualified(node.member, node),
            tree.SuperMemberReference: lambda node: self._member(node.member, self._qualified("super", node)),
            tree.MethodInvocation: lambda node: self._call(self._qualified(node.member, node), node),
            tree.SuperMethodInvocation: lambda node: self._call(
                self._member(node.member, self._qualified("super", node)), node
            ),
            tree.ExplicitConstructorInvocation: lambda node: self._call(building.name("this", self.line), node),
            tree.SuperConstructorInvocation: lambda node: self._call(self._qualified("super", node), node),
            tree.ClassReference: self._class_reference,
            tree.VoidClassReference: lambda _: Expr(ExprKind.TYPE, "void", (), self.line),
            tree.ClassCreator: lambda node: self._creation(neutral.dotted_name(type_text(node.type), self.line), node),
            tree.InnerClassCreator: lambda node: self._creation(self._qualified(node.type.name, node), node),
            tree.ArrayCreator: self._array_creation,
            tree.ArrayInitializer: lambda node: self._array(node.initializers),
            tree.ElementArrayValue: lambda node: self._array(node.values),
            list: lambda _: self._array(()),  # an empty array in an annotation
            tree.Annotation: self.annotation,
            tree.Assignment: self._assignment,
            tree.TernaryExpression: lambda node: self._node(
                ExprKind.CONDITIONAL, (node.condition, node.if_true, node.if_false)
            ),
            tree.BinaryOperation: self._binary,
            tree.Cast: lambda node: Expr(
                ExprKind.CAST, type_text(node.type), (self.lower(node.expression),), self.line
            ),
            tree.MethodReference: self._method_reference,
            tree.LambdaExpression: self._lambda,
        }

    def lower(self, node: Any) -> Expr:
        """One expression."""
        if self._depth >= MAX_DEPTH:
            return Expr(ExprKind.OTHER, "(nested too deeply)", (), self.line)
        around = self.line
        position = getattr(node, "position", None)
        if position is not None:
            self.line = position.line
        self._depth += 1
        result = self._table[type(node)](node)
        for selector in getattr(node, "selectors", None) or ():
            result = self._select(result, selector)
        for operator in getattr(node, "postfix_operators", None) or ():
            result = building.unary(operator, result, self.line)
        self._depth -= 1
        self.line = around
        return result

    def all(self, nodes: Sequence[Any]) -> tuple[Expr, ...]:
        """Several expressions."""
        return tuple([self.lower(node) for node in nodes])

    def annotation(self, node: Any) -> Expr:
        """``@A`` and ``@A()`` are a name, ``@A(x = 1)`` a call."""
        function = neutral.dotted_name(node.name, self.line)
        element = node.element
        if element is None:
            return function
        if isinstance(element, list) and element:
            parts = [Expr(ExprKind.KEYWORD, pair.name, (self.lower(pair.value),), self.line) for pair in element]
        else:
            parts = [self.lower(element)]
        return Expr(ExprKind.CALL, "", (function, *parts), self.line)

    def _node(self, kind: ExprKind, parts: Sequence[Any]) -> Expr:
        return Expr(kind, "", self.all(parts), self.line)

    def _member(self, member: str, target: Expr) -> Expr:
        return Expr(ExprKind.ATTRIBUTE, member, (target,), self.line)

    def _qualified(self, member: str, node: Any) -> Expr:
        if not node.qualifier:
            return building.name(member, self.line)
        return self._member(member, neutral.dotted_name(node.qualifier, self.line))

    def _call(self, function: Expr, node: Any) -> Expr:
        return Expr(ExprKind.CALL, "", (function, *self.all(node.arguments)), self.line)

    def _select(self, target: Expr, node: Any) -> Expr:
        """``target[index]``, ``target.member`` and so on."""
        if isinstance(node, tree.ArraySelector):
            return Expr(ExprKind.SUBSCRIPT, "", (target, self.lower(node.index)), self.line)
        if isinstance(node, tree.InnerClassCreator):
            return self._creation(self._member(node.type.name, target), node)
        if isinstance(node, (Keyword, tree.This)):
            return self._member("this" if isinstance(node, tree.This) else str(node.value), target)
        if isinstance(node, _SUPER):
            target = self._member("super", target)
        function = self._member(node.member, target) if hasattr(node, "member") else target
        return self._call(function, node) if isinstance(node, tree.Invocation) else function

    def _literal(self, node: Any) -> Expr:
        value = str(node.value)
        if value in ("null", "true", "false"):
            return Expr(ExprKind.CONSTANT, value, (), self.line)
        if value[0] in "\"'":
            return neutral.string(value, self.line)
        return neutral.number(value, self.line)

    def _class_reference(self, node: Any) -> Expr:
        spelled = type_text(node.type) + "[]" * len(getattr(node, "brackets", ()))
        before = f"{node.qualifier}." if node.qualifier else ""
        return Expr(ExprKind.TYPE, before + spelled, (), self.line)

    def _creation(self, function: Expr, node: Any) -> Expr:
        arguments = self.all(node.arguments)
        body = self.nested.anonymous_class(node.body, function) if node.body is not None else ()
        return Expr(ExprKind.CALL, "new", (function, *arguments, *body), self.line)

    def _array_creation(self, node: Any) -> Expr:
        if node.initializer is not None:
            return self._array(node.initializer.initializers)
        sizes = [size for size in node.dimensions if size is not None]
        spelled = type_text(node.type) + "[]" * len(node.dimensions)
        made = Expr(ExprKind.TYPE, spelled, (), self.line)
        return Expr(ExprKind.CALL, "new", (made, *self.all(sizes)), self.line)

    def _array(self, items: Sequence[Any]) -> Expr:
        return Expr(ExprKind.COLLECTION, "array", self.all(items), self.line)

    def _assignment(self, node: Any) -> Expr:
        return Expr(ExprKind.ASSIGN, node.type, self.all((node.expressionl, node.value)), self.line)

    def _binary(self, node: Any) -> Expr:
        operator = node.operator
        if operator == "instanceof":
            matched = Expr(ExprKind.TYPE, type_text(node.operandr), (), self.line)
            return Expr(ExprKind.COMPARE, operator, (self.lower(node.operandl), matched), self.line)
        operands = [node.operandr]
        left = _bare(node.operandl)
        if operator not in building.COMPARISONS:
            while isinstance(left, tree.BinaryOperation) and left.operator == operator:
                operands.append(left.operandr)
                left = _bare(left.operandl)
        operands.append(left)
        return building.operation(operator, self.all(operands[::-1]), self.line)

    def _method_reference(self, node: Any) -> Expr:
        return self._member(node.method.member, self.lower(node.expression))

    def _lambda(self, node: Any) -> Expr:
        if all(isinstance(param, tree.FormalParameter) for param in node.parameters):
            params = self.nested.params(node.parameters)
        else:
            names = [getattr(param, "name", None) or _bare(param).member for param in node.parameters]
            params = tuple(Param(name, None, "") for name in names)
        if not isinstance(node.body, list):
            found = [building.name(param.name, self.line) for param in params]
            return Expr(ExprKind.LAMBDA, "", (self.lower(node.body), *found), self.line)
        short = self._scope.unnamed("lambda")
        dotted, owner = self._scope.dotted(short), self._scope.owner
        depth, self._depth = self._depth, 0
        with self._scope.inside_function(short):
            body = self.nested.block(node.body)
        self._depth = depth
        end = max([self.line, *(statement.end_line for statement in body)])
        self._scope.functions.append(Function(dotted, params, body, self.line, end, owner=owner, is_public=False))
        return Expr(ExprKind.LAMBDA, dotted, (), self.line)


def _bare(node: Any) -> Any:
    while isinstance(node, Wrapped) and not node.selectors and not node.postfix_operators:
        node = node.inner
    return node
