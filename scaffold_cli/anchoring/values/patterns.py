"""Regular expressions that accept more or refuse less than before."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.values.edits import Edit
from scaffold_cli.anchoring.values.languages import Relation, relation
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import callee
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import ExprKind, StmtKind

_ASKING = frozenset(
    {"compile", "match", "search", "fullmatch", "findall", "finditer", "split", "matches", "RegExp", "MustCompile"}
    | {"MatchString", "sub", "subn", "replaceAll", "replaceFirst", "Regex", "re_path"}
)
_REPLACING = frozenset({"sub", "subn", "replaceAll", "replaceFirst", "split"})
_NAMED = WordPatterns((word, "pattern") for word in ("re", "regex*", "regexp*", "pattern*", "rx", "rgx"))
_REFUSED = WordPatterns(
    (word, "refused")
    for word in (
        "deny*", "denied", "block*", "black*", "bad", "unsafe", "illegal", "invalid", "forbid*", "exclu*", "disallow*",
        "danger*", "malicious", "reserved", "control", "escape*", "quote*", "strip*", "redact*", "mask*", "sensitive",
        "unallowed", "rejected", "suspicious", "traversal", "special", "secret*", "password*",
    )
)  # fmt: skip
"""Words by which a pattern says that what it matches is refused, removed or hidden."""
_ALLOWED = WordPatterns(
    (word, "allowed")
    for word in ("allow*", "valid", "legal", "safe", "accept*", "white*", "permitted", "trusted", "known", "token")
)
"""Words by which a pattern says that only what it matches is let through."""


def laxer_patterns(versions: Versions) -> Iterator[Shift]:
    """A pattern that lets through what it refused, or removes less than it did."""
    for edit, old, new in _pattern_edits(versions):
        change = relation(old, new)
        if change in (Relation.SAME, Relation.UNKNOWN):
            continue
        refuses = _refuses(edit, old, versions)
        if refuses is None or refuses is not (change is Relation.NARROWER):
            continue
        because = f"it {'refuses or removes' if refuses else 'lets through only'} what it matches"
        how = f"it now matches {'less' if refuses else 'more'}: {new!r}"
        yield shift(repr(old), edit.statement.line, because, how, entry="regex-strictness")


def _pattern_edits(versions: Versions) -> Iterator[tuple[Edit, str, str]]:
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or edit.old.kind is not edit.new.kind is not ExprKind.STRING:
            continue
        if edit.old.kind is ExprKind.STRING and (_is_asked(edit) or any(map(_NAMED.find, _targets(edit)))):
            yield edit, edit.old.text, edit.new.text


def _is_asked(edit: Edit) -> bool:
    return any(callee(call) in _ASKING for call in edit.calls_around())


def _targets(edit: Edit) -> list[str]:
    if edit.statement.kind is not StmtKind.ASSIGN:
        return []
    return [target.text for target in edit.statement.exprs[1:] if target.text]


def _refuses(edit: Edit, text: str, versions: Versions) -> bool | None:
    """True when what the pattern matches is refused or removed, False when all else is, None when nothing tells."""
    names = [*_targets(edit), versions.before.unit.short_name]
    if any(callee(call) in _REPLACING for call in edit.calls_around()) or any(map(_REFUSED.find, names)):
        return True
    for term in versions.around.refusals:
        if any(f"{name}." in term or f"({name}," in term for name in names[:-1]) or repr(text) in term:
            return not term.startswith("!")
    return False if any(map(_ALLOWED.find, names)) else None
