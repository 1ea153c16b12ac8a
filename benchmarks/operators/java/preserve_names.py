"""Renames, new names for values, and code moved into methods of the class."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from benchmarks.operators.java.declare import preserving
from benchmarks.operators.java.security import thrown
from benchmarks.operators.java.source import METHODS, JavaSource, condition, field, walk
from benchmarks.operators.operator import Rewrite

if TYPE_CHECKING:
    from tree_sitter import Node

_MOVED_OUT = (
    "lambda_expression",
    "class_body",
    "this",
    "super",
    "assignment_expression",
    "update_expression",
    "instanceof_expression",
)


def _uses(source: JavaSource, top: Node, name: str) -> list[Node]:
    """Plain uses of a name: no fields of something, no methods."""
    found = []
    for node in walk(top):
        parent = node.parent
        if node.type != "identifier" or source.code(node) != name or parent is None:
            continue
        is_member = parent.type == "field_access" and field(parent, "field") == node
        is_method = parent.type in ("method_invocation", *METHODS) and field(parent, "name") == node
        if not is_member and not is_method and parent.type != "method_reference":
            found.append(node)
    return found


def _rename_local(source: JavaSource) -> Iterator[Rewrite]:
    for node in source.of("local_variable_declaration"):
        method, block = source.method_of(node), node.parent
        declarators = [item for item in node.named_children if item.type == "variable_declarator"]
        if method is None or block is None or block.type != "block" or len(declarators) != 1:
            continue
        name_node = field(declarators[0], "name")
        if name_node is None or any(item.type in ("class_body", "lambda_expression") for item in walk(method)):
            continue
        name = source.code(name_node)
        uses = _uses(source, method, name)
        inside = [
            use
            for use in uses
            if block.start_byte <= use.start_byte < block.end_byte and use.start_byte >= name_node.start_byte
        ]
        if len(inside) == len(uses) and len(uses) > 1 and name not in _mentioned_specially(source, method):
            new = source.fresh(f"the{name[0].upper()}{name[1:]}")
            yield tuple(source.replace(use, new) for use in uses)


def _mentioned_specially(source: JavaSource, method: Node) -> set[str]:
    """Names that stand where a plain rename would miss them."""
    odd = [
        node
        for node in walk(method)
        if node.type in ("method_reference", "labeled_statement", "break_statement", "continue_statement")
    ]
    return {word for node in odd for word in re.findall(r"\w+", source.code(node))}


def _rename_method(source: JavaSource) -> Iterator[Rewrite]:
    for node in source.of("method_declaration"):
        name_node = field(node, "name")
        modifiers = next((item for item in node.named_children if item.type == "modifiers"), None)
        if (
            name_node is None
            or modifiers is None
            or "private" not in source.code(modifiers).split()
            or "@" in source.code(modifiers)
        ):
            continue
        name = source.code(name_node)
        calls = [item for item in source.of("method_invocation") if field(item, "object") is None]
        called = [field(item, "name") for item in calls if _fits(node, item)]
        uses = [item for item in called if item is not None and source.code(item) == name]
        if uses and len(re.findall(rf"\b{name}\b", source.text)) == len(uses) + 1:
            new = source.fresh(f"the{name[0].upper()}{name[1:]}")
            yield source.replace(name_node, new), *(source.replace(use, new) for use in uses)


def _fits(method: Node, call: Node) -> bool:
    """True for a call with as many arguments as the method takes; one with others may go to a base class."""
    taken, given = field(method, "parameters"), field(call, "arguments")
    return taken is not None and given is not None and taken.named_child_count == given.named_child_count


def _extract_condition(source: JavaSource) -> Iterator[Rewrite]:
    for node in source.of("if_statement"):
        test = condition(node)
        in_block = node.parent is not None and node.parent.type == "block"
        if (
            test is not None
            and in_block
            and test.type != "identifier"
            and not {item.type for item in walk(test)} & {"instanceof_expression"}
        ):
            name = source.fresh("condition")
            yield (
                source.insert_before(node, f"boolean {name} = {source.code(test)};\n{source.indent(node)}"),
                source.replace(test, name),
            )


def _handed(source: JavaSource, method: Node, code: Node) -> list[tuple[str, str]] | None:
    """Types and names of the parameters that code needs in a method of its own; None when it cannot move."""
    given, generic = field(method, "parameters"), field(method, "type_parameters")
    if (
        given is None
        or generic is not None
        or method.type != "method_declaration"
        or any(item.type in _MOVED_OUT for item in walk(code))
    ):
        return None
    used = {source.code(item) for item in walk(code) if item.type == "identifier"}
    known: list[tuple[str, str]] = []
    for item in given.named_children:
        name, kind = field(item, "name"), field(item, "type")
        if item.type != "formal_parameter" or name is None or kind is None:
            return None
        known.append((source.code(kind), source.code(name)))
    local = {
        source.code(name)
        for item in walk(method)
        if item.type == "variable_declarator" and (name := field(item, "name")) is not None
    }
    caught = {
        source.code(name)
        for item in walk(method)
        if item.type in ("catch_formal_parameter", "resource", "enhanced_for_statement")
        and (name := field(item, "name")) is not None
    }
    if used & ((local | caught) - {name for _, name in known}) or not used & {name for _, name in known}:
        return None
    return [(kind, name) for kind, name in known if name in used]


def _signature(source: JavaSource, method: Node, result: str, name: str, handed: list[tuple[str, str]]) -> str:
    modifiers = next((item for item in method.named_children if item.type == "modifiers"), None)
    static = "static " if modifiers is not None and "static" in source.code(modifiers).split() else ""
    throws = next((f" {source.code(item)}" for item in method.named_children if item.type == "throws"), "")
    return f"private {static}{result} {name}({', '.join(f'{kind} {name}' for kind, name in handed)}){throws}"


def _in_class(method: Node) -> bool:
    return method.parent is not None and method.parent.type == "class_body"


def _extract_guard(source: JavaSource) -> Iterator[Rewrite]:
    for node in source.of("if_statement"):
        method = source.method_of(node)
        if method is None or thrown(node) is None or not _in_class(method):
            continue
        handed = _handed(source, method, node)
        if handed:
            name, indent = source.fresh("refuseUnfit"), source.indent(method)
            head = _signature(source, method, "void", name, handed)
            helper = f"{head} {{\n{indent}    {source.code(node)}\n{indent}}}\n\n{indent}"
            yield (
                source.insert_before(method, helper),
                source.replace(node, f"{name}({', '.join(item for _, item in handed)});"),
            )


def _extract_predicate(source: JavaSource) -> Iterator[Rewrite]:
    for node in source.of("if_statement"):
        method, test = source.method_of(node), condition(node)
        if method is None or test is None or test.type == "identifier" or not _in_class(method):
            continue
        handed = _handed(source, method, test)
        if handed:
            name, indent = source.fresh("conditionHolds"), source.indent(method)
            head = _signature(source, method, "boolean", name, handed)
            helper = f"{head} {{\n{indent}    return {source.code(test)};\n{indent}}}\n\n{indent}"
            yield (
                source.insert_before(method, helper),
                source.replace(test, f"{name}({', '.join(item for _, item in handed)})"),
            )


OPERATORS = (
    preserving("rename-local", "A local variable gets another name, with all its uses.", _rename_local),
    preserving("rename-method", "A private method gets another name, with all its calls.", _rename_method),
    preserving("extract-condition", "A condition is given a name first.", _extract_condition),
    preserving("extract-guard", "A guard moves into a new method that throws.", _extract_guard),
    preserving("extract-predicate", "A condition moves into a new method that returns it.", _extract_predicate),
)
