"""How much is read or done for one input: reads with a bound, texts built up anew in a loop."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.values.wrapping import is_told
from scaffold_cli.anchoring.views import callee
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind, walk

_READS = frozenset({"read", "readline", "read1", "recv", "readlines", "iter_content", "read_bytes"})
_SIZED = WordPatterns(
    (word, "sized") for word in ("size", "length", "limit*", "max*", "bound*", "extent*", "count", "chunk*", "timeout*")
)
_MOST = WordPatterns((word, "most") for word in ("max*", "limit*", "most", "maximum"))
_LARGE = 64
"""Smallest number (of characters or items) that counts as a bound rather than a piece of a format."""
_SETS = frozenset({"set", "frozenset", "dict", "OrderedDict"})


def unbounded_reads(versions: Versions) -> Iterator[Shift]:
    """What was read up to a bound is now read to the end: ``stream.read(most)`` to ``stream.read()``."""
    old, new = _reads(versions.before), _reads(versions.after)
    fewer = len(old[True]) > len(new[True])
    if fewer and len(new[False]) > len(old[False]):
        call = old[True][0]
        because, how = f"`{callee(call)}()` reads up to a bound", f"now {plain(new[False][-1])}"
        yield shift(plain(call), call.line, because, how, entry="limits")


def _reads(item: Mined) -> dict[bool, list[Expr]]:
    """Calls that read, those with a bound under True."""
    found: dict[bool, list[Expr]] = {True: [], False: []}
    for node in item.reading.of(ExprKind.CALL):
        if callee(node) in _READS and node.parts[0].kind is ExprKind.ATTRIBUTE:
            found[_is_bounded(node)].append(node)
    return found


def _is_bounded(call: Expr) -> bool:
    bound = call.parts[1] if len(call.parts) > 1 else None
    return bound is not None and not bound.text.startswith("-") and bound.kind is not ExprKind.CONSTANT


def rebuilt_texts(versions: Versions) -> Iterator[Shift]:
    """A loop that now puts the text it works on together anew each time round, so that the time grows with the square.

    ``text = text[:i] + piece + text[j:]`` copies the whole text for each piece.
    """
    if versions.before.unit.function is None or any(_rebuilt(versions.before)):
        return
    for name in _rebuilt(versions.after):
        if name in versions.before.names | versions.before.defined:
            because, how = "each piece of the text is handled once", f"each time round the loop, {name} is copied"
            yield shift(f"{name} read once", versions.before.unit.line, because, how, entry="linear-time")
            return


def _rebuilt(item: Mined) -> Iterator[str]:
    for loop in item.reading.statements:
        if loop.kind is not StmtKind.LOOP:
            continue
        for statement in walk(loop.blocks[0]):
            if statement.kind is not StmtKind.ASSIGN or statement.text != "=" or len(statement.exprs) != 2:
                continue
            value, target = statement.exprs
            if value.kind is ExprKind.BINARY and value.text == "+" and _is_copied(target, value):
                yield target.text


def _is_copied(target: Expr, value: Expr) -> bool:
    slices = [part for part in value.parts if _is_slice_of(target, part)]
    return bool(slices) and len(slices) < len(value.parts)


def _is_slice_of(target: Expr, part: Expr) -> bool:
    if part.kind is not ExprKind.SUBSCRIPT or target.kind is not ExprKind.NAME:
        return False
    owner, index = part.parts
    return owner.kind is ExprKind.NAME and owner.text == target.text and index.kind is ExprKind.SLICE


def dropped_sizes(versions: Versions) -> Iterator[Shift]:
    """An argument that named a size or a bound, in any place, is no longer given to the same call."""
    for edit in versions.edits.edits:
        call = edit.around[-1] if edit.around else None
        if edit.old is None or edit.new is not None or call is None or call.kind is not ExprKind.CALL:
            continue
        named = [node.text for node in edit.old.walk() if node.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE)]
        sized = next((name for name in named if _SIZED.find(name) is not None), None)
        if (
            sized is not None
            and edit.old.kind is not ExprKind.KEYWORD
            and not versions.around.takes_other_arguments(callee(call))
        ):
            because, how = f"`{sized}` bounds what `{callee(call)}()` does", f"{plain(edit.old)} is no longer given"
            yield shift(f"{callee(call)}({plain(edit.old)})", edit.old.line, because, how, entry="limits")


def dropped_cuts(versions: Versions) -> Iterator[Shift]:
    """``text = text[:MOST]`` is gone, or ``f(text[:MOST])`` became ``f(text)``: the whole text goes on."""
    for statement in versions.edits.gone:
        if statement.kind is StmtKind.ASSIGN and len(statement.exprs) == 2:
            whole = _cut(statement.exprs[0])
            if whole is not None and plain(whole) == plain(statement.exprs[1]) and whole.text in versions.after.names:
                yield _uncut(statement.exprs[0], whole)
    for edit in versions.edits.edits:
        whole = _cut(edit.old) if edit.old is not None else None
        if whole is not None and edit.new is not None and plain(whole) == plain(edit.new) and not is_told(edit):
            yield _uncut(edit.old, whole)  # type: ignore[arg-type]


def _uncut(cut: Expr, whole: Expr) -> Shift:
    because, how = "only so much of the text is used", f"all of {plain(whole)} is now used"
    return shift(plain(cut), cut.line, because, how, entry="limits")


def _cut(node: Expr) -> Expr | None:
    """`x` for ``x[:MOST]``, where the bound is a constant or says that it is one."""
    if node.kind is not ExprKind.SUBSCRIPT or node.parts[1].kind is not ExprKind.SLICE:
        return None
    lower, upper = node.parts[1].parts[:2]
    named = upper.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE) and (upper.text.isupper() or _MOST.find(upper.text))
    large = upper.kind is ExprKind.NUMBER and upper.text.isdigit() and int(upper.text) >= _LARGE
    return node.parts[0] if lower.text == "null" and (named or large) else None


def lists_for_sets(versions: Versions) -> Iterator[Shift]:
    """What was a set is now a list, and is searched again and again in a loop."""
    searched = _searched(versions.after)
    for edit in versions.edits.edits:
        old, new = edit.old, edit.new
        if old is None or new is None or edit.statement.kind is not StmtKind.ASSIGN:
            continue
        is_set = (old.kind is ExprKind.CALL and callee(old) in _SETS) or (old.text == "set" and bool(old.parts))
        names = {target.text for target in edit.statement_new.exprs[1:]}
        if is_set and new.kind is ExprKind.COLLECTION and new.text == "list" and names & searched:
            because, how = "it is found at once in a set", f"{min(names)} is now searched through each time"
            yield shift(plain(old), old.line, because, how, entry="linear-time")


def _searched(item: Mined) -> set[str]:
    """Names that are asked with ``in`` inside a loop."""
    return {
        node.parts[1].text
        for loop in item.reading.statements
        if loop.kind is StmtKind.LOOP
        for statement in walk(loop.blocks[0])
        for expression in statement.exprs
        for node in expression.walk()
        if node.kind is ExprKind.COMPARE and node.text in ("in", "not in")
    }


def appended_texts(versions: Versions) -> Iterator[Shift]:
    """Pieces that were joined once are now added to one text in a loop."""
    if versions.before.calls["join"] <= versions.after.calls["join"] or versions.before.unit.function is None:
        return
    started = {
        statement.exprs[1].text
        for statement in versions.after.reading.statements
        if statement.kind is StmtKind.ASSIGN and len(statement.exprs) == 2
        if statement.exprs[0].kind is ExprKind.STRING and not statement.exprs[0].text
    }
    added = _added(versions.after) - _added(versions.before)
    if started & added:
        name = min(started & added)
        because, how = "the pieces are joined once", f"each is now added to {name} in a loop"
        yield shift("join()", versions.before.unit.line, because, how, entry="linear-time")


def _added(item: Mined) -> set[str]:
    return {
        statement.exprs[1].text
        for loop in item.reading.statements
        if loop.kind is StmtKind.LOOP
        for statement in walk(loop.blocks[0])
        if statement.kind is StmtKind.ASSIGN and statement.text == "+=" and len(statement.exprs) == 2
    }
