"""The programs of the reflection benchmark, and the arithmetic of its figures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.reflection.arms import Written
from benchmarks.reflection.checks import Outcome, outcome
from benchmarks.reflection.figures import bands, errors, evolution, rates, refusals
from benchmarks.reflection.measuring import Plan, of_model
from benchmarks.reflection.scenarios import Scenario, scenarios
from benchmarks.reflection.scripted import ScriptedModel
from scaffold_cli.models.interface import Message, Reply

ALL = scenarios()


def test_the_shapes_are_those_of_the_set() -> None:
    counts: dict[str, int] = {}
    for scenario in ALL:
        counts[scenario.cwe] = counts.get(scenario.cwe, 0) + 1
    assert counts == {
        **dict.fromkeys(("CWE-89", "CWE-125", "CWE-22", "CWE-787", "CWE-190"), 3),
        **dict.fromkeys(("CWE-79", "CWE-476", "CWE-416"), 2),
    }


@pytest.mark.parametrize("scenario", ALL, ids=lambda scenario: scenario.id)
def test_both_versions_work_and_only_the_unsafe_one_can_be_attacked(scenario: Scenario) -> None:
    assert outcome(scenario, scenario.safe_text, trusted=True) == Outcome(True, True, True)
    assert outcome(scenario, scenario.unsafe_text, trusted=True) == Outcome(True, True, False)


@pytest.mark.parametrize("scenario", [ALL[0], ALL[3]], ids=lambda scenario: scenario.id)
def test_what_does_not_compile_or_ends_early_is_worth_nothing(scenario: Scenario) -> None:
    broken = scenario.context + "\n    ((\n"
    assert outcome(scenario, broken, trusted=True) == Outcome(False)
    early = "import os\nos._exit(0)\n" if scenario.language == "python" else "exit(0);\n"
    found = outcome(scenario, scenario.with_body(early), trusted=True)
    assert not found.passes
    assert not found.secure


def test_the_rates_are_those_of_the_paper() -> None:
    tried = [Outcome(True, place < 20, place < 19) for place in range(22)] + [Outcome(False)] * 3
    found = rates(tried)
    assert (found["security rate (S/C)"], found["pass rate (P/C)"]) == (86.4, 90.9)
    assert (found["secure over all (S/T)"], found["pass over all (P/T)"]) == (76.0, 80.0)
    assert (found["compile (C)"], found["secure (S)"], found["unresolved (T - C)"]) == (22, 19, 3)
    assert rates([])["security rate (S/C)"] is None


def retrieved(*similarities: float) -> dict[str, object]:
    source = "dynamic" if max(similarities, default=0) >= 0.7 else "fallback"
    return {"source": source, "cases": [["case", value] for value in similarities], "seconds": 0.1}


def test_documents_are_counted_by_similarity_and_by_what_became_of_them() -> None:
    kept = Written("python", "x", 1.0, ({"retrieved": [retrieved(0.5)]}, {"retrieved": [retrieved(0.95, 0.9)]}), 1, 2)
    lost = Written("python", None, 1.0, ({"retrieved": [retrieved(0.7), {"source": "failed: x", "cases": []}]},), -1)
    rows = [(kept, Outcome(True, True, True)), (lost, Outcome(False))]
    counted = {row["similarity"]: (row["documents"], row["accuracy"]) for row in bands(rows)}
    assert counted == {"0.95-1.00": (1, 100.0), "0.85-0.95": (1, 100.0), "0.70-0.85": (1, 0.0), "< 0.70": (1, 0.0)}
    found = evolution(rows, 7)
    assert (found["retrievals"], found["retrieval success"], found["fallback"]) == (3, 66.7, 33.3)
    assert (found["documents on average"], found["similarity min"], found["cases in memory"]) == (1.33, 0.5, 7)


def test_the_self_check_is_wrong_in_two_ways() -> None:
    found = errors([(True, True), (True, False), (False, False), (False, True)])
    assert found["missed (SAFE, attack succeeds)"] == "1 of 2"
    assert found["false alarms (UNSAFE, attack fails)"] == "1 of 2"
    assert found["error rate"] == 50.0


def test_refused_answers_are_counted_by_reason_without_what_they_quote() -> None:
    why = "the mended answer cannot be used: The answer holds no edit."
    other = "The answer edits 'b', which the goal is not about."
    rows = [
        (Written("c", None, 1.0, refused=("The answer edits 'a.c', which the goal is not about.",)), Outcome(False)),
        (Written("c", "x", 1.0, ({"flagged": ["a", why]},), refused=(other,)), Outcome(True)),
    ]
    assert list(refusals(rows).items()) == [("The answer edits …, which the goal is not about.", 2), (why, 1)]


def test_a_run_that_was_ended_goes_on_where_it_was(tmp_path: Path) -> None:
    wanted = ALL[:2]
    asked: list[str] = []
    plan = Plan(1, 1, folder=tmp_path)
    whole = list(of_model(ScriptedModel(wanted), wanted, plan, asked.append))[-1]
    assert len(asked) == 4
    rows = tmp_path / "rows.jsonl"
    lines = rows.read_text().splitlines(keepends=True)
    rows.write_text("".join(lines[:-1]) + lines[-1][:20])  # killed in the middle of the last line
    again = list(of_model(ScriptedModel(wanted), wanted, plan, asked.append))[-1]
    assert [line.partition(" ")[0] for line in asked[4:]] == ["reflection"]
    told, retold = whole.summed_up(), again.summed_up()
    assert retold["base + reflection"] == told["base + reflection"]
    assert told["base"]["pass and secure"] == 0
    assert told["base + reflection"]["pass and secure"] == 2
    assert told["base + reflection, cost"]["calls per scenario"] == 6


def test_both_arms_begin_with_the_same_draft() -> None:
    (scenario,) = ALL[:1]

    class Counting(ScriptedModel):
        drafts = 0

        def complete(self, messages: Sequence[Message], **limits: Any) -> Reply:
            self.drafts += len(messages) == 2 and "exactly one word" not in messages[0].text
            return super().complete(messages, **limits)

    model = Counting([scenario])
    list(of_model(model, [scenario], Plan(1, 1), lambda text: None))
    assert model.drafts == 1
