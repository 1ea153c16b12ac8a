"""Secrets that are newly shown, masks that are gone, and whole environments handed on."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.disclosing import is_secret
from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.swaps.looking import nodes
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, lost, shift
from scaffold_cli.anchoring.views import callee
from scaffold_cli.anchoring.word_lists import WordList
from scaffold_cli.syntax.outline import Expr, ExprKind, Stmt, StmtKind

_TOLD = frozenset({"__repr__", "__str__", "__unicode__", "__format__", "toString", "inspect", "to_json", "toJSON"})
"""What gives an object its text, which ends up in logs and pages."""
_LISTING = WordList("fields-shown")
_HIDING = WordList("fields-hidden")
_MASKS = ("redacted", "masked", "filtered", "hidden", "removed", "scrubbed")
_LEAST_MASK = 3
_ENVIRONMENTS = frozenset({"os.environ", "dict(os.environ)", "os.environ.copy()", "process.env"})


def newly_told(versions: Versions) -> Iterator[Shift]:
    """A secret in the text of an object (``__repr__``), or in a list of the fields that are shown."""
    for name, line in _shown(versions.after):
        if name not in {old for old, _ in _shown(versions.before)} and not _is_told(versions, name):
            because, how = f"`{name}` is not shown", f"line {line} now shows it"
            yield shift(f"no {name}", versions.before.unit.line, because, how, entry="disclosure")
            return


def _is_told(versions: Versions, name: str) -> bool:
    return any(name == old for item in versions.around.before for old, _ in _shown(item))


def _shown(item: Mined) -> Iterator[tuple[str, int]]:
    gives_text = item.unit.short_name in _TOLD
    for statement, node in nodes(item):
        if gives_text and node.kind in (ExprKind.ATTRIBUTE, ExprKind.NAME) and is_secret(node.text):
            yield node.text, node.line
        if node.kind is ExprKind.STRING and is_secret(node.text) and _is_listed(statement):
            yield node.text, node.line


def _is_listed(statement: Stmt) -> bool:
    """True where a text is an element of a list that says which fields are shown."""
    if statement.kind is not StmtKind.ASSIGN or statement.exprs[0].kind is not ExprKind.COLLECTION:
        return False
    return any(_LISTING.find(target.text) and not _HIDING.find(target.text) for target in statement.exprs[1:])


def unmasked(versions: Versions) -> Iterator[Shift]:
    """``"****" + token[-4:]`` became ``token``: no mask is left where there was one."""
    masks = [node for _, node in nodes(versions.before) if _is_mask(node)]
    if not masks or any(_is_mask(node) for _, node in nodes(versions.after)):
        return
    moved = any(_is_mask(node) for item in versions.around.after for _, node in nodes(item))
    if not moved:
        text = plain(masks[0])
        yield lost(text, masks[0].line, f"{text} stands for what is not to be seen", "the value is shown", "disclosure")


def _is_mask(node: Expr) -> bool:
    if node.kind is ExprKind.BINARY and node.text == "*":
        return any(part.kind is ExprKind.STRING and part.text in ("*", "x", "X", "•") for part in node.parts)
    if node.kind is not ExprKind.STRING:
        return False
    text = node.text.strip()
    return (len(text) >= _LEAST_MASK and set(text) <= set("*•")) or text.strip("[]<>()*").lower() in _MASKS


def whole_environments(versions: Versions) -> Iterator[Shift]:
    """``run(args, env={"PATH": path})`` became ``run(args, env=os.environ)``."""
    for edit in versions.edits.edits:
        old, new = edit.old, edit.new
        if old is None or new is None or plain(new) not in _ENVIRONMENTS:
            continue
        inner = {plain(node) for node in old.walk()}
        is_given = old.kind in (ExprKind.COLLECTION, ExprKind.COMPREHENSION) or (
            old.kind is ExprKind.CALL and callee(old) not in ("dict", "copy")
        )
        if is_given and not inner & _ENVIRONMENTS:
            yield shift(
                plain(old), old.line, "only what is named is handed on", "now the whole environment is",
                entry="disclosure",
            )  # fmt: skip
