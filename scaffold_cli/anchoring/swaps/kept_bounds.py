"""What a check put right or kept to some, without refusing: corrected values, deeds for the permitted only, errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.predicates import Polarity, polarity_of
from scaffold_cli.anchoring.swaps.looking import LITERALS, nodes
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, lost, shift
from scaffold_cli.anchoring.views import callee, names_in
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind, walk

_ENDS = frozenset({StmtKind.RETURN, StmtKind.RAISE, StmtKind.BREAK, StmtKind.CONTINUE})
_MEMBERSHIP = frozenset({"in", "not in"})


def uncorrected(versions: Versions) -> Iterator[Shift]:
    """``if name not in COLUMNS: name = "id"`` is gone, and `name` is used all the same."""
    left = {plain(test) for test, _, _ in _corrections(versions.after)}
    for test, name, line in _corrections(versions.before):
        if plain(test) in left or name not in versions.after.names | versions.after.defined:
            continue
        if not _is_looked_up(test, name, versions.after):
            because, how = f"`{name}` becomes a known value where {plain(test)}", "it is used as it came"
            yield lost(f"{name} corrected", line, because, how, "validation")


def _is_looked_up(test: Expr, name: str, item: Mined) -> bool:
    """True when something is still asked whether it holds the name, or the name is held against each thing in it."""
    compared = [node for _, node in nodes(item) if node.kind is ExprKind.COMPARE and name in set(names_in(node))]
    if any(map(_is_membership, compared)):
        return True
    single = {plain(side) for node in compared if node.text in ("==", "!=") for side in node.parts}
    return bool(test.parts[1].parts) and all(plain(part) in single for part in test.parts[1].parts)


def _corrections(item: Mined) -> Iterator[tuple[Expr, str, int]]:
    """Tests of membership behind which a name gets a fixed value: the test, the name, the line."""
    for statement in item.reading.statements:
        if statement.kind is not StmtKind.IF or len(statement.blocks[0]) != 1:
            continue
        test, inner = statement.exprs[0], statement.blocks[0][0]
        if inner.kind is StmtKind.ASSIGN and inner.exprs[0].kind in LITERALS and _is_membership(test):
            for target in inner.exprs[1:]:
                if target.text and plain(test.parts[0]) == plain(target):
                    yield test, target.text, statement.line


def _is_membership(test: Expr) -> bool:
    return test.kind is ExprKind.COMPARE and test.text in _MEMBERSHIP


def _tests(item: Mined) -> Iterator[Expr]:
    for statement in item.reading.statements:
        if statement.kind in (StmtKind.IF, StmtKind.LOOP):
            yield from statement.exprs


def for_everybody(versions: Versions) -> Iterator[Shift]:
    """``if user.is_admin: data["mail"] = mail`` became ``data["mail"] = mail``."""
    old, new = dict(_deeds(versions.before.unit.block, _held)), dict(_deeds(versions.after.unit.block, _answered))
    for text, tests in old.items():
        known = [test for test in tests if _asks_who(test, versions)]
        now = new.get(text)
        if not known or now is None or any(_asks_who(test, versions) for test in _followed(now, versions)):
            continue
        asked = plain(known[0])
        if not any(asked in plain(test) for test in _tests(versions.after)):
            because, how = f"`{text[:60]}` is done only if {asked}", "it is done for everybody"
            yield shift(text, known[0].line, because, how, entry="authorization")
            return


def _followed(tests: Iterable[Expr], versions: Versions) -> Iterator[Expr]:
    """Tests of the after side, and what the names in them stand for."""
    for test in tests:
        yield test
        yield from (value for name in names_in(test) if (value := versions.values_after.get(name)) is not None)


def _asks_who(test: Expr, versions: Versions) -> bool:
    return any(versions.catalogue.guards.find(name) == "authorization" for name in names_in(test))


_Tests = Callable[[Stmt, int], tuple[Expr, ...]]
"""Which tests of an IF count for what stands in one of its branches."""


def _held(statement: Stmt, branch: int) -> tuple[Expr, ...]:
    """The test that holds in the first branch, or in the other one of ``if not asked``."""
    is_otherwise = branch == 1 == len(statement.exprs) and statement.exprs[0].kind is ExprKind.NOT
    return statement.exprs[:1] if branch == 0 or is_otherwise else ()


def _answered(statement: Stmt, branch: int) -> tuple[Expr, ...]:
    """All tests that were asked on the way, whatever the answer."""
    return statement.exprs[: branch + 1]


def _deeds(block: Block, tests: _Tests, above: tuple[Expr, ...] = ()) -> Iterator[tuple[str, tuple[Expr, ...]]]:
    """Calls and assignments with the tests of the branches they stand in."""
    for statement in block:
        if statement.kind in (StmtKind.EXPR, StmtKind.ASSIGN) and statement.exprs and _does(statement):
            yield " = ".join(plain(item) for item in statement.exprs), above
        for number, inner in enumerate(statement.blocks):
            asked = tests(statement, number) if statement.kind is StmtKind.IF else ()
            yield from _deeds(inner, tests, (*above, *asked))


def _does(statement: Stmt) -> bool:
    if statement.kind is StmtKind.ASSIGN:
        return any(target.kind is not ExprKind.NAME for target in statement.exprs[1:])
    return statement.exprs[0].kind is ExprKind.CALL and bool(callee(statement.exprs[0]))


def yes_after_all(versions: Versions) -> Iterator[Shift]:
    """``except Invalid: return False`` became ``except Invalid: pass``, and the function goes on to say yes."""
    if polarity_of(versions.before.unit.short_name) is Polarity.NEGATIVE:
        return
    now = _by_types(versions.after)
    says_yes = any(_answers(statement, "true") for statement in versions.after.reading.statements)
    handlers = (
        (types, *pair)
        for types, old in _by_types(versions.before).items()
        for pair in _side_by_side(old, now.get(types))
    )
    for types, (body, line), (new, _) in handlers if says_yes else ():
        if not any(_answers(statement, "false") for statement in body):
            continue
        turned = any(_answers(statement, "true") for statement in new)
        if turned or not any(item.kind in _ENDS for item in walk(new)):
            how = "it is now answered with yes" if turned else "the function now goes on to say yes"
            because = f"{types or 'any error'} is answered with no"
            yield shift(f"no on {types}", line, because, how, entry="validation")


_Handler = tuple[Block, int]
"""The body of a handler, and its line."""


def _by_types(item: Mined) -> dict[str, list[_Handler]]:
    """Handlers in their order, for each list of types caught."""
    found: dict[str, list[_Handler]] = {}
    for statement in item.reading.statements:
        if statement.kind is StmtKind.TRY:
            for handler in statement.blocks[1]:
                types = ", ".join(map(plain, handler.exprs))
                found.setdefault(types, []).append((handler.blocks[0], handler.line))
    return found


def _side_by_side(old: list[_Handler], new: list[_Handler] | None) -> Iterator[tuple[_Handler, _Handler]]:
    """The same handlers of both sides; none where some came or went, since nothing tells which."""
    return zip(old, new, strict=True) if new is not None and len(new) == len(old) else iter(())


def _answers(statement: Stmt, answer: str) -> bool:
    is_return = statement.kind is StmtKind.RETURN and bool(statement.exprs)
    return is_return and statement.exprs[0].kind is ExprKind.CONSTANT and statement.exprs[0].text == answer
