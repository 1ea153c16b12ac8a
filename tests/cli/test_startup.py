"""What the program loads before it has anything to do (import names, never times)."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from scaffold_cli.cli.app import COMMANDS
from tests.cli.program import scaffold
from tests.support.repos import make_repo

HEAVY = {
    "git",
    "libcst",
    "rich",
    "tree_sitter",
    "tree_sitter_java",
    "javalang",
    "semgrep",
    "yaml",
    "chromadb",
    "pydantic",
}


def loaded(*args: str, cwd: Path) -> set[str]:
    """The top-level packages a run imports."""
    command = [sys.executable, "-X", "importtime", "-m", "scaffold_cli", *args]
    done = subprocess.run(command, cwd=cwd, capture_output=True, check=True, text=True)
    names = [line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {name.partition(".")[0] for name in names}


def test_help_loads_nothing_heavy(tmp_path: Path) -> None:
    assert not loaded("--help", cwd=tmp_path) & HEAVY
    assert not loaded("--version", cwd=tmp_path) & HEAVY


def test_nothing_staged_loads_not_even_typer(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": "x = 1\n"})
    assert not loaded("check", "--staged", cwd=repo) & (HEAVY | {"typer"})


def test_help_names_every_command_and_every_exit_code(tmp_path: Path) -> None:
    ended = scaffold("--help", cwd=tmp_path)
    assert ended.code == 0
    for name in COMMANDS:
        assert f"\n  {name} " in ended.out
    for code in ("0 accepted", "1 rejected", "2 usage", "3 undecided", "4 internal", "5 budget", "130 interrupted"):
        assert code in ended.told


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_what_each_command_says_itself(name: str) -> None:
    command = getattr(import_module(f"scaffold_cli.cli.commands.{name}"), name)
    assert str(inspect.getdoc(command)).partition("\n")[0] == COMMANDS[name]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, tmp_path: Path) -> None:
    ended = scaffold(name, "--help", cwd=tmp_path)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(f"Usage: scaffold {name} ")


def test_the_version_is_that_of_the_package(tmp_path: Path) -> None:
    from scaffold_cli import __version__

    assert scaffold("--version", cwd=tmp_path).out == f"scaffold {__version__}\n"
