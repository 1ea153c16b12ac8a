"""Two reports of one scanner, one for each side of a change, compared by our own fingerprints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scaffold_cli.model.change import Change, FileVersion
from scaffold_cli.model.finding import Finding, Fingerprint
from scaffold_cli.model.tree import Tree
from scaffold_cli.model.verdict import Place
from scaffold_cli.sast.delta import Delta, compare
from scaffold_cli.sast.fingerprint import findings, number
from scaffold_cli.sast.inspection import FileProblem
from scaffold_cli.sast.output import Match, sentences
from scaffold_cli.sast.sarif.reading import Log, Notice, Result
from scaffold_cli.sast.source import Side, Source


@dataclass(frozen=True, slots=True)
class Compared:
    """What two reports came to. Each of `problems` leaves the change undecided."""

    findings: Delta
    problems: tuple[FileProblem, ...]
    tools: tuple[str, ...]
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class _Half:
    """One side: its tree, its sources by path after the change, what is left of its results."""

    tree: Tree | None
    sources: dict[str, Source]
    left_out: frozenset[str]
    """Paths after the change of files whose text was not read."""
    results: tuple[Result, ...]


def compare_logs(before: Log, after: Log, change: Change, old: Tree | None, new: Tree | None) -> Compared:
    """Compare the reports on the trees `old` and `new`, whose difference is `change`.

    What both report alike on a file the change does not touch is the same finding and needs no fingerprint.
    """
    touched = {side.path for pair in change.files for side in pair.sides}
    rest_old, rest_new = _without_common(before.results, after.results, touched)
    halves = _half(change, 0, old, rest_old), _half(change, 1, new, rest_new)
    renames = {pair.before.path: pair.path for pair in change.files if pair.before}
    found_old, _ = _findings(halves[0], renames)
    found_new, problems = _findings(halves[1], {})
    _share(halves, touched)
    return Compared(
        findings=compare(found_old, found_new, Side(halves[0].sources), Side(halves[1].sources)),
        problems=(*problems, *_complaints(before.notices, after.notices, touched)),
        tools=tuple(dict.fromkeys((*after.tools, *before.tools))),
        before=len(before.results),
        after=len(after.results),
    )


def _without_common(
    before: Sequence[Result], after: Sequence[Result], touched: set[str]
) -> tuple[tuple[Result, ...], tuple[Result, ...]]:
    common = _counted(before, touched) & _counted(after, touched)
    return tuple(_rest(before, common)), tuple(_rest(after, common))


def _counted(results: Iterable[Result], touched: set[str]) -> Counter[Result]:
    return Counter(result for result in results if result.path not in touched)


def _rest(results: Iterable[Result], common: Counter[Result]) -> Iterator[Result]:
    left = common.copy()
    for result in results:
        if left[result] > 0:
            left[result] -= 1
        else:
            yield result


def _half(change: Change, index: int, tree: Tree | None, results: tuple[Result, ...]) -> _Half:
    sources, left_out = {}, set()
    for pair in change.files:
        side = (pair.before, pair.after)[index]
        if side is not None and side.is_text:
            sources[pair.path] = Source.of(side, pair.path)
        elif side is not None:
            left_out.add(pair.path)
    return _Half(tree, sources, frozenset(left_out), results)


def _share(halves: tuple[_Half, _Half], touched: set[str]) -> None:
    """A file the change leaves alone is on both sides, whichever side a finding made us read it for."""
    for one, other in (halves, halves[::-1]):
        for path, source in one.sources.items():
            if path not in touched:
                other.sources.setdefault(path, source)


def _findings(half: _Half, renames: dict[str, str]) -> tuple[list[Finding], list[FileProblem]]:
    """The findings of one side by fingerprint, and what could not be given one."""
    by_path: dict[str, list[Result]] = {}
    for result in half.results:
        by_path.setdefault(renames.get(result.path, result.path) if result.inside else result.path, []).append(result)
    found: list[Finding] = []
    problems: list[FileProblem] = []
    for path, results in by_path.items():
        without_region = [result for result in results if result.region is None and result.inside]
        with_region = [result for result in results if result.region is not None or not result.inside]
        found.extend(number(_of_whole_file(result, path) for result in without_region))
        reason = _why_unread(half, path, with_region)
        if reason:
            problems.append(FileProblem(path, "finding-not-placed", reason))
        elif with_region:
            source = half.sources[path]
            matches = [_match(result, source) for result in with_region]
            found.extend(findings(source, [match for match in matches if match is not None]))
            if None in matches:
                lines = len(source.lines)
                reason = f"has {lines} lines, and a report names one behind them: it belongs to other code"
                problems.append(FileProblem(path, "finding-not-placed", reason, max(1, lines)))
    return found, problems


def _why_unread(half: _Half, path: str, results: Sequence[Result]) -> str:
    """Why findings cannot be placed in a file; empty, with the file among the sources, when they can."""
    if not results or path in half.sources:
        return ""
    if not results[0].inside:
        return f"is outside the tree, and the rule {results[0].rule} reports it"
    if path in half.left_out:
        return f"is not read (too large, binary or no plain file), and the rule {results[0].rule} reports it"
    data = half.tree.read(path) if half.tree else None
    if data is None:
        return f"is not in the tree, and the rule {results[0].rule} reports it"
    half.sources[path] = Source.of(FileVersion(path, data), path)
    return ""


def _match(result: Result, source: Source) -> Match | None:
    span = result.region.span(source.text) if result.region else None
    if span is None:
        return None
    why, rest = sentences(result.message)
    return Match(result.rule, result.severity, *span, why, rest or result.keep, result.cwe)


def _of_whole_file(result: Result, path: str) -> Finding:
    """A result without a region: what it is about is all there is to know it by."""
    why, rest = sentences(result.message)
    fingerprint = Fingerprint(result.rule, path, "", (result.message,))
    return Finding(fingerprint, result.severity, Place(result.path, 1, 1), why, rest or result.keep, result.cwe)


def _complaints(before: Iterable[Notice], after: Iterable[Notice], touched: set[str]) -> Iterator[FileProblem]:
    """What the scanner could not look at. An old trouble with a file the change leaves alone hides nothing new."""
    known = set(before)
    for notice in dict.fromkeys(after):
        if notice in known and notice.path and notice.path not in touched:
            continue
        text = notice.text.rstrip(".")
        yield FileProblem(notice.path, "not-scanned", f"was not scanned completely ({text})")
    for notice in dict.fromkeys(before):
        if not notice.path:
            yield FileProblem("", "not-scanned", f"was not scanned completely before ({notice.text})")
