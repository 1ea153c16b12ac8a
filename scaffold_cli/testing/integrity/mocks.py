"""Stand-ins for the very thing that is tested, brought in by fixtures, set-ups, mocks or plain assignment."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold_cli.model.change import FileVersion
from scaffold_cli.syntax.frontends import outline
from scaffold_cli.syntax.outline import Expr, ExprKind, Outline, StmtKind, walk
from scaffold_cli.syntax.roles import is_test_file
from scaffold_cli.testing.integrity.interface import Breach, BreachKind, Material
from scaffold_cli.testing.integrity.spelling import arguments, dotted, function_name

_PATCHES = frozenset({"patch", "object", "setattr", "spyOn", "mock", "doMock", "setitem", "delattr", "stub", "replace"})
_PATCH_OWNERS = frozenset({"patch", "mock", "monkeypatch", "mocker", "jest", "vi", "unittest.mock", "sinon", ""})
_ANYTHING = rb"\b(def|class|function|func|const|let|var|public|private|static)\b[^\n]*\b%(name)b\b"
_CODE = (
    rb"\b(def|class|function|func)\s*\*?\s+%(name)b\b|\b%(name)b\s*[:=]\s*(async\b\s*)?(function\b|\([^()\n]*\)\s*=>)|"
    rb"^\s+(async\s+|static\s+)*%(name)b\s*\([^()\n]*\)\s*\{"
)
_MOST_FILES = 400
"""Test files read at most to see what is tested."""


def mocks(material: Material) -> Iterator[Breach]:
    """Names that tests call and that the change newly replaces in test code.

    A test that is new may mock what it likes: it takes nothing from the others. A stand-in for a thing that is only
    called by the code under test, and not by the tests themselves, is ordinary.
    """
    for pair in material.change.files:
        if pair.after is None or not is_test_file(pair.after.path) or not pair.after.is_text:
            continue
        after = outline(pair.after)
        known = set(_replaced(outline(pair.before))) if pair.before is not None and pair.before.is_text else set()
        for (name, function), line in _replaced(after).items():
            if (name, function) in known or (function and _is_new(function, after.path, material)):
                continue
            if name in _tested(material, pair.after) and is_ours(name, material):
                yield Breach(
                    BreachKind.MOCKED,
                    f"`{name}`, which the tests call, is replaced by a stand-in.",
                    f"{after.path}::{function}::{name}",
                    after=material.place(after.path, line, after=True, symbol=function),
                )


def _is_new(function: str, path: str, material: Material) -> bool:
    return any(case.path == path and case.name == function for case in material.new)


def _replaced(found: Outline) -> dict[tuple[str, str], int]:
    """(name, function it happens in) with its line, for everything an outline replaces."""
    hits: dict[tuple[str, str], int] = {}
    modules = {item.local for item in found.imports}
    bodies = [("", found.body), *((function.name, function.body) for function in found.functions)]
    for name, body in bodies:
        for statement in walk(body):
            for expr in statement.exprs:
                for node in expr.walk():
                    target = _target(node) if node.kind is ExprKind.CALL else ""
                    if target:
                        hits.setdefault((target, name), node.line)
            if statement.kind is StmtKind.ASSIGN and statement.text == "=":
                for goal in statement.exprs[1:]:
                    if goal.kind is ExprKind.ATTRIBUTE and dotted(goal).partition(".")[0] in modules:
                        hits.setdefault((goal.text, name), statement.line)
    for function in found.functions:
        for mark in function.decorators:
            target = _target(mark) if mark.kind is ExprKind.CALL else ""
            if target:
                hits.setdefault((target, function.name), mark.line)
    return hits


def _target(call: Expr) -> str:
    """The last word of what a call replaces; empty for other calls."""
    name = function_name(call)
    head = call.parts[0]
    owner = dotted(head.parts[0]) if head.kind is ExprKind.ATTRIBUTE else ""
    plain_setattr = name == "setattr" and not owner
    if name not in _PATCHES or not (owner in _PATCH_OWNERS or owner.endswith((".patch", ".mock")) or plain_setattr):
        return ""
    if name in ("replace", "object", "stub") and not owner:
        return ""
    given = arguments(call)
    texts = [item.text for item in given if item.kind is ExprKind.STRING]
    if not texts:
        return ""
    last = texts[0].replace("/", ".").rpartition(".")[2]
    return last if re.fullmatch(r"[A-Za-z_$][\w$]*", last) else ""


def _tested(material: Material, version: FileVersion) -> frozenset[str]:
    """Names that existing tests below the file's folder call themselves."""
    names: set[str] = set()
    for pair in material.pairs:
        names |= pair.before.calls | {call for check in pair.before.checks for call in check.calls}
    if version.path.rpartition("/")[2] != "conftest.py":
        return frozenset(names)
    folder = version.path.rpartition("/")[0]
    below = [path for path in material.paths if path.startswith(f"{folder}/" if folder else "") and is_test_file(path)]
    for path in below[:_MOST_FILES]:
        data = material.read(path)
        if data is not None and path.endswith(".py") and path != version.path:
            names |= set(re.findall(r"([A-Za-z_]\w*)\s*\(", data.decode("utf-8", "replace")))
    return frozenset(names)


def is_ours(name: str, material: Material, *, code: bool = False) -> bool:
    """True when the project itself defines the name, as far as can be seen; without a tree, always.

    With `code`, only when it is the name of a function or class.
    """
    if not material.paths:
        return True
    pattern = re.compile((_CODE if code else _ANYTHING) % {b"name": re.escape(name.encode())}, re.MULTILINE)
    sources = [
        path for path in material.paths if path.endswith((".py", ".js", ".ts", ".java")) and not is_test_file(path)
    ]
    return any(pattern.search(material.read(path) or b"") for path in sources[:_MOST_FILES])
