"""A scanner of the user's own, run on both whole trees in isolation, and what its reports say."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatch

from scaffold_cli.model.change import Change, FileVersion
from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.model.plain import PlainError, from_plain, to_plain
from scaffold_cli.model.tree import Tree
from scaffold_cli.processes import Completed
from scaffold_cli.sandbox.commands import environment, words
from scaffold_cli.sandbox.interface import Workspace
from scaffold_cli.sast.cache import ResultCache
from scaffold_cli.sast.sarif.comparing import Compared, compare_logs
from scaffold_cli.sast.sarif.places import Ground
from scaffold_cli.sast.sarif.reading import Log, read

_FORM = 1
"""Of the remembered reports; raise it whenever they are read differently."""
_EMPTY = Log((), ())
_KEY = "sast.command"
_SETTINGS = (
    *(".bandit", "bandit.y*ml", ".semgrepignore", ".opengrepignore", ".golangci.*", ".gosec*", "gosec.*"),
    *(".eslintrc*", "eslint.config.*", ".eslintignore", ".oxlintrc.json", "biome.json*"),
    *("ruff.toml", ".ruff.toml", ".flake8", ".pylintrc", "pylintrc"),
    *("spotbugs*.xml", "findbugs*.xml", "pmd*.xml", "sonar-project.properties", ".sonarcloud.properties"),
    *("codeql-config.y*ml", ".snyk", ".trivyignore*", "trivy.yaml", ".checkov.y*ml", ".tfsec*", ".gitleaks*"),
)
"""Files by which scanners are told what to leave out."""


@dataclass(frozen=True, slots=True)
class Scanner:
    """A command that writes SARIF to `output` (relative to `folder`), or to its standard output without one."""

    command: str
    output: str = ""
    folder: str = ""
    """The folder of the tree it runs in; POSIX, relative."""
    timeout: float = 60.0

    def scan(self, workspace: Workspace, tree: Tree) -> Log:
        """Run the command once, in a workspace of `tree`, and read its report.

        An exit code counts for nothing: many scanners end with 1 when they find something. Raises UndecidedError
        when it is ended (by its time limit or a signal) or its report is not whole, ProgramNotFoundError without
        the program, UsageError for a command that cannot be split into words.
        """
        report = posixpath.normpath(posixpath.join(self.folder, self.output))
        if report.startswith(("/", "../")):
            raise UsageError(f"sast.output names {self.output!r}, which is outside the tree.")
        if self.output:
            workspace.write({report: None})  # a report of another day must not pass for this one's
        argv = words(self.command, _KEY)
        done = workspace.run(argv, timeout=self.timeout, env=environment(), folder=self.folder)
        if done.timed_out:
            raise UndecidedError(
                f"The scanner `{self.command}` did not finish within {self.timeout:g} seconds.", "Raise sast.timeout."
            )
        data = workspace.read(report) if self.output else done.stdout
        if done.code < 0 or not data:
            where = f"to {self.output}" if self.output else "to its standard output"
            raise UndecidedError(
                f"The scanner `{self.command}` wrote no report {where} ({_ending(done)}).",
                "Try the command by hand; sast.output names the file it writes, if it writes one.",
            )
        ground = Ground((workspace.root.as_posix(),), self.folder, frozenset(tree.paths()))
        return read(data, f"What `{self.command}` wrote", ground)


@dataclass(frozen=True, slots=True)
class Trees:
    """Both sides of a change: the trees, and how to open a fresh workspace of each."""

    change: Change
    before: Tree
    after: Tree
    open_before: Callable[[], Workspace]
    open_after: Callable[[], Workspace]


def compare_scans(scanner: Scanner, trees: Trees, store: ResultCache) -> Compared:
    """Scan both sides and compare. Raises what `Scanner.scan` raises.

    A remembered report of the old side accepts, but does not reject: the scanner may have changed since.
    """
    key = _key(scanner, trees.before)
    known = _recall(store, key)
    before = _scan_before(scanner, trees) if known is None else known
    with trees.open_after() as workspace:
        workspace.write(_old_settings(scanner, trees.change))
        after = scanner.scan(workspace, trees.after)
    compared = compare_logs(before, after, trees.change, trees.before, trees.after)
    if known is not None and (compared.findings.new or compared.problems):
        before = _scan_before(scanner, trees)
        compared = compare_logs(before, after, trees.change, trees.before, trees.after)
    store.write(key, to_plain(before))
    store.write(_key(scanner, trees.after), to_plain(after))
    return compared


def _old_settings(scanner: Scanner, change: Change) -> dict[str, FileVersion | None]:
    """The scanner's settings that the change touches, as they were: a change cannot excuse itself.

    These are the files a scanner reads by itself, and those the command names.
    """
    named = {posixpath.normpath(posixpath.join(scanner.folder, word)) for word in words(scanner.command, _KEY)}
    old: dict[str, FileVersion | None] = {}
    for pair in change.files:
        for side in pair.sides:
            if side.path in named or any(fnmatch(posixpath.basename(side.path), name) for name in _SETTINGS):
                old[side.path] = pair.before if pair.before and pair.before.path == side.path else None
    return old


def _scan_before(scanner: Scanner, trees: Trees) -> Log:
    """The old side's report; many scanners take an empty tree for a mistake, so it is not shown to any."""
    if not trees.before.paths():
        return _EMPTY
    with trees.open_before() as workspace:
        return scanner.scan(workspace, trees.before)


def _recall(store: ResultCache, key: str) -> Log | None:
    try:
        return from_plain(Log, store.read(key))
    except PlainError:
        return None


def _key(scanner: Scanner, tree: Tree) -> str:
    parts = (str(_FORM), scanner.command, scanner.output, scanner.folder, tree.id)
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()
    return f"report-{digest}"


def _ending(done: Completed) -> str:
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    said = f": {lines[-1].strip()[:200].rstrip('.')}" if lines else ""
    return f"it ended with code {done.code}{said}"
