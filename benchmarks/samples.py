"""What the speed benchmarks are run on: repositories of generated modules, under an environment of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path


def environment(folder: Path) -> dict[str, str]:
    """The process environment with an empty home, so that no cache or setting of the machine takes part."""
    home = folder / "home"
    home.mkdir()
    # Compiled modules are kept, as for any installed program: "cold" means no remembered results.
    dropped = ("GIT_", "XDG_", "PYTHONDONTWRITEBYTECODE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    identity = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in _WHO}
    root = str(Path(__file__).resolve().parents[1])
    return {**kept, **identity, "HOME": str(home), "PYTHONPATH": root, "NO_COLOR": "1", "SCAFFOLD_TRUST": "1"}


_WHO = (("NAME", "Bench"), ("EMAIL", "bench@example.invalid"))


def repository(path: Path, files: dict[str, str]) -> Path:
    path.mkdir(parents=True)
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text)
    for arguments in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "start")):
        git(path, *arguments)
    return path


def git(repo: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=repo, check=True, capture_output=True, text=True).stdout.strip()


def forget(repo: Path) -> None:
    shutil.rmtree(repo / ".git" / "scaffold", ignore_errors=True)


def module(index: int) -> str:
    """A module of about a hundred lines with checks, handlers and calls in it."""
    parts = [
        f'"""Module {index}."""',
        "",
        "import json",
        "import os",
        "",
        "",
        "class Refused(Exception):",
        "    pass",
        "",
    ]
    for number in range(8):
        parts += [
            "",
            f"def load_{number}(root, name, user):",
            "    if not user.may('read', name):",
            "        raise Refused(name)",
            "    path = os.path.realpath(os.path.join(root, name))",
            "    if not path.startswith(root + os.sep):",
            "        raise Refused(path)",
            "    try:",
            "        with open(path) as file:",
            "            items = json.load(file)",
            "    except (OSError, ValueError) as error:",
            "        raise Refused(str(error)) from error",
            "    total = 0",
            f"    for item in items[{number}:]:",
            "        total += int(item)",
            "    return total",
            "",
        ]
    return "\n".join(parts)
