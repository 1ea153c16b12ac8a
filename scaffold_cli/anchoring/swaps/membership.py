"""A value had to be one of a list; now it is enough that a piece of it is (``HOSTS.has(h)``, ``h.endsWith(host)``)."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.swaps.polarity import leaves
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import called_names, callee, names_in
from scaffold_cli.syntax.outline import Expr, ExprKind

_HAS = frozenset({"has", "includes", "contains", "containsKey", "Contains", "__contains__"})
_PIECES = frozenset(
    {"endsWith", "startsWith", "endswith", "startswith", "HasSuffix", "HasPrefix", "match", "search", "test",
     "indexOf", "fnmatch", "regionMatches", "matches", "glob"}
)  # fmt: skip


def pieces_of_members(versions: Versions) -> Iterator[Shift]:
    """The same list in a refusing test, and no longer asked for the whole value."""
    now = [test for test, refuses in leaves(versions.after) if not _is_negated(test, refuses)]
    held = {plain(members) for test in now for members in [_members(test)] if members is not None}
    for test, refuses in leaves(versions.before):
        members = _members(test)
        if members is None or _is_negated(test, refuses) or plain(members) in held:
            continue
        for other in now:
            named = set(names_in(members)) & set(names_in(other))
            if named and _PIECES & {*called_names(other)} - {*called_names(test)}:
                because, how = f"it must be one of {plain(members)}", f"now {plain(other)}"
                yield shift(plain(test), test.line, because, how, entry="validation")
                break


def _members(test: Expr) -> Expr | None:
    """The list that a test of membership asks; a text in which a text is looked for is none."""
    if test.kind is ExprKind.COMPARE and test.text in ("in", "not in"):
        return None if test.parts[0].kind is ExprKind.STRING else test.parts[1]
    is_asked = test.kind is ExprKind.CALL and callee(test) in _HAS and test.parts[0].kind is ExprKind.ATTRIBUTE
    return test.parts[0].parts[0] if is_asked else None


def _is_negated(test: Expr, refuses: bool) -> bool:
    """True where being found is what refuses: a list of what is kept out."""
    return refuses is not (test.kind is ExprKind.COMPARE and test.text == "not in")
