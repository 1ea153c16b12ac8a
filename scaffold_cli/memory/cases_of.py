"""Cases from what the gate accepted."""

from __future__ import annotations

import hashlib
from pathlib import PurePosixPath

from scaffold_cli import clock
from scaffold_cli.memory.case import Case, CaseKind
from scaffold_cli.model.change import Change, FileVersion
from scaffold_cli.model.plain import canonical, to_plain
from scaffold_cli.model.verdict import Verdict, Violation

_LANGUAGES = {
    ".py": "python", ".java": "java", ".js": "javascript", ".jsx": "javascript", ".ts": "typescript",
    ".tsx": "typescript", ".go": "go", ".c": "c", ".h": "c", ".cc": "c++", ".cpp": "c++",
}  # fmt: skip


def repair_case(
    change: Change,
    verdict: Verdict,
    *,
    title: str,
    lesson: str = "",
    cwe: tuple[str, ...] = (),
    mended: tuple[Violation, ...] = (),
) -> Case:
    """The case of an accepted change; `mended` are the violations of the candidate it replaced."""
    return Case(
        kind=CaseKind.REPAIR,
        title=title,
        query=_text(change, "before"),
        before=_text(change, "before"),
        after=_text(change, "after"),
        lesson=lesson,
        cwe=cwe or tuple(sorted({name for violation in mended for name in violation.cwe})),
        language=language_of(change),
        protections=tuple(sorted({violation.code for violation in mended})),
        anchors=tuple(sorted({violation.subject for violation in mended if violation.subject})),
        verdict=hashlib.sha256(canonical(to_plain(verdict))).hexdigest(),
        source=hashlib.sha256(_text(change, "before").encode("utf-8", "surrogateescape")).hexdigest(),
        created=clock.now().isoformat(timespec="seconds"),
    )


def language_of(change: Change) -> str:
    """The language most of the changed files are in, by their names; empty when none is known."""
    found = [_LANGUAGES[suffix] for pair in change.files if (suffix := PurePosixPath(pair.path).suffix) in _LANGUAGES]
    return max(found, key=found.count, default="")


def _text(change: Change, side: str) -> str:
    versions: list[FileVersion | None] = [getattr(pair, side) for pair in change.files]
    return "\n".join(version.data.decode("utf-8", "replace") for version in versions if version is not None)
