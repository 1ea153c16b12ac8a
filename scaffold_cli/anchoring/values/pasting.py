"""Values pasted raw into a text that another program reads: a query, a command line, a filter, a path."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from scaffold_cli.anchoring.effects import is_logging
from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.values.templates import Template, is_value, template
from scaffold_cli.anchoring.values.transforming import CONVERSIONS, transforms
from scaffold_cli.anchoring.values.wrapping import called_now, is_told
from scaffold_cli.anchoring.views import callee, expressions
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.model.protection import Doubt
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind

_QUERY = re.compile(
    r"\bselect\b.+\bfrom\b|\binsert\s+into\b|\bupdate\s+\S+\s+set\b|\bdelete\s+from\b"
    r"|\bwhere\s+\S+\s*(?:=|<|>|like\b|in\b)|\border\s+by\b",
    re.IGNORECASE | re.DOTALL,
)
_QUERY_WORDS = ("select", "insert", "update", "delete", "where", "order")
_QUERY_WORD = re.compile(rf"\b(?:{'|'.join(_QUERY_WORDS)})\s", re.IGNORECASE)
_BOUND = re.compile(r"\?|\$\d|(?<![:\w]):[a-zA-Z_]\w*")
_PERCENT = re.compile(r"%s|%\(\w+\)s|%d")
_FILTER = re.compile(r"\([&|!]?\(?[\w\0]+=")
_MARKUP = re.compile(r"</?[a-zA-Z][\w-]*(?:\s[^<>]*)?/?>|<[a-zA-Z]+\s+[\w-]+=")
_GLUED = re.compile(r"--?[\w-]+=\0")
_TEXTS = frozenset({ExprKind.FORMAT, ExprKind.BINARY, ExprKind.CALL, ExprKind.STRING})
_NAMES = frozenset({ExprKind.NAME, ExprKind.ATTRIBUTE})
_LISTS = frozenset({"list", "tuple", "array"})
_GROWING = frozenset({"append", "add", "extend"})
_JOINING = frozenset({"join", "joinpath", "resolve", "File", "Path", "Paths", "of"})
COMMANDS = WordPatterns(
    (word, "command")
    for word in ("cmd*", "command*", "args", "argv", "shell", "exec*", "run*", "call", "popen", "system", "spawn*")
)


@dataclass(slots=True)
class _Queries:
    """The query texts of one version: how many values are bound, which are pasted raw, which are wrapped first."""

    bound: int = 0
    raw: dict[str, int] = field(default_factory=dict)
    wrapped: set[str] = field(default_factory=set)
    lines: list[int] = field(default_factory=list)


def pasted_queries(versions: Versions) -> Iterator[Shift]:
    """Values that were bound to a query, or wrapped first, are now part of its text."""
    if not all(_speaks_of_queries("\n".join(item.unit.source)) for item in (versions.before, versions.after)):
        return
    old, new = _queries(versions.before, versions.values_before), _queries(versions.after, versions.values_after)
    come = sorted(new.raw.keys() - old.raw.keys())
    if old.lines and come and (old.bound > new.bound or set(come) & old.wrapped):
        because = "its values do not become part of the query"
        how = f"{', '.join(come)} now pasted into the text"
        yield shift("bound query", old.lines[0], because, how, entry="sql")


def _speaks_of_queries(source: str) -> bool:
    """Most texts hold none of the words, which is told much sooner than where one begins."""
    folded = source.casefold()
    return any(word in folded for word in _QUERY_WORDS) and _QUERY_WORD.search(source) is not None


def _queries(item: Mined, values: Mapping[str, Expr]) -> _Queries:
    found = _Queries()
    for node, text in _texts(item, values):
        if _QUERY.search(text.text) is None:
            continue
        found.lines.append(text.line)
        found.bound += len(_BOUND.findall(text.text))
        if not (node.kind is ExprKind.BINARY and node.text == "%"):
            found.bound += len(_PERCENT.findall(text.text))
        for hole in text.holes:
            if is_raw(hole):
                found.raw[_name(hole)] = hole.line
            elif hole.kind is ExprKind.CALL:
                found.wrapped |= _names(hole)
    return found


def _texts(item: Mined, values: Mapping[str, Expr]) -> Iterator[tuple[Expr, Template]]:
    """The outermost texts of a unit, logs left out."""
    for expression in expressions(item.unit.block):
        stack = [expression]
        while stack:
            node = stack.pop()
            if node.kind is ExprKind.CALL and is_logging(node):
                continue
            found = template(node, values) if node.kind in _TEXTS else None
            if found is not None:
                yield node, found
            else:
                stack.extend(node.parts)


def is_raw(hole: Expr) -> bool:
    """True for a value as it came: a name, an item, what a getter or a conversion to text answers."""
    if hole.kind is ExprKind.CALL:
        return callee(hole) in ("str", "get", "toString", "valueOf", "getParameter", "decode", "encode")
    return is_value(hole) and hole.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE, ExprKind.SUBSCRIPT)


def _name(hole: Expr) -> str:
    while hole.kind is ExprKind.SUBSCRIPT:
        hole = hole.parts[0]
    return hole.text or (callee(hole) if hole.kind is ExprKind.CALL else "")


def _names(node: Expr) -> set[str]:
    return {part.text for part in node.walk() if part.kind in _NAMES}


def pasted_commands(versions: Versions) -> Iterator[Shift]:
    """Values that were arguments of their own are now part of one command line."""
    if not any(COMMANDS.find(name) is not None for name in versions.before.names | versions.before.calls.keys()):
        return
    old, new = _items(versions.before), _items(versions.after)
    gone = old.keys() - new.keys()
    if not gone:
        return
    for hole in _command_holes(versions.after):
        shared = sorted(_names(hole) & gone)
        if shared:
            because = "its arguments stay apart"
            how = f"{shared[0]} now pasted into one command line"
            yield shift("argument list", old[shared[0]], because, how, entry="shell")
            return


def _items(item: Mined) -> dict[str, int]:
    """Names of the values that are items of a list, with the line."""
    found: dict[str, int] = {}
    for node in item.reading.nodes:
        for part in items_of_list(node):
            if part.kind is not ExprKind.STRING:
                found.update(dict.fromkeys(_names(part), part.line))
    return found


def items_of_list(node: Expr) -> Iterable[Expr]:
    """What a list holds, or what a call puts into one."""
    if node.kind is ExprKind.COLLECTION and node.text in _LISTS:
        return node.parts
    if node.kind is ExprKind.CALL and len(node.parts) == 2 and callee(node) in _GROWING:
        return node.parts[1:]
    return ()


def _command_holes(item: Mined) -> Iterator[Expr]:
    for statement in item.reading.statements:
        targets = statement.exprs[1:] if statement.kind is StmtKind.ASSIGN else ()
        named = any(COMMANDS.find(target.text) is not None for target in targets)
        for expression in statement.exprs:
            nodes = list(expression.walk())
            if named or any(node.kind is ExprKind.CALL and COMMANDS.find(callee(node)) is not None for node in nodes):
                for node in nodes:
                    found = template(node)
                    if found is not None and not is_logging_text(node, nodes):
                        yield from found.holes


def is_logging_text(node: Expr, nodes: Iterable[Expr]) -> bool:
    """True when a logging call among `nodes` holds `node`."""
    return any(
        other.kind is ExprKind.CALL and is_logging(other) and any(part is node for part in other.walk())
        for other in nodes
    )


def pasted_after_helper(versions: Versions) -> Iterator[Shift]:
    """What a function made of a value is now put together in place, with the value as it came."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or edit.old.kind is not ExprKind.CALL or is_told(edit):
            continue
        name = callee(edit.old)
        if (
            not name
            or name in CONVERSIONS
            or name in _JOINING
            or not transforms(name)
            or versions.around.is_kept(name, called_now(edit))
        ):
            continue
        given = {part.text for argument in edit.old.parts[1:] for part in argument.walk() if part.kind in _NAMES}
        entry, pasted = _pasted(edit.new, versions)
        shared = sorted(given & pasted)
        if shared:
            because = f"the value no longer passes through `{name}()`"
            form, how = f"{name}({shared[0]})", f"{shared[0]} now pasted as it is"
            yield shift(form, edit.old.line, because, how, entry=entry, doubt=Doubt.SHAPE)


