"""What the guards and checks of a function look at, followed back to its parameters."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass

from scaffold_cli.anchoring.disarming.interface import Sides, callee, is_protective
from scaffold_cli.anchoring.refusal import hands_error, refusal_of
from scaffold_cli.anchoring.swaps.checked_form import PIECES
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Function, Stmt, StmtKind

Roots = frozenset[str]
Known = MutableMapping[str, Roots]
"""Where names come from. A branch has a map of its own before that of what stands around it: none is copied."""
_PART = "…"
_PLAIN = frozenset({ExprKind.NAME, ExprKind.ATTRIBUTE})


@dataclass(frozen=True, slots=True)
class Look:
    """A guard, or a check that is called: its shape without names, the names it reads, and what these come from."""

    shape: str
    names: frozenset[str]
    own: frozenset[str]
    roots: Roots
    line: int


class Reader:
    """Walks a function once, in order, and knows for each name which parameters its value may come from."""

    def __init__(self, function: Function, sides: Sides) -> None:
        self._sides = sides
        names = (param.name.lstrip("*.") for param in function.params)
        self._start = {name: frozenset({name}) for name in names if name}
        self.looks: list[Look] = []
        self._block(function.body, dict(self._start))

    def _block(self, block: Block, known: Known) -> None:
        for statement in block:
            self._statement(statement, known)

    def _statement(self, statement: Stmt, known: Known) -> None:
        for bound in (node for value in statement.exprs for node in value.walk() if node.kind is ExprKind.ASSIGN):
            _bind(bound.parts[0], _roots(bound.parts[1], known), known, adds=bound.text != "=")
        if statement.kind is StmtKind.ASSIGN:
            value, *targets = statement.exprs
            for target in targets:
                _assign(target, value, known, adds=statement.text != "=")
        elif statement.kind is StmtKind.LOOP and statement.text == "for":
            _bind(statement.exprs[0], _roots(statement.exprs[1], known), known)
        self._look(statement, known)
        after = [ChainMap({}, known) for _ in statement.blocks]
        for inner, its in zip(statement.blocks, after, strict=True):
            self._block(inner, its)
        for name in {name for its in after for name in its.maps[0]}:
            ways = [its.get(name, frozenset({name})) for its in after]
            straight = statement.kind in (StmtKind.WITH, StmtKind.TRY)
            known[name] = ways[0] if straight else frozenset().union(known.get(name, frozenset({name})), *ways)

    def _look(self, statement: Stmt, known: Known) -> None:
        if statement.kind is StmtKind.IF:
            for test, branch in zip(statement.exprs, statement.blocks, strict=False):
                found = refusal_of(branch)
                if found is not None and (found.is_refusing or hands_error(found)):
                    self._add(f"{found.text} {_shape(test)}", test, known)
        elif statement.kind is StmtKind.EXPR:
            value = statement.exprs[0]
            if value.kind is ExprKind.UNARY and value.text == "await":
                value = value.parts[0]
            if value.kind is ExprKind.CALL and is_protective(value, self._sides):
                self._add(f"{callee(value)} {len(value.parts)}", value, known)

    def _add(self, shape: str, value: Expr, known: Known) -> None:
        names = frozenset(node.text for node in value.walk() if node.kind is ExprKind.NAME)
        own = frozenset(name for name in names if name in known)
        self.looks.append(Look(shape, names, own, _roots(value, known), value.line))


def _assign(target: Expr, value: Expr, known: Known, *, adds: bool) -> None:
    if target.kind is value.kind is ExprKind.COLLECTION and len(target.parts) == len(value.parts):
        found = [_roots(part, known) for part in value.parts]
        for part, roots in zip(target.parts, found, strict=True):
            _bind(part, roots, known)
    else:
        _bind(target, _roots(value, known), known, adds=adds)


def _bind(target: Expr, roots: Roots, known: Known, *, adds: bool = False) -> None:
    """Say where names come from; what is put into an attribute or an item adds to where the whole comes from."""
    if target.kind is ExprKind.NAME:
        known[target.text] = roots | known.get(target.text, frozenset()) if adds else roots
        return
    whole = next((node for node in target.walk() if node.kind is ExprKind.NAME), None)
    if target.kind is ExprKind.COLLECTION:
        for part in target.parts:
            _bind(part, roots, known, adds=adds)
    elif whole is not None:
        known[whole.text] = known.get(whole.text, frozenset({whole.text})) | roots


def _roots(value: Expr, known: Known) -> Roots:
    found = frozenset[str]().union(*(known.get(name, frozenset({name})) for name in _read_in(value)))
    return frozenset(map(part_of, found)) if value.kind is ExprKind.CALL and is_piece(value) else found


def part_of(root: str) -> str:
    """How a root is written of which only a piece is left."""
    return root if root.endswith(_PART) else root + _PART


def is_piece(call: Expr) -> bool:
    """True for a call that answers a part of what it is given, or of what it is called on."""
    return callee(call) in PIECES


def _read_in(value: Expr) -> Iterator[str]:
    """Names whose values are read; functions that are called by their name alone are none."""
    if value.kind is ExprKind.NAME:
        yield value.text
    parts = value.parts
    if value.kind is ExprKind.CALL and parts[0].kind is ExprKind.NAME:
        parts = parts[1:]
    for part in parts:
        yield from _read_in(part)


def _shape(value: Expr) -> str:
    """An expression without the names and attributes it reads; what is called stays."""
    if value.kind in _PLAIN:
        return "_"
    if value.kind is ExprKind.CALL:
        return f"{callee(value)}({','.join(map(_shape, value.parts[1:]))})"
    return f"{value.kind}:{value.text}({','.join(map(_shape, value.parts))})"
