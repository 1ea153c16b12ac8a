"""The neutral outline of one source file: what every front-end produces and everything else reads.

An outline is lowered syntax, not findings. Two small node types carry all of it, so that normal forms,
dominance and matching are written once for all languages:

* `Expr`: an expression. `kind` says how to read `text` and `parts` (table in `ExprKind`).
* `Stmt`: a statement. `kind` says how to read `text`, `exprs` and `blocks` (table in `StmtKind`).

Both are plain tuples (quick to build, hashable). Lines are 1-based and inclusive. Front-ends never raise
on bad source: they return an outline whose `problem` says what is wrong.

Rules a front-end keeps, so that equal meaning has equal shape across languages:

* ``null``/``nil``/``None`` is CONSTANT "null", booleans are CONSTANT "true"/"false".
* ``else if`` chains become one IF with several tests; ``&&``/``and`` chains one n-ary AND, the same for OR
  and for left-associative BINARY chains of one operator.
* A statement ``a or f()``, ``a and f()`` or ``f() if a else g()`` is an IF.
* A chained comparison ``a < b < c`` becomes AND of two COMPAREs. ``===`` is "==", ``!==`` is "!=";
  Java's ``a.equals(b)`` stays a CALL.
* ``new X(a)`` is a CALL with text "new". Receivers are ATTRIBUTE parts: ``a.b(c)`` is CALL(ATTRIBUTE "b"(NAME a), c).
  ``this`` and ``self`` are NAMEs as written. String interpolation in any spelling is FORMAT.
* A function nested in an expression (lambda, arrow function, anonymous class method) with statements of its own is
  listed in `Outline.functions`; the LAMBDA node's `text` is its dotted name. A body of one expression stays in `parts`.
* Parentheses vanish. Expressions deeper than `MAX_DEPTH` become OTHER with their source text (shortened).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple

MAX_DEPTH = 60
"""Deepest nesting a front-end lowers; what lies deeper is kept as text, so that no reader overflows its stack."""


class Language(StrEnum):
    """Languages by name; TEXT is everything without a front-end."""

    PYTHON = "python"
    JAVA = "java"
    JAVASCRIPT = "javascript"
    TYPESCRIPT = "typescript"
    GO = "go"
    C = "c"
    CPP = "c++"
    NOTEBOOK = "notebook"
    TEXT = "text"


class _Kind(str):
    """Words that say how to read a node, one object for each; their text is the name in small letters.

    No Enum, whose members CPython 3.11 looks up so slowly that a quarter of the time of mining went there.
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        for name in cls.__annotations__:
            setattr(cls, name, cls(name.lower()))

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[type[_Kind], str]]:
        return getattr, (type(self), self.upper())


class ExprKind(_Kind):
    """How to read an expression node."""

    NAME: ClassVar[ExprKind]  # text: identifier
    ATTRIBUTE: ClassVar[ExprKind]  # text: attribute; parts: (object,)
    CALL: ClassVar[ExprKind]  # parts: (function, *arguments); text: "" or "new"
    KEYWORD: ClassVar[ExprKind]  # a named argument; text: its name; parts: (value,)
    SUBSCRIPT: ClassVar[ExprKind]  # parts: (object, index)
    SLICE: ClassVar[ExprKind]  # parts: (lower, upper, step), absent ones CONSTANT "null"
    STRING: ClassVar[ExprKind]  # text: the value, unquoted (bytes literals: decoded latin-1)
    NUMBER: ClassVar[ExprKind]  # text: canonical decimal spelling
    CONSTANT: ClassVar[ExprKind]  # text: "null", "true", "false", "..."
    COMPARE: ClassVar[ExprKind]  # text: == != < <= > >= in, not in, is, is not, instanceof; parts: (left, right)
    AND: ClassVar[ExprKind]  # parts: two or more
    OR: ClassVar[ExprKind]  # parts: two or more
    NOT: ClassVar[ExprKind]  # parts: (operand,)
    BINARY: ClassVar[ExprKind]  # text: operator; parts: two or more, left to right
    UNARY: ClassVar[ExprKind]  # text: - + ~ await yield "yield from" * ** & ++ -- throw ...; parts: (operand,)
    FORMAT: ClassVar[ExprKind]  # parts: the pieces in order, STRINGs and expressions
    LAMBDA: ClassVar[ExprKind]  # text: dotted name of its Function; or "" and parts: (body, *parameter NAMEs)
    COLLECTION: ClassVar[ExprKind]  # text: list, tuple, set, dict, array; parts: items (dict: PAIR or UNARY "**")
    PAIR: ClassVar[ExprKind]  # parts: (key, value)
    COMPREHENSION: ClassVar[ExprKind]  # text: list, set, dict, generator; parts: (element, *CLAUSEs)
    CLAUSE: ClassVar[ExprKind]  # one `for ... in ... if ...`; parts: (target, iterable, *conditions)
    CONDITIONAL: ClassVar[ExprKind]  # parts: (test, then, otherwise)
    SWITCH: ClassVar[ExprKind]  # an expression; parts: (subject, *PAIR(label, value)); block cases: a Function
    ASSIGN: ClassVar[ExprKind]  # assignment as expression; text: "=" or the operator; parts: (target, value)
    CAST: ClassVar[ExprKind]  # text: the type as written; parts: (value,)
    TYPE: ClassVar[ExprKind]  # a type as a value; text: as written; parts: names a pattern binds, nested patterns
    OTHER: ClassVar[ExprKind]  # text: source, shortened; parts: what could be lowered inside it


