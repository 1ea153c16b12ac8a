"""The front-end of C and C++: tree-sitter's grammars lowered to the neutral outline.

Macros make text that no grammar can read without the preprocessor, so errors are tolerated: what parses is lowered,
what does not is OTHER with its text, and only a file that fails for the most part has a `problem`. A file with errors
is read in several ways, and the one that fails least counts: by the other language's grammar (a header may be either,
and the C++ one copes better with unknown macros), as a function whose result type is missing, and piece by piece,
so that an error in one function does not swallow those after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from scaffold_cli.syntax.building import Scope
from scaffold_cli.syntax.c_declarations import Declarations
from scaffold_cli.syntax.c_expressions import Expressions
from scaffold_cli.syntax.c_statements import Statements
from scaffold_cli.syntax.decoding import decode
from scaffold_cli.syntax.nodes import TooMuchWorkError, describe_error, named, parse
from scaffold_cli.syntax.outline import Language, Outline

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node, Range

_C_SUFFIXES = frozenset({".c", ".h"})
_RESULT = b"int "
_WHOLE = ("_statement", "_definition", "declaration", "_specifier", "_include", "_def", "comment")
_HOLDERS = (
    *("translation_unit", "namespace_definition", "_list", "linkage_specification", "template_declaration"),
    *("class_specifier", "struct_specifier", "preproc_ifdef", "preproc_if", "preproc_else", "preproc_elif"),
)
_ONLY_IN_FUNCTIONS = frozenset({"if_statement", "return_statement", "goto_statement", "labeled_statement"})
_MOST = 0.5
"""A file of which more than this share of the bytes does not parse has a problem."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """One way to read a file: trees side by side, how much of them is in error, and in definitions with an error."""

    roots: tuple[Node, ...]
    failed: int
    tainted: int


def lower(path: str, data: bytes) -> Outline:
    """The outline of C or C++ source, whole files or single functions. Never raises on bad source."""
    source = decode(data)
    lines = tuple(source.split("\n"))
    language = Language.C if PurePosixPath(path).suffix.lower() in _C_SUFFIXES else Language.CPP
    encoded = source.encode("utf-8", "replace")
    reading = _read(encoded, language)
    empty = Outline(path, language, lines=len(lines), text=lines)
    problem = None
    if reading.failed > _MOST * len(b"".join(encoded.split())):
        problem = next((found for root in reading.roots if (found := describe_error(root))), "does not parse")
    if problem is None:
        try:
            return _outline(empty, reading)
        except RecursionError:
            problem = "nested too deeply"
    return Outline(path, language, problem, lines=len(lines), text=lines)


@cache
def _grammar(language: Language) -> Grammar:
    from tree_sitter import Language as Grammar

    if language is Language.C:
        import tree_sitter_c

        return Grammar(tree_sitter_c.language())
    import tree_sitter_cpp

    return Grammar(tree_sitter_cpp.language())


def _read(data: bytes, language: Language) -> _Reading:
    """The reading in which errors touch least; the plainest of several that are alike."""
    other = Language.CPP if language is Language.C else Language.C
    attempts: tuple[Callable[[], _Reading], ...] = (
        lambda: _whole(data, language),
        lambda: _whole(data, other),
        lambda: _whole(_RESULT + data, language),
        lambda: _pieces(data, language),
        lambda: _pieces(data, other),
    )
    best: _Reading | None = None
    for attempt in attempts:
        try:
            found = attempt()
        except TooMuchWorkError:
            if attempt is attempts[-1] and best is None:
                raise
            continue
        if best is None or (found.tainted, found.failed) < (best.tainted, best.failed):
            best = found
        if not best.failed:
            break
    assert best is not None
    return best


def _whole(data: bytes, language: Language) -> _Reading:
    root = parse(data, _grammar(language))
    return _Reading((root,), _failed(root), _tainted(root))


def _failed(root: Node) -> int:
    """Bytes that lie in error, less the statements found whole inside, and one for each thing that is missing."""
    total = 0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_error:
            inner = [child for child in node.named_children if child.type.endswith(_WHOLE)]
            total += max(1, _weight(node) - sum([_weight(child) for child in inner]))
            waiting.extend(inner)
        elif node.is_missing:
            total += 1
        elif node.has_error:
            waiting.extend(node.children)
    return total


def _tainted(root: Node) -> int:
    """Bytes of the definitions with an error somewhere inside; all bytes where statements have lost their function."""
    if root.has_error and any(child.type in _ONLY_IN_FUNCTIONS for child in root.children):
        return _weight(root)
    total = 0
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if not (node.has_error or node.is_error):
            continue
        if node.is_error or not node.type.endswith(_HOLDERS):
            total += _weight(node)
        else:
            waiting.extend(node.children)
    return total


def _weight(node: Node) -> int:
    """Bytes without spaces."""
    return len(b"".join((node.text or b"").split()))


def _pieces(data: bytes, language: Language) -> _Reading:
    """Each definition at the left margin parsed by itself."""
    roots = tuple([parse(data, _grammar(language), span) for span in _spans(data)])
    return _Reading(roots, sum(map(_failed, roots)), sum(map(_tainted, roots)))


def _spans(data: bytes) -> Iterator[Range]:
    """Runs of lines up to a ``}`` at the margin."""
    from tree_sitter import Range

    first = start = offset = 0
    row = -1
    for row, text in enumerate(data.splitlines(keepends=True)):
        offset += len(text)
        if text.startswith(b"}"):
            yield Range((first, 0), (row + 1, 0), start, offset)
            first, start = row + 1, offset
    if start < offset:
        yield Range((first, 0), (row + 1, 0), start, offset)


def _outline(empty: Outline, reading: _Reading) -> Outline:
    scope = Scope()
    expressions = Expressions()
    statements = Statements(expressions)
    declarations = Declarations(scope, expressions, statements)
    expressions.nested = declarations
    statements.declares = declarations
    body = tuple([one for root in reading.roots for one in statements.sequence(named(root))])
    return Outline(
        path=empty.path,
        language=empty.language,
        imports=tuple(declarations.imports),
        functions=scope.functions_in_order(),
        classes=scope.classes_in_order(),
        body=body,
        lines=empty.lines,
        text=empty.text,
    )
