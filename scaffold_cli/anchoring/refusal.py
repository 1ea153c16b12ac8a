"""How a branch ends: raising, returning, stopping the program, going round again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scaffold_cli.anchoring.views import called_names
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import Block, Expr, ExprKind, Stmt, StmtKind

_ABORTS = WordPatterns(
    (pattern, "abort")
    for pattern in (
        "abort", "exit", "fail", "fail json", "send error", "die", "panic", "fatal", "redirect", "deny",
        "forbid*", "reject", "not found", "unauthorized", "bad request", "access denied", "throw*", "send redirect",
        "set status", "set response code", "send response code", "end exchange", "connection lost",
        "not allowed", "disallow*", "prohibit*", "lose connection", "go away", "close connection", "raise*", "quit",
    )
)  # fmt: skip
_ERRORS = WordPatterns(
    (pattern, "error")
    for pattern in (
        "error*", "forbidden", "denied", "unauthorized", "bad request", "not found", "redirect", "not allowed",
        "invalid",
        "http response*", "failure", "fail*", "abort", "deny*", "reject*", "empty", "false", "none", "unavailable",
        "no content", "err", "illegal", "refused", "disallowed", "bad", "unsafe", "skip*", "null", "undefined*",
    )
)  # fmt: skip

_MADE = (
    "Error",
    "Exception",
    "Forbidden",
    "Denied",
    "Unauthorized",
    "Warning",
    "Locked",
    "Expired",
    "Invalid",
    "NotFound",
)
_REPORTED = WordPatterns((pattern, "error") for pattern in ("error*", "problem*", "failed", "invalid", "rejected"))
"""Names that stand for a reported error when something is assigned to them."""


_SELVES = frozenset({"self", "this", "parser", "form"})
_REPORTING = frozenset({"error", "add_error", "report_error", "addError", "reportError"})


class Refusal(NamedTuple):
    """How a branch ends. `kind` is raise, abort, refuse (returns an error or nothing), return, continue or break."""

    kind: str
    text: str
    exprs: tuple[Expr, ...] = ()

    @property
    def is_refusing(self) -> bool:
        """True when the work does not go on in any form."""
        return self.kind in ("raise", "abort", "refuse", "assert")


_LEAVES = frozenset({StmtKind.RETURN, StmtKind.RAISE, StmtKind.CONTINUE, StmtKind.BREAK})


def leaves(branch: Block) -> bool:
    """True when control does not come out of a branch; `refusal_of` says how it ends."""
    return bool(branch) and (branch[-1].kind in _LEAVES or refusal_of(branch) is not None)


def raises(branch: Block) -> bool:
    """True when a branch ends in an error that is raised, or made to be raised further down."""
    if not branch:
        return False
    last = branch[-1]
    return last.kind is StmtKind.RAISE or (last.kind is StmtKind.ASSIGN and _is_error(last.exprs[0]))


def refusal_of(branch: Block) -> Refusal | None:
    """The way a branch ends, or None when control comes out of it."""
    if not branch:
        return None
    last = branch[-1]
    if last.kind is StmtKind.RETURN:
        return _returned(branch, last)
    if last.kind is StmtKind.EXPR:
        aborted = _abort(last.exprs[0])
        return aborted and Refusal(aborted.kind, aborted.text, (*aborted.exprs, *_told(aborted.exprs, _made(branch))))
    if last.kind is StmtKind.RAISE:
        return _raised(branch, last)
    if last.kind in (StmtKind.CONTINUE, StmtKind.BREAK):
        return Refusal(str(last.kind), str(last.kind))
    return _kept_error(last) if last.kind is StmtKind.ASSIGN else None


def _raised(branch: Block, last: Stmt) -> Refusal:
    """A raised name is read as the error the branch made for it."""
    made = _made(branch)
    exprs = last.exprs
    if exprs and exprs[0].kind is ExprKind.NAME and exprs[0].text in made:
        exprs = (made[exprs[0].text], *exprs[1:])
    return Refusal("raise", f"raise {_exception(exprs)}".strip(), (*exprs, *_told(exprs, made)))


def _made(branch: Block) -> dict[str, Expr]:
    """What a branch assigns to plain names."""
    return {
        target.text: statement.exprs[0]
        for statement in branch
        if statement.kind is StmtKind.ASSIGN
        for target in statement.exprs[1:]
        if target.kind is ExprKind.NAME
    }


def _told(exprs: tuple[Expr, ...], made: dict[str, Expr]) -> Iterator[Expr]:
    """The texts a refusal names, made before in its branch."""
    if made:
        for expression in exprs:
            yield from (
                made[node.text] for node in expression.walk() if node.kind is ExprKind.NAME and node.text in made
            )


def _kept_error(last: Stmt) -> Refusal | None:
    """An error that is made to be raised further down, or a report of one."""
    if _is_error(last.exprs[0]):
        return Refusal("raise", f"raise {last.exprs[0].parts[0].text}", last.exprs[:1])
    reported = len(last.exprs) == 2 and _REPORTED.find(last.exprs[1].text) is not None
    return Refusal("refuse", f"set {last.exprs[1].text}", last.exprs[:1]) if reported else None


def _returned(branch: Block, last: Stmt) -> Refusal:
    for statement in branch[:-1]:
        aborted = _aborts(statement)
        if aborted is not None:
            return aborted
    if not last.exprs or _is_refusal(last.exprs[0]):
        return Refusal("refuse", "return", last.exprs)
    aborted = _abort(last.exprs[0])
    return aborted if aborted is not None else Refusal("return", "return", last.exprs)


def _aborts(statement: Stmt) -> Refusal | None:
    """The call that turns away, in a statement or in every branch of one."""
    if statement.kind is StmtKind.EXPR:
        return _abort(statement.exprs[0])
    if statement.kind is not StmtKind.IF:
        return None
    found = [next(filter(None, map(_aborts, branch)), None) for branch in statement.blocks]
    return found[-1] if all(found) else None


def _abort(expression: Expr) -> Refusal | None:
    node = expression
    while node.kind is ExprKind.UNARY and node.parts:
        node = node.parts[0]
    if node.kind is not ExprKind.CALL or _only_makes(node):
        return None
    name = next(iter(called_names(Expr(node.kind, "", node.parts[:1], node.line))), node.parts[0].text)
    if _ABORTS.find(name) is None and _ABORTS.find(node.parts[0].text) is None:
        return Refusal("refuse", f"{name}()", (node,)) if _reports_error(node) else None
    return Refusal("abort", f"{node.parts[0].text}()", (node,))


def _reports_error(call: Expr) -> bool:
    """``self.error(node, "… is not allowed")``: a parser or form that keeps the error and says no in the end."""
    function = call.parts[0]
    is_own = function.kind is ExprKind.ATTRIBUTE and function.parts[0].text in _SELVES
    return is_own and function.text in _REPORTING and len(call.parts) > 1


def _only_makes(call: Expr) -> bool:
    """True for a constructor by its plain name, such as that of an error nobody raises."""
    name = call.parts[0].text
    return call.parts[0].kind is ExprKind.NAME and name[:1].isupper() and name.endswith(_MADE) and not call.text


def _is_refusal(value: Expr) -> bool:
    if value.kind is ExprKind.NUMBER:
        return _is_error_status(value)
    if value.kind is ExprKind.COLLECTION:
        return not value.parts or tells_error(value)
    if value.kind is ExprKind.CALL:
        return _ERRORS.find(value.parts[0].text) is not None or any(_is_error_status(part) for part in value.walk())
    if value.kind in (ExprKind.ATTRIBUTE, ExprKind.NAME):
        return _ERRORS.find(value.text) is not None
    nothing = value.kind is ExprKind.CONSTANT and value.text in ("null", "false")
    return nothing or (value.kind is ExprKind.STRING and not value.text)


def hands_error(found: Refusal) -> bool:
    """``return nil, errors.New(text)``: the last of several answers is an error and no null."""
    last = found.exprs[-1] if found.exprs else None
    if last is not None and last.kind is ExprKind.COLLECTION and last.text == "tuple" and last.parts:
        last = last.parts[-1]
        return last.kind is not ExprKind.CONSTANT and any("err" in node.text.lower() for node in last.walk())
    return False


def tells_error(value: Expr) -> bool:
    """An answer that carries an error status: ``("Forbidden", 403)``."""
    return value.kind is ExprKind.COLLECTION and any(_is_error_status(part) for part in value.parts)


def _is_error_status(value: Expr) -> bool:
    """An HTTP status from 400 to 599."""
    return value.kind is ExprKind.NUMBER and value.text.isdigit() and 400 <= int(value.text) < 600


def _is_error(value: Expr) -> bool:
    """An error that is made and kept, to be raised further down."""
    return value.kind is ExprKind.CALL and value.parts[0].text.endswith(("Exception", "Error"))


def _exception(exprs: tuple[Expr, ...]) -> str:
    if not exprs:
        return ""
    node = exprs[0]
    while node.kind is ExprKind.CALL:
        node = node.parts[0]
    return node.text
