# ruff: noqa: E501 - patterns read better on one line
"""Whether build files, scripts and CI go on to run the tests and the guard, and to heed what they say."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence

from scaffold_cli.model.change import FileChange, FileVersion
from scaffold_cli.syntax.line_patterns import covers, without_comments
from scaffold_cli.testing.integrity.commands import Command, Commands, commands
from scaffold_cli.testing.integrity.interface import Breach, BreachKind, Material

CI = (
    ".github/workflows/*", ".gitlab-ci.yml", ".gitlab/*", ".circleci/*", ".travis.yml", "azure-pipelines*", "jenkinsfile*",
    ".githooks/*", ".husky/*", "bitbucket-pipelines.yml", ".ci/*", "appveyor.yml", ".drone.yml", ".buildkite/*", ".pre-commit-config.yaml",
    "*/action.yml", "action.yml",
)  # fmt: skip
SCRIPTS = (*CI, "makefile", "gnumakefile", "*.mk", "noxfile.py", "tox.ini", "package.json", "justfile", "taskfile.yml",
           "run_tests*", "*.sh", "pyproject.toml")  # fmt: skip
_HOLLOW: Sequence[tuple[str, re.Pattern[str]]] = (
    ("only lists or explains tests", re.compile(r"\s(--help|--version|--collect-only|--co|--setup-only|--setup-plan|--fixtures|--markers|--listTests|--list-tests|--dry-run|-list\b)(\s|$)")),
    ("does not heed how the tests end", re.compile(r"^-(?!-)|^@-|\s&\s*$|(?<!\|)\|(?!\||\s*xargs)(?!.*pipefail)|^!\s|\|\|\s*(\(|\{|exit\s+0|return\s+0|true\b|:)|\bnohup\b|\btrap\b")),
    ("runs the tests only under a condition", re.compile(r"^(@?if\b|@?\[{1,2}\s|@?test\s[^;]*&&)")),
)  # fmt: skip
_NARROW = re.compile(r"(?<=\s)(?:(?:tests?|spec|src|__tests__)/[\w.-]+[\w./-]*[\w-]|[\w./-]+\.py|\S+::\S+)(?=\s|/|$)")
_TAKES_A_SHELL = re.compile(r"^\s*(?:-\s*)?shell:[ \t]*['\"]?([^\n'\"#]+)", re.MULTILINE)
_KNOWN_SHELL = re.compile(
    r"^(bash|sh|pwsh|powershell|cmd|python3?|zsh|\$\{\{[^}]*\}\})(\s+-[\w-]+(\s+pipefail)?)*(\s+\{0\})?\s*$"
)
_GUARD = re.compile(r"\bscaffold\s+check\b([^\n|&;]*)")
_SHOWS = frozenset({"--format", "--output", "-o", "--quiet", "-q", "--verbose", "-v", "--color", "--no-color"})
_WITH_VALUE = frozenset({"--format", "--output", "-o", "--color"})
_TRIGGERS = re.compile(r"^(?:on|'on'|\"on\"|true):(?P<words>[^\n]*(?:\n(?:[ \t][^\n]*|[ \t]*))*)", re.MULTILINE)
_EVENT = re.compile(r"\b(pull_request(?!_)|push|merge_group)\b")
_FILTER = re.compile(
    r"^\s*(paths|paths-ignore|branches-ignore|tags-ignore)\s*:\s*(\[[^\]]*\]|(?:\n\s+-[^\n]*)*)", re.MULTILINE
)
_PROSE = re.compile(
    r"(\.(md|rst|txt|adoc|png|svg)|docs?(/\S*)?|licen[cs]e\S*|changelog\S*|\.gitignore|readme\S*)$", re.IGNORECASE
)


def running(material: Material) -> Iterator[Breach]:
    """Tests that a file ran and does not run any more, or whose end it does not heed any more."""
    gained = _gained(material)
    for pair in material.change.files:
        if pair.before is None or not covers(SCRIPTS, pair.path) or not _readable(pair):
            continue
        before, after = (commands(pair.path, _text(side)) for side in (pair.before, pair.after))
        yield from _no_longer(pair, before, after, gained, material)
        yield from _hollow(pair, before, after, material)
        if covers(CI, pair.path) and pair.after is not None:
            yield from _workflow(pair, material)


def _gained(material: Material) -> int:
    """How many more commands of CI files that the change adds or extends run tests."""
    more = 0
    for pair in material.change.files:
        if covers(CI, pair.path) and _readable(pair):
            had, has = (
                sum(map(_count, commands(pair.path, _text(side)).values())) for side in (pair.before, pair.after)
            )
            more += max(0, has - had)
    return more


def _count(found: Sequence[Command]) -> int:
    return sum(command.runs_tests and not command.bound for command in found)


def _no_longer(
    pair: FileChange, before: Commands, after: Commands, gained: int, material: Material
) -> Iterator[Breach]:
    in_ci = covers(CI, pair.path)
    fresh = any(_count(found) and not _count(before.get(name, ())) for name, found in after.items())
    for name, found in before.items():
        had, has = _count(found), _count(after.get(name, ()))
        if not had or has >= had or (has and not in_ci) or (in_ci and has + gained >= had):
            continue
        if name and name not in after and fresh:  # it has another name now
            continue
        what = f"`{name}` of {pair.path}" if name else pair.path
        yield _breach(f"{what} does not run the tests or the guard any more.", pair, f"runs {name}", material, found[0])


def _hollow(pair: FileChange, before: Commands, after: Commands, material: Material) -> Iterator[Breach]:
    known = {command.text for found in before.values() for command in found}
    more = sum(map(_count, after.values())) > sum(map(_count, before.values()))
    words = {word.rstrip("/") for text in known for word in text.split()}
    for name, found in after.items():
        if not _count(before.get(name, ())):
            continue
        for command in found:
            if command.text in known or not command.runs_tests:
                continue
            told = [
                what
                for what, pattern in _HOLLOW
                if pattern.search(command.text.removeprefix("- ")) and not any(map(pattern.search, known))
            ]
            narrow = set(_NARROW.findall(command.text))
            if narrow and not more and narrow.isdisjoint(words):
                told.append("runs a part of the tests")
            for what in told:
                place = material.place(pair.path, command.line, after=True)
                shown = f"{pair.path} {what}: `{' '.join(command.text.split())[:100]}`."
                yield Breach(BreachKind.LOOSENED, shown, f"{pair.path}::{what}", after=place)


def _workflow(pair: FileChange, material: Material) -> Iterator[Breach]:
    before, after = without_comments(_text(pair.before)), without_comments(_text(pair.after))
    shells = {shell.strip() for shell in _TAKES_A_SHELL.findall(after)} - {
        shell.strip() for shell in _TAKES_A_SHELL.findall(before)
    }
    for shell in sorted(shells):
        if not _KNOWN_SHELL.match(shell):
            yield _breach(f"{pair.path} hands its commands to `{shell}`.", pair, "shell", material)
    asked, asks = (Counter(_question(words) for words in _GUARD.findall(text)) for text in (before, after))
    if asks - asked and asked - asks:
        yield _breach(f"{pair.path} asks the guard for less, or for something else.", pair, "guard", material)
    had, has = (_TRIGGERS.search(text) for text in (before, after))
    if had is None or has is None or not _runs(pair):
        return
    lost = sorted(set(_EVENT.findall(had["words"])) - set(_EVENT.findall(has["words"])))
    if lost:
        yield _breach(f"{pair.path} does not run on {' and '.join(lost)} any more.", pair, "events", material)
    if _filters(has["words"]) - _filters(had["words"]):
        yield _breach(f"{pair.path} runs for fewer files or branches.", pair, "filters", material)


def _runs(pair: FileChange) -> bool:
    return any(map(_count, commands(pair.path, _text(pair.before)).values()))


def _filters(words: str) -> set[str]:
    """Filters on paths and branches but those that let prose alone go unchecked."""
    found = set()
    for kind, listed in _FILTER.findall(words):
        names = [name for name in re.split(r"[\s\[\],'\"]+|(?<=\s)-\s", listed) if name not in ("", "-")]
        if kind != "paths-ignore" or not all(map(_PROSE.search, names)):
            found.add(kind)
    return found


def _question(words: str) -> tuple[str, ...]:
    """The words of `scaffold check` that matter to its answer."""
    try:
        given = shlex.split(words.rstrip("'\""), comments=True)
    except ValueError:
        given = words.split()
    kept, skip = [], False
    for word in given:
        option = word.partition("=")[0]
        if not skip and option not in _SHOWS:
            kept.append(word)
        skip = not skip and option in _WITH_VALUE and "=" not in word
    return tuple(kept)


def _readable(pair: FileChange) -> bool:
    return all(side is None or side.is_text for side in (pair.before, pair.after))


def _text(version: FileVersion | None) -> str:
    return version.data.decode("utf-8", "replace") if version is not None and version.is_text else ""


def _breach(what: str, pair: FileChange, subject: str, material: Material, command: Command | None = None) -> Breach:
    before = material.place(pair.before.path, command.line, after=False) if command and pair.before else None
    after = material.place(pair.after.path, 1, after=True) if pair.after else None
    return Breach(BreachKind.LOOSENED, what, f"{pair.path}::{subject}", before=before, after=after)
