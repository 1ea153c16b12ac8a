"""Base against base + reflection on 21 programs, by executed attacks.

    python -m benchmarks.reflection [--rules] [--memory] [--speed] [--embeddings NAME ...]
        [--gguf FILE ...] [--endpoint MODEL ...] [--json OUT]

Each of the 21 scenarios is a function to complete. What is written is compiled or imported, run through functional
tests, and attacked; nothing of that is seen by what writes it (see `benchmarks.reflection.checks`). A GGUF file is
served by llama.cpp on this machine; an endpoint is the one of SCAFFOLD_BASE_URL. Given none of these the built-in
proposer, the memory and the speed are measured. With --json a file that is there keeps the contenders not measured
now, and the self-check of a GGUF file it knows. With --keep a run that was ended goes on where it was.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from math import inf
from pathlib import Path
from typing import Any

from benchmarks.reflection import embeddings, speed
from benchmarks.reflection.arms import ANSWER_TOKENS, RETRIES
from benchmarks.reflection.measuring import Plan, of_model, of_rules, self_checks
from benchmarks.reflection.scenarios import scenarios
from benchmarks.reflection.scripted import ScriptedModel
from scaffold_cli import clock
from scaffold_cli.config.schema import EmbeddingName
from scaffold_cli.models.address import Address, from_environment
from scaffold_cli.models.local import LocalServer
from scaffold_cli.models.openai_model import OpenAiModel

_TEMPERATURE = 0.4
"""As in SVEN's own runs."""


def main() -> None:
    """Measure what is asked for and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", action="store_true", help="measure the built-in proposer")
    parser.add_argument("--memory", action="store_true", help="measure the memory with a scripted writer")
    parser.add_argument("--speed", action="store_true", help="measure the loop and the search")
    parser.add_argument("--embeddings", nargs="+", default=[], type=EmbeddingName, help="measure what these find")
    parser.add_argument("--gguf", action="append", default=[], type=Path, help="measure this model")
    parser.add_argument("--endpoint", action="append", default=[], help="measure this model of SCAFFOLD_BASE_URL")
    parser.add_argument("--runs", type=int, default=5, help="runs with one memory (5)")
    parser.add_argument("--base-runs", type=int, default=5, help="runs of the base (5)")
    parser.add_argument("--minutes", type=float, default=inf, help="begin nothing more of a model after so many")
    parser.add_argument("--scenarios", nargs="*", default=(), help="beginnings of names; all without")
    parser.add_argument("--threads", type=int, default=1, help="threads of a GGUF file's server (1)")
    parser.add_argument("--keep", type=Path, help="keep rows and memory of one model here, and go on from there")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    chosen = (options.rules, options.memory, options.speed, options.embeddings, options.gguf, options.endpoint)
    everything = not any(chosen)
    found = _old(options.json)
    wanted = scenarios(tuple(options.scenarios))
    if options.rules or everything:
        checks = self_checks(None, wanted, _note)
        found["contenders"]["built-in proposer"] = {**of_rules(wanted, _note), "self-check": checks}
    if options.memory or everything:
        writer = ScriptedModel(wanted)
        for measured in of_model(writer, wanted, Plan(0, options.runs), _note):
            rows = measured.summed_up()
            kept = ("memory evolution", "similarity and accuracy", "base + reflection, loop")
            found["memory with a scripted writer"] = {name: rows[name] for name in kept}
    for name in options.embeddings:
        command = f"python -m benchmarks.reflection --embeddings {name.value} --json OUT"
        found.setdefault("embeddings", {})[name.value] = {"command": command, **embeddings.measured(name, wanted)}
    for path in options.gguf:
        with LocalServer(path, threads=options.threads, slots=2) as server:
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            _measure(path.stem, server.address, {"sha256": digest}, options, found)
    for name in options.endpoint:
        _measure(name, from_environment(name), {}, options, found)
    if options.speed or everything:
        found["speed"] = {"loop overhead, seconds per step": speed.loop(), "memory search": speed.search()}
    _write(found, options.json)
    sys.stdout.write(json.dumps(found, indent=1) + "\n")


def _measure(
    name: str, address: Address, about: dict[str, Any], options: argparse.Namespace, found: dict[str, Any]
) -> None:
    """One model; what there is so far is written after each scenario, so that a long run can be ended."""
    wanted = scenarios(tuple(options.scenarios))
    until = clock.seconds() + 60 * options.minutes
    model = OpenAiModel(address, temperature=_TEMPERATURE)
    settings = {
        "temperature": _TEMPERATURE,
        "answer tokens": ANSWER_TOKENS,
        "retries": RETRIES,
        "runs": options.runs,
        "base runs": options.base_runs,
        "minutes": options.minutes if options.minutes < inf else None,
        "scenarios": [scenario.id for scenario in wanted],
    }
    there = found["contenders"].get(name, {})
    same = about.get("sha256") is not None and about["sha256"] == there.get("sha256")
    known = there.get("self-check") if same and not options.scenarios else None
    how = "--gguf" if "sha256" in about else "--endpoint"
    command = f"python -m benchmarks.reflection {how} {name} --runs {options.runs} --base-runs {options.base_runs}"
    about = {
        "command": f"{command} --json OUT",
        **about,
        "settings": settings,
        "self-check": known or self_checks(model, wanted, _note),
    }
    plan = Plan(options.base_runs, options.runs, until, options.keep)
    for measured in of_model(model, wanted, plan, _note):
        found["contenders"][name] = {**about, **measured.summed_up()}
        _write(found, options.json)


def _old(file: Path | None) -> dict[str, Any]:
    there = json.loads(file.read_text(encoding="utf-8")) if file is not None and file.exists() else {}
    return {
        "command": "python -m benchmarks.reflection --json benchmarks/results/reflection.json",
        "scenarios": len(scenarios()),
        **there,
        "contenders": there.get("contenders", {}),
    }


def _write(found: dict[str, Any], file: Path | None) -> None:
    if file is not None:
        file.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def _note(text: str) -> None:
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
