"""A second Java front-end on javalang: slower, Java 8 only, a check on the first.

It lowers to the same outline as `scaffold_cli.syntax.java` wherever javalang can read the text; a test
compares the two. javalang has no ends of nodes and places only some expressions, so lines are coarser.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from javalang import tree
from javalang.parser import JavaSyntaxError
from javalang.tokenizer import LexerError

from scaffold_cli.syntax import building
from scaffold_cli.syntax import java_neutral as neutral
from scaffold_cli.syntax.decoding import decode
from scaffold_cli.syntax.java_javalang_expressions import Expressions, type_text
from scaffold_cli.syntax.java_javalang_parser import parse
from scaffold_cli.syntax.java_javalang_statements import Statements
from scaffold_cli.syntax.outline import (
    Block,
    Class,
    Expr,
    ExprKind,
    Function,
    Import,
    Language,
    Outline,
    Param,
    Stmt,
    StmtKind,
)

_KINDS = {
    tree.ClassDeclaration: "class",
    tree.InterfaceDeclaration: "interface",
    tree.EnumDeclaration: "enum",
    tree.AnnotationDeclaration: "annotation",
}
_LATER_WORDS = frozenset({"record", "sealed", "permits", "yield"})
"""Words of later Java versions that javalang takes for types (a record becomes a method of that name)."""


class _TooModernError(Exception):
    """javalang accepted text of a later Java version without understanding it."""


def lower(path: str, data: bytes) -> Outline:
    """The outline of Java source up to Java 8; later syntax is a `problem`. Never raises on bad source."""
    source = decode(data)
    lines = tuple(source.split("\n"))
    try:
        unit = parse(source)
        lowering = _Declarations()
        body = tuple([lowering.definition(node) for node in unit.types])
    except JavaSyntaxError as error:
        at = getattr(error.at, "position", None)
        problem = f"line {at.line if at else 1}: {error.description}"
    except LexerError as error:
        problem = str(error)
    except _TooModernError as error:
        problem = f"javalang does not understand {error}"
    except RecursionError:
        problem = "nested too deeply"
    else:
        return Outline(
            path=path,
            language=Language.JAVA,
            imports=tuple(_import(node) for node in unit.imports),
            functions=lowering.scope.functions_in_order(),
            classes=lowering.scope.classes_in_order(),
            body=body,
            lines=len(lines),
            text=lines,
        )
    return Outline(path, Language.JAVA, problem, lines=len(lines), text=lines)


def _import(node: Any) -> Import:
    line = node.position.line if node.position is not None else 1
    if node.wildcard:
        return Import("*", node.path, "*", 0, line)
    module, _, name = node.path.rpartition(".")
    return Import(name, module, name, 0, line)


class _Declarations:
    """Lowers classes and their members, listing them in the scope."""

    def __init__(self) -> None:
        self.scope = building.Scope()
        self._expressions = Expressions(self.scope)
        self._statements = Statements(self._expressions)
        self._expressions.nested = self
        self._statements.declares = self

    def block(self, nodes: Sequence[Any]) -> Block:
        """The statements of a block."""
        return self._statements.block(nodes)

    def params(self, nodes: Sequence[Any]) -> tuple[Param, ...]:
        """Formal parameters."""
        found = []
        for node in nodes:
            spelled, name = type_text(node.type), node.name
            if node.varargs:
                spelled, name = f"{spelled}...", f"...{name}"
            found.append(Param(name, None, spelled, self._annotations(node)))
        return tuple(found)

    def anonymous_class(self, body: Sequence[Any], base: Expr) -> tuple[Expr, ...]:
        """List an anonymous class; the LAMBDAs that stand for its methods."""
        line = self._expressions.line
        short = self.scope.unnamed("anonymous")
        dotted = self.scope.dotted(short)
        with self.scope.inside_class(short, False):
            members = self._members(body)
        end = members[-1].end_line if members else line
        self.scope.classes.append(Class(dotted, (base,), members, line, end, is_public=False, kind="anonymous"))
        methods = [member for member in members if member.kind is StmtKind.FUNCTION]
        return tuple([Expr(ExprKind.LAMBDA, method.text, (), method.line) for method in methods])

    def definition(self, node: Any) -> Stmt:
        """List a class; the marker that stands for it."""
        kind = _KINDS[type(node)]
        line = self._enter(node)
        dotted, modifiers = self.scope.dotted(node.name), frozenset(node.modifiers)
        is_public = neutral.is_public(self.scope, modifiers)
        decorators = self._annotations(node)
        with self.scope.inside_class(node.name, is_public, kind in ("interface", "annotation")):
            if kind == "enum":
                members = (*self._constants(node.body.constants), *self._members(node.body.declarations))
            else:
                members = self._members(node.body)
        end = max([line, *(member.end_line for member in members)])
        made = Class(dotted, self._bases(node), members, line, end, decorators, modifiers, is_public, kind)
        self.scope.classes.append(made)
        return Stmt(StmtKind.CLASS, dotted, (), (), line, end)

    def _enter(self, node: Any) -> int:
        """Note where we are; the line of `node`."""
        if node.position is not None:
            self._expressions.line = node.position.line
        return self._expressions.line

    def _bases(self, node: Any) -> tuple[Expr, ...]:
        extends = getattr(node, "extends", None) or []
        types = [*(extends if isinstance(extends, list) else [extends]), *(getattr(node, "implements", None) or [])]
        return tuple([neutral.dotted_name(type_text(base), self._expressions.line) for base in types])

    def _annotations(self, node: Any) -> tuple[Expr, ...]:
        return tuple([self._expressions.annotation(mark) for mark in node.annotations or ()])

    def _members(self, nodes: Sequence[Any]) -> Block:
        found: list[Stmt] = []
        for node in nodes:
            found.extend(self._member(node))
        return tuple(found)

    def _member(self, node: Any) -> Sequence[Stmt]:
        if node is None:
            return ()
        if isinstance(node, list):  # an initializer
            return self.block(node)
        self._enter(node)
        if type(node) in _KINDS:
            return (self.definition(node),)
        if isinstance(node, (tree.FieldDeclaration, tree.ConstantDeclaration)):
            _refuse_later(node.type)
            return self._annotated(self._annotations(node), self._statements.variables(node.declarators))
        return (self._method(node),)

    def _annotated(self, annotations: Sequence[Expr], fields: Sequence[Stmt]) -> list[Stmt]:
        """Fields, each after the annotations it carries."""
        found = []
        for one in fields:
            found += [
                Stmt(StmtKind.ANNOTATION, "", (annotation, one.exprs[1]), (), annotation.line, annotation.line)
                for annotation in annotations
            ]
            found.append(one)
        return found

    def _constants(self, nodes: Sequence[Any]) -> list[Stmt]:
        found = []
        for node in nodes:
            line = self._enter(node)
            made = building.name(self.scope.class_name, line)
            parts = [made, *self._expressions.all(node.arguments or ())]
            if node.body is not None:
                parts += self.anonymous_class(node.body, made)
            value = Expr(ExprKind.CALL, "new", tuple(parts), line)
            assign = Stmt(StmtKind.ASSIGN, "=", (value, building.name(node.name, line)), (), line, line)
            found += self._annotated(self._annotations(node), [assign])
        return found

    def _method(self, node: Any) -> Stmt:
        line = self._expressions.line
        short, returns = node.name, ""
        if isinstance(node, tree.ConstructorDeclaration):
            short = neutral.CONSTRUCTOR
        else:
            _refuse_later(node.return_type)
            returns = type_text(node.return_type) + "[]" * len(getattr(node, "dimensions", None) or ())
        dotted, owner, modifiers = self.scope.dotted(short), self.scope.owner, frozenset(node.modifiers)
        is_public = neutral.is_public(self.scope, modifiers)
        params = self.params(getattr(node, "parameters", None) or ())
        decorators = self._annotations(node)
        value, nodes = getattr(node, "default", None), getattr(node, "body", None)
        statements: Block = ()
        with self.scope.inside_function(short):
            if value is not None:
                statements = (Stmt(StmtKind.RETURN, "", (self._expressions.lower(value),), (), line, line),)
            elif nodes is not None:
                statements = self.block(nodes)
        if value is None and nodes is None and "native" not in modifiers:
            modifiers |= {"abstract"}
        end = max([line, *(statement.end_line for statement in statements)])
        self.scope.functions.append(
            Function(dotted, params, statements, line, end, decorators, modifiers, owner, returns, is_public)
        )
        return Stmt(StmtKind.FUNCTION, dotted, (), (), line, end)


def _refuse_later(kind: Any) -> None:
    """Raises _TooModernError for a word that only a later Java version puts in the place of a type."""
    if kind is not None and kind.name in _LATER_WORDS:
        raise _TooModernError(kind.name)
