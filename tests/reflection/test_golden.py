"""Prompts for a fixed request, letter by letter.

A change of a template or of what fills it shows here: look at the difference, then write the files anew with
`python -m tests.reflection.test_golden`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scaffold_cli.memory.case import Case, CaseKind, Hit
from scaffold_cli.memory.retrieval import Evidence, Source
from scaffold_cli.memory.static_memory import Guidance, GuidanceHit
from scaffold_cli.model.protection import Anchor, Level, Protection, ProtectionKind, Strength
from scaffold_cli.model.verdict import Effect, LayerName, Place, Violation
from scaffold_cli.reflection import prompts
from scaffold_cli.reflection.assimilator import Lesson

FOLDER = Path(__file__).parent / "golden"
KEPT = "def read(name):\n    if '..' in name:\n        raise ValueError(name)\n    return open(name).read()\n"
LOST = "def read(name):\n    return open(name).read()\n"


def evidence() -> Evidence:
    case = Case(CaseKind.REPAIR, "path check", LOST, before=LOST, after=KEPT, lesson="Keep the check.", cwe=("CWE-22",))
    document = Guidance("CWE-22", "Path traversal", ("python",), "Resolve the path, then compare it with the folder.")
    return Evidence(Source.FALLBACK, (Hit(case, 0.5),), (GuidanceHit(document, 1.0),))


def asked() -> str:
    lost = Violation(
        LayerName.ANCHORS, "guard-lost", Effect.BLOCKS, "The check of the name is lost.", keep="Keep refusing '..'."
    )
    lesson = Lesson("Keep refusing '..'.", "anchors", "guard-lost", (), "evidence", 1, advice="Rename only.")
    place = Place("files.py", 2, 3)
    guard = Protection(ProtectionKind.GUARD, Level.DATA_FLOW, "open", "'..' in name", "raise ValueError", place)
    anchors = (Anchor("a", guard, Strength.HARD, "because"), Anchor("b", guard, Strength.SOFT, "because"))
    rejected = [("-    if '..' in name:\n", (lost,), "A protection was lost.")]
    return prompts.request("simplify", {"files.py": KEPT}, anchors, (lesson,), evidence(), rejected, form="THE FORM")


PROMPTS: dict[str, Callable[[], str]] = {
    "implementer": prompts.implementer,
    "request": asked,
    "self_check": lambda: prompts.fill("self_check"),
    "problem": lambda: prompts.fill("problem", material=prompts.fenced("what was flagged", "the check is gone")),
    "root_cause": lambda: prompts.fill("root_cause"),
    "strategy": lambda: prompts.fill("strategy", evidence=prompts.evidence_text(evidence(), ["files.py"])),
    "implementation": lambda: prompts.fill(
        "implementation", material=prompts.fenced("what was flagged", "the check is gone"), form="THE FORM"
    ),
    "again": lambda: prompts.fill("again", material=prompts.fenced("why not", "it lacks 'read'"), form="THE FORM"),
    "whole_file": lambda: prompts.answer_form({"files.py": KEPT}),
    "edits": lambda: prompts.answer_form({"files.py": KEPT, "more.py": LOST}),
    "lesson": lambda: prompts.fill("lesson"),
    "trajectory": lambda: prompts.trajectory("python"),
}


@pytest.mark.parametrize("name", PROMPTS)
def test_a_prompt_is_what_it_was(name: str) -> None:
    assert PROMPTS[name]() == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_template_has_its_file() -> None:
    templates = {path.stem for path in (Path(prompts.__file__).parent / "templates").glob("*.md")}
    assert templates == set(PROMPTS) == {path.stem for path in FOLDER.glob("*.txt")}


if __name__ == "__main__":
    for _name, _prompt in PROMPTS.items():
        (FOLDER / f"{_name}.txt").write_text(_prompt(), encoding="utf-8")
