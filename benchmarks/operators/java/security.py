"""Where Java code refuses something dangerous."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from benchmarks.operators.java.source import JavaSource, condition, field, statements, walk
from benchmarks.operators.python.security import DANGER, VERIFIER

if TYPE_CHECKING:
    from tree_sitter import Node

_SENSITIVE_CALLS = """
exec eval loadClass forName newInstance readObject invoke executeQuery executeUpdate execute prepareStatement
openConnection openStream connect sendRedirect setHeader addHeader addCookie createFile createDirectories
newInputStream newOutputStream newBufferedReader newBufferedWriter delete deleteIfExists renameTo mkdirs mkdir
FileInputStream FileOutputStream FileReader FileWriter RandomAccessFile Socket ProcessBuilder
ObjectInputStream parse unmarshal transform doFinal sign write
"""

SENSITIVE = frozenset(_SENSITIVE_CALLS.split())
"""Calls and constructors that act on files, processes, code, queries, the network and markup."""

_PRESENCE = re.compile(r"(?:[\s()!|&]|[\w.]+\s*[!=]=\s*null\b)+")
"""A condition that asks nothing but whether values are there."""
_GENERAL = re.compile(r"Illegal(?:Argument|State)Exception|IndexOutOfBounds")


def thrown(node: Node) -> Node | None:
    """The throw statement that is all an if without else does."""
    body = field(node, "consequence")
    if body is None or field(node, "alternative") is not None:
        return None
    inside = statements(body) if body.type == "block" else [body]
    return inside[0] if len(inside) == 1 and inside[0].type == "throw_statement" else None


def speaks_of_danger(text: str) -> bool:
    """True when code names a danger, in camel case or in a message."""
    plain = _GENERAL.sub("", text)
    return bool(DANGER.search(re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", plain).lower()))


def _names(node: Node) -> set[str]:
    return {item.text.decode() for item in walk(node) if item.type == "identifier" and item.text is not None}


def _stands_before_sink(source: JavaSource, method: Node, guard: Node, test: Node) -> bool:
    tested = _names(test)
    for node in walk(method):
        name = field(node, "name") if node.type == "method_invocation" else field(node, "type")
        given = field(node, "arguments")
        behind = node.start_byte > guard.end_byte and node.type in ("method_invocation", "object_creation_expression")
        if (
            behind
            and name is not None
            and given is not None
            and source.code(name) in SENSITIVE
            and tested & _names(given)
        ):
            return True
    return False


def guards(source: JavaSource) -> Iterator[tuple[Node, Node, Node]]:
    """Method, guard and condition of every if that only throws and protects something."""
    for node in source.of("if_statement"):
        method, test, refusal = source.method_of(node), condition(node), thrown(node)
        in_block = node.parent is not None and node.parent.type in ("block", "constructor_body")
        if method is not None and test is not None and refusal is not None and in_block:
            if _PRESENCE.fullmatch(source.code(test)):
                continue  # to leave something out is misuse, no attack
            says = speaks_of_danger(source.code(test)) or speaks_of_danger(source.code(refusal))
            if says or _stands_before_sink(source, method, node, test):
                yield method, node, test


def verifiers(source: JavaSource) -> Iterator[tuple[Node, bool]]:
    """Methods whose work is to refuse; True with those that answer, False with those that throw."""
    for node in source.of("method_declaration"):
        name, kind, body = field(node, "name"), field(node, "type"), field(node, "body")
        if name is None or kind is None or body is None or not VERIFIER.search(_snake(source.code(name))):
            continue
        answer = source.code(kind)
        inside = [item for item in walk(body) if item.type in ("throw_statement", "return_statement")]
        if answer == "boolean" and any(source.code(item) == "return false;" for item in inside):
            yield node, True
        elif answer == "void" and any(item.type == "throw_statement" for item in inside):
            yield node, False


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
