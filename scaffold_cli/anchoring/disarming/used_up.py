"""What a check leaves behind: the form that was checked is used, a thing is used once, what was changed is put back."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides, callee, calls, is_protective, spelled
from scaffold_cli.anchoring.refusal import refusal_of
from scaffold_cli.anchoring.views import names_in
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Function, Stmt, StmtKind, walk

_CLEANING = WordPatterns(
    (word, "cleans")
    for word in ("clean*", "saniti*", "escape*", "normali*", "canonical*", "resolve*", "safe*", "quote*", "strip*",
                 "inside*", "contained*", "real path")
)  # fmt: skip
_TAKING = frozenset({"delete", "remove", "pop", "Delete", "LoadAndDelete", "take", "evict", "discard", "getAndDelete"})
_MAKING = frozenset({"dict", "list", "set", "copy", "deepcopy"})
_LOOKING = frozenset({"get", "Get", "Load", "getOrDefault", "peek", "find", "has", "containsKey", "contains", "fetch"})


def used_up(sides: Sides) -> Iterator[Disarmed]:
    """One for each function that was there before."""
    known = {function.name: function for function in sides.before.functions}
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is not None and old.body != function.body:
            yield from _raw_after_all(old, function, sides)
            yield from _kept(old, function, sides)
            yield from _only_when_fine(old, function, sides)


def _raw_after_all(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    """``u = check(raw); get(u)`` became ``u = check(raw); get(raw)``."""
    for safe, raw in _checked(old, sides) & _checked(new, sides):
        for name in _takers(old, safe) - _takers(old, raw):
            if name in _takers(new, raw) - _takers(new, safe):
                what = f"`{name}()` in `{new.name}` takes `{raw}` as it came, in place of `{safe}`, which was checked."
                yield Disarmed("guard-bypassed", what, sides.after.path, new.line, new.name)


def _checked(function: Function, sides: Sides) -> frozenset[tuple[str, str]]:
    """Names that hold what a check or cleaning answered, with each plain name it was given."""
    found = set[tuple[str, str]]()
    for statement in walk(function.body):
        if statement.kind is StmtKind.ASSIGN and statement.exprs[0].kind is ExprKind.CALL:
            call, first = statement.exprs[0], (*statement.exprs[1].parts, statement.exprs[1])[0]
            if is_protective(call, sides) or _CLEANING.find(callee(call)) is not None:
                given = (part.text for part in call.parts[1:] if part.kind is ExprKind.NAME)
                found |= {(first.text, raw) for raw in given if first.kind is ExprKind.NAME and raw != first.text}
    return frozenset(found)


def _takers(function: Function, name: str) -> frozenset[str]:
    """Calls that are given a value made of a name, whichever way."""
    found = set[str]()
    for statement in walk(function.body):
        if statement.kind is not StmtKind.RAISE:
            for value in statement.exprs:
                nodes = (node for node in value.walk() if node.kind is ExprKind.CALL)
                found |= {callee(node) for node in nodes if any(name in names_in(part) for part in node.parts[1:])}
    return frozenset(found)


def _kept(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    """What refuses when it is not there was taken out, and is only looked at now."""
    left, looked = _taken(new), {spelled(call.parts[0].parts[0]) for call in _on_something(new, _LOOKING | _TAKING)}
    asked = {name for statement in walk(old.body) for name in _asked(statement)}
    passing = _passing(old)
    for owner, place in _taken(old).items():
        stays = owner not in left and owner in looked and owner not in passing
        if stays and _answer_of(owner, old) & asked:
            what = f"`{new.name}` leaves in place what it took out, so that it is good for more than one use."
            yield Disarmed("guard-weakened", what, sides.after.path, new.line or place, new.name)


def _passing(function: Function) -> set[str]:
    """What is gone after the call anyway: keyword arguments, and collections made in the function."""
    made = {f"{ExprKind.NAME}:{param.name.lstrip('*.')}" for param in function.params if param.name.startswith("**")}
    for statement in walk(function.body):
        if statement.kind is StmtKind.ASSIGN:
            value = statement.exprs[0]
            if value.kind is ExprKind.COLLECTION or (value.kind is ExprKind.CALL and callee(value) in _MAKING):
                made |= {spelled(target) for target in statement.exprs[1:] if target.kind is ExprKind.NAME}
    return made


def _on_something(function: Function, names: frozenset[str]) -> Iterator[Expr]:
    for call in calls(function.body):
        if callee(call) in names and call.parts[0].kind is ExprKind.ATTRIBUTE and len(call.parts) > 1:
            yield call


def _taken(function: Function) -> dict[str, int]:
    found = {spelled(call.parts[0].parts[0]): call.line for call in _on_something(function, _TAKING)}
    for statement in walk(function.body):
        if statement.kind is StmtKind.DELETE:
            found |= {spelled(target.parts[0]): statement.line for target in statement.exprs if target.parts}
    return found


def _answer_of(owner: str, function: Function) -> set[str]:
    """Names that hold what was found in `owner`."""
    found = set[str]()
    for statement in walk(function.body):
        if statement.kind is StmtKind.ASSIGN and statement.exprs[0].kind is ExprKind.CALL:
            head = statement.exprs[0].parts[0]
            if head.kind is ExprKind.ATTRIBUTE and spelled(head.parts[0]) == owner:
                found |= {target.text for target in statement.exprs[1:]}
    return found


def _asked(statement: Stmt) -> Iterator[str]:
    """Names in tests that refuse."""
    if statement.kind is StmtKind.IF:
        for test, branch in zip(statement.exprs, statement.blocks, strict=False):
            ending = refusal_of(branch)
            if ending is not None and ending.is_refusing:
                yield from names_in(test)


def _only_when_fine(old: Function, new: Function, sides: Sides) -> Iterator[Disarmed]:
    """What was put back in the end, whatever happened, is put back only when nothing did."""
    always = {_text(item) for item in _final(new.body)}
    plain = {_text(item): item.line for item in walk(new.body)}
    for item in _final(old.body):
        text = _text(item)
        if item.kind in (StmtKind.ASSIGN, StmtKind.EXPR) and text in plain and text not in always:
            what = f"`{new.name}` puts back what it changed only when nothing went wrong."
            yield Disarmed("guard-conditional", what, sides.after.path, plain[text], new.name)
            return


def _final(block: Block) -> Iterator[Stmt]:
    """Statements that run at the end in any case: in ``finally``, or put off by ``defer``."""
    for statement in walk(block):
        if statement.kind is StmtKind.TRY:
            yield from walk(statement.blocks[-1])
        elif statement.kind is StmtKind.EXPR and statement.exprs[0][:2] == (ExprKind.UNARY, "defer"):
            yield statement._replace(exprs=statement.exprs[0].parts)


def _text(statement: Stmt) -> str:
    return f"{statement.kind}{statement.text}{' '.join(map(spelled, statement.exprs))}"
