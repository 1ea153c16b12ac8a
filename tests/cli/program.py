"""The real program, started as its users start it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Ended:
    """How a run of the program ended."""

    code: int
    out: str
    err: str

    @property
    def told(self) -> str:
        """The output, words one space apart: what it says whatever the width it was wrapped to."""
        return " ".join(self.out.split())

    @property
    def warned(self) -> str:
        """The same of the error stream."""
        return " ".join(self.err.split())

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def scaffold(*args: str | Path, cwd: Path, env: Mapping[str, str] | None = None, stdin: bytes = b"") -> Ended:
    """Run `scaffold` in `cwd`; no traceback may ever show."""
    done = subprocess.run(
        [sys.executable, "-m", "scaffold_cli", *map(str, args)],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        input=stdin,
        capture_output=True,
        check=False,
    )
    ended = Ended(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))
    assert "Traceback" not in ended.out + ended.err
    return ended


def entries(folder: Path) -> dict[str, bytes | str]:
    """Every file below a folder with its bytes, links with their targets: to show that nothing was touched."""
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = str(path.readlink())
        elif path.is_file():
            found[name] = path.read_bytes()
    return {name: data for name, data in found.items() if not name.startswith(".git/scaffold/")}
