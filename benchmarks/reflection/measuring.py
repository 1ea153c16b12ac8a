"""One contender over all scenarios, in both arms."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.reflection import figures
from benchmarks.reflection.arms import SECONDS, Written, alone, reflected, repaired
from benchmarks.reflection.checks import Outcome, outcome
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


def of_model(
    model: Model, wanted: Sequence[Scenario], *, base_runs: int, runs: int, until: float, note: Note
) -> Iterator[Measured]:
    """Base against base + reflection, the second with one memory; after each scenario what there is so far.

    Nothing is begun after the moment `until` of `clock.seconds`.
    """
    measured = Measured()
    vectors = embedding(EmbeddingName.HASHING)
    with tempfile.TemporaryDirectory(prefix="scaffold-bench-") as folder:
        store = open_store(MemoryBackend.SQLITE, Path(folder), vectors)
        for run in range(max(base_runs, runs)):
            for scenario in wanted:
                if clock.seconds() > until:
                    break
                if run < base_runs:
                    measured.base.append(_tried(f"base {run + 1}", scenario, alone(scenario, model), note))
                if run < runs:
                    written = reflected(scenario, model, store, vectors)
                    if scenario is wanted[0]:
                        measured.runs.append([])
                        measured.cases.append(0)
                    measured.runs[-1].append(_tried(f"reflection {run + 1}", scenario, written, note))
                    measured.cases[-1] = len(store)
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
