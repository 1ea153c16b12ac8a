"""Makefiles that read like before and do something else: what decides over recipes from outside of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold_cli.model.change import FileChange, FileVersion
from scaffold_cli.syntax.line_patterns import covers, line_of, newest, without_comments
from scaffold_cli.testing.integrity.commands import MAKEFILES, asked_for, commands
from scaffold_cli.testing.integrity.interface import Breach, BreachKind, Material

_CHECKS = re.compile(r"\b[\w-]*(test|lint|audit|check|type|cover|verify|scan)[\w-]*", re.IGNORECASE)
_GATHERS = frozenset({"all", "check", "ci", "verify", "test", "tests", "validate"})
_SHELL = re.compile(
    r"^\s*(?:export\s+|override\s+)?SHELL\s*[:?]?=(?!\s*\S*\b(?:ba|z|da|k|a)?sh\b|\$\(shell\b[^\n]*\bbash)[^\n]+"
    r"|^\s*\.SHELLFLAGS\s*[:?]?=(?![^\n]*-\w*c)[^\n]*"
    r"|^\s*(?:export\s+)?(?:MAKEFLAGS|GNUMAKEFLAGS)\s*[:+?]?=[^\n]*(?:(?<![\w-])-?[A-Za-z]*[niqtk][A-Za-z]*\b"
    r"|--(?:ignore-errors|just-print|dry-run|question|touch))|^\s*\.IGNORE\s*:",
    re.MULTILINE,
)
_PHONY = re.compile(r"^\.PHONY\s*::?([^\n]*)", re.MULTILINE)


def makefiles(material: Material) -> Iterator[Breach]:
    """Checks a target asks for no longer, another shell, targets that count as done, files read in another's place."""
    for pair in material.change.files:
        if not covers(MAKEFILES, pair.path) or pair.after is None:
            if pair.before is None and pair.after is not None:
                yield from _named_as_a_target(pair.after, material)
            continue
        before, after = _text(pair.before), _text(pair.after)
        if pair.before is not None:
            yield from _asks_for_less(pair, before, after, material)
            line = newest(_SHELL, before, after)
            if line:
                yield _breach(pair, f"{pair.path} changes how every recipe is run.", "shell", line, material)
            lost = sorted((_phony(before) - _phony(after)) & set(commands(pair.path, after)))
            if lost:
                what = f"{pair.path} lets a file named {' or '.join(lost)} stand for the target."
                yield _breach(pair, what, "phony", line_of(_PHONY, after) or 1, material)
        yield from _takes_over(pair, material)


def _asks_for_less(pair: FileChange, before: str, after: str, material: Material) -> Iterator[Breach]:
    """A target that stands for all checks must go on to ask for each of them."""
    had, has = _asked(before), _asked(after)
    for target in sorted(had.keys() & has.keys()):
        lost = sorted(had[target] - has[target])
        if lost:
            line = line_of(re.compile(rf"^{re.escape(target)}[ \t]*:", re.MULTILINE), after) or 1
            what = f"`{target}` of {pair.path} asks for {', '.join(lost)} no longer."
            yield _breach(pair, what, target, line, material)


def _asked(text: str) -> dict[str, set[str]]:
    """The checks that each target which gathers some asks for."""
    found: dict[str, set[str]] = {}
    for target, words in asked_for(without_comments(text)):
        if target.lower() in _GATHERS:
            found.setdefault(target, set()).update(match[0] for match in _CHECKS.finditer(words))
    return found


def _phony(text: str) -> set[str]:
    return {name for words in _PHONY.findall(without_comments(text)) for name in words.split()}


def _takes_over(pair: FileChange, material: Material) -> Iterator[Breach]:
    """A new or longer file with a recipe that make takes instead of one that runs the tests."""
    assert pair.after is not None
    folder, _, name = pair.after.path.rpartition("/")
    own, had = commands(pair.path, _text(pair.after)), commands(pair.path, _text(pair.before))
    for other in ("GNUmakefile", "makefile", "Makefile"):
        data = material.read(f"{folder}/{other}" if folder else other)
        if data is None or other == name:
            continue
        for target, recipe in commands(other, data.decode("utf-8", "replace")).items():
            runs = any(command.runs_tests for command in recipe)
            if runs and target in own.keys() - had.keys() and not any(item.runs_tests for item in own[target]):
                what = f"{pair.path} has a target `{target}` that may take the place of the one in {other}."
                yield _breach(pair, what, target, own[target][0].line if own[target] else 1, material)


def _named_as_a_target(version: FileVersion, material: Material) -> Iterator[Breach]:
    folder, _, name = version.path.rpartition("/")
    data = material.read(f"{folder}/Makefile" if folder else "Makefile")
    text = "" if data is None else data.decode("utf-8", "replace")
    recipe = commands("Makefile", text).get(name, ())
    if any(command.runs_tests for command in recipe) and name not in _phony(text):
        what = f"{version.path} is named like the target `{name}`, which make takes for done then."
        yield Breach(BreachKind.LOOSENED, what, version.path, after=material.place(version.path, 1, after=True))


def _text(version: FileVersion | None) -> str:
    return version.data.decode("utf-8", "replace") if version is not None and version.is_text else ""


def _breach(pair: FileChange, what: str, subject: str, line: int, material: Material) -> Breach:
    assert pair.after is not None
    place = material.place(pair.after.path, line, after=True)
    return Breach(BreachKind.LOOSENED, what, f"{pair.path}::{subject}", after=place)
