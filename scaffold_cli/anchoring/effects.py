"""Protective calls, settings, decorators and handlers of one body."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.facts import Fact, Unit
from scaffold_cli.anchoring.normal import Normaliser
from scaffold_cli.anchoring.refusal import refusal_of
from scaffold_cli.anchoring.scope import Scope
from scaffold_cli.anchoring.views import called_names, callee, expressions
from scaffold_cli.model.protection import Level, ProtectionKind
from scaffold_cli.syntax.outline import Expr, ExprKind, Stmt, StmtKind, walk

_LOGGING = frozenset({"log", "logger", "logging", "LOG", "LOGGER", "console", "print", "debug", "_logger", "_log"})


def effects(unit: Unit, scope: Scope, catalogue: Catalogue) -> Iterator[Fact]:
    """Calls, families, fixed strings, settings, decorators and handlers of one unit."""
    exact, shape = Normaliser(scope), Normaliser(scope, shape=True)
    for expression in expressions(unit.block):
        yield from _calls(expression, exact, shape, catalogue)
    if unit.function is not None:
        for decorator in unit.function.decorators:
            yield _decorator(decorator, exact, catalogue)
    for statement in walk(unit.block):
        if statement.kind is StmtKind.TRY:
            for handler in statement.blocks[1]:
                yield _handler(handler, exact)


def _calls(expression: Expr, exact: Normaliser, shape: Normaliser, catalogue: Catalogue) -> Iterator[Fact]:
    stack: list[tuple[Expr, str]] = [(expression, "")]
    while stack:
        node, around = stack.pop()
        inside = around
        if node.kind is ExprKind.CALL:
            name = callee(node)
            if _is_logging(node):
                continue
            entry = catalogue.calls.find(name) if name else None
            if entry is not None:
                yield _call(node, name, around, entry, (exact, shape))
            inside = name or around
        if node.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE):
            family = catalogue.families.get(node.text)
            if family is not None:
                yield _family(node, family)
        if node.kind is ExprKind.STRING:
            fixed = catalogue.strings.get(node.text.lower())
            if fixed is not None:
                yield _string(node, fixed)
        stack.extend((part, inside) for part in reversed(node.parts))


def _is_logging(call: Expr) -> bool:
    function = call.parts[0]
    while function.kind in (ExprKind.ATTRIBUTE, ExprKind.CALL) and function.parts:
        if function.text in _LOGGING:
            return True
        function = function.parts[0]
    return function.text in _LOGGING


def _call(node: Expr, name: str, around: str, entry: str, normalisers: tuple[Normaliser, Normaliser]) -> Fact:
    exact, shape = normalisers
    form = exact.render(node)
    return Fact(
        kind=ProtectionKind.CALL,
        level=Level.FUNCTION,
        form=form,
        shape=shape.render(node),
        name=name,
        line=node.line,
        end_line=node.line,
        action="call",
        condition=form,
        subject=around,
        entry=entry,
        because=f"hard because the catalogue knows `{name}()` as {entry}",
        protects=frozenset({around} if around else ()),
    )


def _family(node: Expr, family: tuple[str, int, int]) -> Fact:
    entry, number, rank = family
    return Fact(
        kind=ProtectionKind.CALL,
        level=Level.PATTERN,
        form=node.text,
        shape=node.text,
        name=f"{entry}/{number}",
        line=node.line,
        end_line=node.line,
        action="use",
        condition=node.text,
        entry=entry,
        because=f"hard because the catalogue ranks `{node.text}` for {entry}",
        rank=rank,
    )


def _string(node: Expr, entry: str) -> Fact:
    text = node.text.lower()
    return Fact(
        kind=ProtectionKind.SETTING,
        level=Level.PATTERN,
        form=text,
        shape=text,
        name=text,
        line=node.line,
        end_line=node.line,
        action="set",
        condition=node.text,
        entry=entry,
        because=f"hard because the catalogue knows {node.text!r} as {entry}",
    )


def _decorator(node: Expr, exact: Normaliser, catalogue: Catalogue) -> Fact:
    name = callee(node) if node.kind is ExprKind.CALL else node.text
    form = exact.render(node)
    entry = catalogue.decorators.find(name)
    return Fact(
        kind=ProtectionKind.DECORATOR,
        level=Level.FUNCTION,
        form=form,
        shape=form,
        name=name,
        line=node.line,
        end_line=node.line,
        action="decorate",
        condition=form,
        entry=entry or "",
        because=f"hard because the catalogue knows `@{name}` as {entry}" if entry else "",
    )


def _handler(handler: Stmt, exact: Normaliser) -> Fact:
    types = sorted(exact.render(item) for item in handler.exprs) or ["everything"]
    refusal = refusal_of(handler.blocks[0])
    action = refusal.text if refusal is not None else _mild_action(handler)
    form = f"{', '.join(types)}: {action}"
    return Fact(
        kind=ProtectionKind.HANDLER,
        level=Level.PATTERN,
        form=form,
        shape=form,
        name=", ".join(types),
        line=handler.line,
        end_line=handler.end_line,
        action=action,
        condition=", ".join(types),
        rank=2 if refusal is not None and refusal.is_refusing else 1 if action == "handle" else 0,
    )


def _mild_action(handler: Stmt) -> str:
    names = set(called_all(expressions(handler.blocks[0])))
    if not names and all(statement.kind is StmtKind.EMPTY for statement in handler.blocks[0]):
        return "pass"
    return "log" if names and names <= _LOGGING | {"warning", "error", "info", "exception", "warn"} else "handle"


def called_all(items: Iterable[Expr]) -> Iterator[str]:
    """Names of everything called in several expressions."""
    for item in items:
        yield from called_names(item)
