"""The Java front-end: tree-sitter's grammar lowered to the neutral outline.

Text that does not parse as a file is tried once more as the inside of a class, so that single methods and
fields, as patches and data sets hold them, can be judged too.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING

from scaffold_cli.syntax import building
from scaffold_cli.syntax.decoding import decode
from scaffold_cli.syntax.java_declarations import Declarations
from scaffold_cli.syntax.java_expressions import STAND_INS, Expressions
from scaffold_cli.syntax.java_statements import Statements
from scaffold_cli.syntax.nodes import describe_error, field, line, make, named, parse, text
from scaffold_cli.syntax.outline import Block, Class, Import, Language, Outline, Stmt, StmtKind

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node

_LATE_CALL = re.compile(rb"[;}]\s*(this|super)\s*\(")
_SUM = re.compile(rb"\((\s*[\w$]+(?:\s*\.\s*[\w$]+)*\s*)\)\s*[-+]")
_BEFORE, _AFTER = "class Fragment { ", "\n}"


class Reader(StrEnum):
    """The parsers that can read Java for us."""

    TREE_SITTER = "tree-sitter"
    JAVALANG = "javalang"


def lower(path: str, data: bytes, reader: Reader = Reader.TREE_SITTER) -> Outline:
    """The outline of Java source, or of members without a class around them. Never raises on bad source.

    javalang reads whole files up to Java 8 only; it gives the same outline with coarser lines.
    """
    if reader is Reader.JAVALANG:
        from scaffold_cli.syntax import java_javalang

        return java_javalang.lower(path, data)
    source = decode(data)
    lines = tuple(source.split("\n"))
    root, reason = _read(source)
    if reason is None:
        try:
            return _outline(path, root, lines)
        except RecursionError:
            reason = "nested too deeply"
    return Outline(path, Language.JAVA, reason, lines=len(lines), text=lines)


def problem(_path: str, data: bytes) -> str | None:
    """Why Java source does not parse, in the words of its outline; None when it does."""
    return _read(decode(data))[1]


def _read(source: str) -> tuple[Node, str | None]:
    """The program, or the class body, in `source`; and what is wrong with it."""
    root = _parse(source)
    reason = describe_error(root)
    if reason is not None:
        wrapped = _parse(_BEFORE + source + _AFTER)
        if not wrapped.has_error:
            return field(named(wrapped)[0], "body"), None
    return root, reason


@cache
def _grammar() -> Grammar:
    import tree_sitter_java
    from tree_sitter import Language as Grammar

    return Grammar(tree_sitter_java.language())


def _parse(source: str) -> Node:
    """Parse; where the grammar stumbles over good Java, once more over a text that means the same."""
    data = source.encode("utf-8", "replace")
    root = parse(data, _grammar())
    mended = _without_false_casts(data, root)
    if root.has_error:
        mended = _with_stand_ins(mended, root)
    if mended != data:
        again = parse(mended, _grammar())
        if not again.has_error:
            return again
    return root


def _without_false_casts(data: bytes, root: Node) -> bytes:
    """Blank the parentheses of ``(a) - b``, which the grammar takes for a cast of ``-b`` (JLS 15.16 does not)."""
    changed = bytearray(data)
    for found in _SUM.finditer(data):
        token = root.descendant_for_byte_range(found.start(), found.start() + 1)
        cast = token.parent if token is not None else None
        if cast is not None and cast.type == "cast_expression":
            kind = cast.child_by_field_name("type")
            if kind is not None and kind.type in ("type_identifier", "scoped_type_identifier"):
                changed[found.start()] = changed[found.end(1)] = ord(" ")
    return bytes(changed)


def _with_stand_ins(data: bytes, root: Node) -> bytes:
    """The same text, calls of other constructors after statements (Java 25) spelled as calls of a method."""
    changed = bytearray(data)
    for call in _LATE_CALL.finditer(data):
        token = root.descendant_for_byte_range(call.start(1), call.end(1))
        if token is not None and token.type in STAND_INS.values():
            changed[call.start(1)] = ord("$")
    return bytes(changed)


def _outline(path: str, root: Node, lines: tuple[str, ...]) -> Outline:
    unit = _Unit()
    body = unit.body(root)
    return Outline(
        path=path,
        language=Language.JAVA,
        imports=tuple(unit.imports),
        functions=unit.scope.functions_in_order(),
        classes=unit.scope.classes_in_order(),
        body=body,
        lines=len(lines),
        text=lines,
    )


class _Unit:
    """One compilation unit: its imports, its classes, and whatever else stands at the top."""

    def __init__(self) -> None:
        self.scope = building.Scope()
        self.imports: list[Import] = []
        expressions = Expressions(self.scope)
        self._statements = Statements(expressions)
        self._declarations = Declarations(self.scope, expressions, self._statements)
        expressions.nested = self._declarations
        self._statements.declares = self._declarations

    def body(self, root: Node) -> Block:
        """Everything at the top level."""
        if root.type == "class_body":
            return self._declarations.members(root)
        found: list[Stmt] = []
        for node in named(root):
            if node.type == "import_declaration":
                self.imports.append(_import(node))
            elif node.type == "module_declaration":
                found.append(self._module(node))
            elif node.type != "package_declaration":
                found.extend(self._statements.statement(node))
        return tuple(found)

    def _module(self, node: Node) -> Stmt:
        """A module declaration as a class of kind "module" whose body keeps its directives as text."""
        name, end = text(field(node, "name")), node.end_point[0] + 1
        directives = [
            make(StmtKind.OTHER, child, building.shortened(text(child)).rstrip(";").rstrip())
            for child in named(field(node, "body"))
        ]
        self.scope.classes.append(Class(name, (), tuple(directives), line(node), end, kind="module"))
        return make(StmtKind.CLASS, node, name)


def _import(node: Node) -> Import:
    children = named(node)
    parts = "".join(text(children[0]).split()).split(".")
    if children[-1].type == "asterisk":
        return Import("*", ".".join(parts), "*", 0, line(node))
    return Import(parts[-1], ".".join(parts[:-1]), parts[-1], 0, line(node))
