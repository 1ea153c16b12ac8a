"""A condition that asked for an answer asks only whether there is something that could be asked."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.predicates import Polarity, polarity_of
from scaffold_cli.anchoring.swaps.looking import PLAIN, conditions
from scaffold_cli.anchoring.values.edits import Edit, plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.values.wrapping import is_told
from scaffold_cli.anchoring.views import callee, is_null_check
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind

_SAME_BY_TRUTH = frozenset(
    {"exists", "count", "strip", "trim", "all", "first", "copy", "keys", "values", "items", "isEmpty", "size", "length",
     "read", "encode", "decode", "lower", "upper", "get", "any", "toString", "iterator", "stream", "getName", "orElse",
     "group", "groups", "is_set", "isBlank", "hasNext"}
)  # fmt: skip
"""Methods whose answer is empty or false where their object is: asking the object says the same."""
_REACH = 4
"""How many method calls may stand between what was asked and what is looked at now."""


def only_presence(versions: Versions) -> Iterator[Shift]:
    """``if (!rows.next()) refuse`` became ``if (rows == null) refuse``."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or is_told(edit) or not _is_tested(edit, versions.after):
            continue
        asked, left = _core(edit.old), _core(edit.new)
        if asked.kind is not ExprKind.CALL or callee(asked) in _SAME_BY_TRUTH:
            continue
        is_test = left is not edit.new or any(map(is_null_check, edit.around_new[-1:]))
        if is_test and plain(left) in {plain(owner) for owner in _owners(asked)} and left.kind is not ExprKind.CONSTANT:
            because, how = f"its condition asks `{callee(asked)}()`", f"now only whether {plain(left)} is there"
            yield shift(plain(asked), edit.old.line, because, how, entry="validation")


def _core(node: Expr) -> Expr:
    """What a test of presence or a negation is about."""
    while True:
        if node.kind is ExprKind.NOT:
            node = node.parts[0]
        elif node.kind is ExprKind.COMPARE and is_null_check(node):
            node = next((part for part in node.parts if part.text != "null"), node.parts[0])
        else:
            return node


def _owners(call: Expr) -> Iterator[Expr]:
    for _ in range(_REACH):
        if call.kind is not ExprKind.CALL or call.parts[0].kind is not ExprKind.ATTRIBUTE:
            return
        call = call.parts[0].parts[0]
        if call.kind in PLAIN or call.kind is ExprKind.CALL:
            yield call


def _is_tested(edit: Edit, item: Mined) -> bool:
    """True inside a refusing condition, or the answer of a function that asks something by its name."""
    if edit.statement_new.kind is StmtKind.RETURN and polarity_of(item.unit.short_name) is Polarity.NONE:
        return False
    return any(any(node is edit.new for node in test.walk()) for test, _ in conditions(item))
