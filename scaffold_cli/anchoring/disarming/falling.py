"""A refusal that no longer ends its function: the answer is sent, and what it stood before goes on."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides, spelled
from scaffold_cli.anchoring.refusal import hands_error, refusal_of
from scaffold_cli.syntax.outline import Block, ExprKind, Language, StmtKind, walk

_FALLING = frozenset({Language.JAVASCRIPT, Language.TYPESCRIPT, Language.JAVA, Language.GO})
"""Languages whose frameworks answer by a call and go on; Python's raise."""


def opened_cases(sides: Sides) -> Iterator[Disarmed]:
    """A case that refused gives an answer: ``default: return nil, ErrDenied`` became ``default: return x, nil``."""
    known = {function.name: function for function in sides.before.functions}
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is None or old.body == function.body:
            continue
        refused = {key for key, refuses, _ in _cases(old.body) if refuses}
        for key, refuses, line in _cases(function.body):
            if not refuses and key in refused:
                what = f"A case that `{function.name}` refused is let through."
                yield Disarmed("guard-lost", what, sides.after.path, line, function.name)


def _cases(block: Block) -> Iterator[tuple[tuple[str, ...], bool, int]]:
    """Subject and labels of each case that ends the function, and whether it refuses."""
    for statement in walk(block):
        if statement.kind is StmtKind.SWITCH:
            for case in statement.blocks[0]:
                ending = refusal_of(case.blocks[0])
                if ending is not None and case.blocks[0][-1].kind in (StmtKind.RETURN, StmtKind.RAISE):
                    labels = (*map(spelled, statement.exprs), *map(spelled, case.exprs))
                    yield labels, ending.is_refusing or hands_error(ending), case.line


def falling(sides: Sides) -> Iterator[Disarmed]:
    """``if (bad) { return answer(403); }`` became ``if (bad) { answer(403); }``, and something follows."""
    if sides.after.language not in _FALLING:
        return
    known = {function.name: function for function in sides.before.functions}
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is None or old.body == function.body:
            continue
        ended = {key for key, ends, _ in _branches(old.body) if ends}
        for key, ends, line in _branches(function.body):
            if not ends and key in ended:
                what = f"A refusal of `{function.name}` no longer ends it, so what follows runs all the same."
                yield Disarmed("guard-bypassed", what, sides.after.path, line, function.name)


def _branches(block: Block) -> Iterator[tuple[tuple[str, str], bool, int]]:
    """Test and last call of each branch that something follows, and whether the branch ends the function."""
    for position, statement in enumerate(block):
        if statement.kind is StmtKind.IF and position + 1 < len(block):
            for test, branch in zip(statement.exprs, statement.blocks, strict=False):
                found = _last_call(branch)
                if found is not None:
                    yield (spelled(test), found[0]), found[1], statement.line
        for inner in statement.blocks:
            yield from _branches(inner)


def _last_call(branch: Block) -> tuple[str, bool] | None:
    """The call a branch ends in, and whether it returns with or behind it."""
    if not branch:
        return None
    last = branch[-1]
    if last.kind is StmtKind.RETURN and not last.exprs and len(branch) > 1:
        before = branch[-2]
        return (spelled(before.exprs[0]), True) if before.kind is StmtKind.EXPR else None
    if last.kind not in (StmtKind.RETURN, StmtKind.EXPR) or not last.exprs or last.exprs[0].kind is not ExprKind.CALL:
        return None
    return spelled(last.exprs[0]), last.kind is StmtKind.RETURN
