"""What the budget counts in each file of a change."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scaffold_cli.model.change import FileChange, FileStatus, FileVersion, Omitted
from scaffold_cli.syntax.frontends import has_front_end, outline
from scaffold_cli.syntax.line_diff import code_diff
from scaffold_cli.syntax.outline import Outline
from scaffold_cli.syntax.roles import is_test_file
from scaffold_cli.syntax.signatures import Lost, lost_signatures


@dataclass(frozen=True, slots=True)
class FileCount:
    """The size of the change to one file. `added` and `deleted` are lines of code.

    `before` and `after` are outlines of the sides that exist and have public signatures to look at.
    `problem` says in half a sentence why a count is missing.
    """

    pair: FileChange
    added: int = 0
    deleted: int = 0
    before: Outline | None = None
    after: Outline | None = None
    problem: str = ""

    @property
    def path(self) -> str:
        """The path after the change, or the old one of a deleted file."""
        return self.pair.path

    @property
    def before_path(self) -> str:
        """The path before the change; empty for an added file."""
        return self.pair.before.path if self.pair.before is not None else ""

    @property
    def changed(self) -> int:
        """Added plus deleted lines."""
        return self.added + self.deleted

    @property
    def net_deleted(self) -> int:
        """Deleted minus added lines; negative for a file that grows."""
        return self.deleted - self.added

    @property
    def differs(self) -> bool:
        """True when the file counts as touched: anything but comments and spacing differs."""
        pair = self.pair
        if self.changed or pair.status is not FileStatus.MODIFIED or pair.before is None or pair.after is None:
            return True
        return pair.before.mode is not pair.after.mode or not (pair.before.is_text and pair.after.is_text)


def measure(pair: FileChange) -> FileCount:
    """Count one file. Binary files, links and submodules have no lines; they count as files."""
    if any(side.omitted is Omitted.TOO_LARGE for side in pair.sides):
        return FileCount(pair, problem="the file is over the size limit")
    before, after = _text_side(pair.before), _text_side(pair.after)
    added, deleted = code_diff(
        None if before is None else before.data,
        None if after is None else after.data,
        pair.path,
        before.path if before is not None else "",
    )
    old, new = _outline(before), _outline(after)
    for side in (old, new):
        if side is not None and side.problem:
            problem = f"its public signatures cannot be read ({side.problem})"
            return FileCount(pair, added, deleted, problem=problem)
    return FileCount(pair, added, deleted, old, new)


def lost_in(counts: Iterable[FileCount]) -> tuple[Lost, ...]:
    """Public signatures these files lose, seen together."""
    return lost_signatures((count.before, count.after) for count in counts)


def _text_side(version: FileVersion | None) -> FileVersion | None:
    return version if version is not None and version.is_text else None


def _outline(version: FileVersion | None) -> Outline | None:
    """The outline of production code in a language that has a front-end."""
    if version is None or is_test_file(version.path):
        return None
    found = outline(version)
    return found if has_front_end(found.language) else None
