"""Only some are checked: a loop that ends after the first, a shorter list, any for all, once for until none is left."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.refusal import hands_error, refusal_of
from scaffold_cli.anchoring.swaps.polarity import refuses_on
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import called_names, callee, strings_in
from scaffold_cli.anchoring.words import words
from scaffold_cli.syntax.outline import Expr, ExprKind, Stmt, StmtKind, walk

_LAXER = {("all", False): "any", ("any", True): "all", ("every", False): "some", ("some", True): "every",
          ("allMatch", False): "anyMatch", ("anyMatch", True): "allMatch",
          ("containsAll", False): "contains"}  # fmt: skip
_REVERSED = frozenset({("min", "max"), ("max", "min")})
_CUTTING = frozenset({"subList", "slice", "limit", "take", "islice", "head", "first"})
_SUBSET = frozenset({"<=", ">=", "<", ">"})


def laxer_quantifiers(versions: Versions) -> Iterator[Shift]:
    """``not all(...)`` became ``not any(...)``; a subset became an overlap; ``min`` of a limit became ``max``."""
    for edit in versions.edits.edits:
        old, new = edit.old, edit.new
        if old is None or new is None:
            continue
        how = ""
        was, now = _core(old), _core(new)
        if {callee(was), callee(now)} == {"issubset", "isdisjoint"} and refuses_on(now, versions.after) is True:
            how = "now only some of them"
        elif old.kind is ExprKind.CALL is new.kind and [*map(plain, old.parts[1:])] == [*map(plain, new.parts[1:])]:
            refuses = refuses_on(new, versions.after)
            if refuses is not None and _LAXER.get((callee(old), refuses)) == callee(new):
                how = f"now {callee(new)} of them"
            elif (callee(old), callee(new)) in _REVERSED and any(
                _is_limit(part) and ("min" in words(part.text)) is (callee(old) == "max") for part in old.parts[1:]
            ):
                how = f"now {callee(new)}"
        elif _is_overlap(old, new) and refuses_on(new, versions.after) is False:
            how = "now only some of them"
        if how:
            yield shift(plain(old), old.line, "it holds for all", how, entry="validation")


def _core(node: Expr) -> Expr:
    node = node.parts[0] if node.kind is ExprKind.NOT else node
    return node if node.kind is ExprKind.CALL else Expr(ExprKind.CALL, "", (node,), node.line)


def _is_limit(node: Expr) -> bool:
    return node.kind is ExprKind.NUMBER or (node.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE) and node.text.isupper())


def _is_overlap(old: Expr, new: Expr) -> bool:
    """``a <= b`` of sets became ``a & b``."""
    is_common = new.kind is ExprKind.BINARY and new.text == "&"
    return (
        is_common
        and old.kind is ExprKind.COMPARE
        and old.text in _SUBSET
        and set(map(plain, old.parts)) == set(map(plain, new.parts))
    )


def shorter_loops(versions: Versions) -> Iterator[Shift]:
    """A loop that refuses, or calls something protective, no longer goes over everything."""
    old, new = _loops(versions.before, versions), _loops(versions.after, versions)
    for key, was in old.items():
        now = new.get(key)
        if now is None:
            continue
        how = ""
        if _is_cut(now.exprs[1], was.exprs[1]):
            how = f"now over {plain(now.exprs[1])} only"
        elif _always_ends(now) and not _always_ends(was):
            how = "now it ends after the first"
        if how:
            yield shift(f"for each of {plain(was.exprs[1])}", was.line, "it checks every one", how, entry="validation")


def _loops(item: Mined, versions: Versions) -> dict[str, Stmt]:
    """Loops that check, by what they do for each item."""
    found = {}
    for statement in item.reading.statements:
        if statement.kind is StmtKind.LOOP and statement.text == "for":
            checks = [text for inner in walk(statement.blocks[0]) for text in _checks(inner, versions)]
            if checks:
                found["; ".join(checks)] = statement
    return found


def _checks(statement: Stmt, versions: Versions) -> Iterator[str]:
    if statement.kind is StmtKind.IF:
        for test, branch in zip(statement.exprs, statement.blocks, strict=False):
            refusal = refusal_of(branch)
            if refusal is not None and (refusal.kind in ("raise", "abort", "refuse") or hands_error(refusal)):
                yield plain(test)
    elif statement.kind is StmtKind.EXPR and any(map(versions.catalogue.protective, called_names(statement.exprs[0]))):
        yield plain(statement.exprs[0])


def _is_cut(now: Expr, was: Expr) -> bool:
    """True for a piece of what was gone over."""
    if now.kind is ExprKind.CALL and callee(now) in _CUTTING:
        return any(plain(node) == plain(was) for node in now.walk()) and plain(now) != plain(was)
    return now.kind is ExprKind.SUBSCRIPT and now.parts[1].kind is ExprKind.SLICE and plain(now.parts[0]) == plain(was)


def _always_ends(loop: Stmt) -> bool:
    body = loop.blocks[0]
    return bool(body) and body[-1].kind in (StmtKind.BREAK, StmtKind.RETURN)


def once_only(versions: Versions) -> Iterator[Shift]:
    """``while "../" in name: name = ...`` became ``if``: what is left after the first time stays."""
    after = {_head(statement) for statement in versions.after.reading.statements if statement.kind is StmtKind.IF}
    left = {_head(statement) for statement in versions.after.reading.statements if statement.kind is StmtKind.LOOP}
    for statement in versions.before.reading.statements:
        if statement.kind is not StmtKind.LOOP or statement.text == "for" or _head(statement) not in after - left:
            continue
        entry = next(
            (
                versions.catalogue.literals[text]
                for text in strings_in(statement.exprs[0])
                if text in versions.catalogue.literals
            ),
            None,
        )
        if entry is not None:
            because, how = "it goes on until none is left", "now once only"
            yield shift(plain(statement.exprs[0]), statement.line, because, how, entry=entry)


def _head(statement: Stmt) -> str:
    return plain(statement.exprs[0])
