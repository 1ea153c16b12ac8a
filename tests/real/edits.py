"""Edits a refactoring author makes, applied by structure so that no third-party text is kept here."""

from __future__ import annotations

import ast
import builtins


def find(tree: ast.AST, dotted: str) -> ast.FunctionDef:
    """The function at a dotted path such as ``Signer.unsign``; overload stubs are passed over.

    Raises LookupError when it is not there.
    """
    node: ast.AST = tree
    for name in dotted.split("."):
        named = [
            child
            for child in ast.iter_child_nodes(node)
            if isinstance(child, ast.FunctionDef | ast.ClassDef) and child.name == name
        ]
        if not named:
            raise LookupError(dotted)
        node = named[-1]
    assert isinstance(node, ast.FunctionDef)
    return node


def guard_of(function: ast.FunctionDef, mention: str) -> ast.If:
    """The first `if` of the function without an else whose body ends it and whose source mentions `mention`."""
    for node in ast.walk(function):
        if not isinstance(node, ast.If) or node.orelse or not isinstance(node.body[-1], ast.Raise | ast.Return):
            continue
        if mention in ast.unparse(node):
            return node
    raise LookupError(mention)


def remove_guard(source: str, function: str, mention: str) -> str:
    """The source without that guard."""
    guard = guard_of(find(ast.parse(source), function), mention)
    lines = source.splitlines(keepends=True)
    del lines[guard.lineno - 1 : guard.end_lineno]
    return "".join(lines)


def rename_local(source: str, function: str, old: str, new: str) -> str:
    """The source with a local variable renamed wherever the function uses it (f-strings must not use it)."""
    node = find(ast.parse(source), function)
    spots = [(n.lineno, n.col_offset) for n in ast.walk(node) if isinstance(n, ast.Name) and n.id == old]
    assert spots, old
    lines = source.encode().splitlines(keepends=True)
    for line, column in sorted(spots, reverse=True):
        text = lines[line - 1]
        assert text[column:].startswith(old.encode())
        lines[line - 1] = text[:column] + new.encode() + text[column + len(old) :]
    return b"".join(lines).decode()


def extract_condition(source: str, function: str, mention: str, helper: str) -> str:
    """The source with that guard's condition moved into a module-level predicate."""
    tree = ast.parse(source)
    guard = guard_of(find(tree, function), mention)
    names = [node for node in ast.walk(guard.test) if isinstance(node, ast.Name)]
    bound = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    free = sorted({node.id for node in names} - bound - module_names(tree) - set(dir(builtins)))
    call = f"{helper}({', '.join(free)})"
    lines = source.splitlines(keepends=True)
    lines[guard.lineno - 1 : guard.body[0].lineno - 1] = [f"{' ' * guard.col_offset}if {call}:\n"]
    return "".join(lines) + f"\n\ndef {call}:\n    return {ast.unparse(guard.test)}\n"


def module_names(tree: ast.Module) -> set[str]:
    """Names bound at module level: imports, classes, functions, constants."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return names
