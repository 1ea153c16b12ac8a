"""Speed of the SAST layer, each row against a peer in the same run; `benchmarks.speed` reports them."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

from benchmarks.measure import Program, Row, Timing, in_turn, python
from benchmarks.samples import forget, module, repository
from scaffold_cli.model.change import FileChange, FileVersion
from scaffold_cli.sast import engine as engines
from scaffold_cli.sast import examples
from scaffold_cli.sast.inspection import inspect
from scaffold_cli.sast.resident import NoAnswerError, Server
from scaffold_cli.sast.rule_files import built_in_examples
from scaffold_cli.sast.rules import RuleSet, load
from scaffold_cli.sast.scan import Scanned, Target, scan
from scaffold_cli.sast.warm import Warm
from scaffold_cli.syntax.outline import Language

CHECK = (python(), "-m", "scaffold_cli", "check", "--layers", "sast")
OFF = ("--metrics", "off", "--disable-version-check", "--disable-nosem", "--quiet", "--json")
SEMGREP = Path(sys.executable).with_name("semgrep")


def rows(folder: Path, runs: int, env: dict[str, str]) -> list[Row]:
    """All rows, made in `folder`."""
    return [
        whole_command(folder, runs, env),
        engine_call(folder, runs, env),
        warm(folder, runs),
        nothing_changed(folder, runs, env),
        many_files(folder, runs, env),
        no_network(folder, runs, env),
        same_findings(),
    ]


def whole_command(folder: Path, runs: int, env: dict[str, str]) -> Row:
    """One changed file, nothing remembered, against the scanner's own comparison with the same rules."""
    repo = _changed(folder / "sast-one", 20, 1)
    rules = folder / "sast-rules.json"
    rules.write_bytes(load().data)
    theirs = (str(SEMGREP), "scan", "--baseline-commit", "HEAD", "--config", str(rules), *OFF, ".")
    programs = [
        Program("scaffold check --layers sast", CHECK, repo, (0,), lambda: forget(repo)),
        Program("semgrep scan --baseline-commit", theirs, repo),
    ]
    timings = in_turn(programs, runs, env)
    ours, peer = (timings[program.name].median for program in programs)
    measured = f"{ours:.2f} s, {peer / ours:.1f} times faster than semgrep scan --baseline-commit"
    return Row(
        "sast, one changed file, cold, whole command", "at least 6 times faster", measured, peer >= 6 * ours, timings
    )


def engine_call(folder: Path, runs: int, env: dict[str, str]) -> Row:
    """From the call of the engine to compared findings of both sides, against one start of the engine's bare core."""
    found = find_spec("semgrep")
    assert found is not None
    assert found.origin is not None
    core = Path(found.origin).parent / "bin" / "semgrep-core"
    bare = in_turn([Program("semgrep-core -version", (str(core), "-version"), folder)], runs, env)
    rules = load(languages=[Language.PYTHON])
    timing = _timed(runs, lambda number: inspect([_pair(number)], rules))
    start = bare["semgrep-core -version"].median
    ratio = timing.median / start
    measured = f"{timing.median * 1000:.0f} ms, {ratio:.1f} times a bare start of {start * 1000:.0f} ms"
    timings = {**bare, "both sides scanned and compared": timing}
    return Row("sast, engine call to compared findings", "at most 2 times a bare start", measured, ratio <= 2, timings)


def warm(folder: Path, runs: int) -> Row:
    """The next edit of a file whose other side is known, with the engine resident: what a chain does at each step."""
    rules = load(languages=[Language.PYTHON])
    with Warm() as resident, tempfile.TemporaryDirectory(dir=folder) as cache:

        def step(number: int) -> None:
            inspect([_pair(number)], rules, cache=Path(cache), warm=resident)

        step(-2)  # a cold scan, then the start of the server
        step(-1)
        timing = _timed(runs, step)
    measured = f"{timing.median * 1000:.0f} ms"
    timings = {"next edit": timing}
    return Row("sast, one changed file, engine resident", "at most 100 ms", measured, timing.median <= 0.1, timings)


def nothing_changed(folder: Path, runs: int, env: dict[str, str]) -> Row:
    """The same check again: how often an engine was started."""
    log, program = folder / "starts", folder / "counting"
    program.write_text(f'#!/bin/sh\necho start >> {log}\nexec {SEMGREP} "$@"\n')
    program.chmod(0o755)
    repo = repository(folder / "same", {"m0.py": module(0), "scaffold.toml": f'[sast]\nengine = "{program}"\n'})
    (repo / "m0.py").write_text(_edited(0))
    in_turn([Program("first", CHECK, repo)], 1, env)
    first = log.read_text().count("start")
    timings = in_turn([Program("scaffold check, again", CHECK, repo)], runs, env)
    again = log.read_text().count("start") - first
    measured = f"{again} starts in {runs + 1} further checks, {timings['scaffold check, again'].median:.2f} s each"
    return Row(
        "sast, nothing changed since the last verdict", "no engine start", measured, (first, again) == (1, 0), timings
    )


