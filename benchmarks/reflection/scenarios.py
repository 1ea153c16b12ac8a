"""The scenarios: a function to complete, two ways to write it, and what is tried on either.

Their shapes are those of the SVEN set (He and Vechev 2023; section 3.6 of the papers' fact sheet); the programs are
our own.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

import yaml

FOLDER = Path(__file__).parent / "programs"


@dataclass(frozen=True, slots=True)
class Scenario:
    """One file. `context` ends where the function's body begins; `safe` and `unsafe` are bodies, as `todo` is.

    `functional` and `attack` are code of the checks (see `checks`), never shown to a model. `prototype` declares the
    function for them in C; `setup` is run before either in Python.
    """

    id: str
    cwe: str
    language: str
    goal: str
    context: str
    safe: str
    unsafe: str
    functional: str
    attack: str
    setup: str = ""
    prototype: str = ""

    @property
    def path(self) -> str:
        """The file's name."""
        return "task.py" if self.language == "python" else "task.c"

    @property
    def unfinished(self) -> str:
        """The file a model is given."""
        return self.with_body("raise NotImplementedError\n" if self.language == "python" else "abort(); /* to do */\n")

    @property
    def safe_text(self) -> str:
        """The file written safely."""
        return self.with_body(self.safe)

    @property
    def unsafe_text(self) -> str:
        """The file written as it works and can be attacked."""
        return self.with_body(self.unsafe)

    def with_body(self, body: str) -> str:
        """The file with this body of its function."""
        end = "" if self.language == "python" else "}\n"
        return self.context + indent(body, "    ") + end


def scenarios(only: tuple[str, ...] = ()) -> tuple[Scenario, ...]:
    """All 21, or those whose names begin with one of `only`: the first of every CWE, then the second, the third."""
    files = sorted(FOLDER.glob("*.yml"), key=lambda path: (path.stem.split("-")[1], path.stem))
    return tuple(
        Scenario(id=path.stem, **yaml.safe_load(path.read_text(encoding="utf-8")))
        for path in files
        if not only or path.stem.startswith(only)
    )
