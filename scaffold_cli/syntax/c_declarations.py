"""C and C++ declarations, as tree-sitter reads them: functions, types, variables, macros, includes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from scaffold_cli.syntax import building
from scaffold_cli.syntax import c_literals as literals
from scaffold_cli.syntax.c_exits import settle
from scaffold_cli.syntax.c_expressions import Expressions, type_text
from scaffold_cli.syntax.c_statements import Statements, innermost
from scaffold_cli.syntax.nodes import field, line, make, named, text
from scaffold_cli.syntax.outline import Block, Class, Expr, ExprKind, Function, Import, Param, Stmt, StmtKind

if TYPE_CHECKING:
    from tree_sitter import Node

_NUMBER = re.compile(r"\(?\s*(-?)\s*((?:0[xX][0-9a-fA-F]+|[0-9][0-9']*)[uUlL]*)\s*\)?")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_NAME = re.compile(r"[A-Za-z_]\w*")
_QUALIFIER = re.compile(r"(?P<owner>.*)::(?P<name>[^:]+)", re.DOTALL)
_MODIFIERS = (
    "storage_class_specifier",
    "type_qualifier",
    "virtual",
    "virtual_specifier",
    "explicit_function_specifier",
    "ms_call_modifier",
)
_KINDS = {
    "class_specifier": "class",
    "struct_specifier": "class",
    "union_specifier": "union",
    "enum_specifier": "enum",
}
_PLAIN_DECLARATORS = (
    "identifier",
    "field_identifier",
    "type_identifier",
    "init_declarator",
    "pointer_declarator",
    "array_declarator",
    "reference_declarator",
    "parenthesized_declarator",
    "function_declarator",
    "structured_binding_declarator",
    "qualified_identifier",
)


class Declarations:
    """Lowers definitions, listing them in the scope."""

    def __init__(self, scope: building.Scope, expressions: Expressions, statements: Statements) -> None:
        self.imports: list[Import] = []
        self._scope = scope
        self._expressions = expressions
        self._statements = statements
        self._bare: set[tuple[str, int]] = set()
        """Name and line of variables declared without a value."""
        self._hidden = False
        """Inside ``private:``, ``protected:`` or a namespace without a name."""
        self.table: dict[str, Callable[[Node], Sequence[Stmt]]] = {
            "function_definition": self._function_definition,
            "declaration": self._declaration,
            "field_declaration": self._declaration,
            "type_definition": self._type_definition,
            "namespace_definition": self._namespace,
            "linkage_specification": lambda node: statements.sequence([field(node, "body")]),
            "declaration_list": lambda node: statements.sequence(named(node)),
            "template_declaration": lambda node: statements.sequence(named(node)[1:]),
            "template_instantiation": lambda node: [make(StmtKind.EMPTY, node)],
            "friend_declaration": lambda node: [make(StmtKind.EMPTY, node)],
            "using_declaration": lambda node: [make(StmtKind.EMPTY, node)],
            "alias_declaration": lambda node: [make(StmtKind.EMPTY, node)],
            "access_specifier": self._access,
            "preproc_include": self._include,
            "preproc_def": self._macro,
            "preproc_function_def": self._macro,
            "preproc_call": lambda node: [make(StmtKind.EMPTY, node)],
        }
        for kind in _KINDS:
            self.table[kind] = self._type

    def lambda_value(self, node: Node, name: str) -> Expr:
        """List a lambda under `name`, or under a made-up one when that is empty."""
        short = name or self._scope.unnamed("lambda")
        declarator = node.child_by_field_name("declarator")
        params = declarator.child_by_field_name("parameters") if declarator is not None else None
        made = self._function(node, short, self._params(params) if params is not None else ())
        return Expr(ExprKind.LAMBDA, made.name, (), line(node))

    def _function_definition(self, node: Node) -> Sequence[Stmt]:
        declarator = _function_declarator(field(node, "declarator"))
        kind = node.child_by_field_name("type")
        if declarator is None:
            head = text(kind) + text(field(node, "declarator")) if kind is not None else text(field(node, "declarator"))
            return self._named_function(node, building.shortened(head), ())
        name = _without_spaces(innermost(field(declarator, "declarator")))
        if (
            kind is None and not self._scope.owner and name.isidentifier() and name.isupper()
        ):  # a macro makes the head of the function: ``PHP_FUNCTION(read) { }``
            return self._named_function(node, name + text(field(declarator, "parameters")), ())
        return self._named_function(node, name, self._params(field(declarator, "parameters"), _old_style_types(node)))

    def _named_function(self, node: Node, name: str, params: tuple[Param, ...]) -> Sequence[Stmt]:
        qualified = _QUALIFIER.fullmatch(name)
        if qualified is None:
            return [make(StmtKind.FUNCTION, node, self._function(node, name, params).name)]
        owner = qualified["owner"].partition("<")[0].replace("::", ".").strip(". ")
        with self._scope.inside_class(owner, True):
            return [make(StmtKind.FUNCTION, node, self._function(node, qualified["name"], params).name)]

    def _function(self, node: Node, short: str, params: tuple[Param, ...]) -> Function:
        dotted, owner = self._scope.dotted(short), self._scope.owner
        modifiers = _modifiers(node)
        is_public = self._scope.is_open and not self._hidden and (bool(owner) or "static" not in modifiers)
        result, body = node.child_by_field_name("type"), node.child_by_field_name("body")
        statements: Block = ()
        with self._scope.inside_function(short):
            heads = [child for child in node.named_children if child.type == "field_initializer_list"]
            start = [one for head in heads for one in self._initializers(head)]
            if body is not None:
                statements = self._expressions.fresh(lambda: self._body(body))
        made = Function(
            name=dotted,
            params=params,
            body=settle((*start, *statements)),
            line=line(node),
            end_line=node.end_point[0] + 1,
            modifiers=modifiers,
            owner=owner,
            returns=type_text(result) if result is not None else "",
            is_public=is_public,
        )
        self._scope.functions.append(made)
        return made

    def _body(self, node: Node) -> Block:
        """A variable declared first and given its value later counts as assigned once: the declaration goes."""
        block = self._statements.block(node)
        given = {key for key in self._bare if key[0] in self._expressions.assigned}
        return _without(block, given) if given else block

    def _initializers(self, node: Node) -> list[Stmt]:
        """``A::A() : x(1)``: what a constructor sets before its body."""
        found = []
        for child in named(node):
            parts = named(child)
            values = self._expressions.all(named(parts[1])) if len(parts) > 1 else ()
            value = values[0] if len(values) == 1 else Expr(ExprKind.COLLECTION, "tuple", values, line(child))
            found.append(make(StmtKind.ASSIGN, child, "=", (value, self._expressions.lower(parts[0]))))
        return found

    def _params(self, node: Node, old_types: dict[str, str] | None = None) -> tuple[Param, ...]:
        found: list[Param | None] = []
        for child in named(node):
            if child.type == "identifier":
                found.append(Param(text(child), None, (old_types or {}).get(text(child), "")))
            elif child.type in ("variadic_parameter", "variadic_parameter_declaration"):
                found.append(Param("...", None, "..."))
            elif child.type.endswith("parameter_declaration"):
                found.append(self._param(child))
        return tuple([param for param in found if param is not None])

    def _param(self, node: Node) -> Param | None:
        kind, declarator = field(node, "type"), node.child_by_field_name("declarator")
        default = node.child_by_field_name("default_value")
        if declarator is None:
            return None if type_text(kind) == "void" else Param("_", None, type_text(kind))
        name = innermost(declarator)
        spelled = type_text(node).partition("=")[0]
        is_named = name.type in ("identifier", "field_identifier")
        short = text(name) if is_named else "_"
        kept = re.sub(rf"\b{re.escape(short)}\b(?!.*\b{re.escape(short)}\b)", "", spelled) if is_named else spelled
        lowered = self._expressions.lower(default) if default is not None else None
        return Param(short, lowered, " ".join(kept.split()))

    def _declaration(self, node: Node) -> Sequence[Stmt]:
        """Variables and fields, one ASSIGN each; a type that is defined on the way comes first."""
        found: list[Stmt] = []
        kind = node.child_by_field_name("type")
        if kind is not None and kind.type in _KINDS:
            found += self._type(kind)
        default = node.child_by_field_name("default_value")
        for declarator in node.children_by_field_name("declarator"):
            if declarator.type in _PLAIN_DECLARATORS:
                found += self._declared(declarator, kind, default)
        return found or [make(StmtKind.EMPTY, node)]

    def _declared(self, node: Node, kind: Node | None, default: Node | None) -> list[Stmt]:
        inner = field(node, "declarator") if node.type == "init_declarator" else node
        if _function_declarator(inner) is not None and node.type != "init_declarator":
            return [make(StmtKind.EMPTY, node)]
        name = innermost(inner)
        target = building.name(text(name), line(name))
        if name.type == "structured_binding_declarator":
            target = Expr(ExprKind.COLLECTION, "tuple", self._expressions.all(named(name)), line(name))
        value = node.child_by_field_name("value") or default
        if value is None:
            self._bare.add((target.text, target.line))
        return [make(StmtKind.ASSIGN, node, "=", (self._value(value, kind, target.text, line(node)), target))]

    def _value(self, value: Node | None, kind: Node | None, name: str, where: int) -> Expr:
        if value is None:
            return building.null(where)
        if value.type == "argument_list" and kind is not None:
            return self._expressions.construct(kind, value)
        if value.type == "lambda_expression":
            return self.lambda_value(value, name)
        return self._expressions.lower(value)

    def _type_definition(self, node: Node) -> Sequence[Stmt]:
        kind = node.child_by_field_name("type")
        if kind is None or kind.type not in _KINDS or kind.child_by_field_name("body") is None:
            return [make(StmtKind.EMPTY, node)]
        declarator = node.child_by_field_name("declarator")
        return self._type(kind, text(innermost(declarator)) if declarator is not None else "")

    def _type(self, node: Node, alias: str = "") -> Sequence[Stmt]:
        """A class, struct, union or enum with a body; without one it only mentions a type."""
        body = node.child_by_field_name("body")
        if body is None:
            return ()
        name = node.child_by_field_name("name")
        short = text(name).partition("<")[0] if name is not None else alias or self._scope.unnamed("type")
        dotted, is_public, hidden = self._scope.dotted(short), self._scope.is_open and not self._hidden, self._hidden
        self._hidden = node.type == "class_specifier"
        with self._scope.inside_class(short, is_public):
            members = self._members(body)
        self._hidden = hidden
        bases = [one for child in named(node) if child.type == "base_class_clause" for one in named(child)]
        lowered = self._expressions.all([base for base in bases if base.type != "access_specifier"])
        end = node.end_point[0] + 1
        made = Class(dotted, lowered, members, line(node), end, is_public=is_public, kind=_KINDS[node.type])
        self._scope.classes.append(made)
        return [make(StmtKind.CLASS, node, dotted)]

    def _members(self, body: Node) -> Block:
        if body.type != "enumerator_list":
            return self._statements.sequence(named(body))
        found = []
        for child in named(body):
            if child.type == "enumerator":
                value, name = child.child_by_field_name("value"), field(child, "name")
                lowered = self._expressions.lower(value) if value is not None else building.null(line(child))
                found.append(make(StmtKind.ASSIGN, child, "=", (lowered, building.name(text(name), line(name)))))
        return tuple(found)

    def _access(self, node: Node) -> Sequence[Stmt]:
        self._hidden = text(node) != "public"
        return ()

    def _namespace(self, node: Node) -> Sequence[Stmt]:
        """Names leave their namespace out, so that the ways to open one do not matter."""
        hidden, self._hidden = self._hidden, self._hidden or node.child_by_field_name("name") is None
        found = self._statements.sequence(named(field(node, "body")))
        self._hidden = hidden
        return found

    def _include(self, node: Node) -> Sequence[Stmt]:
        module = text(field(node, "path")).strip('<>" ')
        self.imports.append(Import("*", module, "*", 0, line(node)))
        return [make(StmtKind.EMPTY, node)]

    def _macro(self, node: Node) -> Sequence[Stmt]:
        """A macro is a setting under its name: a number, a string, another name, or text."""
        name, value = field(node, "name"), node.child_by_field_name("value")
        lowered = _macro_value(text(value).strip() if value is not None else "", line(node))
        return [make(StmtKind.ASSIGN, node, "=", (lowered, building.name(text(name), line(name))))]


def _without(block: Block, given: set[tuple[str, int]]) -> Block:
    found = []
    for statement in block:
        is_bare = statement.kind is StmtKind.ASSIGN and statement.exprs[0].text == "null"
        if is_bare and (statement.exprs[1].text, statement.exprs[1].line) in given:
            continue
        found.append(statement._replace(blocks=tuple([_without(inner, given) for inner in statement.blocks])))
    return tuple(found)


def _macro_value(written: str, where: int) -> Expr:
    number = _NUMBER.fullmatch(written)
    if number is not None:
        found = literals.number(number[2], where)
        return building.unary("-", found, where) if number[1] else found
    if _STRING.fullmatch(written):
        return literals.string(written, where)
    if _NAME.fullmatch(written):
        return building.name(written, where)
    return Expr(ExprKind.OTHER, building.shortened(written), (), where) if written else building.null(where)


def _function_declarator(node: Node) -> Node | None:
    """The declarator that has the parameters of the function itself, not of a pointer in its result."""
    found = None
    inner: Node | None = node
    while inner is not None:
        if inner.type == "function_declarator":
            called = inner.child_by_field_name("declarator")
            if called is not None and called.type != "parenthesized_declarator":
                return inner
            if called is not None and _is_plain(called):
                found = found or inner
        following = inner.child_by_field_name("declarator")
        if following is None and inner.type in ("reference_declarator", "parenthesized_declarator", "ERROR"):
            following = next(iter(named(inner)), None)
        inner = following
    return found


def _is_plain(node: Node) -> bool:
    """``(name)`` in parentheses to keep a macro away, as against ``(*name)``, a pointer to a function."""
    return all(child.type in ("identifier", "field_identifier") for child in named(node))


def _old_style_types(node: Node) -> dict[str, str]:
    """Types of parameters declared between the head and the body, as C had them before 1989."""
    found: dict[str, str] = {}
    for child in named(node):
        if child.type == "declaration":
            kind = child.child_by_field_name("type")
            for declarator in child.children_by_field_name("declarator"):
                found[text(innermost(declarator))] = type_text(kind) if kind is not None else ""
    return found


def _modifiers(node: Node) -> frozenset[str]:
    return frozenset(text(child) for child in node.children if child.type in _MODIFIERS)


def _without_spaces(node: Node) -> str:
    return "".join(text(node).split())