def _pasted(node: Expr, versions: Versions) -> tuple[str, set[str]]:
    """The entry a text belongs to, and the names of values that are in it as they came."""
    if node.kind is ExprKind.CALL and callee(node) in _JOINING and len(node.parts) > 2:
        return "path-containment", {_name(part) for part in node.parts[1:] if is_raw(part)}
    found = template(node, versions.values_after) if node.kind is not ExprKind.STRING else None
    if found is None:
        return "", set()
    languages = ((_QUERY, "sql"), (_FILTER, "ldap"), (_MARKUP, "escaping"))
    entry = next((entry for pattern, entry in languages if pattern.search(found.text) is not None), "validation")
    return entry, {_name(hole) for hole in found.holes if is_raw(hole)}


def loose_options(versions: Versions) -> Iterator[Shift]:
    """A value that was glued to its option (``f"--rev={rev}"``) is now an item of its own, and can be an option."""
    for edit in versions.edits.edits:
        found = template(edit.old) if edit.old is not None else None
        lists = [node for node in edit.around_new if node.kind is ExprKind.COLLECTION and node.text in _LISTS]
        if found is None or not lists or not _GLUED.fullmatch(found.text):
            continue
        names = _names(found.holes[0])
        if names and any(is_raw(part) and _names(part) == names for part in lists[-1].parts):
            because, how = "the value cannot be read as an option", f"{min(names)} is now an item of its own"
            yield shift(found.text.replace("\0", "…"), edit.statement.line, because, how, entry="shell")
