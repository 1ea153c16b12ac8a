"""Time and memory of whole processes, run in turn so that a drifting machine is fair to all of them."""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Program:
    """A command to time. `accept` are the exit codes that count as having done its work."""

    name: str
    argv: tuple[str, ...]
    cwd: Path
    accept: tuple[int, ...] = (0,)
    before: Callable[[], None] | None = None
    """Run before each time, not timed (empties a cache)."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Wall seconds over the runs, and the peak memory of the largest single process in MiB."""

    median: float
    minimum: float
    maximum: float
    runs: int
    peak_mib: float

    @staticmethod
    def of(seconds: Sequence[float], peak_kib: int = 0) -> Timing:
        """Sum up measured runs."""
        return Timing(
            median=round(statistics.median(seconds), 4),
            minimum=round(min(seconds), 4),
            maximum=round(max(seconds), 4),
            runs=len(seconds),
            peak_mib=round(peak_kib / 1024, 1),
        )


def in_turn(programs: Sequence[Program], runs: int, env: Mapping[str, str]) -> dict[str, Timing]:
    """Run the programs A B C A B C ..., one uncounted round first."""
    seconds: dict[str, list[float]] = {program.name: [] for program in programs}
    peaks = dict.fromkeys(seconds, 0)
    for turn in range(runs + 1):
        for program in programs:
            if program.before is not None:
                program.before()
            took, peak = _once(program, env)
            if turn:
                seconds[program.name].append(took)
                peaks[program.name] = max(peaks[program.name], peak)
    return {name: Timing.of(taken, peaks[name]) for name, taken in seconds.items()}


def _once(program: Program, env: Mapping[str, str]) -> tuple[float, int]:
    started = time.perf_counter()
    process = subprocess.Popen(
        program.argv, cwd=program.cwd, env=dict(env), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    stderr = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.stderr.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    took = time.perf_counter() - started
    if process.returncode not in program.accept:
        raise SystemExit(f"{program.name} ended with {process.returncode}:\n{stderr.decode(errors='replace')[-2000:]}")
    return took, usage.ru_maxrss


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a results file: what was measured, what was wanted, what came out, and whether it was reached."""

    what: str
    wanted: str
    measured: str
    reached: bool
    timings: dict[str, Timing]


def write(path: Path | None, command: str, rows: Sequence[Row]) -> None:
    """Print the rows and, with a path, write them with the machine and the command that made them."""
    for row in rows:
        print(f"{'ok  ' if row.reached else 'MISS'} {row.what}: {row.measured} (wanted {row.wanted})")
    if path is None:
        return
    report = {
        "command": command,
        "machine": {
            "python": platform.python_version(),
            "system": f"{platform.system()} {platform.machine()}",
            "processors": os.cpu_count(),
            "load": round(os.getloadavg()[2], 1),  # of the last 15 minutes: ours alone stays below 2
        },
        "rows": [asdict(row) for row in rows],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(report, indent=2) + "\n")


def python() -> str:
    """The interpreter the tool is installed in."""
    return sys.executable
