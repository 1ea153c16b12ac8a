"""Scan many texts in one engine run, or in none when all of them are known already."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scaffold_cli import owned
from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.model.verdict import Severity
from scaffold_cli.sast import engine as engines
from scaffold_cli.sast.cache import ResultCache
from scaffold_cli.sast.engine import Engine, Job
from scaffold_cli.sast.output import Match, Report
from scaffold_cli.sast.rules import RuleSet
from scaffold_cli.syntax.frontends import language_of
from scaffold_cli.syntax.outline import Language

if TYPE_CHECKING:
    from scaffold_cli.sast.warm import Warm


@dataclass(frozen=True, slots=True)
class Target:
    """A text to scan. `path` names it to people and to rules with path filters; `suffix` tells its language."""

    path: str
    suffix: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Scanned:
    """What one target came to. With a `problem`, missing matches prove nothing."""

    matches: tuple[Match, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class ScanResult:
    """Results in the order of the targets. `version` is the engine's; `started` is False when all was known."""

    files: tuple[Scanned, ...]
    version: str
    started: bool


def scan(
    targets: Sequence[Target],
    rules: RuleSet,
    *,
    engine: str = "semgrep",
    timeout: float = 60.0,
    cache: Path | None = None,
    warm: Warm | None = None,
) -> ScanResult:
    """Scan `targets` with `rules` in one process; what the cache knows by content is not scanned again.

    With `warm`, a resident engine is asked first, and the process started only for what it cannot answer.

    Raises ProgramNotFoundError without an engine, UndecidedError when it crashes or takes longer than
    `timeout` seconds, UsageError naming the file of a rule it refuses.
    """
    program = engines.locate(engine)
    # What a pack holds can change behind our back, so its results are not kept.
    store = ResultCache(None if rules.packs else cache)
    digests = {suffix: rules.digest_for(_language(suffix)) for suffix in {target.suffix for target in targets}}
    keys = [_key(target, digests[target.suffix], program) for target in targets]
    known = {key: _decoded(entry) for key in keys if (entry := store.read(key)) is not None}
    missing = {key: target for key, target in zip(keys, targets, strict=True) if key not in known}
    started = bool(missing)
    if missing:
        fresh = _fresh(program, rules, list(missing.values()), timeout, warm)
        for key, (scanned, version) in zip(missing, fresh, strict=True):
            known[key] = (scanned, version)
            if not scanned.problem:
                store.write(key, {"version": version, "matches": [asdict(match) for match in scanned.matches]})
        store.prune()
    files = [_filtered(known[key][0], target, rules) for key, target in zip(keys, targets, strict=True)]
    version = next((known[key][1] for key in keys), "")
    return ScanResult(tuple(files), version, started)


def _fresh(
    program: Engine, rules: RuleSet, targets: Sequence[Target], timeout: float, warm: Warm | None
) -> list[tuple[Scanned, str]]:
    if warm is None or rules.packs:
        return _run(program, rules, targets, timeout)
    version, answers = warm.scan(program, rules.data, [(target.suffix, target.data) for target in targets])
    open_ = [target for target, answer in zip(targets, answers, strict=True) if answer is None]
    cold = iter(_run(program, rules, open_, timeout) if open_ else ())
    return [next(cold) if answer is None else (Scanned(answer), version) for answer in answers]


def _run(program: Engine, rules: RuleSet, targets: Sequence[Target], timeout: float) -> list[tuple[Scanned, str]]:
    try:
        with tempfile.TemporaryDirectory(prefix=owned.prefix("sast-"), ignore_cleanup_errors=True) as temporary:
            folder = Path(temporary).resolve()
            paths = _write(targets, folder / "targets")
            languages = {_language(target.suffix) for target in targets}
            report = engines.run(program, Job(rules.data_for(languages), folder, timeout, rules.packs, len(paths)))
    except OSError as error:
        raise UndecidedError(
            f"The scanner's scratch folder cannot be written: {error.strerror}.", "Free some space or set TMPDIR."
        ) from error
    if report.rule_errors:
        raise _refused(report, rules)
    return [(_scanned(report, str(path)), report.version) for path in paths]


def _write(targets: Sequence[Target], folder: Path) -> list[Path]:
    """Under names of our own: no name of the user's can confuse the engine or match an ignore pattern."""
    folder.mkdir()
    paths = [folder / f"f{number:06}{target.suffix}" for number, target in enumerate(targets)]
    for path, target in zip(paths, targets, strict=True):
        path.write_bytes(target.data)
    return paths


def _scanned(report: Report, name: str) -> Scanned:
    problem = report.problems.get(name, "")
    if not problem and name not in report.scanned:
        problem = "the engine did not scan it"
    return Scanned(report.matches.get(name, ()), problem)


def _refused(report: Report, rules: RuleSet) -> UsageError | UndecidedError:
    first = report.rule_errors[0]
    origin = rules.origins.get(first.rule)
    if origin is None:
        return UndecidedError(f"The scanner reported an error: {first.reason[:300]}.", "Run `scaffold doctor`.")
    return UsageError(
        f"The scanner refuses the rule {first.rule!r} of {origin}: {first.reason[:300]}.", f"Mend the rule in {origin}."
    )


def _filtered(scanned: Scanned, target: Target, rules: RuleSet) -> Scanned:
    kept = tuple(match for match in scanned.matches if rules.applies(match.rule, target.path))
    return Scanned(kept, scanned.problem)


def _language(suffix: str) -> Language:
    return language_of(f"file{suffix}")


def _key(target: Target, rules: str, program: Engine) -> str:
    hasher = hashlib.sha256()
    for part in (rules, program.identity, target.suffix):
        hasher.update(part.encode() + b"\0")
    hasher.update(target.data)
    return hasher.hexdigest()


def _decoded(entry: Any) -> tuple[Scanned, str]:
    matches = tuple(
        Match(**{**match, "severity": Severity(match["severity"]), "cwe": tuple(match["cwe"])})
        for match in entry["matches"]
    )
    return Scanned(matches), str(entry["version"])
