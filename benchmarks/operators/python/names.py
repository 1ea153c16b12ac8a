"""Which names a piece of code reads, binds and may take along when it moves."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from benchmarks.operators.python.source import Function, PythonSource

_REFLECTION = frozenset({"locals", "vars", "exec", "eval", "globals", "super", "__class__", "_getframe", "stack"})


def names(nodes: Iterable[ast.AST]) -> set[str]:
    """Every plain name used in any way."""
    return {node.id for top in nodes for node in ast.walk(top) if isinstance(node, ast.Name)}


def bound(nodes: Iterable[ast.AST]) -> set[str]:
    """Every name bound anywhere in the nodes, nested scopes included."""
    return {name for top in nodes for node in ast.walk(top) for name in binds(node)}


def binds(node: ast.AST) -> set[str]:
    """The names this one node binds, its children left aside."""
    found: set[str] = set()
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            found = {name}
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            found = {name}
        case ast.alias(name=name, asname=other):
            found = {other or name.partition(".")[0]}
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            found = {name}
        case ast.MatchMapping(rest=str(name)):
            found = {name}
        case ast.Global(names=several) | ast.Nonlocal(names=several):
            found = set(several)
    return found


def parameters(function: Function) -> list[str]:
    """The names of all parameters, in order."""
    given = function.args
    stars = [item for item in (given.vararg, given.kwarg) if item is not None]
    return [item.arg for item in [*given.posonlyargs, *given.args, *given.kwonlyargs, *stars]]


def reflects(node: ast.AST) -> bool:
    """True when code looks at its own frame or scope, so that moving or renaming it could be seen."""
    used = {item.id for item in ast.walk(node) if isinstance(item, ast.Name)}
    return bool(used & _REFLECTION) or any(
        isinstance(item, ast.Attribute) and item.attr == "_getframe" for item in ast.walk(node)
    )


def suspends(node: ast.AST) -> bool:
    """True when the node awaits or yields."""
    return any(
        isinstance(item, ast.Await | ast.Yield | ast.YieldFrom | ast.AsyncFor | ast.AsyncWith)
        for item in ast.walk(node)
    )


def is_mangled(node: ast.AST) -> bool:
    """True when a name in it means something else outside its class (``__name``)."""
    found = [
        getattr(item, key)
        for item in ast.walk(node)
        for key in ("id", "attr", "arg")
        if isinstance(getattr(item, key, None), str)
    ]
    return any(name.startswith("__") and not name.endswith("__") for name in found)


def taken_along(source: PythonSource, function: Function, nodes: list[ast.AST]) -> list[str] | None:
    """The parameters that code must be handed when it leaves `function` for the module; None when it cannot leave.

    It can when it uses only parameters and module names, binds nothing, neither awaits nor yields, and the
    function is no closure.
    """
    enclosing = source.parents.get(function)
    while enclosing is not None:
        if isinstance(enclosing, Function | ast.Lambda):
            return None
        enclosing = source.parents.get(enclosing)
    if any(reflects(node) or suspends(node) or is_mangled(node) or bound([node]) for node in nodes):
        return None
    own = parameters(function)
    if any(isinstance(item, ast.Global | ast.Nonlocal) for item in ast.walk(function)):
        return None
    used = names(nodes)
    local = bound([function]) - set(own) - {function.name}
    deleted = {item.id for item in ast.walk(function) if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Del)}
    if used & (local | deleted):
        return None
    return [name for name in own if name in used]


def is_pure(node: ast.expr) -> bool:
    """True when evaluating it does nothing and cannot fail: constants, names, and tuples of them."""
    if isinstance(node, ast.Tuple):
        return all(is_pure(item) for item in node.elts)
    return isinstance(node, ast.Constant)


def negated(source: PythonSource, test: ast.expr) -> str:
    """The text of ``not test``, without a double negation."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return source.code(test.operand)
    return f"not {grouped(source, test)}"


def grouped(source: PythonSource, node: ast.expr) -> str:
    """The node's text, in parentheses unless it is an atom."""
    text = source.code(node)
    atom = isinstance(
        node, ast.Name | ast.Attribute | ast.Call | ast.Constant | ast.Subscript | ast.List | ast.Dict | ast.Set
    )
    return text if atom and "\n" not in text else f"({text})"
