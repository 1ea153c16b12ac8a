"""Both sides of a change, scanned once and compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from scaffold_cli import processes
from scaffold_cli.model.change import FileChange, FileMode, FileVersion, Omitted
from scaffold_cli.model.finding import Finding
from scaffold_cli.sast.rules import RuleSet
from scaffold_cli.sast.scan import Scanned, ScanResult, Target, scan
from scaffold_cli.sast.source import Side, Source
from scaffold_cli.syntax.frontends import language_of
from scaffold_cli.syntax.outline import Language

if TYPE_CHECKING:
    from scaffold_cli.sast.delta import Delta
    from scaffold_cli.sast.warm import Warm

SUFFIXES = {
    Language.PYTHON: ".py",
    Language.JAVA: ".java",
    Language.JAVASCRIPT: ".js",
    Language.TYPESCRIPT: ".ts",
    Language.GO: ".go",
}
"""The suffix a text is scanned under, whatever its own name."""
_TSX = ".tsx"
"""Where `<T>x` is an element; elsewhere in TypeScript it is a cast, and the engine must know which."""

_HEAD_START = 0.2
"""Seconds at most for the engine to be started before parsing takes the interpreter from it."""
_LARGE = 20_000
"""Bytes above which a source is parsed before it is scanned."""
_FEW = 8
"""Sources up to which their symbols are looked up ahead; of more, only those with findings or marks need them."""
_TOO_DEEP = "nested too deeply"
"""How every front-end calls it."""


@dataclass(frozen=True, slots=True)
class FileProblem:
    """Why one side of one file could not be judged.

    `code` is "unparsable", "too-large", "submodule-not-judged", "not-scanned" or "finding-not-placed".
    """

    path: str
    code: str
    reason: str
    line: int = 1
    """Where to look, from 1."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """What was found on both sides. Each of `problems` leaves the change undecided; `remarks` do not."""

    findings: Delta
    suppressions: Delta
    problems: tuple[FileProblem, ...]
    remarks: tuple[FileProblem, ...]
    before: int
    after: int
    files: int
    engine: str
    started: bool


def languages_of(pairs: Iterable[FileChange]) -> frozenset[Language]:
    """The languages of the plain files among both sides."""
    return frozenset(_language(side) for pair in pairs for side in pair.sides if _is_plain(side))


def concerns(pair: FileChange, rules: RuleSet) -> bool:
    """Whether a side of this is source text in a language the rules speak of, or a submodule, where some may be."""
    return _moves_submodule(pair) or any(_counts(side, rules) for side in pair.sides)


def inspect(
    pairs: Sequence[FileChange],
    rules: RuleSet,
    *,
    engine: str = "semgrep",
    timeout: float = 60.0,
    cache: Path | None = None,
    warm: Warm | None = None,
) -> Inspection:
    """Scan both sides of `pairs` in one engine run and compare them.

    Raises what `scan` raises: UndecidedError when the engine gives no answer, UsageError for a refused rule.
    """
    readable = [pair for pair in pairs if not any(side.omitted for side in pair.sides)]
    old = _side(((pair.path, pair.before) for pair in readable), rules)
    new = _side(((pair.path, pair.after) for pair in readable), rules)
    sources = [*old.sources.values(), *new.sources.values()]
    with ThreadPoolExecutor(1) as pool:
        pending = pool.submit(
            _scanned,
            sources,
            lambda targets: scan(targets, rules, engine=engine, timeout=timeout, cache=cache, warm=warm),
        )
        processes.wait_for_one(_HEAD_START, pending.done)
        marks = _read_ahead(old, new)
        files, result = pending.result()
    return _compared(pairs, (old, new), files, result, marks, rules)


def _read_ahead(old: Side, new: Side) -> Delta:
    """What needs no engine, done while it runs: parsing, and the marks that silence scanners."""
    from scaffold_cli.sast.delta import compare

    sources = [*old.sources.values(), *new.sources.values()]
    for source in sources:
        source.problem  # noqa: B018 - computed once, kept
        if len(sources) <= _FEW:
            source.symbols  # noqa: B018
    return compare(_marks(old), _marks(new), old, new)


def _scanned(
    sources: Sequence[Source], run: Callable[[Sequence[Target]], ScanResult]
) -> tuple[list[Scanned], ScanResult]:
    """The results in the order of the sources. Nesting that stops a parser costs the engine its whole time limit."""
    refused = [_too_deep(source) for source in sources]
    result = run([_target(source) for source, reason in zip(sources, refused, strict=True) if not reason])
    told = iter(result.files)
    return [Scanned((), reason) if reason else next(told) for reason in refused], result


def _too_deep(source: Source) -> str:
    """Why a source is not given to the engine; empty when it is. A small one is, since it costs little."""
    is_large = len(source.version.data) > _LARGE
    return _TOO_DEEP if is_large and (source.outline.problem or "").endswith(_TOO_DEEP) else ""


def _compared(
    pairs: Sequence[FileChange],
    sides: tuple[Side, Side],
    files: Sequence[Scanned],
    result: ScanResult,
    marks: Delta,
    rules: RuleSet,
) -> Inspection:
    from scaffold_cli.sast.delta import compare

    old, new = sides
    split = len(old.sources)
    before = _findings(old.sources.values(), files[:split])
    after = _findings(new.sources.values(), files[split:])
    return Inspection(
        findings=compare(before, after, old, new),
        suppressions=marks,
        problems=(*_unread(pairs, rules), *_trouble(new.sources.values(), files[split:])),
        # What the old side hides can only make more findings look new, never fewer.
        remarks=tuple(_trouble(old.sources.values(), files[:split])),
        before=len(before),
        after=len(after),
        files=len(files),
        engine=result.version,
        started=result.started,
    )


def _moves_submodule(pair: FileChange) -> bool:
    """A submodule that is gone brings nothing."""
    return pair.after is not None and pair.after.mode is FileMode.SUBMODULE


def _is_plain(side: FileVersion) -> bool:
    return side.mode in (FileMode.REGULAR, FileMode.EXECUTABLE)


def _language(side: FileVersion) -> Language:
    return language_of(side.path, side.data)


def _counts(side: FileVersion, rules: RuleSet) -> bool:
    return _is_plain(side) and _language(side) in rules.languages


def _side(versions: Iterable[tuple[str, FileVersion | None]], rules: RuleSet) -> Side:
    return Side({path: Source.of(side, path) for path, side in versions if side and _counts(side, rules)})


def _target(source: Source) -> Target:
    suffix = _TSX if source.version.path.lower().endswith(_TSX) else SUFFIXES[source.language]
    return Target(source.version.path, suffix, source.encoded)


def _findings(sources: Iterable[Source], scanned: Iterable[Scanned]) -> list[Finding]:
    from scaffold_cli.sast.fingerprint import findings

    pairs = zip(sources, scanned, strict=True)
    return [finding for source, result in pairs for finding in findings(source, result.matches)]


def _marks(side: Side) -> list[Finding]:
    from scaffold_cli.sast.suppressions import suppressions

    return [mark for source in side.sources.values() for mark in suppressions(source)]


def _unread(pairs: Iterable[FileChange], rules: RuleSet) -> Iterator[FileProblem]:
    """What was left out: submodules, and files because of their size. A deleted one brings nothing, so it may be."""
    for pair in pairs:
        if _moves_submodule(pair):
            yield FileProblem(pair.path, "submodule-not-judged", "is a submodule that moved and was not looked into")
            continue
        for side in pair.sides:
            if pair.after and side.omitted is Omitted.TOO_LARGE and _counts(side, rules):
                yield FileProblem(side.path, "too-large", f"is larger than the limit ({side.size} bytes)")
                break


def _trouble(sources: Iterable[Source], scanned: Iterable[Scanned]) -> Iterator[FileProblem]:
    """What went wrong with each source. The engine says nothing of files it cannot parse, so we look ourselves."""
    for source, result in zip(sources, scanned, strict=True):
        if source.problem:
            yield FileProblem(source.path, "unparsable", f"does not parse ({source.problem.rstrip('.')})")
        elif result.problem:
            yield FileProblem(source.path, "not-scanned", f"was not scanned completely ({result.problem})")
