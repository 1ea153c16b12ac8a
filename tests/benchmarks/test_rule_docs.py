"""docs/rules.md says what the rules and the results say, and every wanted weakness has a rule or a reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.rule_docs import PAGE, RESULTS, category_of_2021, covering, cwe_of, page, speaking_of
from benchmarks.weaknesses import LIBRARIES, NO_RULE, OWASP_2021, OWASP_2025, WEAKNESSES, Weakness, category_of_2025
from scaffold_cli.sast.rules import load

ROOT = Path(__file__).parents[2]
RULES = load().rules


def test_the_page_is_what_the_command_writes() -> None:
    results = json.loads((ROOT / RESULTS).read_text())
    assert (ROOT / PAGE).read_text() == page(RULES, results), "run python -m benchmarks.rule_docs"


def test_the_results_are_of_the_examples_there_are() -> None:
    results = json.loads((ROOT / RESULTS).read_text())
    assert results["examples"]["rules"] == len(RULES), "run the command in docs/rules.md again"
    assert results["examples"]["that do not hold"] == 0


@pytest.mark.parametrize("weakness", WEAKNESSES, ids=lambda weakness: f"CWE-{weakness.cwe}")
def test_a_weakness_has_rules_or_a_reason(weakness: Weakness) -> None:
    assert bool(covering(weakness, RULES)) != bool(weakness.reason)


def test_a_category_has_rules_or_a_reason() -> None:
    found = {f"{category_of_2021(rule)}:2021" for rule in RULES}
    found |= {f"{category_of_2025(category_of_2021(rule), cwe_of(rule))}:2025" for rule in RULES}
    wanted = {f"{letter}:2021" for letter in OWASP_2021} | {f"{letter}:2025" for letter in OWASP_2025}
    assert found | NO_RULE.keys() == wanted
    assert found.isdisjoint(NO_RULE)


@pytest.mark.parametrize(
    ("language", "name"), [(language, name) for language, libraries in LIBRARIES.items() for name in libraries]
)
def test_a_library_is_spoken_of(language: str, name: str) -> None:
    assert speaking_of(language, LIBRARIES[language][name], RULES)
