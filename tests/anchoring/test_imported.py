"""Helpers in unchanged files are read from the judged tree when a changed file imports them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from scaffold_cli.config.policy import Policy
from scaffold_cli.config.schema import AnchorsSettings, Settings
from scaffold_cli.gate.layer import JudgeContext
from scaffold_cli.gate.layers.anchors import AnchorsLayer
from scaffold_cli.model.verdict import LayerStatus
from tests.anchoring.judged import change_of

HELPER = "def inside(p):\n    if '..' in p:\n        raise ValueError('bad path')\n"


class Folder:
    """A tree held in memory."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files

    @property
    def id(self) -> str:
        return str(hash(tuple(sorted(self._files.items()))))

    def read(self, path: str) -> bytes | None:
        text = self._files.get(path)
        return None if text is None else text.encode()

    def paths(self) -> Sequence[str]:
        return sorted(self._files)


@pytest.mark.parametrize(
    ("helper", "line"),
    [
        ("checks.py", "from checks import inside"),
        ("pkg/checks.py", "from .checks import inside"),
        ("pkg/checks/__init__.py", "from pkg.checks import inside"),
        ("src/pkg/checks.py", "from pkg.checks import inside"),
    ],
)
def test_dropped_call_of_an_unchanged_helper_is_a_loss(helper: str, line: str) -> None:
    before = {"pkg/app.py": f"{line}\ndef go(p):\n    inside(p)\n    act(p)\n"}
    after = {"pkg/app.py": "def go(p):\n    act(p)\n"}
    trees = [Folder({**files, helper: HELPER}) for files in (before, after)]
    result = AnchorsLayer().judge(change_of(before, after), JudgeContext(before=trees[0], after=trees[1]))
    assert result.status is LayerStatus.FAIL
    assert "inside" in result.violations[0].because


def test_a_catalogue_folder_of_the_before_tree_is_merged() -> None:
    own = "- {id: own, title: own rule, cwe: [CWE-1], why: w., keep: k., calls: [frobnicate]}\n"
    before = {"app.py": "def go(p):\n    frobnicate(p)\n    act(p)\n"}
    after = {"app.py": "def go(p):\n    act(p)\n"}
    policy = Policy(root=Settings(anchors=AnchorsSettings(catalogue=("protections",))))
    tree = Folder({**before, "protections/own.yml": own})
    context = JudgeContext(policy=policy, before=tree, after=Folder(after))
    result = AnchorsLayer().judge(change_of(before, after), context)
    assert [violation.cwe for violation in result.violations] == [("CWE-1",)]


def test_a_step_is_held_against_the_chains_baseline_too() -> None:
    start = {"app.py": "def go(p):\n    verify_it(p)\n    act(p)\n"}
    middle = {"app.py": "def go(p):\n    act(p)\n"}
    end = {"app.py": "def go(p):\n    act(p)\n    more(p)\n"}
    step = change_of(middle, end)
    assert AnchorsLayer().judge(step, JudgeContext()).status is LayerStatus.PASS
    result = AnchorsLayer().judge(step, JudgeContext(baseline=change_of(start, end)))
    assert result.status is LayerStatus.FAIL
