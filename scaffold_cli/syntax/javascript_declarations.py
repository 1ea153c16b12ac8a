"""Functions, classes, imports and exports of JavaScript and TypeScript, to neutral ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from scaffold_cli.syntax import building
from scaffold_cli.syntax.javascript_expressions import Expressions
from scaffold_cli.syntax.javascript_statements import Statements
from scaffold_cli.syntax.nodes import field, line, make, named, text
from scaffold_cli.syntax.outline import Block, Class, Expr, ExprKind, Function, Import, Param, Stmt, StmtKind

if TYPE_CHECKING:
    from tree_sitter import Node

_WORDS = frozenset({"static", "async", "get", "set", "readonly", "abstract", "override", "declare", "*"})
_FIELDS = ("field_definition", "public_field_definition")
_METHODS = ("method_definition", "method_signature", "abstract_method_signature", "function_signature")
_KINDS = {"interface_declaration": "interface", "enum_declaration": "enum", "type_alias_declaration": "type"}


class Declarations:
    """Lowers definitions, listing them in the scope. `exported` is None in a file without ``export``."""

    def __init__(self, scope: building.Scope, expressions: Expressions, statements: Statements) -> None:
        self.imports: list[Import] = []
        self.exported: set[str] | None = None
        self._scope = scope
        self._expressions = expressions
        self._statements = statements
        self._table: dict[str, Callable[[Node], Sequence[Stmt]]] = {
            "class_declaration": lambda node: [self._class_statement(node)],
            "abstract_class_declaration": lambda node: [self._class_statement(node)],
            "internal_module": self._namespace,
            "module": self._namespace,
            "ambient_declaration": lambda node: statements.sequence(named(node)),
            "import_statement": self._import,
            "export_statement": self._export,
        }
        for kind in ("function_declaration", "generator_function_declaration", "function_signature"):
            self._table[kind] = lambda node: [self._function_statement(node)]
        for kind in _KINDS:
            self._table[kind] = lambda node: [self._type(node)]

    def definition(self, node: Node) -> Sequence[Stmt]:
        """List what a declaration defines; the statements that stand for it."""
        return self._table[node.type](node)

    def function_value(self, node: Node, name: str) -> Expr:
        """A function as a value. Unnamed ones that only return an expression stay in place."""
        own = node.child_by_field_name("name")
        body = field(node, "body")
        params = self._params(node)
        if not name and own is None and body.type != "statement_block":
            names = [building.name(param.name, line(node)) for param in params]
            return Expr(ExprKind.LAMBDA, "", (self._expressions.lower(body), *names), line(node))
        short = name or (text(own) if own is not None else self._scope.unnamed("lambda"))
        function = self._function(node, short, params, body)
        return Expr(ExprKind.LAMBDA, function.name, (), line(node))

    def method(self, node: Node) -> Expr:
        """A method of an object literal."""
        return Expr(ExprKind.LAMBDA, self._method(node, ()).text, (), line(node))

    def class_value(self, node: Node, name: str) -> Expr:
        """A class as a value."""
        own = node.child_by_field_name("name")
        short = name or (text(own) if own is not None else self._scope.unnamed("class"))
        return building.name(self._class(node, short).text, line(node))

    def object_scope(self, name: str, node: Node, build: Callable[[Node], Expr]) -> Expr:
        """Build an object whose functions belong to `name`."""
        with self._inside(name if name not in ("exports", "") else ""):
            return build(node)

    @contextmanager
    def _inside(self, name: str) -> Iterator[None]:
        if not name:
            yield
            return
        with self._scope.inside_class(name, self._is_public(name)):
            yield

    def _is_public(self, name: str, modifiers: frozenset[str] = frozenset()) -> bool:
        hidden = modifiers & {"private", "protected"} or name.startswith(("_", "#", "<"))
        return self._scope.is_open and not hidden

    def _function_statement(self, node: Node) -> Stmt:
        own = node.child_by_field_name("name")
        short = text(own) if own is not None else "default"
        function = self._function(node, short, self._params(node), node.child_by_field_name("body"))
        return make(StmtKind.FUNCTION, node, function.name)

    def _function(
        self, node: Node, short: str, params: tuple[Param, ...], body: Node | None, decorators: tuple[Expr, ...] = ()
    ) -> Function:
        dotted, owner, modifiers = self._scope.dotted(short), self._scope.owner, _modifiers(node)
        if body is None:
            modifiers |= {"abstract"}
        is_public = self._is_public(short, modifiers)
        with self._scope.inside_function(short):
            if body is None:
                statements: Block = ()
            elif body.type == "statement_block":
                statements = self._expressions.fresh(lambda: self._statements.block(body))
            else:
                statements = (make(StmtKind.RETURN, body, "", (self._expressions.lower(body),)),)
        returns = node.child_by_field_name("return_type")
        spelled = _type_text(returns) if returns is not None else ""
        start, end = line(node), node.end_point[0] + 1
        made = Function(dotted, params, statements, start, end, decorators, modifiers, owner, spelled, is_public)
        self._scope.functions.append(made)
        return made

    def _params(self, node: Node) -> tuple[Param, ...]:
        single = node.child_by_field_name("parameter")
        listed = node.child_by_field_name("parameters")
        nodes = [single] if single is not None else named(listed) if listed is not None else []
        return tuple([self._param(child) for child in nodes if text(child).partition(":")[0].strip() != "this"])

    def _param(self, node: Node) -> Param:
        pattern, default = node, node.child_by_field_name("value")
        if node.type in ("required_parameter", "optional_parameter"):
            pattern = field(node, "pattern")
        if pattern.type == "assignment_pattern":
            pattern, default = field(pattern, "left"), field(pattern, "right")
        name = building.shortened(text(pattern))
        kind = node.child_by_field_name("type")
        lowered = self._expressions.lower(default) if default is not None else None
        if lowered is None and node.type == "optional_parameter":
            lowered = building.null(line(node))
        return Param(name, lowered, _type_text(kind) if kind is not None else "", self._decorators(node))

    def _decorators(self, node: Node) -> tuple[Expr, ...]:
        marks = [child for child in named(node) if child.type == "decorator"]
        return tuple([self._expressions.lower(named(mark)[0]) for mark in marks])

    def _class_statement(self, node: Node) -> Stmt:
        own = node.child_by_field_name("name")
        return self._class(node, text(own) if own is not None else "default")

    def _class(self, node: Node, short: str) -> Stmt:
        dotted = self._scope.dotted(short)
        parent = node.parent
        outside = self._decorators(parent) if parent is not None and parent.type == "export_statement" else ()
        decorators = (*outside, *self._decorators(node))
        is_public = self._is_public(short)
        bases = self._bases(node)
        with self._scope.inside_class(short, is_public):
            body = self.members(field(node, "body"))
        end = node.end_point[0] + 1
        modifiers = frozenset({"abstract"} if node.type == "abstract_class_declaration" else ())
        made = Class(dotted, bases, body, line(node), end, decorators, modifiers, is_public)
        self._scope.classes.append(made)
        return make(StmtKind.CLASS, node, dotted)

    def _bases(self, node: Node) -> tuple[Expr, ...]:
        heritage = next((child for child in named(node) if child.type == "class_heritage"), None)
        bases: list[Expr] = []
        for child in named(heritage) if heritage is not None else []:
            if child.type == "extends_clause":
                bases.append(self._expressions.lower(field(child, "value")))
            elif child.type == "implements_clause":
                bases += [building.name(text(kind).partition("<")[0], line(kind)) for kind in named(child)]
            else:
                bases.append(self._expressions.lower(child))
        return tuple(bases)

    def members(self, node: Node) -> Block:
        """The members of a class body."""
        found: list[Stmt] = []
        waiting: tuple[Expr, ...] = ()
        for child in named(node):
            if child.type == "decorator":
                waiting += (self._expressions.lower(named(child)[0]),)
                continue
            if child.type in _METHODS:
                found.append(self._method(child, waiting))
            elif child.type in _FIELDS:
                found += self._field(child, waiting)
            elif child.type == "class_static_block":
                found += self._statements.block(field(child, "body"))
            waiting = ()
        return tuple(found)

    def _method(self, node: Node, decorators: tuple[Expr, ...]) -> Stmt:
        key = self._expressions.key(field(node, "name"))
        short = key.text if key.kind is ExprKind.STRING else f"[{building.shortened(text(field(node, 'name')))}]"
        body = node.child_by_field_name("body")
        function = self._function(node, short, self._params(node), body, (*decorators, *self._decorators(node)))
        return make(StmtKind.FUNCTION, node, function.name)

    def _field(self, node: Node, decorators: tuple[Expr, ...]) -> list[Stmt]:
        name = node.child_by_field_name("name") or field(node, "property")
        value = node.child_by_field_name("value")
        target = self._expressions.lower(name)
        lowered = self._expressions.named_value(value, text(name)) if value is not None else building.null(line(node))
        found = [
            Stmt(StmtKind.ANNOTATION, "", (mark, target), (), mark.line, mark.line)
            for mark in (*decorators, *self._decorators(node))
        ]
        return [*found, make(StmtKind.ASSIGN, node, "=", (lowered, target))]

    def _type(self, node: Node) -> Stmt:
        """An interface, a type or an enum."""
        short, kind = text(field(node, "name")), _KINDS[node.type]
        dotted, is_public = self._scope.dotted(short), self._is_public(short)
        members: list[Stmt] = []
        with self._scope.inside_class(short, is_public):
            body = node.child_by_field_name("body")
            for child in named(body) if body is not None else []:
                if child.type in _METHODS:
                    members.append(self._method(child, ()))
                elif kind == "enum":
                    members.append(self._constant(child))
        end = node.end_point[0] + 1
        self._scope.classes.append(Class(dotted, (), tuple(members), line(node), end, is_public=is_public, kind=kind))
        return make(StmtKind.CLASS, node, dotted)

    def _constant(self, node: Node) -> Stmt:
        name = node.child_by_field_name("name") or node
        value = node.child_by_field_name("value")
        lowered = self._expressions.lower(value) if value is not None else building.null(line(node))
        return make(StmtKind.ASSIGN, node, "=", (lowered, building.name(text(name), line(node))))

    def _namespace(self, node: Node) -> list[Stmt]:
        name, body = field(node, "name"), node.child_by_field_name("body")
        short = text(name).strip("'\"")
        dotted, is_public = self._scope.dotted(short), self._is_public(short)
        with self._scope.inside_class(short, is_public):
            exported, self.exported = self.exported, None
            statements = self._statements.block(body) if body is not None else ()
            self.exported = exported
        end = node.end_point[0] + 1
        self._scope.classes.append(
            Class(dotted, (), statements, line(node), end, is_public=is_public, kind="namespace")
        )
        return [make(StmtKind.CLASS, node, dotted)]

    def _import(self, node: Node) -> Sequence[Stmt]:
        source = node.child_by_field_name("source")
        module = text(source)[1:-1] if source is not None else ""
        at = line(node)
        for clause in named(node):
            if clause.type == "import_require_clause":
                self.imports.append(Import(text(named(clause)[0]), text(field(clause, "source"))[1:-1], "", 0, at))
            for child in named(clause) if clause.type == "import_clause" else []:
                if child.type == "identifier":
                    self.imports.append(Import(text(child), module, "default", 0, at))
                elif child.type == "namespace_import":
                    self.imports.append(Import(text(named(child)[0]), module, "", 0, at))
                else:
                    self.imports += [_specifier(item, module, at) for item in named(child)]
        return [make(StmtKind.EMPTY, node)]

    def _export(self, node: Node) -> Sequence[Stmt]:
        names = self.exported if self.exported is not None else set()
        self.exported = names
        declaration = node.child_by_field_name("declaration")
        if declaration is not None:
            found = self._statements.statement(declaration)
            for statement in found:
                names.add(statement.text if statement.kind is not StmtKind.ASSIGN else statement.exprs[1].text)
            return found
        value = node.child_by_field_name("value")
        if value is not None:
            names.add("default")
            lowered = self._expressions.named_value(value, "default")
            if lowered.kind is ExprKind.NAME:
                names.add(lowered.text)
            return [make(StmtKind.ASSIGN, node, "=", (lowered, building.name("default", line(node))))]
        for clause in named(node):
            if clause.type == "export_clause":
                names.update(text(field(item, "name")) for item in named(clause))
            elif clause.type == "identifier":  # TypeScript's `export = name`
                names.add(text(clause))
        return [make(StmtKind.EMPTY, node)]


def _specifier(node: Node, module: str, at: int) -> Import:
    name = text(field(node, "name"))
    alias = node.child_by_field_name("alias")
    return Import(text(alias) if alias is not None else name, module, name, 0, at)


def _modifiers(node: Node) -> frozenset[str]:
    words = {child.type for child in node.children if child.type in _WORDS}
    access = {text(child) for child in node.children if child.type == "accessibility_modifier"}
    return frozenset({"generator" if word == "*" else word for word in words} | access)


def _type_text(node: Node) -> str:
    return " ".join(text(node).removeprefix(":").split())
