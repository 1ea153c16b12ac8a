"""Building blocks of outlines that several front-ends share: scopes, operators, switch cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from scaffold_cli.syntax.outline import Class, Expr, ExprKind, Function, Stmt, StmtKind

COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_SHOWN = 120


@dataclass(slots=True)
class _Frame:
    name: str
    is_class: bool
    is_public: bool
    is_interface: bool = False
    unnamed: Counter[str] = field(default_factory=Counter)


class Scope:
    """Where the walk is, and the functions and classes found so far."""

    def __init__(self) -> None:
        self.functions: list[Function] = []
        self.classes: list[Class] = []
        self._frames: list[_Frame] = [_Frame("", False, True)]

    def dotted(self, name: str) -> str:
        """`name` with the enclosing classes and functions before it."""
        return ".".join([*(frame.name for frame in self._frames[1:]), name])

    def unnamed(self, word: str) -> str:
        """A name for the next lambda, case or anonymous class inside the enclosing definition."""
        counter = self._frames[-1].unnamed
        counter[word] += 1
        return f"<{word}{counter[word]}>"

    def functions_in_order(self) -> tuple[Function, ...]:
        """In source order, the outer before the inner."""
        return tuple(sorted(self.functions, key=lambda found: (found.line, found.name.count("."))))

    def classes_in_order(self) -> tuple[Class, ...]:
        """In source order, the outer before the inner."""
        return tuple(sorted(self.classes, key=lambda found: (found.line, found.name.count("."))))

    @property
    def owner(self) -> str:
        """The dotted class whose member is being read; empty elsewhere."""
        return ".".join(frame.name for frame in self._frames[1:]) if self._frames[-1].is_class else ""

    @property
    def class_name(self) -> str:
        """Simple name of the innermost class; empty outside classes."""
        return next((frame.name for frame in reversed(self._frames) if frame.is_class), "")

    @property
    def is_open(self) -> bool:
        """Can code elsewhere reach what is defined here, if it is public itself?"""
        return self._frames[-1].is_public

    @property
    def in_interface(self) -> bool:
        """Is this directly inside an interface?"""
        return self._frames[-1].is_interface

    @contextmanager
    def inside_function(self, name: str) -> Iterator[None]:
        """Below here names belong to this function; nothing in it is public."""
        self._frames.append(_Frame(name, False, False))
        yield
        self._frames.pop()

    @contextmanager
    def inside_class(self, name: str, is_public: bool, is_interface: bool = False) -> Iterator[None]:
        """Below here names belong to this class."""
        self._frames.append(_Frame(name, True, is_public, is_interface))
        yield
        self._frames.pop()


def name(text: str, line: int) -> Expr:
    """A NAME."""
    return Expr(ExprKind.NAME, text, (), line)


def null(line: int) -> Expr:
    """The null constant."""
    return Expr(ExprKind.CONSTANT, "null", (), line)


def operation(operator: str, operands: Sequence[Expr], line: int) -> Expr:
    """A binary operator over operands from left to right; ``&&`` and ``||`` take in nested ones of their kind."""
    if operator in COMPARISONS:
        return Expr(ExprKind.COMPARE, operator, tuple(operands), line)
    if operator not in ("&&", "||"):
        return Expr(ExprKind.BINARY, operator, tuple(operands), line)
    kind = ExprKind.AND if operator == "&&" else ExprKind.OR
    parts: list[Expr] = []
    for operand in operands:
        parts.extend(operand.parts if operand.kind is kind else (operand,))
    return Expr(kind, "", tuple(parts), line)


def unary(operator: str, operand: Expr, line: int) -> Expr:
    """A prefix or postfix operator; a minus before a number becomes part of the number."""
    if operator == "!":
        return Expr(ExprKind.NOT, "", (operand,), line)
    if operator == "-" and operand.kind is ExprKind.NUMBER and not operand.text.startswith("-"):
        return Expr(ExprKind.NUMBER, f"-{operand.text}", (), line)
    return Expr(ExprKind.UNARY, operator, (operand,), line)


def effect(statement: Stmt) -> Stmt:
    """An EXPR as it runs: ``a and f()``, ``a or f()`` and ``f() if a else g()`` for their effects are an IF."""
    value = statement.exprs[0]
    if value.kind in (ExprKind.AND, ExprKind.OR):
        asked, last = value.parts[:-1], value.parts[-1]
        test = asked[0] if len(asked) == 1 else Expr(value.kind, "", asked, value.line)
        if value.kind is ExprKind.OR:
            test = Expr(ExprKind.NOT, "", (test,), value.line)
        branches: tuple[tuple[Expr, ...], ...] = ((last,), ())
    elif value.kind is ExprKind.CONDITIONAL:
        test, *rest = value.parts
        branches = tuple((part,) if part.kind is not ExprKind.CONSTANT else () for part in rest)
    else:
        return statement
    blocks = tuple(tuple(effect(statement._replace(exprs=(part,))) for part in branch) for branch in branches)
    return statement._replace(kind=StmtKind.IF, exprs=(test,), blocks=blocks)


def shortened(text: str) -> str:
    """Source for an OTHER node: one line, not too long."""
    flat = " ".join(text.split())
    return flat if len(flat) <= _SHOWN else flat[: _SHOWN - 3] + "..."


def case_label(labels: Sequence[Expr], guard: Expr | None, line: int) -> Expr:
    """The label of a case in a switch expression."""
    if not labels:
        return Expr(ExprKind.OTHER, "default", (), line)
    label = labels[0] if len(labels) == 1 else Expr(ExprKind.COLLECTION, "tuple", tuple(labels), line)
    return label if guard is None else Expr(ExprKind.AND, "", (label, guard), line)


def case(labels: Sequence[Expr], guard: Expr | None, body: Sequence[Stmt], line: int, end_line: int) -> Stmt:
    """One case of a switch statement. A last `break` only ends it and is left out."""
    exprs = (*labels, guard) if guard is not None else tuple(labels)
    kept = tuple(body[:-1] if body and body[-1].kind is StmtKind.BREAK and not body[-1].text else body)
    return Stmt(StmtKind.CASE, "guard" if guard is not None else "", exprs, (kept,), line, end_line)


def ends(body: Sequence[Stmt]) -> bool:
    """True when control cannot run past the end of these statements by their last one alone."""
    return bool(body) and body[-1].kind in (StmtKind.BREAK, StmtKind.RETURN, StmtKind.RAISE, StmtKind.CONTINUE)
