"""Feed mutated texts to every reader of foreign input and count crashes, hangs and memory.

    python -m benchmarks.fuzz [--inputs N] [--json OUT] [TARGET…]

A crash is any error the reader does not promise. A hang is an input that takes more than 5 s of processor time,
whatever else the machine does, or stands still for two minutes. One process for each target. What OUT says of targets
that are not named stays.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import signal
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from tests.fuzz.targets import TARGETS, mutated

_LIMIT = 5.0
"""Seconds of processor time for one input, with the programs it started."""
_STILL = 120.0
"""Seconds of the clock after which an input that only waits counts as a hang too."""


class _Hang(BaseException):
    pass


def fuzz(name: str, inputs: int) -> dict[str, Any]:
    """What `inputs` texts did to one target; times are processor seconds."""
    signal.signal(signal.SIGALRM, _hang)
    signal.signal(signal.SIGPROF, _hang)
    found: dict[str, Any] = {"inputs": inputs, "crashes": 0, "hangs": 0, "slowest seconds": 0.0, "examples": []}
    for seed in range(inputs):
        started = _processor_seconds()
        problem = _attempt(name, seed)
        taken = _processor_seconds() - started
        if taken > _LIMIT:
            problem = "hang"
        if problem is not None:
            found["hangs" if problem == "hang" else "crashes"] += 1
            found["examples"].append([seed, problem])
        found["slowest seconds"] = max(found["slowest seconds"], round(taken, 3))
    found["examples"] = found["examples"][:5]
    found["memory MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return found


def _attempt(name: str, seed: int) -> str | None:
    """What went wrong with one text, or None."""
    target = TARGETS[name]
    data = mutated(target.samples, random.Random(f"{name} {seed}"))
    signal.setitimer(signal.ITIMER_PROF, _LIMIT)
    signal.setitimer(signal.ITIMER_REAL, _STILL)
    try:
        target.run(data)
    except target.expected:
        return None
    except _Hang:
        return "hang"
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:200]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
    return None


def _processor_seconds() -> float:
    own, started = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + started.ru_utime + started.ru_stime


def _hang(_signal: int, _frame: FrameType | None) -> None:
    raise _Hang


def recorded(path: Path | None, results: Mapping[str, Mapping[str, Any]], inputs: int) -> dict[str, Any]:
    """`results`, and what the file at `path` says of other targets; each with the command that gave it."""
    command = f"python -m benchmarks.fuzz --inputs {inputs}"
    before = json.loads(path.read_text(encoding="utf-8"))["targets"] if path is not None and path.exists() else {}
    fresh = {name: {"command": f"{command} '{name}'", **item} for name, item in results.items()}
    targets = {name: found for name in TARGETS if (found := fresh.get(name) or before.get(name)) is not None}
    total = {key: sum(item[key] for item in targets.values()) for key in ("inputs", "crashes", "hangs")}
    return {"total": total, "targets": targets}


def main() -> None:
    """Fuzz the targets named, or all, and print what was found; ends with 1 when anything was."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []], default=[])
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    names = options.targets or list(TARGETS)
    with ProcessPoolExecutor(max_tasks_per_child=1) as pool:
        results = dict(zip(names, pool.map(partial(fuzz, inputs=options.inputs), names), strict=True))
    text = json.dumps(recorded(options.json, results, options.inputs), indent=1, ensure_ascii=False) + "\n"
    sys.stdout.write(text)
    if options.json is not None:
        options.json.write_text(text, encoding="utf-8")
    sys.exit(1 if any(item["crashes"] or item["hangs"] for item in results.values()) else 0)


if __name__ == "__main__":
    main()
