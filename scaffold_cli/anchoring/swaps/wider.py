"""What is let through by a pattern of paths, a mode or a flag of a pattern is wider than it was."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold_cli.anchoring.implication import number
from scaffold_cli.anchoring.values.edits import Edit, plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import called_names, callee, names_in, strings_in
from scaffold_cli.anchoring.word_lists import WordList
from scaffold_cli.syntax.outline import Expr, ExprKind

_EXEMPTING = WordList("exempting")
_LINES = frozenset({"M", "MULTILINE", "m"})
_ENDS = re.compile(r"^\^|\$$")
_OPENING = frozenset({"open", "fdopen", "TemporaryFile", "newOutputStream"})


def wider_paths(versions: Versions) -> Iterator[Shift]:
    """``permit("/public/**")`` became ``permit("/**")``, ``origins=["https://a"]`` became ``origins="*"``."""
    for edit in versions.edits.edits:
        old, new = edit.old, edit.new
        if old is None or new is None or not (_is_wider_path(old, new) or _is_anybody(old, new)):
            continue
        found = (name for part in edit.statement_new.exprs for name in (*called_names(part), *names_in(part)))
        name = next((name for name in sorted(set(found)) if _EXEMPTING.find(name) is not None), None)
        if name is not None:
            because, how = f"`{name}` lets it through", f"now {plain(new)}"
            yield shift(plain(old), old.line, because, how, entry="authorization")


def dropped_exclusions(versions: Versions) -> Iterator[Shift]:
    """``"app.*;!*"`` became ``"app.*;*"``: a pattern that kept something out no longer does."""
    for edit in versions.edits.edits:
        old, new = edit.old, edit.new
        if old is None or new is None or not old.kind is ExprKind.STRING is new.kind:
            continue
        gone = _excluded(old.text) - _excluded(new.text)
        if gone and len(_pieces(old.text)) > 1 and _pieces(new.text) & _pieces(old.text):
            because, how = f"`!{min(gone)}` keeps it out", f"now {plain(new)}"
            yield shift(plain(old), old.line, because, how, entry="validation")


def _pieces(text: str) -> set[str]:
    return {piece for piece in re.split(r"[;,]\s*", text) if piece}


def _excluded(text: str) -> set[str]:
    return {piece[1:] for piece in _pieces(text) if piece.startswith("!") and len(piece) > 1}


def _is_wider_path(old: Expr, new: Expr) -> bool:
    return old.kind is ExprKind.STRING is new.kind and _is_wider(old.text, new.text)


def _is_anybody(old: Expr, new: Expr) -> bool:
    """True where a star takes the place of a list of names."""
    is_list = old.kind is ExprKind.COLLECTION and bool(old.parts)
    return is_list and "*" not in strings_in(old) and new.kind is ExprKind.STRING and new.text == "*"


def _is_wider(old: str, new: str) -> bool:
    """True for a pattern with a star at its end that takes in the other and more."""
    stem = new.rstrip("*")
    return new not in (stem, old) and old.startswith(stem) and len(stem) < len(old.rstrip("*"))


def line_by_line(versions: Versions) -> Iterator[Shift]:
    """A pattern that held a whole text between its ends holds one line of it only."""
    for edit in versions.edits.edits:
        if edit.new is None or edit.new.text not in _LINES or not edit.around_new:
            continue
        call = next((node for node in reversed(edit.around_new) if node.kind is ExprKind.CALL), edit.around_new[-1])
        pattern = next(iter(strings_in(call)), "")
        before = edit.around[-1] if edit.around else edit.old
        had = before is not None and any(name in _LINES for name in names_in(before))
        if _ENDS.search(pattern) and not had:
            because, how = "it must fit from end to end", "now one line that fits is enough"
            yield shift(repr(pattern), edit.statement.line, because, how, entry="regex-strictness")


def wider_creation(versions: Versions) -> Iterator[Shift]:
    """A file that must not be there yet is overwritten; a mask takes away fewer rights."""
    for edit in versions.edits.edits:
        call = next((node for node in reversed(edit.around) if node.kind is ExprKind.CALL), None)
        if edit.old is None or edit.new is None or call is None:
            continue
        how = ""
        if callee(call) in _OPENING and _is_exclusive(edit):
            how = "now what is there is overwritten"
        elif callee(call) == "umask" and _bits(edit.old) & ~_bits(edit.new):
            how = f"now {edit.new.text}"
        if how:
            yield shift(plain(call), call.line, "it keeps others out", how, entry="file-permissions")


def _is_exclusive(edit: Edit) -> bool:
    old, new = edit.old, edit.new
    if old is None or new is None or not old.kind is ExprKind.STRING is new.kind:
        return False
    return len(old.text) < 4 and "x" in old.text and "w" in new.text


def _bits(node: Expr) -> int:
    value = number(node.text) if node.kind is ExprKind.NUMBER else None
    return int(value) if value is not None else 0
