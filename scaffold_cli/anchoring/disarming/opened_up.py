"""What was closed is open: checked values that may be changed after the check, hooks nobody calls, secrets in sight."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold_cli.anchoring.disarming.interface import Disarmed, Sides, callee, refuses, spelled
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import Class, Expr, ExprKind, Function, Language, Outline, StmtKind, walk

_SECRETS = WordPatterns(
    (word, "secret")
    for word in ("key", "*key", "secret*", "token*", "password*", "passwd", "credential*", "pin", "salt", "seed")
)
_HOOK = re.compile(r"__[a-z]+(_[a-z]+)*__")
_CLOSED = re.compile(r"^[ \t]*private\b[^;=({]*?\b(\w+)\s*[;=:]", re.MULTILINE)
_OPEN = re.compile(r"^[ \t]*(?:public|protected|static|final|readonly)\b[^;=({]*?\b(\w+)\s*[;=:]", re.MULTILINE)
_OWN = frozenset({"local", "ContextVar", "ThreadLocal", "AsyncLocalStorage", "thread_local", "InheritableThreadLocal"})
_MAKING = frozenset({"__post_init__", "__init__", "__attrs_post_init__", "__new__"})


def opened_up(sides: Sides) -> Iterator[Disarmed]:
    """One for each class, hook and field that was there before."""
    yield from _thawed(sides)
    yield from _unhooked(sides)
    yield from _shared(sides)
    yield from _handed_back(sides)
    closed, still = _private(sides.before), _private(sides.after)
    for name in sorted(closed - still - _public(sides.before)):
        if _SECRETS.find(name) is not None and name in _public(sides.after):
            what = f"`{name}` was kept inside its class, and others can read it now."
            yield Disarmed("secret-open", what, sides.after.path, 1, name)


def _shared(sides: Sides) -> Iterator[Disarmed]:
    """What each thread or task had of its own is one for all: ``threading.local()`` became a plain object."""
    own = {target.text for value, target, _ in _given(sides.before) if _is_own(value)}
    for value, target, line in _given(sides.after):
        if target.text in own and not _is_own(value):
            what = f"`{target.text}` was each thread's own, and is one for all now."
            yield Disarmed("guard-on-another-value", what, sides.after.path, line, target.text)


def _is_own(value: Expr) -> bool:
    return value.kind is ExprKind.CALL and (callee(value) in _OWN or value.parts[0].text in _OWN)


def _given(source: Outline) -> Iterator[tuple[Expr, Expr, int]]:
    """Values of names of the module and of fields."""
    for block in (source.body, *(item.body for item in source.classes)):
        for statement in block:
            if statement.kind is StmtKind.ASSIGN:
                yield from ((statement.exprs[0], target, statement.line) for target in statement.exprs[1:])


def _handed_back(sides: Sides) -> Iterator[Disarmed]:
    """A decorator that guards hands back, at times, what it was given as it is."""
    inner = {item.name.rpartition(".")[0] for item in sides.after.functions if refuses(item)}
    known = {item.name: item for item in sides.before.functions}
    for function in sides.after.functions:
        old = known.get(function.name)
        if old is None or function.name not in inner or old.body == function.body:
            continue
        names = {param.name for param in function.params} & {param.name for param in old.params}
        fresh = (_returned(function) & names) - _returned(old)
        if fresh:
            what = f"`{function.name}` hands back `{min(fresh)}` without the guard that it puts around it."
            yield Disarmed("guard-bypassed", what, sides.after.path, function.line, function.name)


def _returned(function: Function) -> set[str]:
    """Names that may be what is returned."""
    found = set[str]()
    for statement in walk(function.body):
        if statement.kind is StmtKind.RETURN and statement.exprs:
            value = statement.exprs[0]
            ways = value.parts[1:] if value.kind is ExprKind.CONDITIONAL else (value,)
            found |= {way.text for way in ways if way.kind is ExprKind.NAME}
    return found


def _thawed(sides: Sides) -> Iterator[Disarmed]:
    """A class that checks what it is made of could not be changed afterwards, and can be now."""
    classes = {item.name: item for item in sides.before.classes}
    makers = {item.owner for item in sides.after.functions if item.short_name in _MAKING and refuses(item)}
    for owner in sides.after.classes:
        old = classes.get(owner.name)
        if old is not None and _is_frozen(old) and not _is_frozen(owner) and owner.name in makers:
            what = f"`{owner.name}` checks what it is made of, and may be changed after that now."
            yield Disarmed("guard-bypassed", what, sides.after.path, owner.line, owner.name)


def _is_frozen(owner: Class) -> bool:
    bases = {base.text for base in owner.bases}
    marks = {mark.text or callee(mark) for mark in owner.decorators}
    given = (part for mark in owner.decorators for part in mark.parts if part.kind is ExprKind.KEYWORD)
    closed = any(part.text == "frozen" and part.parts[0].text == "true" for part in given)
    return closed or "frozen" in marks or "NamedTuple" in bases


def _unhooked(sides: Sides) -> Iterator[Disarmed]:
    """A refusing method that the language calls by its name has one that nothing calls."""
    names = {item.name for item in sides.after.functions}
    fresh = {item.name for item in sides.before.functions}
    for old in sides.before.functions:
        if old.name in names or not old.owner or not _HOOK.fullmatch(old.short_name) or not refuses(old):
            continue
        for item in sides.after.functions:
            same = item.owner == old.owner and item.name not in fresh and _text(item) == _text(old)
            if same and not item.decorators and not _is_called(item, sides.after):
                what = f"`{old.name}` is called by the language; `{item.short_name}`, as it is named now, by nobody."
                yield Disarmed("guard-unreached", what, sides.after.path, item.line, item.name)


def _text(function: Function) -> str:
    return " ".join(spelled(value) for statement in walk(function.body) for value in statement.exprs)


def _is_called(function: Function, source: Outline) -> bool:
    blocks = (source.body, *(item.body for item in source.functions))
    return any(
        node.text == function.short_name
        for block in blocks
        for statement in walk(block)
        for value in statement.exprs
        for node in value.walk()
    )


def _private(source: Outline) -> frozenset[str]:
    """Fields nobody outside sees: ``#key`` in JavaScript, ``private`` ones in Java and TypeScript."""
    text = "\n".join(source.text)
    if source.language in (Language.JAVASCRIPT, Language.TYPESCRIPT):
        return frozenset(re.findall(r"#(\w+)", text)) | frozenset(_CLOSED.findall(text))
    return frozenset(_CLOSED.findall(text)) if source.language is Language.JAVA else frozenset()


def _public(source: Outline) -> frozenset[str]:
    text = "\n".join(source.text)
    found = frozenset(_OPEN.findall(text))
    if source.language in (Language.JAVASCRIPT, Language.TYPESCRIPT):
        found |= frozenset(re.findall(r"\bthis\.(\w+)", text))
    return found
