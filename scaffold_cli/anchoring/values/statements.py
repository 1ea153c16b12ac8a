"""Statements that protect by what they do to a value: repairs, clamps, switches, registrations, decoys, overrides."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from scaffold_cli.anchoring.effects import is_logging
from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.paths import Path, statements_with_path
from scaffold_cli.anchoring.refusal import refusal_of
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, lost, shift
from scaffold_cli.anchoring.views import called_names, callee, strings_in
from scaffold_cli.anchoring.words import WordPatterns, words
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind

_ORDERING = frozenset({"<", "<=", ">", ">="})
_NAMES = frozenset({ExprKind.NAME, ExprKind.ATTRIBUTE})
_PLACES = frozenset({ExprKind.SUBSCRIPT, ExprKind.ATTRIBUTE})
_REPAIR_REACH = 3
"""Statements at the start of a branch in which a value is repaired."""
_SIGNS = 3
"""Fewest characters of a text of nothing but signs that is a list of dangerous ones."""
_OFF = frozenset({"false", "0", "off", "no", "none", "never"})
_ON = frozenset({"true", "1", "on", "yes"})
_LOOSENING = WordPatterns(
    (word, "loosens")
    for word in (
        "^allow*", "enabled", "^enable", "^trust*", "^accept*", "^follow*", "^resolve*", "^expand*", "^load external*",
        "^unsafe*", "^insecure*", "^include*", "^permit*", "^disable*",
    )
)  # fmt: skip
"""Switches that let more pass when they are on."""
_STRICT = WordPatterns(
    (word, "strict")
    for word in (
        "strict*", "secure*", "verif*", "validat*", "require*", "disallow*", "forbid*", "deny*", "protect*", "sanitiz*",
        "sanitis*", "escape*", "read only", "readonly", "http only", "restrict*", "safe*", "sandbox*", "harden*",
        "mask*",
    )
)  # fmt: skip
"""Switches that let less pass when they are on."""
_BOUNDING = WordPatterns((word, "bounds") for word in ("min", "max", "clamp*", "bound*", "limit*", "truncate*", "cap"))
_COMPARING = WordPatterns(
    (word, "compares") for word in ("match*", "check*", "verif*", "hash*", "compar*", "encod*", "crypt*", "equal*")
)
_SECRET = WordPatterns((word, "secret") for word in ("password*", "passwd", "passphrase", "secret*", "credential*"))


def dropped_repairs(versions: Versions) -> Iterator[Shift]:
    """A branch or loop that cut a value down to a bound, or took something dangerous out of it, is gone."""
    old, new = _repairs(versions.before, versions), _repairs(versions.after, versions)
    for key, places in old.items():
        entry, what = key
        is_bounded = entry == "limits" and any(_BOUNDING.find(name) is not None for name in versions.after.calls)
        if len(places) > len(new.get(key, ())) and not is_bounded:
            because = "it brings the value into bounds" if entry == "limits" else f"it takes {what!r} out of the value"
            yield lost(plain(places[0].exprs[0]), places[0].line, because, "the value stays as it is", entry)


def _repairs(item: Mined, versions: Versions) -> dict[tuple[str, str], list[Stmt]]:
    found: dict[tuple[str, str], list[Stmt]] = defaultdict(list)
    for statement in item.reading.statements:
        is_loop = statement.kind is StmtKind.LOOP and statement.text != "for"
        if statement.kind is not StmtKind.IF and not is_loop:
            continue
        for test, branch in zip(statement.exprs, statement.blocks, strict=False):
            if _clamps(test, branch):
                found["limits", ""].append(statement)
            literal = next((text for text in strings_in(test) if _is_dangerous(text, is_loop, versions)), None)
            asked = _asked_once(test, versions)
            if asked is not None and branch[:1] and refusal_of(branch) is None and _assigns(branch, test):
                found[asked, "what the check finds"].append(statement)
            if literal is not None and _changes(branch, test) and (len(branch) == 1 or not is_loop):
                found[versions.catalogue.literals.get(literal, "validation"), literal].append(statement)
    return found


def _asked_once(test: Expr, versions: Versions) -> str | None:
    """The entry of a check the catalogue knows that `test` asks and the after side asks no more."""
    names = (name for name in called_names(test) if name not in versions.after.calls)
    return next((entry for name in names if (entry := versions.catalogue.protective(name)) is not None), None)


def _is_dangerous(text: str, is_loop: bool, versions: Versions) -> bool:
    """A literal whose presence is repaired; a single character only where it is repaired until none is left."""
    if text not in versions.catalogue.literals:
        return len(text) >= _SIGNS and not any(letter.isalnum() or letter.isspace() for letter in text)
    return is_loop or len(text) > 1


def _clamps(test: Expr, branch: Block) -> bool:
    """``if size > limit: size = limit``."""
    bounds = {plain(part) for node in test.walk() if node.text in _ORDERING for part in node.parts}
    return any(
        statement.kind is StmtKind.ASSIGN and {plain(part) for part in statement.exprs} <= bounds
        for statement in branch[:_REPAIR_REACH]
    )


def _assigns(branch: Block, test: Expr) -> bool:
    tested = {node.text for node in test.walk() if node.kind in _NAMES}
    return any(
        statement.kind is StmtKind.ASSIGN and any(target.text in tested for target in statement.exprs[1:])
        for statement in branch[:_REPAIR_REACH]
    )


def _changes(branch: Block, test: Expr) -> bool:
    if _assigns(branch, test):
        return True
    tested = {node.text for node in test.walk() if node.kind in _NAMES}
    for statement in branch[:_REPAIR_REACH]:
        if statement.kind is StmtKind.EXPR and statement.exprs[0].kind is ExprKind.CALL:
            function = statement.exprs[0].parts[0]
            if function.kind is ExprKind.ATTRIBUTE and function.parts[0].text in tested:
                return not is_logging(statement.exprs[0])
    return False


def dropped_switches(versions: Versions) -> Iterator[Shift]:
    """A switch of an object that was set the strict way and is no longer set."""
    unit = versions.before.unit
    places = _PLACES | ({ExprKind.NAME} if unit.symbol and unit.function is None else frozenset())
    after = {name for statement in versions.after.reading.statements for name, _ in _switches(statement, places)}
    for statement in versions.edits.gone:
        for identifier, value in _switches(statement, places):
            name = identifier.removeprefix("set").lstrip("_")
            strict = _OFF if _LOOSENING.find(name) is not None else _ON if _STRICT.find(name) is not None else None
            if strict is not None and value in strict and identifier not in after | versions.around.names_come:
                yield lost(
                    f"{name} = {value}",
                    statement.line,
                    f"`{name}` is a switch",
                    f"{name} is no longer set",
                    "validation",
                )


def turned_switches(versions: Versions) -> Iterator[Shift]:
    """A switch that was left to the caller or set the strict way is now fixed the lax way."""
    for edit in versions.edits.edits:
        if edit.new is None or edit.old is None or edit.new.kind is not ExprKind.CONSTANT or not edit.around_new:
            continue
        owner = edit.around_new[-1]
        if owner.kind is not ExprKind.KEYWORD or edit.old.kind not in _NAMES:
            continue
        lax = "true" if _LOOSENING.find(owner.text) else "false" if _STRICT.find(owner.text) else ""
        if edit.new.text == lax:
            because, how = f"`{owner.text}` is left to the caller", f"now always {lax}"
            yield shift(f"{owner.text}={plain(edit.old)}", edit.old.line, because, how, entry="validation")


def _switches(statement: Stmt, places: frozenset[ExprKind]) -> Iterator[tuple[str, str]]:
    """Names and fixed values a statement sets on an object: ``x.allow_dtd = False``, ``x.setAllowDtd(false)``.

    `places` are the kinds of targets that count; in the body of a class plain names are the object's own.
    """
    first = statement.exprs[0] if statement.exprs else None
    if statement.kind is StmtKind.ASSIGN and first is not None:
        for target in statement.exprs[1:]:
            if target.kind in places and first.kind in (ExprKind.CONSTANT, ExprKind.NUMBER, ExprKind.STRING):
                yield (target.parts[1].text if target.kind is ExprKind.SUBSCRIPT else target.text), first.text.lower()
    elif statement.kind is StmtKind.EXPR and first is not None and first.kind is ExprKind.CALL:
        parts = words(callee(first))
        if len(first.parts) == 2 and parts[:1] == ("set",) and first.parts[1].kind is ExprKind.CONSTANT:
            yield callee(first), first.parts[1].text.lower()


def dropped_registrations(versions: Versions) -> Iterator[Shift]:
    """A call of a module that hands something it defines to a framework, while that is still defined."""
    if versions.before.unit.symbol:
        return
    defined = {
        statement.text.rpartition(".")[2]
        for statement in versions.after.reading.statements
        if statement.kind in (StmtKind.CLASS, StmtKind.FUNCTION)
    }
    for statement in versions.edits.gone:
        call = statement.exprs[0]
        if statement.kind is not StmtKind.EXPR or call.kind is not ExprKind.CALL or len(call.parts) != 2:
            continue
        given = call.parts[1]
        if given.kind is not ExprKind.NAME or given.text not in defined or _decorates(callee(call), versions):
            continue
        if not versions.around.is_kept(callee(call)):
            because = f"`{callee(call)}()` is told of it"
            yield lost(plain(call), statement.line, because, f"{given.text} is no longer handed over", "authorization")


def _decorates(name: str, versions: Versions) -> bool:
    """True when the after side hands over by a decorator of that name."""
    return any(line.strip().startswith("@") and name in line for line in versions.after.unit.lines)


def dropped_decoys(versions: Versions) -> Iterator[Shift]:
    """A comparison of a secret whose answer nobody reads: it is there for the time it takes."""
    left = Counter(callee(call) for call in _unread(versions.after))
    for call in _unread(versions.before):
        name = callee(call)
        if left[name] > 0:
            left[name] -= 1
        elif not versions.around.is_kept(name):
            because = "only the time it takes can matter"
            yield lost(plain(call), call.line, because, "the time tells which case it was", "constant-time")


def _unread(item: Mined) -> Iterator[Expr]:
    for statement in item.reading.statements:
        call = statement.exprs[0] if statement.kind is StmtKind.EXPR else None
        if call is None or call.kind is not ExprKind.CALL or is_logging(call):
            continue
        given = {node.text for part in call.parts[1:] for node in part.walk() if node.kind in _NAMES}
        if _COMPARING.find(callee(call)) is not None and any(map(_SECRET.find, given)):
            yield call


def only_if_absent(versions: Versions) -> Iterator[Shift]:
    """What the program always set itself is now set only where the other side left it out."""
    if versions.before.unit.function is None:
        return
    old, new = _assignments(versions.before), _assignments(versions.after)
    for text, places in old.items():
        now = [
            place for other, found in new.items() if other == text or other.startswith(f"{text}[") for place in found
        ]
        if now and all(_asks(*place) for place in now) and not any(_asks(*place) for place in places):
            line = places[0][0].line
            because, how = "it is set whatever came in", f"{text} now stays as it came"
            yield shift(f"{text} is set", line, because, how, entry="validation")


def _assignments(item: Mined) -> dict[str, list[tuple[Expr, Path]]]:
    found: dict[str, list[tuple[Expr, Path]]] = defaultdict(list)
    for statement, path in statements_with_path(item.unit.block):
        if statement.kind is StmtKind.ASSIGN:
            for target in statement.exprs[1:]:
                if target.kind in _PLACES:
                    found[plain(target)].append((target, path))
    return found


def _asks(target: Expr, path: Path) -> bool:
    """True when a condition around an assignment asks for what is assigned."""
    while target.kind is ExprKind.SUBSCRIPT and target.parts[0].kind is ExprKind.SUBSCRIPT:
        target = target.parts[0]
    key = target.parts[1].text if target.kind is ExprKind.SUBSCRIPT else target.text
    wanted = {key, target.parts[0].text}
    return bool(key) and any(_is_absence(test, holds) and wanted <= _mentioned(test) for test, holds in path)


def _is_absence(test: Expr, holds: bool) -> bool:
    """True for ``not x``, ``x is None``, ``k not in d``, and the other branch of their opposites."""
    if test.kind is ExprKind.NOT:
        return _is_absence(test.parts[0], not holds)
    if test.kind is not ExprKind.COMPARE:
        return not holds and test.kind is not ExprKind.AND
    if test.text in ("in", "not in"):
        return (test.text == "not in") is holds
    is_null = any(part.kind is ExprKind.CONSTANT and part.text == "null" for part in test.parts)
    return is_null and (test.text in ("==", "is")) is holds


def _mentioned(test: Expr) -> set[str]:
    return {node.text for node in test.walk()}
