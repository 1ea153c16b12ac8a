"""Which command runs a project's tests, seen from its files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath

from scaffold_cli.model.tree import Tree

_VENV_PYTHON = ".venv/bin/python"
_PYTEST_MARKS = (
    ("pyproject.toml", rb"(?m)^\s*\[tool\.pytest(\.ini_options)?\]"),
    ("setup.cfg", rb"(?m)^\[tool:pytest\]"),
    ("tox.ini", rb"(?m)^\[pytest\]"),
)
_PYTEST_FILES = ("pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "conftest.py")
_TEST_FILE = re.compile(r"^(tests?/(.+/)?)?(test_[^/]*|[^/]*_test)\.py$")
_PLACEHOLDER = "no test specified"
"""npm's own `scripts.test` of a new package."""


def detect_command(tree: Tree | Path) -> str | None:
    """The test command of a project given as a tree or as a folder, or None when nothing points to one."""
    project = _Folder(tree) if isinstance(tree, Path) else _Project(tree.paths(), tree.read)
    finders: Sequence[Callable[[_Project], str | None]] = (_pytest, _maven, _gradle, _npm, _go)
    return next((command for find in finders if (command := find(project))), None)


class _Project:
    """File names and contents, whichever side they come from."""

    def __init__(self, paths: Sequence[str], read: Callable[[str], bytes | None]) -> None:
        self.paths = paths
        self.read = read

    def has(self, name: str) -> bool:
        return name in self.paths


class _Folder(_Project):
    """A folder on disk: its own files and those of its test folders; what is installed in it shows too."""

    def __init__(self, folder: Path) -> None:
        places = [folder, *(folder / name for name in ("test", "tests") if (folder / name).is_dir())]
        found = [child for place in places[:1] for child in place.iterdir() if child.is_file()]
        found += [child for place in places[1:] for child in place.rglob("*.py")]
        super().__init__([child.relative_to(folder).as_posix() for child in found], self._read)
        self._root = folder

    def has(self, name: str) -> bool:
        return (self._root / name).is_file()

    def _read(self, path: str) -> bytes | None:
        target = self._root / path
        return target.read_bytes() if target.is_file() else None


def _pytest(project: _Project) -> str | None:
    configured = any(re.search(mark, project.read(name) or b"") for name, mark in _PYTEST_MARKS)
    named = any(PurePosixPath(path).name in _PYTEST_FILES for path in project.paths)
    if not (configured or named or any(_TEST_FILE.match(path) for path in project.paths)):
        return None
    return f"{_VENV_PYTHON if project.has(_VENV_PYTHON) else 'python3'} -m pytest"


def _maven(project: _Project) -> str | None:
    if not project.has("pom.xml"):
        return None
    return f"{'./mvnw' if project.has('mvnw') else 'mvn'} -q -B test"


def _gradle(project: _Project) -> str | None:
    if not any(project.has(f"{name}.gradle{end}") for name in ("build", "settings") for end in ("", ".kts")):
        return None
    # Without cleanTest an unchanged project writes no reports.
    return f"{'./gradlew' if project.has('gradlew') else 'gradle'} cleanTest test"


def _npm(project: _Project) -> str | None:
    try:
        package = json.loads(project.read("package.json") or b"null")
        script = package["scripts"]["test"]
    except (ValueError, KeyError, TypeError):
        return None
    return "npm test" if isinstance(script, str) and script.strip() and _PLACEHOLDER not in script else None


def _go(project: _Project) -> str | None:
    return "go test ./..." if project.has("go.mod") else None
