"""The report of an internal fault, in the shape of a bug report."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from scaffold_cli import __version__, clock

PACKAGES = ("typer", "rich", "semgrep", "libcst", "javalang", "GitPython", "tree-sitter", "tree-sitter-java", "PyYAML")


def write_report(error: BaseException, argv: Sequence[str]) -> Path | None:
    """Write what a maintainer needs and return where; None when no folder can be written."""
    moment = clock.now()
    name = f"fault-{moment:%Y%m%d-%H%M%S}-{os.getpid()}.txt"
    text = report(error, argv, moment.isoformat(timespec="seconds"))
    for folder in _folders():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / name
            path.write_text(text, encoding="utf-8", errors="backslashreplace")
        except OSError:
            continue
        return path
    return None


def report(error: BaseException, argv: Sequence[str], moment: str) -> str:
    """Versions, platform, command line and traceback; nothing of the environment or of the judged code."""
    lines = [
        "# scaffold fault report",
        "",
        f"when: {moment}",
        f"command: scaffold {' '.join(map(repr, argv))}",
        *(f"{name}: {found}" for name, found in versions()),
        "",
        "## traceback",
        "",
        "".join(traceback.format_exception(error)),
    ]
    return "\n".join(lines)


def versions() -> Iterator[tuple[str, str]]:
    """The versions a bug report needs, without starting any program."""
    yield "scaffold", __version__
    yield "python", f"{platform.python_version()} ({sys.executable})"
    yield "platform", platform.platform()
    for package in PACKAGES:
        try:
            yield package, version(package)
        except PackageNotFoundError:
            yield package, "not installed"


def _folders() -> Iterator[Path]:
    state = os.environ.get("XDG_STATE_HOME", "")
    if state and Path(state).is_absolute():
        yield Path(state, "scaffold")
    elif "HOME" in os.environ:
        yield Path(os.environ["HOME"], ".local", "state", "scaffold")
    yield Path(tempfile.gettempdir())
