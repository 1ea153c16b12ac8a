"""Protective calls, settings, decorators and handlers of one body."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.facts import Fact, Unit, plain_fact
from scaffold_cli.anchoring.forms import Forms
from scaffold_cli.anchoring.normal import Normaliser
from scaffold_cli.anchoring.paths import Path, path_terms
from scaffold_cli.anchoring.refusal import Refusal, refusal_of
from scaffold_cli.anchoring.strength import ENVIRONMENT, CallIndex
from scaffold_cli.anchoring.views import brings_back, called_names, callee, is_fixed, qualified, strings_in
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.model.protection import Level, ProtectionKind
from scaffold_cli.syntax.outline import Expr, ExprKind, Stmt, StmtKind

_LOGGING = frozenset({"log", "logger", "logging", "LOG", "LOGGER", "console", "print", "debug", "_logger", "_log"})

_TELLING = _LOGGING | {"getLogger", "get_logger", "warning", "error", "info", "exception", "warn", "println"}
"""Functions called only to write a line somewhere."""
_NEUTRALISERS = frozenset(
    {"replace", "replaceAll", "replaceFirst", "sub", "strip", "lstrip", "rstrip", "translate", "removeprefix", "trim"}
)
_NARROWING = frozenset({"filter", "exclude", "filter_by", "where"})
_CONSTANT_NAMES = frozenset({ExprKind.NAME, ExprKind.ATTRIBUTE})
_PATTERNED = frozenset({"sub", "replaceAll", "replaceFirst"})
"""Those whose argument is a pattern, so that one character inside it counts."""

_MOST_HEADER = 120
"""Longer texts (in characters) are no header."""
_WORDED = re.compile(r"(?<!\\)[A-Za-z]{3}")
"""A pattern that names something rather than single characters."""
_INPUT_TROUBLE = WordPatterns(
    (pattern, "input")
    for pattern in (
        "value", "key", "type", "format", "argument", "index", "unicode*", "decod*", "pars*", "syntax", "attribute",
        "overflow", "encod*", "malformed*", "invalid*", "lookup", "eof", "data", "no more*", "recursion", "exception",
    )
)  # fmt: skip
"""Exceptions that bad input causes."""


@dataclass(frozen=True, slots=True)
class _Context:
    """What the facts of one unit are made with."""

    forms: Forms
    catalogue: Catalogue


def effects(
    unit: Unit, paths: Iterable[tuple[Stmt, Path]], forms: Forms, catalogue: Catalogue, calls: CallIndex
) -> Iterator[Fact]:
    """Calls, families, fixed strings, neutralising literals, decorators and handlers of one unit."""
    context = _Context(forms, catalogue)
    for statement, path in paths:
        found: list[Fact] = []
        for expression in statement.exprs:
            _collect(expression, "", context, found)
        if statement.kind is StmtKind.ASSIGN and statement.text == "|=" and statement.exprs[0].kind in _CONSTANT_NAMES:
            found.extend(_flag(statement.exprs[0], context))
        terms = path_terms(path, context.forms.shape) if found else frozenset()
        for fact in found:
            alone = statement.kind is StmtKind.EXPR and fact.action == "call" and not fact.protects
            yield fact._replace(terms=terms, stands_alone=alone) if terms or alone else fact
        if statement.kind is StmtKind.TRY:
            body = calls.called(statement.blocks[:1])
            for handler in statement.blocks[1]:
                yield from _handlers(handler, body, calls.called(handler.blocks), context.forms.exact)
    if unit.function is not None:
        for decorator in unit.function.decorators:
            yield _decorator(decorator, context.forms.exact, catalogue)


def _collect(node: Expr, around: str, context: _Context, found: list[Fact]) -> None:
    """Add the facts of one expression, given the function whose argument it is."""
    kind = node.kind
    if kind is ExprKind.CALL:
        if is_logging(node):
            _collect_told(node, context, found)
            return
        name = callee(node)
        if name:
            _collect_called(node, name, around, context, found)
        _collect_below(node.parts[:1], around, context, found)  # what a method is called on is not inside the call
        _collect_below(node.parts[1:], name or around, context, found)
        return
    if kind in _CONSTANT_NAMES:
        family = context.catalogue.families.get(node.text)
        if family is not None:
            found.append(_family(node, family))
    elif kind is ExprKind.STRING:
        found.extend(_fixed(node, context.catalogue))
    elif kind is ExprKind.BINARY and node.text == "|":
        found.extend(_flags(node, context))
    _collect_below(node.parts, around, context, found)


def _collect_below(parts: tuple[Expr, ...], around: str, context: _Context, found: list[Fact]) -> None:
    """Of leaves, which most nodes are, only texts and members of a family say something."""
    families = context.catalogue.families
    for part in parts:
        if part.parts or part.kind is ExprKind.STRING or part.text in families:
            _collect(part, around, context, found)


def _collect_called(call: Expr, name: str, around: str, context: _Context, found: list[Fact]) -> None:
    """Add the facts of a call by the name of what is called."""
    catalogue = context.catalogue
    entry = catalogue.protective(qualified(call)) or catalogue.protective(name)
    if entry is not None:
        found.append(_call(call, name, around, entry, context))
    if name in _NEUTRALISERS:
        found.extend(_neutralised(call, name, context))
    if catalogue.sinks.find(name) == "sql":
        found.extend(_query(call, name, context))
    if name in _NARROWING:
        found.extend(_narrowed(call, name, context))
    if name == "getattr" and len(call.parts) > 2:
        found.extend(_flag(call.parts[2], context))


def _collect_told(call: Expr, context: _Context, found: list[Fact]) -> None:
    """What takes line ends out of what is logged."""
    for node in call.walk():
        if node.kind is ExprKind.CALL and callee(node) in _NEUTRALISERS:
            told = _neutralised(node, callee(node), context)
            found.extend(fact for fact in told if fact.entry == "control-characters")


def _narrowed(node: Expr, name: str, context: _Context) -> Iterator[Fact]:
    """``super().things().filter(owner=user)``: a method that gives less than the one it overrides."""
    owner = node.parts[0].parts[0] if len(node.parts) > 1 and node.parts[0].kind is ExprKind.ATTRIBUTE else None
    if owner is not None and any(part.kind is ExprKind.CALL and callee(part) == "super" for part in owner.walk()):
        yield _call(node, name, "", "authorization", context)


def _fixed(node: Expr, catalogue: Catalogue) -> Iterator[Fact]:
    """What a text says that protects: an attribute of a header, a strict class by its dotted path."""
    for text in (node.text, *_attributes(node.text)):
        entry = catalogue.strings.get(text.lower())
        if entry is not None:
            yield _string(node._replace(text=text), entry)
    entry, _, rank = catalogue.families.get(_class_in(node.text), ("", 0, 0))
    if rank:
        yield _string(node, entry)


def _class_in(text: str) -> str:
    """The class that a dotted path in a text names: ``"jinja2.sandbox.SandboxedEnvironment"``."""
    path, _, name = text.rpartition(".")
    return name if path and name[:1].isupper() and path.replace(".", "").isidentifier() else ""


def _attributes(text: str) -> Iterator[str]:
    """Names of the attributes in a piece of a header: ``"%s; SameSite=%s"`` gives SameSite."""
    if ";" in text and len(text) < _MOST_HEADER:
        for piece in text.split(";")[1:]:
            yield piece.partition("=")[0].strip()


def _neutralised(node: Expr, name: str, context: _Context) -> Iterator[Fact]:
    """Replacing or stripping text that is dangerous where it goes: ``value.replace("\\r", "")``."""
    if brings_back(node):
        return
    for text in dict.fromkeys(text for part in node.parts[1:] for text in strings_in(part)):
        entry = dangerous(text, name in _PATTERNED, context.catalogue)
        if entry is not None:
            form = context.forms.exact.render(node)
            yield plain_fact(
                ProtectionKind.CALL,
                Level.DATA_FLOW,
                form,
                node.line,
                shape=context.forms.shape.render(node),
                bare=context.forms.bare.render(node),
                name=f"{name} {text!r}",
                action="neutralise",
                entry=entry,
                because=f"hard because it neutralises {text!r}",
            )
            return


def dangerous(text: str, is_pattern: bool, catalogue: Catalogue) -> str | None:
    """The entry of what a replaced text holds: a dangerous literal, or (in a pattern) the name of a secret."""
    of_characters = is_pattern and _WORDED.search(text) is None
    for literal, entry in catalogue.literals.items():
        if literal == text or ((len(literal) > 1 or of_characters) and literal in text):
            return entry
    return "disclosure" if is_pattern and catalogue.cleared.find(text) is not None else None


def _flags(node: Expr, context: _Context) -> Iterator[Fact]:
    """Restricting flags joined by ``|``: ``O_CREAT | O_EXCL``."""
    for part in node.parts:
        if part.kind in _CONSTANT_NAMES:
            yield from _flag(part, context)


def _flag(part: Expr, context: _Context) -> Iterator[Fact]:
    """A restricting flag by its name, which a platform may not have: ``getattr(os, "O_NOFOLLOW", 0)``."""
    entry = context.catalogue.flags.find(part.text) if part.text[:2].isupper() else None
    if entry is not None:
        yield _string(part, entry)


def _query(node: Expr, name: str, context: _Context) -> Iterator[Fact]:
    """How a query is made: rank 1 when its values are bound or it is constant, 0 when they are pasted into it."""
    if len(node.parts) < 2:
        return
    query = context.forms.exact.follow(node.parts[1])
    if query.kind is ExprKind.STRING:
        rank = 1
    elif query.kind in (ExprKind.FORMAT, ExprKind.BINARY) and any(strings_in(query)):
        rank = 1 if len(node.parts) > 2 or not _is_pasted(query) else 0
    else:
        return
    form = context.forms.exact.render(node)
    yield plain_fact(
        ProtectionKind.CALL,
        Level.DATA_FLOW,
        form,
        node.line,
        shape=context.forms.shape.render(node),
        name="query",
        action="use",
        entry="sql",
        because=f"hard because values reach `{name}()` as parameters",
        rank=rank,
    )


def _is_pasted(query: Expr) -> bool:
    return any(part.kind not in (ExprKind.STRING, ExprKind.NUMBER) for part in query.parts)


def is_logging(call: Expr) -> bool:
    """True for a call on a logger, whose text protects nothing."""
    function = call.parts[0]
    while function.kind in (ExprKind.ATTRIBUTE, ExprKind.CALL) and function.parts:
        if function.text in _LOGGING:
            return True
        function = function.parts[0]
    return function.text in _LOGGING


def _call(node: Expr, name: str, around: str, entry: str, context: _Context) -> Fact:
    form = context.forms.exact.render(node)
    return plain_fact(
        ProtectionKind.CALL,
        Level.FUNCTION,
        form,
        node.line,
        shape=context.forms.shape.render(node),
        bare=context.forms.bare.render(node),
        name=name,
        action="call",
        subject=around,
        entry=entry,
        because=f"hard because the catalogue knows `{name}()` as {entry}",
        protects=frozenset({around} if around else ()),
        shifting=context.forms.scope.is_given_anew(node),
        constants=tuple(context.forms.exact.render(part) for part in node.parts[1:] if is_fixed(part)),
    )


def _family(node: Expr, family: tuple[str, int, int]) -> Fact:
    entry, number, rank = family
    return plain_fact(
        ProtectionKind.CALL,
        Level.PATTERN,
        node.text,
        node.line,
        name=f"{entry}/{number}",
        action="use",
        entry=entry,
        because=f"hard because the catalogue ranks `{node.text}` for {entry}",
        rank=rank,
    )


def _string(node: Expr, entry: str) -> Fact:
    return plain_fact(
        ProtectionKind.SETTING,
        Level.PATTERN,
        node.text.lower(),
        node.line,
        action="set",
        condition=node.text,
        entry=entry,
        because=f"hard because the catalogue knows {node.text!r} as {entry}",
    )


def _decorator(node: Expr, exact: Normaliser, catalogue: Catalogue) -> Fact:
    name = callee(node) if node.kind is ExprKind.CALL else node.text
    form = exact.render(node)
    entry = catalogue.decorators.find(name) if catalogue.openers.find(name) is None else None
    return plain_fact(
        ProtectionKind.DECORATOR,
        Level.FUNCTION,
        form,
        node.line,
        name=name,
        action="decorate",
        entry=entry or "",
        because=f"hard because the catalogue knows `@{name}` as {entry}" if entry else "",
    )


def _handlers(handler: Stmt, body: frozenset[str], called: frozenset[str], exact: Normaliser) -> Iterator[Fact]:
    """One fact for each exception type, so that a split or merged handler is the same."""
    refusal = refusal_of(handler.blocks[0])
    action = refusal.text if refusal is not None else _mild_action(handler, called)
    types = {exact.render(item): item.text for kind in handler.exprs for item in _types(kind)}
    for text, name in sorted(types.items()) or [("everything", "everything")]:
        rank = _handler_rank(handler, refusal, name, action)
        form = f"{text}: {action}"
        yield plain_fact(
            ProtectionKind.HANDLER,
            Level.PATTERN,
            form,
            handler.line,
            name=text,
            end_line=handler.end_line,
            action=action,
            condition=text,
            protects=body,
            rank=rank,
            because=f"hard because it turns {text} into {action}" if rank >= TRANSLATES and body else "",
        )


def _types(kind: Expr) -> tuple[Expr, ...]:
    return kind.parts if kind.kind is ExprKind.COLLECTION else (kind,)


TRANSLATES = 2
"""Rank of a handler that turns one error into another; one more when the first is trouble with the input."""


def _handler_rank(handler: Stmt, refusal: Refusal | None, name: str, action: str) -> int:
    """How much a handler protects; passing an error on as it is does nothing by itself."""
    if refusal is None or refusal.kind not in ("raise", "abort"):
        return 1 if action == "handle" else 0
    if not refusal.exprs or refusal.exprs[0].text == handler.text != "":
        return 1
    if _INPUT_TROUBLE.find(name) is not None:
        return TRANSLATES + 1
    return TRANSLATES if ENVIRONMENT.find(name) is None else 1


def _mild_action(handler: Stmt, called: frozenset[str]) -> str:
    if not called and all(statement.kind is StmtKind.EMPTY for statement in handler.blocks[0]):
        return "pass"
    return "log" if called and called <= _TELLING else "handle"


def called_all(items: Iterable[Expr]) -> Iterator[str]:
    """Names of everything called in several expressions."""
    for item in items:
        yield from called_names(item)