def many_files(folder: Path, runs: int, env: dict[str, str]) -> Row:
    """A hundred changed files against one."""
    one, many = _changed(folder / "s1", 100, 1), _changed(folder / "s100", 100, 100)
    programs = [
        Program("1 file", CHECK, one, (0,), lambda: forget(one)),
        Program("100 files", CHECK, many, (0,), lambda: forget(many)),
    ]
    timings = in_turn(programs, runs, env)
    ratio = timings["100 files"].median / timings["1 file"].median
    return Row(
        "sast, 100 changed files", "at most 5 times one file", f"{ratio:.1f} times one file", ratio <= 5, timings
    )


def no_network(folder: Path, runs: int, env: dict[str, str]) -> Row:
    """The same check in a network namespace without a network."""
    repo = _changed(folder / "away", 1, 1)
    programs = [
        Program("with a network", ("unshare", "-r", *CHECK), repo, (0,), lambda: forget(repo)),
        Program("without a network", ("unshare", "-rn", *CHECK), repo, (0,), lambda: forget(repo)),
    ]
    timings = in_turn(programs, runs, env)
    ratio = timings["without a network"].median / timings["with a network"].median
    measured = f"{ratio:.2f} times the time with one"
    return Row("sast, without a network", "no longer (at most 1.1 times)", measured, ratio <= 1.1, timings)


def same_findings() -> Row:
    """The whole corpus of rule examples through the fast, the plain and the resident engine."""
    rules = load()
    entries = examples.read(built_in_examples(), rules)
    texts = [(entry.suffix, code.encode()) for entry in entries for code in (*entry.bad, *entry.good, *entry.fixed)]
    fast = scan([Target(f"a{suffix}", suffix, data) for suffix, data in texts], rules, timeout=900).files
    others: dict[str, Sequence[Scanned | None]] = {"plain": _plain(texts, rules), "resident": _resident(texts, rules)}
    differ = {name: sum(a != b for a, b in zip(fast, found, strict=True)) for name, found in others.items()}
    matches = sum(len(found.matches) for found in fast)
    told = ", ".join(f"{count} differ in the {name} engine" for name, count in differ.items())
    measured = f"{len(texts)} texts with {matches} findings: {told}"
    return Row("sast, findings of the engine's modes", "equal", measured, not any(differ.values()), {})


def _plain(texts: Sequence[tuple[str, bytes]], rules: RuleSet) -> list[Scanned]:
    semgrep = engines.locate("semgrep")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        (folder / "targets").mkdir()
        paths = [folder / "targets" / f"f{number:06}{suffix}" for number, (suffix, _) in enumerate(texts)]
        for path, (_, data) in zip(paths, texts, strict=True):
            path.write_bytes(data)
        report = engines.run(semgrep, engines.Job(rules.data, folder, 900), semgrep.dialect.modes[-1:])
    return [Scanned(report.matches.get(str(path), ()), report.problems.get(str(path), "")) for path in paths]


def _resident(texts: Sequence[tuple[str, bytes]], rules: RuleSet) -> list[Scanned | None]:
    server = Server(engines.locate("semgrep"), rules.data)
    try:
        return [_asked(server, suffix, data) for suffix, data in texts]
    finally:
        server.close()


def _asked(server: Server, suffix: str, data: bytes) -> Scanned | None:
    try:
        return Scanned(server.scan(suffix, data))
    except NoAnswerError:
        return None


def _timed(runs: int, work: Callable[[int], object]) -> Timing:
    seconds = []
    for number in range(runs + 1):
        started = time.perf_counter()
        work(number)
        seconds.append(time.perf_counter() - started)
    return Timing.of(seconds[1:])


def _changed(path: Path, files: int, changed: int) -> Path:
    repo = repository(path, {f"m{index}.py": module(index) for index in range(files)})
    for index in range(changed):
        (repo / f"m{index}.py").write_text(_edited(index))
    return repo


def _edited(index: int, value: int = 1) -> str:
    return module(index).replace("total = 0", f"total = {value}")


def _pair(number: int) -> FileChange:
    """A change no other number gives."""
    before, after = module(0), _edited(0, number + 100)
    return FileChange(FileVersion("m0.py", before.encode()), FileVersion("m0.py", after.encode()))
