# ruff: noqa: E501 - patterns read better on one line
"""Commands written into build files, scripts and CI: which of them run tests, and under what name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scaffold_cli.syntax.line_patterns import covers, without_comments

MAKEFILES = ("makefile", "gnumakefile", "*.mk", "justfile")
_RUNNER = re.compile(
    r"(?<![\w-])(pytest|py\.test|unittest|tox|nox|nose2|ward|behave|stestr|ctest|gtest\w*|bats|rspec|minitest|phpunit|pest|jest|vitest|mocha|"
    r"ava|karma|cypress|playwright|tap|scaffold[ -]check|(npm|pnpm|yarn|bun|deno)\b[^\n;&|]*\btest(:\w+)?|node\b[^\n;&|]*--test\b|"
    r"mvnw?\b[^\n;&|]*\b(test|verify|install|package|deploy)|gradlew?\b[^\n;&|]*\b(test|check|build)|(go|cargo|dotnet|swift|sbt|mix|stack|cabal|zig|bazel|lein|"
    r"rake|rails|hatch|poe|pdm|rye|uv|just|task|make|\$\(MAKE\)|\$\{MAKE\}|ninja|meson|setup\.py|manage\.py|Rscript|julia|prove)\b[^\n;&|]*\b(unit|e2e|integration)?(tests?|check|verify|ci|nextest)\b)",
    re.IGNORECASE,
)
_NO_MORE_THAN_TOLD = re.compile(
    r"^(echo|printf|true|:|#|//|rem|cat|grep|ls|which|command -v|type|pip3?|python\S* -m pip|uv (pip|sync|add)|apt(-get)?|brew|apk|conda|npm (ci|i|install|add)|yarn (add|install))(\s|$)",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^[\s@+-]*(?:(?:run|script|commands?|test)\s*[:=]\s*)?[|>\s\"'\[(]*(?:[A-Za-z_]\w*=\S*\s+)*(?:env\s+(?:\w+=\S*\s+)*)?",
    re.IGNORECASE,
)
_ASSIGNED = re.compile(r"^(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*(?:::?|\?)?=[ \t]*(.*)$", re.MULTILINE)
_USED = re.compile(r"\$[({]([A-Za-z_]\w*)[)}]")
_SECTION = re.compile(r"^\[+tool\.[^\]]*\b(scripts|tasks|commands)\b|^\[")
_STARTS = re.compile(r"\.(run|run_always|call|check_call|notify)\(")
_HEAD = re.compile(r"^([\w./%$(){} -]+?)[ \t]*::?(?!=)(.*)$")
_OPENS = re.compile(r"^\s*(ifdef|ifndef|ifeq|ifneq)\b")
_CLOSES = re.compile(r"^\s*endif\b")


@dataclass(frozen=True, slots=True)
class Command:
    """One line of shell. `bound`: whether it stands under a condition of the build file."""

    text: str
    line: int
    bound: bool = False

    @property
    def runs_tests(self) -> bool:
        """True when a part of it starts a test runner, or the guard, rather than talks of one."""
        parts = re.split(r"&&|\|\|?|;", self.text)
        return any(
            _RUNNER.search(part) is not None and not _NO_MORE_THAN_TOLD.match(_LEAD.sub("", part)) for part in parts
        )


Commands = Mapping[str, Sequence[Command]]
"""By name: a target, a script, a section; everything under the empty name where the file has no parts."""


def commands(path: str, text: str) -> Commands:
    """The commands of a file, those of comments left out."""
    if covers(MAKEFILES, path):
        return _recipes(text)
    if covers(("package.json", "composer.json"), path):
        return _scripts(text)
    lines = without_comments(text).split("\n")
    if covers(("pyproject.toml", "noxfile.py"), path):
        lines = list(_started(path, lines))
    return {"": [Command(line.strip(), number) for number, line in enumerate(lines, start=1) if line.strip()]}


def _started(path: str, lines: Sequence[str]) -> Iterator[str]:
    """The lines of a program that start others, the tasks of a project file; the rest is blanked."""
    of_tasks = False
    for line in lines:
        section = _SECTION.match(line)
        of_tasks = of_tasks if section is None else section[1] is not None
        starts = _STARTS.search(line) if path.endswith(".py") else of_tasks and section is None
        yield line if starts else ""


def asked_for(text: str) -> Iterator[tuple[str, str]]:
    """(target, prerequisites) of every rule of a makefile."""
    for line in _joined(text):
        head = _HEAD.match(line) if not line.startswith("\t") else None
        if head is not None:
            yield from ((name, head[2]) for name in head[1].split())


def _recipes(text: str) -> Commands:
    values = dict(_ASSIGNED.findall(text))
    found: dict[str, list[Command]] = {}
    names: list[str] = []
    depth = 0
    lines = _joined(text)
    for number, line in enumerate(lines, start=1):
        if _OPENS.match(line) or _CLOSES.match(line):
            depth = max(0, depth + (1 if _OPENS.match(line) else -1))
        elif line.startswith(("\t", "    ")) and names:
            told = _spelled(line.strip(), values)
            if not told.startswith("#"):
                for name in names:
                    found[name].append(Command(told, number, depth > 0))
        elif (head := _HEAD.match(line)) is not None:
            names = head[1].split()
            _, semicolon, rest = head[2].partition(";")
            replaced = bool(semicolon) or (number < len(lines) and lines[number].startswith("\t"))
            for name in names:  # a later recipe takes the place of an earlier one
                found[name] = [] if replaced else found.get(name, [])
                if semicolon:
                    found[name].append(Command(_spelled(rest, values), number, depth > 0))
    return found


def _joined(text: str) -> list[str]:
    """Lines with their continuations; the lines that were joined stay as empty ones."""
    found: list[str] = []
    waiting = 0
    for line in text.split("\n"):
        if waiting:
            found[-waiting] = f"{found[-waiting].removesuffix(chr(92))} {line.strip()}"
            found.append("")
        else:
            found.append(line)
        waiting = waiting + 1 if line.endswith("\\") else 0
    return found


def _spelled(text: str, values: Mapping[str, str]) -> str:
    for _ in range(3):
        text = _USED.sub(lambda match: values.get(match[1], match[0]), text)
    return text


def _scripts(text: str) -> Commands:
    try:
        scripts = json.loads(text)["scripts"]
        pairs = [(str(name), str(value)) for name, value in scripts.items()]
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}
    lines = text.split("\n")
    return {
        name: [Command(value, next((n for n, line in enumerate(lines, start=1) if f'"{name}"' in line), 1))]
        for name, value in pairs
    }
