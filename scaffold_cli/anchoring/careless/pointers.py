"""Pointers that may be NULL, and pointers to what was freed."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.careless.reading import ALLOCATORS, Careless, nodes, uncast
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.views import callee, names_in
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Function, Stmt, StmtKind, walk

_READING = frozenset(
    {"strcpy", "strncpy", "strcat", "strncat", "memcpy", "memmove", "memset", "sprintf", "snprintf", "fgets", "fread"}
)
"""Functions of the standard library that go to the address they are given."""
_ASKING = (ExprKind.COMPARE, ExprKind.NOT, ExprKind.AND, ExprKind.OR, ExprKind.CONDITIONAL)
_TESTS = (StmtKind.IF, StmtKind.LOOP, StmtKind.SWITCH, StmtKind.ASSERT)
_LEAVING = (StmtKind.RETURN, StmtKind.RAISE, StmtKind.BREAK, StmtKind.CONTINUE)
_ENDING = frozenset({"exit", "_exit", "abort", "longjmp"})


def unchecked_allocations(function: Function) -> Iterator[Careless]:
    """MEM11-C, EXP34-C: memory is used before anybody asked whether there was any."""
    unasked: dict[str, str] = {}
    for statement in walk(function.body):
        if statement.kind in _TESTS:
            for name in _names(*statement.exprs):
                unasked.pop(name, None)
        for node in nodes(statement):
            if node.kind in _ASKING:
                for name in _names(node):
                    unasked.pop(name, None)
            for name in _gone_to(node):
                allocator = unasked.pop(name, None)
                if allocator is not None:
                    what = f"`{name}` is used although `{allocator}()` may have given NULL."
                    yield Careless(function.name, node.line, "EXP34-C", what)
        if statement.kind is StmtKind.ASSIGN:
            value = uncast(statement.exprs[0])
            if value.kind is ExprKind.CALL and callee(value) in ALLOCATORS:
                unasked.update({name.text: callee(value) for name in statement.exprs[1:] if name.kind is ExprKind.NAME})


def _gone_to(node: Expr) -> Iterator[str]:
    """Names whose address is gone to by this node."""
    if node.kind in (ExprKind.SUBSCRIPT, ExprKind.ATTRIBUTE) or (node.kind is ExprKind.UNARY and node.text == "*"):
        if node.parts[0].kind is ExprKind.NAME:
            yield node.parts[0].text
    elif node.kind is ExprKind.CALL and callee(node) in _READING:
        yield from (part.text for part in node.parts[1:3] if part.kind is ExprKind.NAME)


def uses_after_free(function: Function) -> Iterator[Careless]:
    """MEM30-C, MEM01-C: memory is used, or its address handed out, after it was freed."""
    found: list[Careless] = []
    _follow(function, function.body, {}, {}, found)
    yield from found


def _follow(
    function: Function, block: Block, freed: dict[str, int], handed: dict[str, str], found: list[Careless]
) -> dict[str, int] | None:
    """What is freed at the end of a block; None when it is never reached. `handed`: where each address was put."""
    for place, statement in enumerate(block):
        for name in [name for name in _names(*_read(statement)) if name in freed]:
            what = f"`{name}` is used after it was freed in line {freed.pop(name)}."
            found.append(Careless(function.name, statement.line, "MEM30-C", what))
        _assigned(statement, freed, handed)
        name = _freed(statement)
        if name:
            freed[name] = statement.line
            target = handed.get(name, "")
            if target and not any(target in map(plain, later.exprs[1:]) for later in block[place + 1 :]):
                what = f"`{name}` is freed although its address was handed out before."
                found.append(Careless(function.name, statement.line, "MEM01-C", what))
        ends = [_follow(function, inner, dict(freed), dict(handed), found) for inner in statement.blocks]
        for end in ends:
            freed |= end or {}
        if _leaves(statement):
            return None
    return freed


def _read(statement: Stmt) -> Iterator[Expr]:
    """The parts of a statement that read: all but plain names that are assigned to."""
    yield from (
        node
        for place, node in enumerate(statement.exprs)
        if not (statement.kind is StmtKind.ASSIGN and place and node.kind is ExprKind.NAME)
    )


def _assigned(statement: Stmt, freed: dict[str, int], handed: dict[str, str]) -> None:
    if statement.kind is not StmtKind.ASSIGN:
        return
    value = uncast(statement.exprs[0])
    for target in statement.exprs[1:]:
        if target.kind is ExprKind.NAME:
            freed.pop(target.text, None)
            handed.pop(target.text, None)
        elif value.kind is ExprKind.NAME:
            handed[value.text] = plain(target)
        else:
            for name in [name for name, where in handed.items() if where == plain(target)]:
                del handed[name]


def _freed(statement: Stmt) -> str:
    call = statement.exprs[0] if statement.kind is StmtKind.EXPR else None
    if call is None or call.kind is not ExprKind.CALL or callee(call) != "free" or len(call.parts) != 2:
        return ""
    return call.parts[1].text if call.parts[1].kind is ExprKind.NAME else ""


def _leaves(statement: Stmt) -> bool:
    if statement.kind in _LEAVING or (statement.kind is StmtKind.OTHER and statement.text.startswith("goto")):
        return True
    call = statement.exprs[0] if statement.kind is StmtKind.EXPR else None
    return call is not None and call.kind is ExprKind.CALL and callee(call) in _ENDING


def _names(*expressions: Expr) -> set[str]:
    return {name for node in expressions for name in names_in(node)}
