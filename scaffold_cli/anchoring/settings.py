"""Settings with a security meaning: keyword arguments, assignments, dictionary items, setters, defaults."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from scaffold_cli.anchoring.catalogue import Catalogue, Setting
from scaffold_cli.anchoring.facts import Fact, Unit, plain_fact
from scaffold_cli.anchoring.forms import Forms
from scaffold_cli.anchoring.normal import Normaliser
from scaffold_cli.anchoring.reading import Reading
from scaffold_cli.anchoring.views import callee
from scaffold_cli.anchoring.words import words
from scaffold_cli.model.protection import Level, ProtectionKind
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind, walk

_UNRANKED = -1
_WORD = re.compile(r"[\w.*/-]+")
_SIGNS = frozenset("-.*/_")
"""A word with one of these is a name; the words of a sentence have none."""
_SEPARATORS = re.compile(r"[\s,]+")
_PLAIN_SETTER = 3
"""Parts of a call that names a setting by a text: the function, the name, the value."""


def settings(unit: Unit, reading: Reading, forms: Forms, catalogue: Catalogue) -> Iterator[Fact]:
    """Named values and elements of named collections in one unit."""
    exact = forms.exact
    for name, value in _named_values(unit, reading.naming):
        setting = catalogue.setting(name)
        if setting is not None:
            fact = _setting(name, value, setting, exact)
            if fact.rank != _UNRANKED or name not in _local_targets(unit):
                yield fact
        entry = catalogue.collections.find(name)
        if entry is not None:
            yield from _elements(name, value, entry, exact)


def _local_targets(unit: Unit) -> frozenset[str]:
    """Plain variables a function assigns; a computed value in one is no setting."""
    if unit.function is None:
        return frozenset()
    targets = [
        target for statement in walk(unit.block) if statement.kind is StmtKind.ASSIGN for target in statement.exprs[1:]
    ]
    return frozenset(target.text for target in targets if target.kind is ExprKind.NAME)


def _named_values(unit: Unit, nodes: Iterable[Expr]) -> Iterator[tuple[str, Expr]]:
    for param in unit.function.params if unit.function is not None else ():
        if param.default is not None:
            yield param.name.lstrip("*"), param.default
    for statement in walk(unit.block):
        if statement.kind is StmtKind.ASSIGN and statement.text == "=":
            for target in statement.exprs[1:]:
                yield _target_name(target), statement.exprs[0]
    for node in nodes:
        yield from _inline_values(node)


def _inline_values(node: Expr) -> Iterator[tuple[str, Expr]]:
    if node.kind is ExprKind.KEYWORD:
        yield node.text, node.parts[0]
    elif node.kind is ExprKind.PAIR and node.parts[0].kind is ExprKind.STRING:
        yield node.parts[0].text, node.parts[1]
    elif node.kind is ExprKind.CALL:
        name = callee(node)
        if len(node.parts) == 2 and name.startswith(("set", "enable", "disable", "with")):
            yield name, node.parts[1]
        elif len(node.parts) > 2 and _is_key(node.parts[-2], node.parts[-1], len(node.parts)):
            yield node.parts[-2].text, node.parts[-1]


def _is_key(node: Expr, value: Expr, length: int) -> bool:
    """True for what names a setting among arguments: ``f.set("x", v)``, ``put(f, Factory.SUPPORT_X, false)``."""
    if node.kind is ExprKind.STRING:
        return length == _PLAIN_SETTER
    is_constant = node.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE) and node.text.isupper() and "_" in node.text
    return is_constant and value.kind in (ExprKind.CONSTANT, ExprKind.NUMBER, ExprKind.STRING)


def _target_name(target: Expr) -> str:
    if target.kind is ExprKind.SUBSCRIPT:
        index = target.parts[1]
        return index.text if index.kind in (ExprKind.STRING, ExprKind.ATTRIBUTE, ExprKind.NAME) else ""
    return target.text if target.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE) else ""


def _setting(name: str, value: Expr, setting: Setting, exact: Normaliser) -> Fact:
    text = exact.render(value)
    key = " ".join(word for word in words(name) if word not in ("set", "enable"))
    return plain_fact(
        ProtectionKind.SETTING,
        Level.PATTERN,
        f"{key} = {text}",
        value.line,
        name=f"={key}",
        condition=f"{name} = {text}",
        action="set",
        entry=setting.entry,
        because=f"hard because the catalogue ranks the values of `{name}`",
        rank=rank_of(setting, text),
        absent_is_weak=setting.absent == "weak",
    )


def rank_of(setting: Setting, text: str) -> int:
    """How strong a value is, higher is stronger; -1 when the catalogue cannot say."""
    lowered = text.lower()
    order = [value.lower() for value in setting.order]
    if lowered in order:
        return order.index(lowered)
    if setting.safer and lowered == "null":
        return 0  # no limit at all
    if setting.safer and lowered.isdigit():
        number = min(int(lowered), 2**62)
        return number if setting.safer == "higher" else 2**62 - number
    return _UNRANKED


def _elements(name: str, value: Expr, entry: str, exact: Normaliser) -> Iterator[Fact]:
    items = value
    if items.kind is ExprKind.CALL and len(items.parts) == 2:
        items = items.parts[1]
    for text, line in _spelled(items, exact):
        yield plain_fact(
            ProtectionKind.SETTING,
            Level.PATTERN,
            f"{name}[{text}]",
            line,
            shape=f"[{text}]",
            name=f"[{name}]",
            condition=f"{text} in {name}",
            action="list",
            entry=entry,
            because=f"hard because the catalogue knows `{name}` as {entry}",
        )


def _spelled(items: Expr, exact: Normaliser) -> Iterator[tuple[str, int]]:
    """Each element with its line; the words of one text are elements, too: ``DENIED = "x-one x-two"``."""
    if items.kind is ExprKind.COLLECTION:
        for item in items.parts:
            element = item.parts[0] if item.kind is ExprKind.PAIR else item
            yield exact.render(element), element.line
    elif items.kind is ExprKind.STRING:
        named = _SEPARATORS.split(items.text.strip())
        if len(named) > 1 and all(_WORD.fullmatch(word) and not _SIGNS.isdisjoint(word) for word in named):
            yield from ((repr(word), items.line) for word in named)
