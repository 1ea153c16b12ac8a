"""Promises about the code itself: import direction, one door to processes and the clock, no destructive git."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import scaffold_cli

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "scaffold_cli"
MODULES = sorted(PACKAGE.rglob("*.py"))


def imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def users_of(module: str) -> set[str]:
    return {str(path.relative_to(PACKAGE)) for path in MODULES if module in imported(path)}


def test_imports_run_one_way() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_one_module_starts_processes() -> None:
    assert users_of("subprocess") == {"processes.py"}


def test_one_module_reads_the_clock() -> None:
    assert users_of("time") | users_of("datetime") == {"clock.py"}


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_files_stay_small(module: Path) -> None:
    assert len(module.read_text().splitlines()) <= 400


def test_no_destructive_git_command_is_ever_formed() -> None:
    forbidden = re.compile(r"""["'](clean|stash)["']|["']reset["'],\s*["']--hard["']|--hard""")
    found = {str(path.relative_to(ROOT)) for path in MODULES if forbidden.search(path.read_text())}
    assert found == set()


def test_version_and_changelog_agree() -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dynamic"] == ["version"]
    changelog = (ROOT / "CHANGELOG.md").read_text()
    assert "## Unreleased" in changelog or f"## {scaffold_cli.__version__}" in changelog


def test_continuous_integration_runs_exactly_the_tests() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    commands = [line for line in script.splitlines() if line and not line.startswith(("#", "set", "cd", "export"))]
    assert commands == ["make test", "exec make test-extras"]
