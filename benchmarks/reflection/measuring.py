"""One contender over all scenarios, in both arms."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

from benchmarks.reflection import figures
from benchmarks.reflection.arms import SECONDS, Written, alone, reflected, repaired
from benchmarks.reflection.checks import Outcome, outcome
from benchmarks.reflection.records import Records
from benchmarks.reflection.scenarios import Scenario
from scaffold_cli import clock
from scaffold_cli.config.schema import EmbeddingName, MemoryBackend
from scaffold_cli.memory.embedding import embedding
from scaffold_cli.memory.store import open_store
from scaffold_cli.models.interface import Model
from scaffold_cli.models.spending import Meter
from scaffold_cli.reflection.dialogue import Asker
from scaffold_cli.reflection.gatekeeper import layer_check
from scaffold_cli.reflection.self_check import Safety, self_check

Note = Callable[[str], None]


@dataclass(slots=True)
class Measured:
    """What was measured of one model so far: rows of the base, and of each run with reflection."""

    base: list[figures.Row] = field(default_factory=list)
    runs: list[list[figures.Row]] = field(default_factory=list)
    cases: list[int] = field(default_factory=list)
    """In memory at the end of each run."""

    def summed_up(self) -> dict[str, Any]:
        """The figures."""
        every = [row for rows in self.runs for row in rows]
        return {
            "base": _rates(self.base),
            "base + reflection": _rates(every),
            "by language": {
                language: {
                    "base": _of(language, self.base),
                    "base + reflection": _of(language, every),
                }
                for language in ("python", "c")
            },
            "base, answers refused": figures.refusals(self.base),
            "base + reflection, answers refused": figures.refusals(every),
            "base, cost": figures.shares(self.base),
            "base + reflection, cost": figures.shares(every),
            "base + reflection, loop": figures.stages(every),
            "memory evolution": [
                {"run": run, **figures.evolution(rows, cases)}
                for run, (rows, cases) in enumerate(zip(self.runs, self.cases, strict=True), 1)
            ],
            "similarity and accuracy": figures.bands(every),
        }


@dataclass(frozen=True, slots=True)
class Plan:
    """How often each arm is run, until which moment of `clock.seconds`, and where rows and memory are kept."""

    base_runs: int
    runs: int
    until: float = inf
    folder: Path | None = None


def of_model(model: Model, wanted: Sequence[Scenario], plan: Plan, note: Note) -> Iterator[Measured]:
    """Base against base + reflection, the second with one memory; after each scenario what there is so far.

    Nothing is begun after the moment `plan.until`; what stands in `plan.folder` is not done again.
    """
    measured = Measured()
    vectors = embedding(EmbeddingName.HASHING)
    records = Records(plan.folder)
    with tempfile.TemporaryDirectory(prefix="scaffold-bench-") as scratch:
        store = open_store(MemoryBackend.SQLITE, (plan.folder or Path(scratch)) / "memory", vectors)

        def tried(arm: str, run: int, scenario: Scenario, write: Callable[[], Written]) -> tuple[figures.Row, int]:
            name = f"{arm} {run + 1}"
            return records.row(
                arm, run, scenario.id, lambda: _tried(name, scenario, write(), note), cases=lambda: len(store)
            )

        for run in range(max(plan.base_runs, plan.runs)):
            for scenario in wanted:
                known = records.has("reflection" if run < plan.runs else "base", run, scenario.id)
                if clock.seconds() > plan.until and not known:
                    continue
                begun: Written | None = None
                if run < plan.base_runs:
                    row, _ = tried("base", run, scenario, partial(alone, scenario, model))
                    measured.base.append(row)
                    begun = row[0]
                if run < plan.runs:
                    write = partial(reflected, scenario, model, store, vectors, begun)
                    row, cases = tried("reflection", run, scenario, write)
                    if len(measured.runs) <= run:
                        measured.runs.append([])
                        measured.cases.append(0)
                    measured.runs[-1].append(row)
                    measured.cases[-1] = cases
                yield measured
        store.close()


def of_rules(wanted: Sequence[Scenario], note: Note) -> dict[str, Any]:
    """The built-in proposer on the unsafe programs: base is what it is given, reflection what the chain kept."""
    base = [outcome(scenario, scenario.unsafe_text) for scenario in wanted]
    mended = [_tried("rules", scenario, repaired(scenario), note) for scenario in wanted]
    return {
        "base": figures.rates(base),
        "base + reflection": figures.rates([tried for _, tried in mended]),
        "python only": figures.rates(
            [tried for (_, tried), scenario in zip(mended, wanted, strict=True) if scenario.language == "python"]
        ),
        "seconds per scenario": round(sum(written.seconds for written, _ in mended) / len(mended), 2),
    }


def self_checks(model: Model | None, wanted: Sequence[Scenario], note: Note) -> dict[str, Any]:
    """Safe and unsafe versions of each scenario, judged by layers and model, against the executed attack."""
    by_layers, by_model, by_both = [], [], []
    for scenario in wanted:
        layers = layer_check({scenario.path: scenario.unfinished})
        for text in (scenario.safe_text, scenario.unsafe_text):
            held = outcome(scenario, text, trusted=True).secure
            asker = Asker(model, Meter(), deadline=clock.seconds() + SECONDS) if model is not None else None
            check = self_check({scenario.path: text}, layers, asker)
            by_layers.append((check.layers is Safety.SAFE, held))
            by_both.append((check.safety is Safety.SAFE, held))
            if check.model is not None:
                by_model.append((check.model is Safety.SAFE, held))
        note(f"self-check {scenario.id}")
    found = {"layers": figures.errors(by_layers)}
    if model is not None:
        found |= {"model": figures.errors(by_model), "the stricter one": figures.errors(by_both)}
    return found


def _tried(what: str, scenario: Scenario, written: Written, note: Note) -> figures.Row:
    tried = Outcome(False) if written.text is None else outcome(scenario, written.text)
    note(f"{what}: {scenario.id} {written.seconds:.1f} s {tried}")
    return written, tried


def _rates(rows: Sequence[figures.Row]) -> dict[str, Any]:
    return figures.rates([tried for _, tried in rows])


def _of(language: str, rows: Sequence[figures.Row]) -> dict[str, Any]:
    return _rates([row for row in rows if row[0].language == language])
