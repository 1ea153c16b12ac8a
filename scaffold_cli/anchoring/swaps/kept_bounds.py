"""What a check put right or kept to some, without refusing: corrected values, deeds for the permitted only, errors."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.swaps.looking import LITERALS, nodes
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, lost, shift
from scaffold_cli.anchoring.views import callee, names_in
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind, walk

_ENDS = frozenset({StmtKind.RETURN, StmtKind.RAISE, StmtKind.BREAK, StmtKind.CONTINUE})
_MEMBERSHIP = frozenset({"in", "not in"})


def uncorrected(versions: Versions) -> Iterator[Shift]:
    """``if name not in COLUMNS: name = "id"`` is gone, and `name` is used all the same."""
    left = {test for test, _, _ in _corrections(versions.after)}
    for test, name, line in _corrections(versions.before):
        if test in left or name not in versions.after.names | versions.after.defined:
            continue
        asked = (node for _, node in nodes(versions.after) if _is_membership(node))
        if not any(name in set(names_in(node)) for node in asked):
            because, how = f"`{name}` becomes a known value where {test}", "it is used as it came"
            yield lost(f"{name} corrected", line, because, how, "validation")


def _corrections(item: Mined) -> Iterator[tuple[str, str, int]]:
    """Tests of membership behind which a name gets a fixed value: the test, the name, the line."""
    for statement in walk(item.unit.block):
        if statement.kind is not StmtKind.IF or len(statement.blocks[0]) != 1:
            continue
        test, inner = statement.exprs[0], statement.blocks[0][0]
        if inner.kind is StmtKind.ASSIGN and inner.exprs[0].kind in LITERALS and _is_membership(test):
            for target in inner.exprs[1:]:
                if target.text and plain(test.parts[0]) == plain(target):
                    yield plain(test), target.text, statement.line


def _is_membership(test: Expr) -> bool:
    return test.kind is ExprKind.COMPARE and test.text in _MEMBERSHIP


def _tests(item: Mined) -> Iterator[Expr]:
    for statement in walk(item.unit.block):
        if statement.kind in (StmtKind.IF, StmtKind.LOOP):
            yield from statement.exprs


def for_everybody(versions: Versions) -> Iterator[Shift]:
    """``if user.is_admin: data["mail"] = mail`` became ``data["mail"] = mail``."""
    old, new = dict(_deeds(versions.before.unit.block)), dict(_deeds(versions.after.unit.block))
    for text, tests in old.items():
        known = [test for test in tests if _asks_who(test, versions)]
        now = new.get(text)
        if not known or now is None or any(_asks_who(test, versions) for test in now):
            continue
        asked = plain(known[0])
        if not any(asked in plain(test) for test in _tests(versions.after)):
            because, how = f"`{text[:60]}` is done only if {asked}", "it is done for everybody"
            yield shift(text, known[0].line, because, how, entry="authorization")
            return


def _asks_who(test: Expr, versions: Versions) -> bool:
    return any(versions.catalogue.guards.find(name) == "authorization" for name in names_in(test))


def _deeds(block: Block, above: tuple[Expr, ...] = ()) -> Iterator[tuple[str, tuple[Expr, ...]]]:
    """Calls and assignments with the tests of the first branches they stand in."""
    for statement in block:
        if statement.kind in (StmtKind.EXPR, StmtKind.ASSIGN) and statement.exprs and _does(statement):
            yield " = ".join(plain(item) for item in statement.exprs), above
        for number, inner in enumerate(statement.blocks):
            first = statement.kind is StmtKind.IF and number == 0
            yield from _deeds(inner, (*above, statement.exprs[0]) if first and statement.exprs else above)


def _does(statement: Stmt) -> bool:
    if statement.kind is StmtKind.ASSIGN:
        return any(target.kind is not ExprKind.NAME for target in statement.exprs[1:])
    return statement.exprs[0].kind is ExprKind.CALL and bool(callee(statement.exprs[0]))


def yes_after_all(versions: Versions) -> Iterator[Shift]:
    """``except Invalid: return False`` became ``except Invalid: pass``, and the function goes on to say yes."""
    now = {types: body for types, body, _ in _handlers(versions.after)}
    says_yes = any(_answers(statement, "true") for statement in walk(versions.after.unit.block))
    for types, body, line in _handlers(versions.before):
        is_no = any(_answers(statement, "false") for statement in body)
        if is_no and says_yes and types in now and not any(item.kind in _ENDS for item in walk(now[types])):
            because, how = f"{types or 'any error'} is answered with no", "the function now goes on to say yes"
            yield shift(f"no on {types}", line, because, how, entry="validation")


def _handlers(item: Mined) -> Iterator[tuple[str, Block, int]]:
    for statement in walk(item.unit.block):
        if statement.kind is StmtKind.TRY:
            for handler in statement.blocks[1]:
                yield ", ".join(map(plain, handler.exprs)), handler.blocks[0], handler.line


def _answers(statement: Stmt, answer: str) -> bool:
    is_return = statement.kind is StmtKind.RETURN and bool(statement.exprs)
    return is_return and statement.exprs[0].kind is ExprKind.CONSTANT and statement.exprs[0].text == answer
