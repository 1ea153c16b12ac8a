"""The Go front-end: tree-sitter's grammar lowered to the neutral outline."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from scaffold_cli.syntax import building
from scaffold_cli.syntax.decoding import decode
from scaffold_cli.syntax.go_expressions import Expressions, type_text
from scaffold_cli.syntax.go_statements import Statements
from scaffold_cli.syntax.nodes import describe_error, field, line, make, named, parse, text
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

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node

_VERSION = re.compile(r"v\d+")


def lower(path: str, data: bytes) -> Outline:
    """The outline of Go source, whole files or single declarations. Never raises on bad source."""
    source = decode(data)
    lines = tuple(source.split("\n"))
    root = _parse(source)
    reason = describe_error(root)
    if reason is None:
        try:
            unit = _Declarations()
            body = unit.statements.block(root)
        except RecursionError:
            reason = "nested too deeply"
    if reason is not None:
        return Outline(path, Language.GO, reason, lines=len(lines), text=lines)
    return Outline(
        path=path,
        language=Language.GO,
        imports=tuple(unit.imports),
        functions=unit.scope.functions_in_order(),
        classes=unit.scope.classes_in_order(),
        body=body,
        lines=len(lines),
        text=lines,
    )


def problem(_path: str, data: bytes) -> str | None:
    """Why Go source does not parse, in the words of its outline; None when it does."""
    return describe_error(_parse(decode(data)))


def _parse(source: str) -> Node:
    return parse(source.encode("utf-8", "replace"), _grammar())


@cache
def _grammar() -> Grammar:
    import tree_sitter_go
    from tree_sitter import Language as Grammar

    return Grammar(tree_sitter_go.language())


class _Declarations:
    """Lowers functions, methods, types and imports, listing them in the scope."""

    def __init__(self) -> None:
        self.scope = building.Scope()
        self.imports: list[Import] = []
        self._expressions = Expressions()
        self.statements = Statements(self._expressions)
        self._expressions.nested = self
        self.statements.declares = self

    def definition(self, node: Node) -> Sequence[Stmt]:
        """List what a declaration defines; the statements that stand for it."""
        if node.type == "import_declaration":
            for child in named(node):
                specs = named(child) if child.type == "import_spec_list" else [child]
                self.imports += [_import(spec) for spec in specs]
            return [make(StmtKind.EMPTY, node)]
        if node.type == "type_declaration":
            return [self._type(spec) for spec in named(node)]
        return [self._function_statement(node)]

    def function_value(self, node: Node, name: str) -> Expr:
        """List a function literal under `name`, or under a made-up one when that is empty."""
        short = name or self.scope.unnamed("lambda")
        function = self._function(node, short, self._params(field(node, "parameters")))
        return Expr(ExprKind.LAMBDA, function.name, (), line(node))

    def _function_statement(self, node: Node) -> Stmt:
        short = text(field(node, "name"))
        params = self._params(field(node, "parameters"))
        receiver = node.child_by_field_name("receiver")
        if receiver is None:
            return make(StmtKind.FUNCTION, node, self._function(node, short, params).name)
        params = (*self._params(receiver), *params)
        owner = params[0].type.lstrip("* ").partition("[")[0]
        with self.scope.inside_class(owner, _is_exported(owner)):
            return make(StmtKind.FUNCTION, node, self._function(node, short, params).name)

    def _function(self, node: Node, short: str, params: tuple[Param, ...]) -> Function:
        dotted, owner = self.scope.dotted(short), self.scope.owner
        is_public = self.scope.is_open and _is_exported(short)
        body = node.child_by_field_name("body")
        statements: Block = ()
        if body is not None:
            with self.scope.inside_function(short):
                statements = self._expressions.fresh(lambda: self.statements.block(body))
        result = node.child_by_field_name("result")
        made = Function(
            name=dotted,
            params=params,
            body=statements,
            line=line(node),
            end_line=node.end_point[0] + 1,
            modifiers=frozenset() if body is not None else frozenset({"abstract"}),
            owner=owner,
            returns=type_text(result) if result is not None else "",
            is_public=is_public,
        )
        self.scope.functions.append(made)
        return made

    def _params(self, node: Node) -> tuple[Param, ...]:
        found = []
        for child in named(node):
            rest = "..." if child.type == "variadic_parameter_declaration" else ""
            spelled = rest + type_text(field(child, "type"))
            names = [text(name) for name in child.children_by_field_name("name") if name.is_named]
            found += [Param(rest + name, None, spelled) for name in names or ["_"]]
        return tuple(found)

    def _type(self, node: Node) -> Stmt:
        """A struct is a class whose bases are what it embeds; other types keep their name."""
        short, kind = text(field(node, "name")), field(node, "type")
        dotted, is_public = self.scope.dotted(short), self.scope.is_open and _is_exported(short)
        bases: list[Expr] = []
        members: list[Stmt] = []
        word = {"struct_type": "class", "interface_type": "interface"}.get(kind.type, "type")
        with self.scope.inside_class(short, is_public, word == "interface"):
            if word == "class":
                for child in named(named(kind)[0]):
                    self._field(child, bases, members)
            elif word == "interface":
                for child in named(kind):
                    self._element(child, bases, members)
        end = node.end_point[0] + 1
        made = Class(dotted, tuple(bases), tuple(members), line(node), end, is_public=is_public, kind=word)
        self.scope.classes.append(made)
        return make(StmtKind.CLASS, node, dotted)

    def _field(self, node: Node, bases: list[Expr], members: list[Stmt]) -> None:
        names = [child for child in node.children_by_field_name("name") if child.is_named]
        if not names:
            bases.append(self._expressions.lower(field(node, "type")))
        tag = node.child_by_field_name("tag")
        for name in names:
            target = building.name(text(name), line(name))
            if tag is not None:
                members.append(make(StmtKind.ANNOTATION, tag, "", (self._expressions.lower(tag), target)))
            members.append(make(StmtKind.ASSIGN, node, "=", (building.null(line(node)), target)))

    def _element(self, node: Node, bases: list[Expr], members: list[Stmt]) -> None:
        if node.type == "method_elem":
            function = self._function(node, text(field(node, "name")), self._params(field(node, "parameters")))
            members.append(make(StmtKind.FUNCTION, node, function.name))
        else:
            bases += self._expressions.all(named(node))


def _is_exported(name: str) -> bool:
    return name[:1].isupper()


def _import(node: Node) -> Import:
    module = text(field(node, "path"))[1:-1]
    alias = node.child_by_field_name("name")
    if alias is not None and alias.type == "dot":
        return Import("*", module, "*", 0, line(node))
    if alias is not None:
        return Import(text(alias), module, "", 0, line(node))
    parts = module.split("/")
    last = parts[-2] if len(parts) > 1 and _VERSION.fullmatch(parts[-1]) else parts[-1]
    return Import(last.partition(".")[0], module, "", 0, line(node))
