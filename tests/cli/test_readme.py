"""What the README shows can be typed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from scaffold_cli.cli.app import COMMANDS
from tests.cli.program import scaffold

README = Path(__file__).resolve().parents[2] / "README.md"
CALLS = sorted(set(re.findall(r"(?:^|run: |`)scaffold ([a-z].*?)(?:`|$|  +#)", README.read_text(), re.MULTILINE)))


def test_the_readme_shows_most_commands() -> None:
    assert len({call.split()[0] for call in CALLS}) > len(COMMANDS) / 2


@pytest.mark.parametrize("call", CALLS)
def test_every_call_names_a_command_and_options_it_has(call: str, tmp_path: Path) -> None:
    command, *rest = shlex.split(call, comments=True)
    assert command in COMMANDS
    options = {word for word in rest if word.startswith("--")}
    shown = scaffold(command, "--help", cwd=tmp_path).out if options else ""
    assert options <= set(re.findall(r"--[a-z-]+", shown))
