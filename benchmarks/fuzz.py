"""Feed mutated texts to every reader of foreign input and count crashes, hangs and memory.

    python -m benchmarks.fuzz [--inputs N] [--json OUT] [TARGET…]

A crash is any error the reader does not promise, a hang an input that takes more than 5 s. One process for each target.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import signal
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from scaffold_cli import clock
from tests.fuzz.targets import SLOW, TARGETS, mutated

_LIMIT = 5.0
"""Seconds for one input."""


class _Hang(BaseException):
    pass


def fuzz(name: str, inputs: int) -> dict[str, Any]:
    """What `inputs` texts (a tenth for slow targets) did to one target."""
    signal.signal(signal.SIGALRM, _hang)
    target, count = TARGETS[name], max(1, inputs // 10) if name in SLOW else inputs
    found: dict[str, Any] = {"inputs": count, "crashes": 0, "hangs": 0, "slowest seconds": 0.0, "examples": []}
    for seed in range(count):
        data = mutated(target.samples, random.Random(f"{name} {seed}"))
        started = clock.seconds()
        signal.setitimer(signal.ITIMER_REAL, _LIMIT)
        try:
            target.run(data)
        except target.expected:
            pass
        except _Hang:
            found["hangs"] += 1
            found["examples"].append([seed, "hang"])
        except Exception as error:
            found["crashes"] += 1
            found["examples"].append([seed, f"{type(error).__name__}: {error}"[:200]])
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        found["slowest seconds"] = max(found["slowest seconds"], round(clock.seconds() - started, 3))
    found["examples"] = found["examples"][:5]
    found["memory MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return found


def _hang(_signal: int, _frame: FrameType | None) -> None:
    raise _Hang


def main() -> None:
    """Fuzz the targets named, or all, and print what was found; ends with 1 when anything was."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", default=[])
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    names = options.targets or list(TARGETS)
    with ProcessPoolExecutor(max_tasks_per_child=1) as pool:
        results = dict(zip(names, pool.map(partial(fuzz, inputs=options.inputs), names), strict=True))
    total = {key: sum(item[key] for item in results.values()) for key in ("inputs", "crashes", "hangs")}
    command = f"python -m benchmarks.fuzz --inputs {options.inputs}"
    text = json.dumps({"command": command, "total": total, "targets": results}, indent=1, ensure_ascii=False) + "\n"
    sys.stdout.write(text)
    if options.json is not None:
        options.json.write_text(text, encoding="utf-8")
    sys.exit(1 if total["crashes"] or total["hangs"] else 0)


if __name__ == "__main__":
    main()
