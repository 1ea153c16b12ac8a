"""Checks of a field that is checked already where it is given: asked again elsewhere, they refuse nothing more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.library import substituted
from scaffold_cli.anchoring.normal import Normaliser
from scaffold_cli.anchoring.predicates import Polarity
from scaffold_cli.anchoring.refusal import refusal_of
from scaffold_cli.anchoring.scope import Scope
from scaffold_cli.anchoring.sites import sites
from scaffold_cli.anchoring.views import callee
from scaffold_cli.model.protection import ProtectionKind
from scaffold_cli.syntax.outline import Block, ExprKind, StmtKind

Case = frozenset[str]
_SELVES = frozenset({"self", "this", "cls"})
_CONSTRUCTORS = frozenset({"__init__", "<init>"})
_SPELL = Normaliser(Scope.of((), ()), inline=False)
_FIXED = frozenset({ExprKind.NUMBER, ExprKind.STRING, ExprKind.CONSTANT})


def refused_where_given(helper: Mined, caller: Mined, after: Iterable[Mined]) -> bool:
    """True when all that `helper` refuses of what `caller` hands it is refused by its class where a field is given.

    Wherever a function of the class (of the `after` side) gives the field anything but a literal, the refusal must
    stand right behind; constructors aside, which give it its first value.
    """
    wanted = frozenset(_handed_over(helper, caller))
    owner = helper.unit.function.owner if helper.unit.function is not None else ""
    does_more = any(fact.is_hard and fact.kind is not ProtectionKind.GUARD for fact in helper.facts)
    if not wanted or not owner or does_more:
        return False
    given = [
        place
        for item in after
        if item.unit.function is not None and item.unit.function.owner == owner
        if item.unit.short_name not in _CONSTRUCTORS
        for place in _given(item.unit.block, frozenset(param.name for param in item.unit.function.params))
    ]
    fields = {name for name, _ in given} - caller.defined
    return all(any(_is_refused(case, field, given) for field in fields) for case in wanted)


def _is_refused(case: Case, field: str, given: Iterable[tuple[str, frozenset[Case]]]) -> bool:
    is_asked = any(field in literal.lstrip("!").split() for literal in case)
    return is_asked and all(case in refused for name, refused in given if name == field)


def _given(block: Block, params: frozenset[str]) -> Iterator[tuple[str, frozenset[Case]]]:
    """Each field that gets a value which is no literal (``this.x = y``, ``x = y``), with what is refused at once."""
    for position, statement in enumerate(block):
        if statement.kind is StmtKind.ASSIGN and statement.exprs[0].kind not in _FIXED:
            for target in statement.exprs[1:]:
                own = target.kind is ExprKind.ATTRIBUTE and target.parts[0].text in _SELVES
                if own or (target.kind is ExprKind.NAME and target.text not in params):
                    yield target.text, frozenset(_refused_at_once(block[position + 1 :]))
        for inner in statement.blocks:
            yield from _given(inner, params)


def _refused_at_once(block: Block) -> Iterator[Case]:
    """What the refusals at the start of a block refuse; plain assignments may stand between them."""
    for statement in block:
        if statement.kind is not StmtKind.ASSIGN:
            refusal = refusal_of(statement.blocks[0]) if statement.kind is StmtKind.IF else None
            if refusal is None or refusal.kind != "raise":
                return
            yield from _SPELL.refusals(statement.exprs[0])


def _handed_over(helper: Mined, caller: Mined) -> Iterator[Case]:
    """What `helper` refuses, in the words of each call that `caller` makes."""
    function = helper.unit.function
    names = [param.name for param in function.params] if function is not None else []
    names = names[1:] if names[:1] in (["self"], ["cls"]) else names
    for node in caller.reading.of(ExprKind.CALL):
        if callee(node) == helper.unit.short_name and len(node.parts) == len(names) + 1:
            values = dict(zip(names, node.parts[1:], strict=True))
            for site in sites(helper.unit.block, Polarity.NONE):
                for test, holds in site.tests[:1]:
                    yield from _SPELL.refusals(substituted(test, values), holds)
