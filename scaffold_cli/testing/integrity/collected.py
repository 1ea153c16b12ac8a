"""Python tests that are written as before and that pytest does not collect any more."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence

from scaffold_cli.model.change import FileVersion
from scaffold_cli.syntax.roles import is_test_file
from scaffold_cli.testing.integrity.interface import Breach, BreachKind, Material

_SKIPS = frozenset({"pytest.importorskip", "importorskip", "pytest.skip"})
_BUILDS = frozenset({"__init__", "__new__"})


def collected(material: Material) -> Iterator[Breach]:
    """One for each test whose function is still in its file, where it is not found or not run."""
    everywhere = {name for pair in material.change.files for name in _tests(pair.after)}
    for pair in material.change.files:
        if pair.before is None or pair.after is None or not is_test_file(pair.after.path):
            continue
        before, text = _tests(pair.before), _text(pair.after)
        if not _parses(text):
            continue
        for name in before:
            last = name.rpartition(".")[2]
            if name not in everywhere and f"def {last}(" in text and not _elsewhere(last, everywhere):
                line = text.count("\n", 0, text.index(f"def {last}(")) + 1
                what = f"The test {name} is still written in {pair.after.path}, but is not collected or always skipped."
                place = material.place(pair.after.path, line, after=True, symbol=name)
                yield Breach(BreachKind.SKIPPED, what, f"{pair.after.path}::{name}", after=place)


def _elsewhere(last: str, everywhere: set[str]) -> bool:
    return any(name.rpartition(".")[2] == last for name in everywhere)


def _text(version: FileVersion | None) -> str:
    return version.data.decode("utf-8", "replace") if version is not None and version.is_text else ""


def _parses(text: str) -> bool:
    return _tree(text) is not None


def _tree(text: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _tests(version: FileVersion | None) -> Sequence[str]:
    """Names of the tests that pytest would collect and run, through classes; none where the file does not parse."""
    if version is None or not version.path.endswith(".py") or not is_test_file(version.path):
        return ()
    tree = _tree(_text(version))
    if tree is None:
        return ()
    return () if _whole_is_skipped(tree) else tuple(_of_block(tree.body))


def _of_block(body: Sequence[ast.stmt]) -> Iterator[str]:
    for item in body:
        if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef) and item.name.startswith("test"):
            yield item.name
        elif isinstance(item, ast.ClassDef) and _is_collected(item):
            yield from (f"{item.name}.{name}" for name in _of_block(item.body))
        elif isinstance(item, ast.Try | ast.With):
            yield from _of_block(item.body)
        elif isinstance(item, ast.If) and not (isinstance(item.test, ast.Constant) and not item.test.value):
            yield from _of_block([*item.body, *item.orelse])


def _is_collected(item: ast.ClassDef) -> bool:
    builds = any(isinstance(each, ast.FunctionDef) and each.name in _BUILDS for each in item.body)
    is_case = any(ast.unparse(base).endswith(("TestCase", "Case", "Tests", "Test")) for base in item.bases)
    if is_case:
        return not _off(item.body)
    return item.name.startswith("Test") and not builds and not _off(item.body)


def _off(body: Sequence[ast.stmt]) -> bool:
    """True for ``__test__ = False``."""
    return any(
        isinstance(each, ast.Assign)
        and isinstance(each.value, ast.Constant)
        and each.value.value is False
        and any(isinstance(target, ast.Name) and target.id == "__test__" for target in each.targets)
        for each in body
    )


def _whole_is_skipped(tree: ast.Module) -> bool:
    """True when the file skips itself: a mark for all of it, a skip or a demand for a library while it is loaded."""
    for item in tree.body:
        if isinstance(item, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "pytestmark" for target in item.targets
        ):
            marks = ast.unparse(item.value)
            if any(word in marks for word in ("mark.skip", "mark.xfail")):
                return True
        value = item.value if isinstance(item, ast.Expr | ast.Assign) else None
        if isinstance(value, ast.Call) and ast.unparse(value.func) in (
            "pytest.importorskip",
            "importorskip",
            "pytest.skip",
        ):
            return True
    return _off(tree.body)
