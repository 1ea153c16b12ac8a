"""The retrieval rule, with the fact sheet's own checks."""

from __future__ import annotations

from pathlib import Path

import pytest

from scaffold_cli.config.schema import MemorySettings
from scaffold_cli.memory.hashing import HashingEmbedding
from scaffold_cli.memory.retrieval import RetrievalRule, Retriever, Source
from scaffold_cli.memory.static_memory import guidance, search
from tests.memory.stores import case, store

SQL = "cursor.execute('select * from users where name = ' + name)"


@pytest.mark.parametrize(
    ("similarities", "holds"),
    [
        ([], False),
        ([0.70], True),
        ([0.6999], False),
        ([0.69, 0.69, 0.69], False),
        ([0.95, 0.20, 0.10], True),
        ([0.71, 0.50], True),
    ],
)
def test_only_the_best_similarity_is_tested(similarities: list[float], holds: bool) -> None:
    assert RetrievalRule.of(MemorySettings()).holds(similarities) is holds


def test_too_few_cases_fall_back() -> None:
    assert RetrievalRule(k_min=2).holds([0.9]) is False


def test_similar_cases_answer_alone_and_their_use_is_counted(tmp_path: Path) -> None:
    with store(tmp_path) as opened:
        opened.add([case(SQL)])
        evidence = Retriever([opened], HashingEmbedding()).retrieve(SQL)
        assert evidence.source is Source.DYNAMIC
        assert evidence.documents == ()
        assert [found.uses for found in opened.cases()] == [1]


def test_without_a_similar_case_guidance_stands_beside_what_there_is(tmp_path: Path) -> None:
    with store(tmp_path) as opened:
        opened.add([case("draw(circle)")])
        evidence = Retriever([opened], HashingEmbedding()).retrieve(SQL, cwe=("CWE-89",))
        assert evidence.source is Source.FALLBACK
        assert [hit.case.query for hit in evidence.cases] == ["draw(circle)"]
        assert [hit.guidance.cwe for hit in evidence.documents] == ["CWE-89"]
        assert len(Retriever([opened], HashingEmbedding()).retrieve(SQL).documents) == 3


def test_two_memories_answer_as_one(tmp_path: Path) -> None:
    with store(tmp_path / "a") as one, store(tmp_path / "b") as other:
        one.add([case(SQL), case("x = 1")])
        other.add([case(SQL), case(SQL + "  # again")])
        evidence = Retriever([one, other], HashingEmbedding()).retrieve(SQL)
        assert len({hit.case.id for hit in evidence.cases}) == 3
        assert evidence.cases[0].similarity == pytest.approx(1.0, abs=1e-3)


def test_looking_counts_no_use(tmp_path: Path) -> None:
    with store(tmp_path) as opened:
        opened.add([case(SQL)])
        Retriever([opened], HashingEmbedding()).look(SQL)
        assert [found.uses for found in opened.cases()] == [0]


def test_there_is_guidance_for_every_cwe_of_the_benchmark() -> None:
    known = {item.cwe for item in guidance()}
    assert {f"CWE-{number}" for number in (89, 125, 79, 476, 416, 22, 787, 190, 78)} <= known
    assert all(hit.similarity <= 1.0 for hit in search(SQL, 5, HashingEmbedding()))