class Expr(NamedTuple):
    """One expression; read `text` and `parts` by `kind`. `line` is where it starts."""

    kind: ExprKind
    text: str
    parts: tuple[Expr, ...]
    line: int

    def walk(self) -> Iterator[Expr]:
        """This node and all below it, parents first, left to right; bodies of nested functions left out."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            if node.parts:
                stack += node.parts[::-1]


class StmtKind(_Kind):
    """How to read a statement node."""

    IF: ClassVar[StmtKind]  # exprs: the tests; blocks: one per test, then the else block (maybe empty)
    LOOP: ClassVar[StmtKind]  # text "for": exprs (target, iterable); "while"/"do": (test,); blocks: (body, else block)
    # (a C-style for is an ASSIGN/EXPR before a "while" whose body ends with the update)
    TRY: ClassVar[StmtKind]  # blocks: (body, HANDLER statements, else block, finally block)
    HANDLER: ClassVar[StmtKind]  # text: bound name; exprs: exception types (none: catches all); blocks: (body,)
    WITH: ClassVar[StmtKind]  # text: "", "async", "synchronized"; exprs: context or ASSIGN(target, context)
    SWITCH: ClassVar[StmtKind]  # exprs: (subject,); blocks: (CASE statements,)
    CASE: ClassVar[StmtKind]  # exprs: labels or patterns, none: default; text "guard": the last is its condition
    RAISE: ClassVar[StmtKind]  # exprs: (exception,) or ()
    RETURN: ClassVar[StmtKind]  # exprs: (value,) or ()
    ASSIGN: ClassVar[StmtKind]  # text: "=" or "+=" ...; exprs: (value, *targets); declared without value: CONSTANT null
    ANNOTATION: ClassVar[StmtKind]  # before a field that carries it; exprs: (annotation, NAME of the field)
    EXPR: ClassVar[StmtKind]  # exprs: (expression,)
    ASSERT: ClassVar[StmtKind]  # exprs: (test,) or (test, message)
    DELETE: ClassVar[StmtKind]  # exprs: what is deleted
    BREAK: ClassVar[StmtKind]
    CONTINUE: ClassVar[StmtKind]
    EMPTY: ClassVar[StmtKind]
    FUNCTION: ClassVar[StmtKind]  # text: dotted name of the nested Function in `Outline.functions`
    CLASS: ClassVar[StmtKind]  # text: dotted name of the nested Class in `Outline.classes`
    OTHER: ClassVar[StmtKind]  # text: source, shortened; exprs: what could be lowered inside it


class Stmt(NamedTuple):
    """One statement; read `text`, `exprs` and `blocks` by `kind`."""

    kind: StmtKind
    text: str
    exprs: tuple[Expr, ...]
    blocks: tuple[tuple[Stmt, ...], ...]
    line: int
    end_line: int


Block = tuple[Stmt, ...]


def walk(block: Block) -> Iterator[Stmt]:
    """All statements of a block and below, in source order; nested functions and classes only as their marker."""
    stack = list(reversed(block))
    while stack:
        statement = stack.pop()
        yield statement
        for inner in reversed(statement.blocks):
            stack.extend(reversed(inner))


class Param(NamedTuple):
    """One parameter. `name` carries ``*``/``**``/``...`` for rest parameters; `type` is as written, "" when absent."""

    name: str
    default: Expr | None
    type: str
    annotations: tuple[Expr, ...] = ()


@dataclass(frozen=True, slots=True)
class Function:
    """One function, method, constructor or lambda with statements.

    `name` is dotted through classes and enclosing functions (``Shop.buy``, ``outer.inner``); a constructor keeps the
    name its language gives it (``__init__``; in Java ``<init>``). Overloads share a name. `owner` is the dotted class,
    "" outside classes.
    `decorators` are decorators or annotations; `modifiers` are words such as "static", "async", "private".
    """

    name: str
    params: tuple[Param, ...]
    body: Block
    line: int
    end_line: int
    decorators: tuple[Expr, ...] = ()
    modifiers: frozenset[str] = frozenset()
    owner: str = ""
    returns: str = ""
    is_public: bool = True

    @property
    def short_name(self) -> str:
        """The last part of the dotted name."""
        return self.name.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Class:
    """One class, interface, enum or record. `body` holds field settings (ASSIGN) and markers of members."""

    name: str
    bases: tuple[Expr, ...]
    body: Block
    line: int
    end_line: int
    decorators: tuple[Expr, ...] = ()
    modifiers: frozenset[str] = frozenset()
    is_public: bool = True
    kind: str = "class"


class Import(NamedTuple):
    """One imported name: `local` is bound to `module` or to `name` in it ("*" for all). `level`: leading dots."""

    local: str
    module: str
    name: str
    level: int
    line: int


@dataclass(frozen=True, slots=True)
class Outline:
    """Neutral facts of one file. `functions` and `classes` list nested ones too, in source order.

    `body` is the module level (markers for functions and classes). With a `problem` the other facts are
    empty or partial, and nothing may be concluded from what is missing.
    """

    path: str
    language: Language
    problem: str | None = None
    imports: tuple[Import, ...] = ()
    functions: tuple[Function, ...] = ()
    classes: tuple[Class, ...] = ()
    body: Block = ()
    lines: int = 0
    text: tuple[str, ...] = field(default=(), repr=False)
    """The decoded lines, without line ends."""
