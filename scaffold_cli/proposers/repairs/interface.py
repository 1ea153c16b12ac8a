"""What a repair is: a libcst rewrite of one weakness, and the examples that hold it to its word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, cast

import libcst as cst

from scaffold_cli.proposers.repairs.names import Names


@dataclass(frozen=True, slots=True)
class About:
    """`id` is kebab-case, `title` completes "scaffold proposes to …", `why` is one sentence.

    A source that holds none of `marks` has nothing to repair, which spares parsing it. `examples` are pairs of
    whole sources before and after; `leaves` are sources the repair must not touch.
    """

    id: str
    title: str
    why: str
    cwe: str
    marks: tuple[bytes, ...]
    examples: tuple[tuple[str, str], ...]
    leaves: tuple[str, ...]


class Repair(cst.CSTTransformer):
    """Base of all repairs. A repair counts what it changes and names the modules its new code needs.

    It overrides `leave`, and `enter` when it must know where it is. `needed` maps a module to import to the
    module whose last use may just have gone ("" when none).
    """

    about: ClassVar[About]

    def __init__(self, names: Names) -> None:
        super().__init__()
        self.names = names
        self.count = 0
        self.needed: dict[str, str] = {}

    def on_visit(self, node: cst.CSTNode) -> bool:
        """libcst's hook; every node is visited."""
        self.enter(node)
        return True

    def on_leave(
        self, original_node: cst.CSTNodeT, updated_node: cst.CSTNodeT
    ) -> cst.CSTNodeT | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNodeT]:
        """libcst's hook; the new node may be of another kind where the grammar allows it."""
        return cast("cst.CSTNodeT", self.leave(original_node, updated_node))

    def enter(self, node: cst.CSTNode) -> None:
        """Called on the way down."""

    def leave(self, original: cst.CSTNode, updated: cst.CSTNode) -> cst.CSTNode:
        """Called on the way up; returns what takes the place of `updated`."""
        return updated

    def need(self, module: str, instead_of: str = "") -> None:
        """Ask for ``import module``; call only when `names.can_import(module)`."""
        self.needed[module] = instead_of


def argument(name: str, value: cst.BaseExpression) -> cst.Arg:
    """The keyword argument ``name=value``, spaced as PEP 8 asks."""
    tight = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    return cst.Arg(keyword=cst.Name(name), value=value, equal=tight)


def with_argument(call: cst.Call, name: str, value: cst.BaseExpression) -> cst.Call:
    """`call` with one keyword argument more, at the end; line breaks and a trailing comma are kept."""
    arguments = list(call.args)
    new = argument(name, value)
    if arguments:
        last = arguments[-1]
        if isinstance(last.comma, cst.Comma):  # the trailing comma moves on to the new last argument
            new = new.with_changes(comma=last.comma)
            between = cst.Comma(whitespace_after=_gap(arguments))
        else:
            between = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
            new = new.with_changes(whitespace_after_arg=last.whitespace_after_arg)
        arguments[-1] = last.with_changes(comma=between, whitespace_after_arg=cst.SimpleWhitespace(""))
    return call.with_changes(args=[*arguments, new])


def _gap(arguments: list[cst.Arg]) -> cst.BaseParenthesizableWhitespace:
    if len(arguments) > 1:
        comma = arguments[0].comma
        if isinstance(comma, cst.Comma):
            return comma.whitespace_after
    return cst.SimpleWhitespace(" ")


def passes(call: cst.Call, name: str) -> bool:
    """True when `call` gives the keyword argument `name`, or may give it through ``**``."""
    return any(arg.star == "**" or (arg.keyword is not None and arg.keyword.value == name) for arg in call.args)
