"""The answer scorer of ReflexiCoder: how much of its tests the code of an answer passes (fact sheet 2.6).

Ten tests at most, those with the longest inputs, 12 seconds each. Two quirks of the authors' code are left out: a
choice of ten keeps the name of the function, and nothing executed is undecided, never a pass (our choice RC-11).
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scaffold_cli.model.change import FileVersion
from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.sandbox.commands import environment
from scaffold_cli.sandbox.interface import Workspace
from scaffold_cli.sandbox.workspaces import open_workspace
from scaffold_cli.vcs.store import ObjectStore
from scaffold_cli.vcs.tree import GitTree

MOST_TESTS = 10
SECONDS = 12.0
"""For each test."""
_ANSWER, _INPUT = "answer.py", "input.txt"
_CALL = """
import json as _json, sys as _sys
_answer = {name}(*_json.load(_sys.stdin))
print()
print(_json.dumps(_answer))
"""


@dataclass(frozen=True, slots=True)
class AnswerTest:
    """One test: `after` is run behind the answer's code, which reads `given` from stdin.

    `expected` is what the program must print, word by word; the last line alone, as JSON, with `is_call`; None when
    it must only end well.
    """

    given: str = ""
    expected: str | None = None
    after: str = ""
    is_call: bool = False


def read_tests(text: str) -> tuple[AnswerTest, ...]:
    """The tests of a JSON file in one of the forms of the training data (fact sheet 2.8).

    ``[{"input", "output"}, …]`` and ``{"inputs", "outputs"}`` are texts for stdin and stdout; with ``"fn_name"`` they
    are argument lists and answers of that function; ``{"functional": code}`` is code to run behind the answer. Raises
    UsageError for anything else.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"The tests are no JSON: {error}.") from error
    try:
        return _tests(document)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        hint = 'Write [{"input": …, "output": …}], {"inputs", "outputs", "fn_name"} or {"functional": code}.'
        raise UsageError("The tests have none of the forms that can be read.", hint) from error


def _tests(document: Any) -> tuple[AnswerTest, ...]:
    if isinstance(document, list):
        return tuple(AnswerTest(str(item["input"]), str(item["output"])) for item in document)
    if "functional" in document:
        return (AnswerTest(after=f"\n{document['functional']}\n"),)
    pairs = list(zip(document["inputs"], document["outputs"], strict=True))
    name = document.get("fn_name")
    if name is None:
        return tuple(AnswerTest(str(given), str(expected)) for given, expected in pairs)
    if not all(part.isidentifier() for part in name.split(".")):
        raise ValueError(name)
    call = _CALL.format(name=name)
    return tuple(AnswerTest(json.dumps(given), json.dumps(expected), call, is_call=True) for given, expected in pairs)


def scores(answers: Sequence[str], tests: Sequence[AnswerTest], *, fractional: bool = False) -> tuple[float, ...]:
    """The score of each answer's Python code: 1 when it passes every chosen test, else 0.

    With `fractional` the share it passes (our choice RC-7). What is run is confined, in an empty folder of its own.
    Raises UndecidedError without a test or without a way to hold code in.
    """
    chosen = sorted(tests, key=lambda test: -len(test.given))[:MOST_TESTS]
    if not chosen:
        raise UndecidedError("There is no test to score the answers by.", "Name a file with tests.")
    found = []
    with tempfile.TemporaryDirectory(prefix="scaffold-score-") as folder, ObjectStore.detached() as store:
        for answer in answers:
            with open_workspace(GitTree(store, store.empty_tree()), Path(folder)) as workspace:
                passed = [_passes(answer, test, workspace) for test in chosen]
            found.append(sum(passed) / len(passed) if fractional else float(all(passed)))
    return tuple(found)


def _passes(answer: str, test: AnswerTest, workspace: Workspace) -> bool:
    texts = {_ANSWER: answer + test.after, _INPUT: test.given}
    workspace.write({path: FileVersion(path, text.encode("utf-8", "replace")) for path, text in texts.items()})
    argv = ["sh", "-c", f'exec "$0" {_ANSWER} < {_INPUT}', sys.executable]
    done = workspace.run(argv, timeout=SECONDS, env=environment())
    if not done.ok or test.expected is None:
        return done.ok
    told = done.stdout.decode("utf-8", "replace")
    if not test.is_call:
        return told.split() == test.expected.split()
    try:
        return bool(json.loads(told.rstrip().rpartition("\n")[2]) == json.loads(test.expected))
    except (ValueError, RecursionError):
        return False
