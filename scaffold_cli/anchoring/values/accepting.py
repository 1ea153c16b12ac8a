"""What lets in, asking less: a state no longer asked, letters in another case, everybody's instead of one's own."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.swaps.polarity import refuses_on
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, lost, shift
from scaffold_cli.anchoring.views import callee, names_in
from scaffold_cli.anchoring.words import WordPatterns, words
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind

STATES = WordPatterns(
    (word, "state")
    for word in (
        "is active", "active", "verified", "confirmed", "approved", "is staff", "is admin", "superuser", "is owner",
        "owner*", "trusted", "expired", "revoked", "locked", "banned", "suspended", "blocked", "permitted",
        "authenticated", "anonymous", "authorized", "authorised", "is private", "consumed", "email verified",
    )
)  # fmt: skip
"""Words by which a name says whether somebody or something may."""
_TESTING = frozenset({StmtKind.IF, StmtKind.RETURN, StmtKind.ASSERT})
_FOLDING = frozenset({"lower", "casefold", "upper", "toLowerCase", "toUpperCase", "strip"})
_REQUESTS = frozenset({"request", "req", "ctx", "context", "session", "info"})
_PERSONS = frozenset({"user", "current_user", "identity", "principal", "owner", "tenant", "project_id", "user_id"})


def dropped_states(versions: Versions) -> Iterator[Shift]:
    """``if found and user.is_active`` became ``if found``: a state that had to hold is no longer asked."""
    left = versions.after.names | versions.around.names_come
    for edit in versions.edits.edits:
        if edit.old is None or edit.statement.kind not in _TESTING:
            continue
        whole = edit.old if edit.old.kind is ExprKind.AND else edit.around[-1] if edit.around else edit.old
        if whole.kind is not ExprKind.AND or _refuses(whole, versions.before):
            continue
        asked = edit.old.parts if edit.old.kind is ExprKind.AND else (edit.old,)
        if edit.new is not None and len(edit.new.parts if edit.new.kind is ExprKind.AND else (edit.new,)) >= len(asked):
            continue  # another question in its place
        for part in asked:
            name = next((name for name in names_in(part) if STATES.find(name) is not None), None)
            if name is not None and name not in left:
                because, how = f"`{name}` had to hold", f"{plain(part)} is no longer asked"
                yield lost(plain(part), part.line, because, how, "authorization")


def _refuses(whole: Expr, item: Mined) -> bool:
    """True where work is refused when all of ``a and b`` hold: asking less of them refuses more."""
    first = whole.parts[0]
    is_negated = first.kind is ExprKind.NOT
    answer = refuses_on(first.parts[0] if is_negated else first, item)
    return answer is not None and answer is not is_negated


def cased_comparisons(versions: Versions) -> Iterator[Shift]:
    """``name.lower() in BLOCKED`` became ``name in BLOCKED``: other letters get past."""
    for edit in versions.edits.edits:
        old, new = edit.old, edit.new
        if old is None or new is None or old.kind is not ExprKind.CALL or len(old.parts) != 1:
            continue
        function = old.parts[0]
        if callee(old) not in _FOLDING or function.kind is not ExprKind.ATTRIBUTE or not edit.around_new:
            continue
        if plain(function.parts[0]) == plain(new) and _refuses_by(edit.around_new[-1]):
            because, how = "it is compared whatever its letters or spaces", f"{plain(new)} is now compared as it came"
            yield shift(plain(old), old.line, because, how, entry="validation")


def cased_values(versions: Versions) -> Iterator[Shift]:
    """``host = host.lower()`` is gone, and `host` is still looked for among fixed names."""
    for statement in versions.edits.gone:
        if statement.kind is not StmtKind.ASSIGN or len(statement.exprs) != 2:
            continue
        value, target = statement.exprs
        if value.kind is not ExprKind.CALL or callee(value) not in _FOLDING or target.kind is not ExprKind.NAME:
            continue
        same = any(node.kind is ExprKind.NAME and node.text == target.text for node in value.walk())
        if same and any(_looked_for(versions.after, target.text)):
            because, how = "it is compared whatever its letters or spaces", f"{target.text} is now compared as it came"
            yield shift(plain(value), statement.line, because, how, entry="validation")


def _looked_for(item: Mined, name: str) -> Iterator[bool]:
    for node in item.reading.of(ExprKind.COMPARE):
        if node.parts[0].kind is ExprKind.NAME and node.parts[0].text == name:
            yield _refuses_by(node)


def _refuses_by(node: Expr) -> bool:
    """A comparison with several fixed things, or with one that is written out."""
    if node.kind is not ExprKind.COMPARE or node.text not in ("in", "not in"):
        return False
    other = node.parts[1]
    return other.kind is ExprKind.COLLECTION or (
        other.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE) and other.text.isupper()
    )


def for_everybody(versions: Versions) -> Iterator[Shift]:
    """What was asked for whoever makes the request is now asked for all, and nothing else asks who that is."""
    if versions.before.unit.function is None:
        return
    left = versions.after.names | versions.around.names_come
    for call, person in _asked_for(versions.before):
        if not any(words(person)[0] in words(name) for name in left | versions.after.calls.keys()):
            because, how = f"`{callee(call)}()` is asked for the `{person}` of the request", "now for everybody"
            yield shift(plain(call), call.line, because, how, entry="authorization")
            return


def _asked_for(item: Mined) -> Iterator[tuple[Expr, str]]:
    for call in item.reading.of(ExprKind.CALL):
        for part in call.parts[1:]:
            given = part.parts[0] if part.kind is ExprKind.KEYWORD else part
            if given.kind is ExprKind.ATTRIBUTE and given.text in _PERSONS and given.parts[0].text in _REQUESTS:
                yield call, given.text
