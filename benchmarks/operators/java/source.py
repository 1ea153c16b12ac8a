"""A Java text with its tree-sitter tree, and the character positions edits need."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from benchmarks.operators.operator import Edit

if TYPE_CHECKING:
    from tree_sitter import Node

METHODS = ("method_declaration", "constructor_declaration")


@lru_cache(maxsize=128)
def parse(text: str) -> JavaSource | None:
    """The text with its tree; None when it does not parse or has line ends other than ``\\n``."""
    import tree_sitter_java
    from tree_sitter import Language, Parser

    data = text.encode()
    root = Parser(Language(tree_sitter_java.language())).parse(data).root_node
    return None if root.has_error or "\r" in text else JavaSource(text, data, root)


@lru_cache(maxsize=64)
def throwing_methods(text: str) -> tuple[tuple[int, int], ...]:
    """Offsets of every method that throws; empty for a text that does not parse."""
    source = parse(text)
    if source is None:
        return ()
    found = [node for node in source.of(*METHODS) if any(item.type == "throw_statement" for item in walk(node))]
    return tuple((source.start(node), source.end(node)) for node in found)


def walk(top: Node) -> Iterator[Node]:
    """The node and everything below it, in the order of the text."""
    stack = [top]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.named_children))


@dataclass(frozen=True, eq=False)
class JavaSource:
    """One parsed text. Offsets count characters from its start."""

    text: str
    data: bytes
    root: Node

    @cached_property
    def nodes(self) -> list[Node]:
        """Every named node, in the order of the text."""
        return list(walk(self.root))

    @cached_property
    def words(self) -> frozenset[str]:
        """Every identifier-like word of the text, strings and comments included."""
        return frozenset(re.findall(r"\w+", self.text))

    def of(self, *kinds: str) -> Iterator[Node]:
        """All nodes of some kinds."""
        return (node for node in self.nodes if node.type in kinds)

    def _offset(self, place: int) -> int:
        return place if len(self.data) == len(self.text) else len(self.data[:place].decode())

    def start(self, node: Node) -> int:
        """Offset of the first character."""
        return self._offset(node.start_byte)

    def end(self, node: Node) -> int:
        """Offset behind the last character."""
        return self._offset(node.end_byte)

    def code(self, node: Node) -> str:
        """The node's own text."""
        return self.data[node.start_byte : node.end_byte].decode()

    def replace(self, node: Node, text: str) -> Edit:
        """The edit that puts `text` in a node's place."""
        return Edit(self.start(node), self.end(node), text)

    def insert_before(self, node: Node, text: str) -> Edit:
        """The edit that puts `text` right in front of a node."""
        return Edit(self.start(node), self.start(node), text)

    def indent(self, node: Node) -> str:
        """The white space the node's line begins with."""
        begin = self.text.rfind("\n", 0, self.start(node)) + 1
        line = self.text[begin:]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def method_of(self, node: Node) -> Node | None:
        """The method whose body holds the node; None in lambdas, local classes, initialisers and fields."""
        parent = node.parent
        while parent is not None and parent.type not in METHODS:
            if parent.type in ("lambda_expression", "class_body"):
                return None
            parent = parent.parent
        return parent

    def fresh(self, name: str) -> str:
        """`name`, numbered when the text has the word already."""
        number = 2
        candidate = name
        while candidate in self.words:
            candidate = f"{name}{number}"
            number += 1
        return candidate


def field(node: Node | None, name: str) -> Node | None:
    """A node's child by field name; None for nothing."""
    return None if node is None else node.child_by_field_name(name)


def condition(node: Node) -> Node | None:
    """What an if tests, without its parentheses."""
    test = field(node, "condition")
    return test.named_children[0] if test is not None and test.named_child_count == 1 else None


def statements(block: Node) -> list[Node]:
    """The statements of a block, comments left aside."""
    return [node for node in block.named_children if "comment" not in node.type]


def operator_of(node: Node) -> str:
    """The sign of a binary expression."""
    sign = field(node, "operator")
    return sign.type if sign is not None and node.type == "binary_expression" else ""


def alternatives(node: Node, sign: str) -> list[Node]:
    """The operands of ``a || b || c`` (or another sign), as they stand; one item for anything else."""
    left, right = field(node, "left"), field(node, "right")
    if operator_of(node) == sign and left is not None and right is not None:
        return [*alternatives(left, sign), right]
    return [node]
