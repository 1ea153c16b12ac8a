"""What is checked and what is used are no longer the same: a piece is checked, the use decodes or takes it raw."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.effects import is_logging
from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.swaps.looking import PLAIN, conditions
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.values.transforming import transforms
from scaffold_cli.anchoring.values.wrapping import is_told
from scaffold_cli.anchoring.views import callee
from scaffold_cli.anchoring.word_lists import WordList
from scaffold_cli.syntax.outline import Expr, ExprKind, Stmt, StmtKind

PIECES = frozenset(
    {"split", "rsplit", "partition", "rpartition", "strip", "lstrip", "rstrip", "removeprefix", "removesuffix",
     "basename", "splitext", "splitlines", "substring", "substr", "slice", "trim", "strip_tags", "replace",
     "replaceAll", "translate", "splitdrive", "getName", "getFileName", "Base", "TrimSpace",
     "Trim", "TrimPrefix", "TrimSuffix"}
)  # fmt: skip
"""Functions that answer a part of a text. Letters in another case are no part: most checks may ignore it."""
_DECODING = WordList("decoding")
_DECODERS = frozenset({"URLDecoder", "Base64", "base64"})


def checked_in_part(versions: Versions) -> Iterator[Shift]:
    """``if x not in KNOWN: refuse`` became ``if x.split()[0] not in KNOWN: refuse``, and `x` is used as it is."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or edit.old.kind not in PLAIN or is_told(edit):
            continue
        if not _is_piece(edit.new, plain(edit.old)) or not _is_let_in_by(edit.new, versions.after):
            continue
        if _is_used(edit.old, versions.after, frozenset({id(edit.statement_new)})):
            how = f"only {plain(edit.new)} is checked, and {plain(edit.old)} is used"
            yield shift(plain(edit.old), edit.old.line, "it is checked before it is used", how, entry="validation")


def _is_piece(node: Expr, whole: str) -> bool:
    """True for a part of what is spelled `whole`: indexed, cut, split, stripped."""
    is_part = False
    while plain(node) != whole:
        if node.kind is ExprKind.SUBSCRIPT:
            is_part, node = True, node.parts[0]
        elif node.kind is ExprKind.CALL and callee(node) in PIECES:
            is_part = True
            function = node.parts[0]
            is_method = function.kind is ExprKind.ATTRIBUTE and any(plain(part) == whole for part in function.walk())
            if not is_method and len(node.parts) < 2:
                return False
            node = function.parts[0] if is_method else node.parts[1]
        else:
            return False
    return is_part


def _is_let_in_by(node: Expr, item: Mined) -> bool:
    """True when a refusing condition lets in only some values of `node` (a list of what is refused grows by less)."""
    return any(_lets_in(test, refuses, node) for test, refuses in conditions(item))


def _lets_in(test: Expr, refuses: bool, node: Expr) -> bool:
    if test.kind is ExprKind.NOT:
        return _lets_in(test.parts[0], not refuses, node)
    if test.kind in (ExprKind.AND, ExprKind.OR):
        return any(_lets_in(part, refuses, node) for part in test.parts)
    if not any(inner is node for inner in test.walk()):
        return False
    if test.kind is ExprKind.COMPARE:
        return (test.text in ("!=", "not in", "is not")) is refuses and test.text not in ("<", "<=", ">", ">=")
    return test.kind is ExprKind.CALL and not refuses


def _is_used(value: Expr, item: Mined, apart: frozenset[int]) -> bool:
    """True when a call takes `value` as it is, outside tests, errors and the log."""
    wanted = plain(value)
    return any(
        _takes(expression, wanted)
        for statement in item.reading.statements
        if statement.kind not in (StmtKind.RAISE, StmtKind.IF) and id(statement) not in apart
        for expression in statement.exprs
    )


def _takes(node: Expr, wanted: str) -> bool:
    if node.kind is ExprKind.CALL:
        if is_logging(node) or _is_piece(node, wanted):
            return False
        if any(plain(part) == wanted or _pastes(part, wanted) for part in node.parts[1:]):
            return True
    return any(_takes(part, wanted) for part in node.parts)


def _pastes(part: Expr, wanted: str) -> bool:
    inner = part.parts if part.kind in (ExprKind.BINARY, ExprKind.FORMAT, ExprKind.KEYWORD) else ()
    return any(plain(node) == wanted for node in inner)


def kept_beside(versions: Versions) -> Iterator[Shift]:
    """``x = clean(x)`` became ``y = clean(x)``, and `x` is used as it came."""
    new = _refinements(versions.after, own=False)
    left = {target for target, _, _ in _refinements(versions.after, own=True)}
    for target, value, statement in _refinements(versions.before, own=True):
        name = next((name for name, other, _ in new if plain(other) == plain(value)), None)
        if name is None or target in left or not transforms(callee(value)):
            continue
        apart = frozenset(id(other) for _, _, other in new)
        if _is_used(statement.exprs[1], versions.after, apart):
            because, how = f"{target} passes through `{callee(value)}()`", f"only {name} does, and {target} is used"
            yield shift(plain(value), statement.line, because, how, entry="validation")


def _refinements(item: Mined, *, own: bool) -> list[tuple[str, Expr, Stmt]]:
    """Calls a plain name is assigned; with `own`, those that are given that name itself."""
    found = []
    for statement in item.reading.statements:
        if statement.kind is StmtKind.ASSIGN and len(statement.exprs) == 2 and statement.text == "=":
            value, target = statement.exprs
            if target.kind is ExprKind.NAME and value.kind is ExprKind.CALL:
                mentions = any(node.kind is ExprKind.NAME and node.text == target.text for node in value.walk())
                if mentions is own:
                    found.append((target.text, value, statement))
    return found


def decoded_late(versions: Versions) -> Iterator[Shift]:
    """A value is decoded where it is used, after a check that saw it encoded."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or edit.new.kind is not ExprKind.CALL or is_told(edit):
            continue
        if edit.statement_new.kind is StmtKind.IF or not _decodes(edit.new):
            continue
        given = {plain(part) for part in edit.new.parts[1:]}
        if plain(edit.old) in given and _is_asked(edit.old, versions.after):
            because, how = "it is checked in the form in which it is used", f"{plain(edit.old)} is decoded after that"
            yield shift(plain(edit.old), edit.old.line, because, how, entry="validation")


def _decodes(call: Expr) -> bool:
    function = call.parts[0]
    owner = function.parts[0].text if function.kind is ExprKind.ATTRIBUTE else ""
    return _DECODING.find(callee(call)) is not None or (owner in _DECODERS and "ecode" in callee(call))


def _is_asked(value: Expr, item: Mined) -> bool:
    wanted = plain(value)
    return any(
        plain(node) == wanted
        for statement in item.reading.statements
        if statement.kind is StmtKind.IF
        for test in statement.exprs
        for node in test.walk()
    )
