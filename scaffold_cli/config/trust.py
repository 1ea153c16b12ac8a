"""Commands that configuration names run only when the person at this machine has approved them.

A repository can come from anywhere, and its scaffold.toml with it. An approval is bound to the command's words and to
the folder it runs in, and is kept in the repository's own `.git/scaffold`, which no commit and no candidate reaches.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from scaffold_cli.config.policy import Policy
from scaffold_cli.config.schema import SastSettings, Settings
from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.model.tree import Tree

FILE = "trust.json"
VARIABLE = "SCAFFOLD_TRUST"
"""Set to 1, approves what the judged repository's configuration names, for this call: for containers and scripts."""
_CI_FILES = re.compile(
    r"^(\.github/workflows/[^/]+\.ya?ml|\.gitlab-ci\.yml|\.circleci/config\.yml|\.ci/[^/]+|Jenkinsfile)$"
)
_CALLS_US = re.compile(rb"\bscaffold(-check|\s+(check|run))\b")


@dataclass(frozen=True, slots=True, order=True)
class Command:
    """A program that configuration names: the setting, the folder it runs in ("" is the root), its words."""

    key: str
    folder: str
    text: str

    @property
    def digest(self) -> str:
        """What an approval is bound to: SHA-256 (hex) over all three."""
        return hashlib.sha256(
            "\0".join((self.key, self.folder, self.text)).encode("utf-8", "surrogateescape")
        ).hexdigest()

    def __str__(self) -> str:
        return f"{self.key}{f' of {self.folder}/' if self.folder else ''}: {self.text}"


class NotApprovedError(UndecidedError):
    """A command was not approved, so what it would have said is not known."""

    def __init__(self, command: Command) -> None:
        super().__init__(
            f"The configuration names a command that nobody approved on this machine ({command}).",
            "Read it, then run `scaffold trust`; or name a command yourself, as with --test-command.",
        )


@dataclass(frozen=True, slots=True)
class Approvals:
    """What may run. `file` holds the digests that were approved; None where there is no repository to keep it in."""

    file: Path | None = None
    everything: bool = False
    digests: frozenset[str] = field(default_factory=frozenset)

    @staticmethod
    def read(folder: Path | None, environment: Mapping[str, str], before: Tree | None = None) -> Approvals:
        """The approvals kept in `folder` (`.git/scaffold`). A damaged file approves nothing.

        In CI (the variable CI is set) the configuration of the before side counts as approved when the CI files of
        that side call scaffold themselves: whoever merged those merged it too.
        """
        everything = environment.get(VARIABLE) == "1" or (_in_ci(environment) and _calls_us(before))
        if folder is None:
            return Approvals(None, everything)
        file = folder / FILE
        try:
            known = json.loads(file.read_bytes())["approved"]
            digests = frozenset(item["digest"] for item in known)
        except (OSError, ValueError, KeyError, TypeError):
            digests = frozenset()
        return Approvals(file, everything, digests)

    def allow(self, command: Command) -> bool:
        """True when the command may run."""
        return self.everything or command.digest in self.digests

    def with_approved(self, commands: Iterable[Command]) -> Approvals:
        """The same with these approved as well, kept on disk in one step. Raises OSError when it cannot be written."""
        assert self.file is not None
        wanted = list(commands)
        known: list[dict[str, str]] = []
        if self.file.is_file():
            try:
                known = [
                    item for item in json.loads(self.file.read_bytes())["approved"] if item["digest"] in self.digests
                ]
            except (ValueError, KeyError, TypeError):
                known = []
        new = [command for command in wanted if command.digest not in self.digests]
        entries = known + [{"digest": item.digest, "command": str(item)} for item in new]
        self.file.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.file.with_name(f"{FILE}.new")
        fresh.write_text(json.dumps({"approved": entries}, indent=1), encoding="utf-8")
        fresh.replace(self.file)
        return replace(self, digests=self.digests | {command.digest for command in new})


def commands_of(policy: Policy, given: Iterable[str] = ()) -> tuple[Command, ...]:
    """Every command a policy names, each once. `given` are keys from the command line: those are the caller's own."""
    own = set(given)
    found = {command for folder, settings in _all(policy) for command in _named(policy, folder, settings)}
    return tuple(sorted(command for command in found if command.key not in own))


def with_trust(policy: Policy, approvals: Approvals, given: Iterable[str] = ()) -> Policy:
    """The policy, with the commands that may not run named in it."""
    refused = frozenset(command for command in commands_of(policy, given) if not approvals.allow(command))
    return replace(policy, refused=frozenset((item.key, item.folder, item.text) for item in refused))


def require(policy: Policy, key: str, folder: str, text: str) -> None:
    """Raises NotApprovedError for a command that may not run."""
    if (key, folder, text) in policy.refused:
        raise NotApprovedError(Command(key, folder, text))


def _all(policy: Policy) -> list[tuple[str, Settings]]:
    return [("", policy.root), *policy.folders.items()]


def _named(policy: Policy, folder: str, settings: Settings) -> Iterable[Command]:
    if settings.tests.command.strip():
        yield Command("tests.command", policy.commands.get(folder, folder), settings.tests.command)
    if settings.sast.command.strip():
        yield Command("sast.command", policy.scanners.get(folder, folder), settings.sast.command)
    if settings.sast.engine != SastSettings().engine:
        yield Command("sast.engine", "", settings.sast.engine)
    if settings.run.proposer.startswith("command:"):
        yield Command("run.proposer", "", settings.run.proposer)


def _in_ci(environment: Mapping[str, str]) -> bool:
    return environment.get("CI", "").lower() in ("1", "true", "yes")


def _calls_us(tree: Tree | None) -> bool:
    files = [path for path in tree.paths() if _CI_FILES.match(path)] if tree is not None else []
    return tree is not None and any(_CALLS_US.search(tree.read(path) or b"") for path in files)
