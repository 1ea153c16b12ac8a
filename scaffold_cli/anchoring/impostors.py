"""Names that meant a protection and now mean something else: another import, a function of the file's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.facts import Fact, Mined
from scaffold_cli.anchoring.modules import import_fact
from scaffold_cli.anchoring.words import words
from scaffold_cli.syntax.outline import Expr, ExprKind, Import, Outline, StmtKind, walk

_CALLABLE = frozenset({ExprKind.LAMBDA, ExprKind.NAME, ExprKind.ATTRIBUTE})


def impostors(
    before: Outline, after: Outline, mined: Sequence[Mined], catalogue: Catalogue
) -> Iterator[tuple[Fact, str]]:
    """One fact for each imported protection whose name is taken; `mined` are the units of the after side."""
    imported = {item.local: item for item in after.imports}
    bound = _newly_bound(before, after)
    known = {function.name for function in before.functions}
    own = {item.unit.symbol: item for item in mined if item.unit.function is not None and item.unit.symbol not in known}
    owners: Mapping[str, str] | None = None
    for item in before.imports:
        taken = _taken(item, imported.get(item.local), catalogue) or _defined(item, own)
        if not taken and item.local in bound:
            taken = f"now {item.local} is given another value"
        if not taken:
            continue
        owners = _owners(before, catalogue) if owners is None else owners
        entry = owners.get(item.local) or _speaks(item.local, catalogue)
        if entry is not None:
            because = f"hard because `{item.local}` protects"
            yield import_fact(item, entry, because), taken


def _speaks(name: str, catalogue: Catalogue) -> str | None:
    return catalogue.protective(name) or catalogue.careful.find(name)


def _owners(source: Outline, catalogue: Catalogue) -> Mapping[str, str]:
    """Names on which the file calls something protective (``html`` of ``html.escape``), with its entry."""
    found: dict[str, str] = {}
    for block in (source.body, *(function.body for function in source.functions)):
        for statement in walk(block):
            for node in (inner for expression in statement.exprs for inner in expression.walk()):
                owner = _owner(node)
                entry = catalogue.protective(node.parts[0].text) if owner else None
                if entry is not None:
                    found[owner] = entry
    return found


def _newly_bound(before: Outline, after: Outline) -> set[str]:
    """Imported names to which only the after side gives a value."""
    imported = {item.local for item in before.imports}
    bound = _bound(after, imported)
    return bound - _bound(before, bound) if bound else bound


def _bound(source: Outline, names: Set[str]) -> set[str]:
    """Those `names` a file gives a value, or a parameter a default, that is not made from what they mean already."""
    params = (param for function in source.functions for param in function.params)
    found = {param.name for param in params if param.default is not None and param.name in names}
    for block in (source.body, *(function.body for function in source.functions)):
        for statement in walk(block):
            if statement.kind is StmtKind.ASSIGN and statement.exprs[0].kind in _CALLABLE:
                targets = {target.text for target in statement.exprs[1:] if target.kind is ExprKind.NAME}
                if not targets.isdisjoint(names):
                    found |= (targets & names) - {node.text for node in statement.exprs[0].walk()}
    return found


def _owner(node: Expr) -> str:
    if node.kind is not ExprKind.CALL or node.parts[0].kind is not ExprKind.ATTRIBUTE:
        return ""
    owner = node.parts[0].parts[0]
    return owner.text if owner.kind is ExprKind.NAME else ""


def _taken(old: Import, new: Import | None, catalogue: Catalogue) -> str:
    """How an import gives the name of `old` to something of another name, which does not say that it protects."""
    if new is None or _tail(old) != old.local or _tail(new) == new.local:
        return ""
    tail = _tail(new)
    is_kin = set(words(old.local)) <= set(words(tail)) or old.local.lower() in tail.lower()
    undoes = tail.lower().startswith(("un", "de")) and not old.local.lower().startswith(("un", "de"))
    if not undoes and (is_kin or _speaks(tail, catalogue) is not None):
        return ""
    return f"now {old.local} means {tail} of {new.module}"


def _tail(item: Import) -> str:
    return item.name or item.module.rpartition(".")[2]


def _defined(old: Import, own: Mapping[str, Mined]) -> str:
    """How a function of the file itself, that protects nothing, has the name."""
    unit = own.get(old.local)
    if unit is None or any(fact.is_hard for fact in unit.facts):
        return ""
    return f"now {old.local} is a function of this file that protects nothing"
