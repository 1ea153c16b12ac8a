"""Parts of the project that a test file puts others in the place of for all tests: when it is loaded, or for good."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from scaffold_cli.syntax.frontends import outline
from scaffold_cli.syntax.outline import Expr, ExprKind, Language, Outline, Stmt, StmtKind, walk
from scaffold_cli.syntax.roles import is_test_file
from scaffold_cli.testing.integrity.interface import Breach, BreachKind, Material
from scaffold_cli.testing.integrity.mocks import is_ours
from scaffold_cli.testing.integrity.spelling import arguments, dotted, function_name, is_literal

_LOADS = ("pytest_", "setup_module", "setUpModule", "setup_package")
"""How functions begin that run once, before the tests."""
_ROOTS = ("", "src/", "lib/", "python/")
_IMPORTS = frozenset({"import_module", "__import__", "require"})
_OF_A_FUNCTION = frozenset({"__code__", "__call__", "__defaults__", "__kwdefaults__", "__wrapped__", "__class__"})


def replaced(material: Material) -> Iterator[Breach]:
    """Functions, classes and modules of the project that newly are others for every test."""
    for pair in material.change.files:
        version = pair.after
        if version is None or not version.is_text or not is_test_file(version.path):
            continue
        after = outline(version)
        before = outline(pair.before) if pair.before is not None and pair.before.is_text else None
        known = set() if before is None else {name for name, _ in _found(before, material)}
        for name, line in _found(after, material):
            if name not in known:
                what = f"{version.path} puts something else in the place of `{name}` for every test."
                place = material.place(version.path, line, after=True)
                yield Breach(BreachKind.MOCKED, what, f"{version.path}::{name}", after=place)
                known.add(name)


def _found(found: Outline, material: Material) -> Iterator[tuple[str, int]]:
    """(dotted name, line) of everything of the project that the file replaces and does not put back."""
    ours = _ours(found, material)
    loading = [found.body, *(item.body for item in found.functions if item.name.startswith(_LOADS))]
    for statement in (each for block in loading for each in walk(block)):
        yield from _in_statement(statement, ours, material)
    if found.language is Language.PYTHON:
        goals = [
            (name, line)
            for function in found.functions
            if not function.name.startswith(_LOADS)
            for statement in walk(function.body)
            if statement.kind is StmtKind.ASSIGN
            for name, line in _in_statement(statement, ours, material)
        ]
        times = Counter(name for name, _ in goals)
        yield from ((name, line) for name, line in goals if times[name] == 1)


def _ours(found: Outline, material: Material) -> Mapping[str, str]:
    """Local names of the project's modules, and of what is in them, with where they are from."""
    names = {}
    for item in found.imports:
        full = f"{item.module}.{item.name}" if item.name else item.module
        if item.level or _is_module(item.module, material) or _is_module(full, material):
            names[item.local] = item.module
    for statement in walk(found.body):
        if statement.kind is StmtKind.ASSIGN and statement.exprs and statement.exprs[0].kind is ExprKind.CALL:
            module = _module_of(statement.exprs[0])
            if module and _is_module(module, material):
                names.update({goal.text: module for goal in statement.exprs[1:] if goal.kind is ExprKind.NAME})
    return names


def _module_of(call: Expr) -> str:
    given = arguments(call)
    is_import = function_name(call) in _IMPORTS and given and given[0].kind is ExprKind.STRING
    return given[0].text if is_import else ""


def _is_module(name: str, material: Material) -> bool:
    """True for a module of the project that is not of its tests; without a tree, for a relative one."""
    if name.startswith("."):
        return not is_test_file(f"{name.lstrip('./')}.js")
    place = name.replace(".", "/")
    places = {f"{root}{place}{end}" for root in _ROOTS for end in (".py", "/__init__.py")}
    return any(path in places and not is_test_file(path) for path in material.paths)


def _in_statement(statement: Stmt, ours: Mapping[str, str], material: Material) -> Iterator[tuple[str, int]]:
    if statement.kind is StmtKind.ASSIGN and statement.text == "=":
        value, *goals = statement.exprs
        for goal in goals:
            name = _goal(goal, ours, material)
            if name and not is_literal(value):
                yield name, statement.line
    for expression in statement.exprs:
        for node in expression.walk():
            if node.kind is ExprKind.CALL and statement.kind is not StmtKind.ASSIGN:
                name = _called(node, ours, material)
                if name:
                    yield name, node.line


def _goal(goal: Expr, ours: Mapping[str, str], material: Material) -> str:
    """The dotted name of what an assignment replaces; empty when that is nothing of the project's code."""
    if goal.kind is ExprKind.SUBSCRIPT and len(goal.parts) == 2 and goal.parts[1].kind is ExprKind.STRING:
        owner, key = dotted(goal.parts[0]), goal.parts[1].text
        if owner == "sys.modules":
            return key if _is_module(key, material) else ""
        inside = owner.removesuffix(".__dict__")
        return _known(f"{inside}.{key}", ours, material)
    if goal.kind is not ExprKind.ATTRIBUTE:
        return ""
    inner = goal.parts[0]
    if inner.kind is ExprKind.SUBSCRIPT and dotted(inner.parts[0]) == "sys.modules":
        module = inner.parts[1].text
        return (
            f"{module}.{goal.text}" if _is_module(module, material) and is_ours(goal.text, material, code=True) else ""
        )
    return _known(dotted(inner) if goal.text in _OF_A_FUNCTION else dotted(goal), ours, material)


def _known(name: str, ours: Mapping[str, str], material: Material) -> str:
    first, _, last = name.partition(".")
    return name if last and first in ours and is_ours(name.rpartition(".")[2], material, code=True) else ""


def _called(call: Expr, ours: Mapping[str, str], material: Material) -> str:
    """What ``setattr(module, "name", …)``, an update of its dictionary or a patch that is started replaces."""
    given, name = arguments(call), function_name(call)
    if name == "setattr" and len(given) >= 2 and given[1].kind is ExprKind.STRING:
        return _known(f"{dotted(given[0])}.{given[1].text}", ours, material)
    if name == "update" and call.parts[0].kind is ExprKind.ATTRIBUTE:
        owner = call.parts[0].parts[0]
        inside = arguments(owner) if owner.kind is ExprKind.CALL and function_name(owner) == "vars" else []
        base = dotted(inside[0]) if inside else dotted(owner).removesuffix(".__dict__")
        words = [part.text for part in call.parts[1:] if part.kind is ExprKind.KEYWORD]
        return next((found for word in words if (found := _known(f"{base}.{word}", ours, material))), "")
    if name == "start" and call.parts[0].kind is ExprKind.ATTRIBUTE:
        inner = call.parts[0].parts[0]
        target = next((item.text for item in arguments(inner) if item.kind is ExprKind.STRING), "")
        module = target.rpartition(".")[0]
        return target if _is_module(module, material) or _is_module(module.rpartition(".")[0], material) else ""
    return ""
