"""How far work goes: loops whose bound forgets the offset they start at, loops that became recursion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import callee
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, StmtKind

_UP_TO = frozenset({"<", "<=", "!="})
_SELVES = frozenset({"self", "this", "cls", "super"})


def shorter_bounds(versions: Versions) -> Iterator[Shift]:
    """A loop from `start` to `start + n` that now runs to `n`, though it still begins at `start`."""
    new = list(_extents(versions.after.unit.block, versions.values_after))
    for line, start, bound in _extents(versions.before.unit.block, versions.values_before):
        if bound.kind is not ExprKind.BINARY or bound.text != "+" or _spelled(start) & _spelled(bound) == set():
            continue
        left = [plain(part) for part in bound.parts if plain(part) not in _spelled(start)]
        for _, begin, end in new:
            if len(left) == 1 and plain(end) == left[0] and plain(begin) == plain(start):
                because, how = "the loop looks at all there is", f"it now ends at {plain(end)}, without its offset"
                yield shift(f"up to {plain(bound)}", line, because, how, entry="validation")
                break


def _extents(block: Block, values: Mapping[str, Expr]) -> Iterator[tuple[int, Expr, Expr]]:
    """Line, first value and bound of each loop over numbers; a bound that has a name is read as its value."""
    for position, statement in enumerate(block):
        if statement.kind is StmtKind.LOOP:
            test = statement.exprs[-1]
            if statement.text == "for" and test.kind is ExprKind.CALL and callee(test) == "range" and test.parts[2:]:
                yield statement.line, test.parts[1], values.get(test.parts[2].text, test.parts[2])
            elif test.kind is ExprKind.COMPARE and test.text in _UP_TO:
                start = _last_given(test.parts[0], block[:position])
                if start is not None:
                    yield statement.line, start, values.get(test.parts[1].text, test.parts[1])
        for inner in statement.blocks:
            yield from _extents(inner, values)


def _last_given(index: Expr, earlier: Block) -> Expr | None:
    for statement in reversed(earlier):
        if statement.kind is StmtKind.ASSIGN and any(plain(target) == plain(index) for target in statement.exprs[1:]):
            return statement.exprs[0]
    return None


def _spelled(node: Expr) -> set[str]:
    """A sum's parts that are no numbers, or the expression itself."""
    parts = node.parts if node.kind is ExprKind.BINARY and node.text == "+" else (node,)
    return {plain(part) for part in parts if part.kind is not ExprKind.NUMBER}


def newly_recursive(versions: Versions) -> Iterator[Shift]:
    """A function that went round a loop and now calls itself instead, once for each piece of its input."""
    before, after = versions.before, versions.after
    if before.unit.function is None or _calls_itself(before) or not _calls_itself(after):
        return
    if _loops(before) > _loops(after):
        because, how = "a loop needs no stack", "it now calls itself, as deep as its input wants"
        yield shift(f"loop of {before.unit.short_name}", before.unit.line, because, how, entry="limits")


def _loops(item: Mined) -> int:
    return sum(statement.kind is StmtKind.LOOP for statement in item.reading.statements)


def _calls_itself(item: Mined) -> bool:
    """True for a call of its own name on nothing or on itself, with as many arguments as it takes."""
    function = item.unit.function
    if function is None or item.unit.short_name not in item.calls:
        return False
    taken = len([param for param in function.params if param.name not in _SELVES])
    for node in item.reading.of(ExprKind.CALL):
        if callee(node) == item.unit.short_name and len(node.parts) == taken + 1:
            called = node.parts[0]
            if called.kind is ExprKind.NAME or called.parts[0].text in _SELVES - {"super"}:
                return True
    return False
