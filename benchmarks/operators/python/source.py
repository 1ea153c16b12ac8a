"""A Python text with its syntax tree, and the character positions edits need."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from benchmarks.operators.operator import Edit

Function = ast.FunctionDef | ast.AsyncFunctionDef
Scope = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
BLOCKS = ("body", "orelse", "finalbody")


@lru_cache(maxsize=128)
def parse(text: str) -> PythonSource | None:
    """The text with its tree; None when it does not parse or has line ends other than ``\\n``."""
    if "\r" in text or "\f" in text:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        try:
            return PythonSource(text, ast.parse(text))
        except (SyntaxError, ValueError, RecursionError):
            return None


@dataclass(frozen=True, eq=False)
class PythonSource:
    """One parsed text. Offsets count characters from its start."""

    text: str
    tree: ast.Module

    @cached_property
    def _lines(self) -> tuple[list[str], list[int]]:
        lines = self.text.split("\n")
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line) + 1)
        return lines, starts

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The parent of every node but the module."""
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def _offset(self, line: int, column: int) -> int:
        lines, starts = self._lines
        text = lines[line - 1]
        column = column if text.isascii() else len(text.encode()[:column].decode())
        return starts[line - 1] + column

    def start(self, node: ast.AST) -> int:
        """Offset of the first character; of a decorated definition, that of its first decorator's line content."""
        line: int = node.lineno  # type: ignore[attr-defined]  # every node asked for has a position
        column: int = node.col_offset  # type: ignore[attr-defined]  # as above
        return self._offset(line, column)

    def end(self, node: ast.AST) -> int:
        """Offset behind the last character."""
        line: int = node.end_lineno  # type: ignore[attr-defined]  # as above
        column: int = node.end_col_offset  # type: ignore[attr-defined]  # as above
        return self._offset(line, column)

    def code(self, node: ast.AST) -> str:
        """The node's own text."""
        return self.text[self.start(node) : self.end(node)]

    def line_start(self, line: int) -> int:
        """Offset of the first character of a 1-based line."""
        return self._lines[1][line - 1]

    def indent(self, node: ast.stmt | ast.excepthandler) -> str:
        """The white space in front of a statement."""
        line = self._lines[0][node.lineno - 1]
        return line[: len(line) - len(line.lstrip())]

    def first_line(self, node: ast.stmt) -> int:
        """The statement's first line, decorators included."""
        decorators: list[ast.expr] = getattr(node, "decorator_list", [])
        return min([node.lineno, *(item.lineno for item in decorators)])

    def owns_lines(self, first: ast.stmt, last: ast.stmt) -> bool:
        """True when nothing but these statements (and a comment behind) stands on their lines."""
        head = self.text[self.line_start(first.lineno) : self.start(first)]
        tail = self.text[self.end(last) : self.line_start((last.end_lineno or 0) + 1)].strip()
        return not head.strip() and (not tail or tail.startswith("#"))

    def lines_of(self, first: ast.stmt, last: ast.stmt) -> tuple[int, int]:
        """Offsets of the whole lines from `first` to `last`, the line end included."""
        end = self.line_start((last.end_lineno or 0) + 1)
        return self.line_start(self.first_line(first)), min(end, len(self.text))

    def block_text(self, first: ast.stmt, last: ast.stmt) -> str:
        """Those lines as text, always ending in a line end."""
        start, end = self.lines_of(first, last)
        text = self.text[start:end]
        return text if text.endswith("\n") else text + "\n"

    def movable(self, first: ast.stmt, last: ast.stmt) -> bool:
        """True when the lines can be indented anew: they are theirs alone, and no string runs over lines."""
        if not self.owns_lines(first, last):
            return False
        start, end = self.lines_of(first, last)
        inside = self.text[start:end]
        if "\\\n" in inside:
            return False
        if '"""' not in inside and "'''" not in inside:
            return True
        nodes = [node for node in ast.walk(self.tree) if isinstance(node, ast.Constant | ast.JoinedStr)]
        lines = range(first.lineno, (last.end_lineno or 0) + 1)
        return not any(node.lineno in lines and node.end_lineno != node.lineno for node in nodes)

    def shifted(self, first: ast.stmt, last: ast.stmt, indent: str) -> str:
        """The lines of a movable block with its indentation replaced by `indent`."""
        old = self.indent(first)
        lines = self.block_text(first, last).splitlines(keepends=True)
        return "".join(indent + line[len(old) :] if line.startswith(old) else line for line in lines)

    def replace(self, node: ast.AST, text: str) -> Edit:
        """The edit that puts `text` in a node's place."""
        return Edit(self.start(node), self.end(node), text)

    def replace_lines(self, first: ast.stmt, last: ast.stmt, text: str) -> Edit:
        """The edit that puts `text` (with its line end) in the place of whole lines."""
        return Edit(*self.lines_of(first, last), text)

    def insert_before(self, node: ast.stmt, text: str) -> Edit:
        """The edit that puts whole lines in front of a statement."""
        start, _ = self.lines_of(node, node)
        return Edit(start, start, text)

    def of(self, *kinds: type[ast.AST]) -> Iterator[ast.AST]:
        """All nodes of some kinds, in the order of the text's tree walk."""
        return (node for node in self.nodes if isinstance(node, kinds))

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """Every node outside f-strings, breadth first. Inside them Python 3.11 gives no true positions."""
        found: list[ast.AST] = [self.tree]
        for node in found:
            if not isinstance(node, ast.JoinedStr):
                found.extend(ast.iter_child_nodes(node))
        return found

    @cached_property
    def functions(self) -> list[Function]:
        """Every function definition whose body stands on lines of its own."""
        found = [node for node in self.nodes if isinstance(node, Function)]
        return [
            node for node in found if node.body[0].lineno > node.lineno and self.owns_lines(node.body[0], node.body[0])
        ]

    @cached_property
    def blocks(self) -> list[list[ast.stmt]]:
        """Every list of statements that follow one another."""
        found = [getattr(node, field, None) for node in self.nodes for field in BLOCKS]
        return [block for block in found if isinstance(block, list) and block and isinstance(block[0], ast.stmt)]

    def function_of(self, node: ast.AST) -> Function | None:
        """The innermost function whose own scope holds the node; None in classes, lambdas and at module level."""
        parent = self.parents.get(node)
        while parent is not None and not isinstance(parent, Scope):
            parent = self.parents.get(parent)
        return parent if isinstance(parent, Function) else None

    def top_level(self, node: ast.AST) -> ast.stmt:
        """The statement of the module that holds the node."""
        while not isinstance(self.parents[node], ast.Module):
            node = self.parents[node]
        assert isinstance(node, ast.stmt)
        return node

    def class_of(self, function: Function) -> ast.ClassDef | None:
        """The class whose method the function is."""
        parent = self.parents.get(function)
        return parent if isinstance(parent, ast.ClassDef) else None

    @cached_property
    def words(self) -> frozenset[str]:
        """Every identifier-like word of the text, strings and comments included."""
        return frozenset(re.findall(r"\w+", self.text))

    def fresh(self, name: str) -> str:
        """`name`, numbered when the text has the word already."""
        number = 2
        candidate = name
        while candidate in self.words:
            candidate = f"{name}_{number}"
            number += 1
        return candidate

    def importing(self, module: str) -> Edit | None:
        """The edit that imports `module` at the top; empty when it is there; None when its name is taken."""
        top = [node for node in self.tree.body if isinstance(node, ast.Import)]
        if any(item.name == module and item.asname is None for node in top for item in node.names):
            return Edit(0, 0, "")
        if module in self.words or not self.tree.body:
            return None
        place = 0
        for node in self.tree.body:
            docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if not docstring and not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
                return Edit(place, place, f"import {module}\n") if self.owns_lines(node, node) else None
            place = self.lines_of(node, node)[1]
        return None
