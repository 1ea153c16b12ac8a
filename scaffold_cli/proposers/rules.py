"""The built-in proposer: repairs what our rules can fix, one rule in one file at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scaffold_cli.model.change import FileMode, FileVersion
from scaffold_cli.proposers.fixes import apply_fixes, scan_fixes
from scaffold_cli.proposers.interface import Proposal, Request
from scaffold_cli.sandbox.interface import Workspace
from scaffold_cli.sast.output import Match
from scaffold_cli.syntax.roles import is_test_file


@dataclass(frozen=True, slots=True)
class _Candidate:
    rule: str
    title: str
    why: str
    cwe: str
    places: int
    data: bytes

    def proposal(self, path: str) -> Proposal:
        places = "" if self.places == 1 else f" in {self.places} places"
        return Proposal(f"{self.title} in {path}{places}", detail=f"{self.why} {self.cwe} ({self.rule})".strip())


class RulesProposer:
    """Proposes safe repairs of Python files in a stable order until none is left; the goal is not read.

    A repair that was not accepted is not proposed again in the same chain. Test files are left alone.
    """

    name = "rules"

    def __init__(self, cache: Path | None = None) -> None:
        self._cache = cache / "sast" if cache else None
        self._tried: set[tuple[str, str]] = set()
        self._known: dict[str, tuple[_Candidate, ...]] = {}
        """Repairs by content (SHA-256 of the file)."""

    def propose(self, request: Request, workspace: Workspace) -> Proposal:
        """Write the next repair. Raises UndecidedError when the scanner gives no answer."""
        files = {path: data for path in _python(request) if (data := workspace.read(path)) is not None}
        self._look_at(files)
        for path, data in files.items():
            for candidate in self._known[_key(data)]:
                if (path, candidate.rule) in self._tried:
                    continue
                self._tried.add((path, candidate.rule))
                workspace.write({path: FileVersion(path, candidate.data, request.files[path])})
                return candidate.proposal(path)
        return Proposal("no rule knows a further repair", done=True)

    def _look_at(self, files: dict[str, bytes]) -> None:
        """Find the repairs of contents not seen before, the scanner's in one run."""
        unknown = [(path, data) for path, data in files.items() if _key(data) not in self._known]
        for (path, data), matches in zip(unknown, scan_fixes(unknown, self._cache), strict=True):
            self._known[_key(data)] = (*_repairs(data), *_fixes(path, data, matches))


def _repairs(data: bytes) -> Iterator[_Candidate]:
    from scaffold_cli.proposers.repairs.table import candidates

    for about, result, places in candidates(data):
        yield _Candidate(about.id, about.title, about.why, about.cwe, places, result)


def _fixes(path: str, data: bytes, matches: tuple[Match, ...]) -> Iterator[_Candidate]:
    for rule in dict.fromkeys(match.rule for match in matches):
        of_rule = [match for match in matches if match.rule == rule]
        fixed = apply_fixes(path, data, of_rule)
        if fixed is not None and fixed != data:
            first = of_rule[0]
            yield _Candidate(rule, f"apply the fix of {rule}", first.why, ", ".join(first.cwe), len(of_rule), fixed)


def _python(request: Request) -> list[str]:
    return [
        path
        for path, mode in sorted(request.files.items())
        if path.endswith(".py") and mode in (FileMode.REGULAR, FileMode.EXECUTABLE) and not is_test_file(path)
    ]


def _key(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
