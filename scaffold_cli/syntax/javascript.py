"""The JavaScript and TypeScript front-end: tree-sitter's grammars lowered to the neutral outline."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from scaffold_cli.syntax.building import Scope
from scaffold_cli.syntax.decoding import decode
from scaffold_cli.syntax.javascript_declarations import Declarations
from scaffold_cli.syntax.javascript_expressions import Expressions
from scaffold_cli.syntax.javascript_statements import Statements
from scaffold_cli.syntax.nodes import describe_error, field, named, parse
from scaffold_cli.syntax.outline import Function, Import, Language, Outline, Stmt, StmtKind, walk

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node

_TYPESCRIPT = frozenset({".ts", ".mts", ".cts", ".tsx"})
_BEFORE, _AFTER = "class Fragment { ", "\n}"


def lower(path: str, data: bytes) -> Outline:
    """The outline of JavaScript or TypeScript source, by the suffix of `path`. Never raises on bad source.

    Text that is no program is tried once more as the inside of a class, for methods that stand alone.
    """
    source = decode(data)
    lines = tuple(source.split("\n"))
    suffix = _suffix(path)
    language = Language.TYPESCRIPT if suffix in _TYPESCRIPT else Language.JAVASCRIPT
    root, reason = _parse(source, suffix)
    if reason is None:
        try:
            return _outline(Outline(path, language, lines=len(lines), text=lines), root)
        except RecursionError:
            reason = "nested too deeply"
    return Outline(path, language, reason, lines=len(lines), text=lines)


def problem(path: str, data: bytes) -> str | None:
    """Why the source does not parse, in the words of its outline; None when it does."""
    return _parse(decode(data), _suffix(path))[1]


def _suffix(path: str) -> str:
    """The suffix that names the grammar."""
    suffix = PurePosixPath(path).suffix.lower()
    return suffix if suffix in _TYPESCRIPT else ".js"


def _parse(source: str, suffix: str) -> tuple[Node, str | None]:
    """The program, or the class body, in `source`; and what is wrong with it."""
    root = parse(source.encode("utf-8", "replace"), _grammar(suffix))
    problem = describe_error(root)
    if problem is None:
        return root, None
    if suffix == ".js":  # types in the manner of Flow read as those of TypeScript
        typed = parse(source.encode("utf-8", "replace"), _grammar(".tsx"))
        if not typed.has_error:
            return typed, None
    wrapped = parse((_BEFORE + source + _AFTER).encode("utf-8", "replace"), _grammar(suffix))
    if not wrapped.has_error:
        return field(named(wrapped)[0], "body"), None
    return root, problem


@cache
def _grammar(suffix: str) -> Grammar:
    from tree_sitter import Language as Grammar

    if suffix == ".js":
        import tree_sitter_javascript

        return Grammar(tree_sitter_javascript.language())
    import tree_sitter_typescript

    if suffix == ".tsx":
        return Grammar(tree_sitter_typescript.language_tsx())
    return Grammar(tree_sitter_typescript.language_typescript())


def _outline(empty: Outline, root: Node) -> Outline:
    scope = Scope()
    expressions = Expressions()
    statements = Statements(expressions)
    declarations = Declarations(scope, expressions, statements)
    expressions.nested = declarations
    statements.declares = declarations
    body = declarations.members(root) if root.type == "class_body" else statements.block(root)
    imports = [*declarations.imports, *(found for statement in walk(body) for found in _required(statement))]
    return replace(
        empty,
        imports=tuple(imports),
        functions=tuple([_visible(found, declarations.exported) for found in scope.functions_in_order()]),
        classes=scope.classes_in_order(),
        body=body,
    )


def _visible(function: Function, exported: set[str] | None) -> Function:
    """In a module that exports, only what it exports is public."""
    if exported is None or function.name.partition(".")[0] in exported:
        return function
    return replace(function, is_public=False)


def _required(statement: Stmt) -> list[Import]:
    """Imports made by ``const a = require("m")`` and ``const {a, b: c} = require("m")``."""
    if statement.kind is not StmtKind.ASSIGN or statement.exprs[0].kind != "call":
        return []
    function, *arguments = statement.exprs[0].parts
    if function.text != "require" or len(arguments) != 1 or arguments[0].kind != "string":
        return []
    module, target = arguments[0].text, statement.exprs[1]
    if target.kind == "name":
        return [Import(target.text, module, "", 0, statement.line)]
    pairs = [item.parts for item in target.parts if item.kind == "pair" and item.parts[1].kind == "name"]
    return [Import(value.text, module, key.text, 0, statement.line) for key, value in pairs]
