"""Functions that do nothing but refuse, whatever comes."""

from __future__ import annotations

from scaffold_cli.anchoring.refusal import refusal_of
from scaffold_cli.anchoring.strength import ENVIRONMENT
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import Block, ExprKind, Stmt, StmtKind

_UNFINISHED = WordPatterns((word, "unfinished") for word in ("not implemented", "abstract", "todo", "unsupported"))
_BARE = frozenset({"abort()", "exit()", "quit()"})
"""The end of the program without a status or a word says nothing of what is refused."""
_MOST = 2
"""Statements of a function that does nothing but refuse."""


def only_refusal(block: Block) -> str:
    """How a body refuses whatever comes (``raise TypeError``), or ""; what only stands for unwritten code is none."""
    work = [item for item in block if item.kind is not StmtKind.EMPTY and not _is_text(item)]
    refusal = refusal_of(tuple(work)) if 0 < len(work) <= _MOST else None
    if refusal is None or refusal.kind not in ("raise", "abort") or any(item.kind is StmtKind.RETURN for item in work):
        return ""
    if work[0].blocks or _is_bare(work[-1], refusal.text):
        return ""
    told = (refusal.text, *(node.text for part in refusal.exprs for node in part.walk()))
    return "" if any(map(_UNFINISHED.find, told)) or ENVIRONMENT.find(refusal.text) is not None else refusal.text


def _is_bare(statement: Stmt, text: str) -> bool:
    return text in _BARE and statement.kind is StmtKind.EXPR and len(statement.exprs[0].parts) == 1


def _is_text(statement: Stmt) -> bool:
    return statement.kind is StmtKind.EXPR and statement.exprs[0].kind in (ExprKind.STRING, ExprKind.FORMAT)
