"""What a function says about its parameters: types, constants they are held against, what is asked of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from scaffold_cli.syntax.outline import Expr, ExprKind, Function, Outline, Param, Stmt, StmtKind, walk

_MOST = 24
"""Constants of one kind that are used."""
_ORDERING = frozenset({"<", "<=", ">", ">="})


@dataclass(slots=True)
class Hints:
    """What is known of one parameter. `attributes` are read on it, `methods` called on it; `types` are guesses by use.

    `strings` and `numbers` are the constants of the function (and the module constants it names), shared by all.
    """

    name: str
    annotation: str = ""
    default: Expr | None = None
    attributes: set[str] = field(default_factory=set)
    methods: set[str] = field(default_factory=set)
    types: set[str] = field(default_factory=set)
    strings: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()


def hints(function: Function, source: Outline) -> list[Hints]:
    """One for each parameter a caller gives, in order."""
    nodes = [node for statement in walk(function.body) for top in statement.exprs for node in top.walk()]
    telling = (statement for statement in walk(function.body) if not _only_tells(statement))
    constants = list(_constants((node for item in telling for top in item.exprs for node in top.walk()), source))
    strings = _first(node.text for node in constants if node.kind is ExprKind.STRING and len(node.text) <= 200)
    numbers = _first(node.text for node in constants if node.kind is ExprKind.NUMBER)
    found = {
        param.name: Hints(param.name, param.type, param.default, strings=strings, numbers=numbers)
        for param in given_params(function)
    }
    for node in nodes:
        _learn(node, found)
    return list(found.values())


def given_params(function: Function) -> Iterator[Param]:
    """The parameters without ``self`` or ``cls`` and without rest parameters."""
    decorators = {decorator.text for decorator in function.decorators}
    bound = bool(function.owner) and "staticmethod" not in decorators
    for index, param in enumerate(function.params):
        if not (bound and index == 0) and not param.name.startswith("*"):
            yield param


def attributes_of_self(function: Function) -> tuple[str, ...]:
    """What a method reads on its own object and does not call."""
    if not function.owner or not function.params:
        return ()
    own = function.params[0].name
    found: dict[str, None] = {}
    for statement in walk(function.body):
        for expression in statement.exprs:
            for node in expression.walk():
                if node.kind is ExprKind.ATTRIBUTE and _is_name(node.parts[0], own):
                    found.setdefault(node.text)
    return tuple(found)


def _only_tells(statement: Stmt) -> bool:
    """True for an error with its message, and for a docstring: their texts are no values."""
    alone = statement.kind is StmtKind.EXPR and statement.exprs[0].kind is ExprKind.STRING
    return alone or statement.kind is StmtKind.RAISE


def _constants(nodes: Iterable[Expr], source: Outline) -> Iterator[Expr]:
    module = {
        target.text: statement.exprs[0]
        for statement in source.body
        if statement.kind is StmtKind.ASSIGN
        for target in statement.exprs[1:]
        if target.kind is ExprKind.NAME
    }
    for node in nodes:
        if node.kind in (ExprKind.STRING, ExprKind.NUMBER):
            yield node
        elif node.kind is ExprKind.NAME and node.text in module:
            yield from (part for part in module[node.text].walk() if part.kind in (ExprKind.STRING, ExprKind.NUMBER))


def _learn(node: Expr, found: dict[str, Hints]) -> None:
    if node.kind is ExprKind.CALL:
        function = node.parts[0]
        if function.kind is ExprKind.ATTRIBUTE and function.parts[0].text in found:
            found[function.parts[0].text].methods.add(function.text)
    elif node.kind is ExprKind.ATTRIBUTE and _is_known(node.parts[0], found):
        found[node.parts[0].text].attributes.add(node.text)
    elif node.kind is ExprKind.SUBSCRIPT and _is_known(node.parts[0], found):
        found[node.parts[0].text].types.add("dict" if node.parts[1].kind is ExprKind.STRING else "str")
    elif node.kind is ExprKind.COMPARE:
        _learn_comparison(node, found)


def _learn_comparison(node: Expr, found: dict[str, Hints]) -> None:
    left, right = node.parts
    if node.text in ("in", "not in") and _is_known(right, found):
        found[right.text].types.add("str" if left.kind is ExprKind.STRING else "list")
    for one, other in ((left, right), (right, left)):
        if _is_known(one, found):
            if other.kind is ExprKind.NUMBER or node.text in _ORDERING:
                found[one.text].types.add("int")
            elif other.kind is ExprKind.STRING:
                found[one.text].types.add("str")


def _is_known(node: Expr, found: dict[str, Hints]) -> bool:
    return node.kind is ExprKind.NAME and node.text in found


def _is_name(node: Expr, name: str) -> bool:
    return node.kind is ExprKind.NAME and node.text == name


def _first(texts: Iterable[str]) -> tuple[str, ...]:
    """The first of them, each once."""
    return tuple(dict.fromkeys(texts))[:_MOST]
