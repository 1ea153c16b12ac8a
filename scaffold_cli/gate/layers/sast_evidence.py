"""What the SAST layer found, as violations: one shape for every scanner."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath

from scaffold_cli.model.errors import ScaffoldError
from scaffold_cli.model.finding import Finding
from scaffold_cli.model.verdict import Effect, LayerName, Place, Severity, Violation
from scaffold_cli.sast.inspection import FileProblem

_WAYS_OUT = {
    "too-large": "Raise max-file-bytes or split the file.",
    "submodule-not-judged": "Judge the submodule's own change.",
    "finding-not-placed": "Let the scanner look at exactly the files of the two sides, and at nothing else.",
}
"""What to do about a file that was not read, by the code of the problem."""
_WHYS = {
    "finding-not-placed": "A finding that has no place in the code cannot be told from those that were there before.",
}


def new_finding(finding: Finding, gate: Iterable[Severity]) -> Violation:
    """A finding the change brings."""
    blocks = finding.severity in gate
    code = finding.place.text.strip().split("\n")[0].strip()[:120]
    shown = f": `{code}`" if code else ""
    return Violation(
        layer=LayerName.SAST,
        code=finding.rule,
        effect=Effect.BLOCKS if blocks else Effect.WARNS,
        what=f"The change brings a new {finding.severity.value} finding in {_where(finding)}{shown}.",
        why=finding.why,
        keep=finding.keep,
        because=f"new {finding.severity.value} findings are {'not allowed' if blocks else 'reported only'} (sast.gate)",
        cwe=finding.cwe,
        severity=finding.severity,
        after=finding.place,
        subject=finding.id,
    )


def new_suppression(mark: Finding) -> Violation:
    """A mark the change adds that silences a scanner."""
    return Violation(
        layer=LayerName.SAST,
        code="suppression-added",
        effect=Effect.BLOCKS,
        what=f"The change adds the mark `{mark.fingerprint.code[0]}` in {_where(mark)}, which silences a scanner.",
        why="A silenced scanner no longer sees the next defect on that line either.",
        keep="Remove the mark and mend what it hides, or have the person who runs the command waive it.",
        because="marks that silence security scanners may not be added by the change they would excuse",
        after=mark.place,
        subject=mark.id,
    )


def not_judged(problem: FileProblem) -> Violation:
    """A file, or the whole tree when it names none, that was not looked at completely."""
    return Violation(
        layer=LayerName.SAST,
        code=problem.code,
        effect=Effect.UNDECIDED,
        what=f"{problem.path or 'The tree'} {problem.reason}, so its findings are not known.",
        why=_WHYS.get(problem.code, "An empty result for a file that was not read completely proves nothing."),
        keep=_WAYS_OUT.get(problem.code, "Mend the file and try again."),
        after=Place(problem.path, problem.line, problem.line) if _is_inside(problem.path) else None,
        subject=f"{problem.path}\0{problem.code}",
    )


def no_report(error: ScaffoldError) -> Violation:
    """A further scanner that gave no answer; what the others found still counts."""
    return Violation(
        layer=LayerName.SAST,
        code="scanner-without-report",
        effect=Effect.UNDECIDED,
        what=error.message,
        why="A scanner that gave no answer must not be taken for one that found nothing.",
        keep=error.hint,
    )


def _is_inside(path: str) -> bool:
    return bool(path) and ":" not in path.partition("/")[0] and not PurePosixPath(path).is_absolute()


def _where(finding: Finding) -> str:
    return f"{finding.place.path}, {finding.place.symbol}" if finding.place.symbol else finding.place.path
