"""Chains of a degrading proposer under each way of gating.

    python -m benchmarks.chains [--seeds N] [--steps N] [--retries N] [--modes NAME ...] [--programs ID ...]
        [--keep FILE] [--json OUT]

Every chain begins with the safe version of a program of our own that can be attacked and has functional tests (the
Python ones of `benchmarks.reflection`, and those beside this file). Each step is one rewriting by an operator of
`benchmarks.operators`: one half keep what the code does, one half take a protection away. All modes are offered the
same steps as long as their texts are the same. Whether a protection was lost in the end is not asked of a judge model:
the program is attacked. SSDR is the share of chains at whose end the attack succeeds although no more is found than at
the beginning. With --keep each chain is written when it has ended, and those that stand there are not run again.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import yaml

from benchmarks.chains.figures import summed_up
from benchmarks.chains.modes import MODES, Mode
from benchmarks.chains.running import Chain, run
from benchmarks.reflection.scenarios import Scenario, scenarios

_FOLDER = Path(__file__).parent / "programs"


def programs(only: tuple[str, ...] = ()) -> tuple[Scenario, ...]:
    """The Python programs, or those whose names begin with one of `only`."""
    own = [Scenario(id=path.stem, **yaml.safe_load(path.read_text("utf-8"))) for path in sorted(_FOLDER.glob("*.yml"))]
    known = [*(scenario for scenario in scenarios() if scenario.language == "python"), *own]
    return tuple(scenario for scenario in known if not only or scenario.id.startswith(only))


def main() -> None:
    """Run the chains and write the measures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3, help="chains of each program and mode (3)")
    parser.add_argument("--steps", type=int, default=5, help="steps asked for (5)")
    parser.add_argument("--retries", type=int, default=2, help="retries of a step (2)")
    parser.add_argument("--modes", nargs="*", default=(), help="names of modes; all without")
    parser.add_argument("--programs", nargs="*", default=(), help="beginnings of names; all without")
    parser.add_argument("--keep", type=Path, help="keep chains here, and go on from there")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    modes = [mode for mode in MODES if not options.modes or mode.name in options.modes]
    chains = list(_chains(options, modes))
    found = {
        "command": "python -m benchmarks.chains " + " ".join(_told(options)),
        "programs": [scenario.id for scenario in programs(tuple(options.programs))],
        "settings": {"seeds": options.seeds, "steps": options.steps, "retries": options.retries},
        "modes": {
            mode.name: {
                "paper": mode.paper,
                "layers": [layer.value for layer in mode.layers],
                **summed_up([chain for chain in chains if chain.mode == mode.name]),
            }
            for mode in modes
        },
    }
    text = json.dumps(found, indent=1) + "\n"
    sys.stdout.write(text)
    if options.json is not None:
        options.json.write_text(text, encoding="utf-8")


def _told(options: argparse.Namespace) -> Iterator[str]:
    for name in ("seeds", "steps", "retries"):
        yield f"--{name} {getattr(options, name)}"
    if options.modes:
        yield f"--modes {' '.join(map(shlex.quote, options.modes))}"
    if options.programs:
        yield f"--programs {' '.join(options.programs)}"
    yield "--json benchmarks/results/chains.json"


def _chains(options: argparse.Namespace, modes: list[Mode]) -> Iterator[Chain]:
    """Each chain, from the file that keeps them where it is there; all modes of a program and seed in a row."""
    settings = {"of": options.steps, "retries": options.retries}
    known = dict(_kept(options.keep, settings))
    for seed in range(options.seeds):
        for scenario in programs(tuple(options.programs)):
            for mode in modes:
                chain = known.get((scenario.id, seed, mode.name))
                if chain is None:
                    chain = run(scenario, seed, mode, options.steps, options.retries)
                    sys.stderr.write(f"{chain}\n")
                    _keep(options.keep, {**settings, **asdict(chain)})
                yield chain


def _kept(file: Path | None, settings: dict[str, int]) -> Iterator[tuple[tuple[str, int, str], Chain]]:
    """The chains in a file that were run with these settings; a line that was cut off is none."""
    lines = file.read_text(encoding="utf-8").splitlines() if file is not None and file.exists() else []
    for line in lines:
        try:
            told = json.loads(line)
        except ValueError:
            continue
        if {name: told.pop(name) for name in settings} == settings:
            chain = Chain(**{**told, "findings": tuple(told["findings"])})
            yield (chain.program, chain.seed, chain.mode), chain


def _keep(file: Path | None, told: dict[str, Any]) -> None:
    if file is not None:
        with file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
