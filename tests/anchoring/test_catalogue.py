"""The catalogue: every entry is complete and its examples hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from scaffold_cli.anchoring.catalogue import Entry, Example, load
from scaffold_cli.model.errors import UsageError
from scaffold_cli.model.verdict import LayerStatus
from tests.anchoring.judged import judge

ENTRIES = tuple(load().entries.values())
EXAMPLES = [(entry, example) for entry in ENTRIES for example in entry.examples]
SUFFIXES = {"python": "py", "java": "java"}


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_entry_is_complete(entry: Entry) -> None:
    assert entry.title
    assert all(cwe.startswith("CWE-") for cwe in entry.cwe)
    assert entry.cwe
    assert entry.why.endswith(".")
    assert entry.keep.endswith(".")
    assert {example.outcome for example in entry.examples} >= {"kept", "lost"}


@pytest.mark.parametrize(("entry", "example"), EXAMPLES, ids=lambda item: getattr(item, "id", ""))
def test_example_holds(entry: Entry, example: Example) -> None:
    path = f"Sample.{SUFFIXES[example.language]}"
    result = judge(example.before, example.after, path=path)
    wanted = LayerStatus.PASS if example.outcome == "kept" else LayerStatus.FAIL
    assert result.status is wanted, (example, result.violations)
    if example.outcome != "kept":
        assert entry.cwe in {violation.cwe for violation in result.violations}


def test_a_users_folder_is_merged(tmp_path: Path) -> None:
    (tmp_path / "own.yml").write_text(
        "- {id: own, title: own rule, cwe: [CWE-1], why: w., keep: k., calls: [frobnicate]}\n"
    )
    catalogue = load((tmp_path,))
    assert catalogue.protective("frobnicate_all") == "own"
    assert catalogue.protective("escape") == "escaping"


@pytest.mark.parametrize("text", ["- {id: x}\n", "- [\n", "just text\n", "- 3\n"])
def test_a_broken_file_is_a_usage_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "broken.yml").write_text(text)
    with pytest.raises(UsageError, match=r"broken\.yml"):
        load((tmp_path,))
