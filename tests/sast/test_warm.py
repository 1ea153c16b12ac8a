"""The resident engine answers as the cold one does, or not at all; what is known starts no engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from scaffold_cli.sast import examples
from scaffold_cli.sast.engine import locate
from scaffold_cli.sast.resident import NoAnswerError, Server
from scaffold_cli.sast.rule_files import built_in_examples
from scaffold_cli.sast.rules import load
from scaffold_cli.sast.scan import Scanned, Target, scan
from scaffold_cli.sast.warm import Warm
from tests.cli.program import scaffold
from tests.sast.test_engine import OPENGREP, SEMGREP
from tests.support.repos import make_repo, write

WEAK = "import os\n\n\ndef f(c):\n    os.system(c)  # nosemgrep\n"
TARGET = Target("a.py", ".py", WEAK.encode())
EVERY = 15
"""The benchmark of speed compares all texts; this many take a few seconds."""

Counting = Callable[[], list[str]]


@pytest.fixture
def counting(tmp_path: Path) -> tuple[Path, Counting]:
    """An engine that notes each start, and what was noted since the last look."""
    log, program = tmp_path / "starts", tmp_path / "engine"
    program.write_text(f'#!/bin/sh\necho "$1" >> {log}\nexec {SEMGREP} "$@"\n')
    program.chmod(0o755)

    def starts() -> list[str]:
        noted = log.read_text().split() if log.exists() else []
        log.unlink(missing_ok=True)
        return noted

    return program, starts


def test_warm_and_cold_answers_are_equal() -> None:
    read = examples.read(built_in_examples(), load())
    codes = [(entry.suffix, code) for entry in read for code in (*entry.bad, *entry.good, *entry.fixed)]
    texts = [(suffix, code.encode()) for suffix, code in codes[::EVERY]]
    texts += [(".py", "x = '\u00e9\U0001f600'\n".encode() + WEAK.encode()), (".tsx", b"const A = <i>{eval(x)}</i>;\n")]
    cold = scan([Target("x", *text) for text in texts], load(), timeout=300)
    server = Server(locate("semgrep"), load().data)
    try:
        answers = [Scanned(server.scan(*text)) for text in texts]
    finally:
        server.close()
    assert {suffix for suffix, _ in texts} == {".py", ".java", ".js", ".ts", ".tsx", ".go"}
    assert sum(len(answer.matches) for answer in answers) > 30
    assert any(match.fix for answer in answers for match in answer.matches)
    assert answers == list(cold.files)
    assert server.version == cold.version


def test_a_server_starts_at_the_second_question_and_stays(counting: tuple[Path, Counting]) -> None:
    program, starts = counting
    seen = []
    with Warm() as warm:
        for number in range(4):
            target = Target("a.py", ".py", WEAK.encode() + b"x = %d\n" % number)
            (answer,) = scan([target], load(), engine=str(program), warm=warm).files
            assert [match.rule for match in answer.matches] == ["py-shell-dynamic-command"]
            seen.append(starts())
    assert seen == [["scan"], ["lsp"], [], []]


def test_what_the_server_reads_only_in_part_is_scanned_cold(counting: tuple[Path, Counting]) -> None:
    program, starts = counting
    target = Target("a.js", ".js", b"const f = (t) => eval(t);\nlet q = a b c;\n")
    with Warm() as warm:
        for _ in range(2):
            first = scan([target], load(), engine=str(program), warm=warm)
    assert starts() == ["scan", "lsp", "scan"]
    assert first.files == scan([target], load()).files


def test_a_server_that_is_gone_is_replaced_and_then_given_up(counting: tuple[Path, Counting]) -> None:
    program, starts = counting
    cold = scan([TARGET], load()).files
    with Warm() as warm:
        for _ in range(5):
            assert scan([TARGET], load(), engine=str(program), warm=warm).files == cold
            warm.close()
    assert starts() == ["scan", "lsp", "lsp", "lsp", "lsp"]


@pytest.mark.parametrize(
    "answer", ["exit 1", "cat", "echo 'Content-Length: 2\r\n\r\n{}'; sleep 9", "echo; exec sleep 9"]
)
def test_an_engine_without_a_server_scans_cold(tmp_path: Path, answer: str) -> None:
    program = tmp_path / "engine"
    program.write_text(f'#!/bin/sh\nif [ "$1" = lsp ]; then {answer}; exit; fi\nexec {SEMGREP} "$@"\n')
    program.chmod(0o755)
    with pytest.raises(NoAnswerError):
        Server(locate(str(program)), load().data, patience=1)
    with Warm(patience=1) as warm:
        answers = [scan([TARGET], load(), engine=str(program), warm=warm).files for _ in range(2)]
    assert answers == [scan([TARGET], load()).files] * 2


def test_opengrep_is_always_scanned_cold() -> None:
    with Warm() as warm:
        answers = [scan([TARGET], load(), engine=str(OPENGREP), warm=warm).files for _ in range(2)]
    assert answers[0] == answers[1]


def test_a_chain_starts_the_engine_twice(tmp_path: Path, counting: tuple[Path, Counting]) -> None:
    program, starts = counting
    files = {"a.py": "x = 0\n", "scaffold.toml": f'[sast]\nengine = "{program}"\n'}
    repo = make_repo(tmp_path / "repo", files)
    propose = "command:sh -c 'echo y$(wc -l < a.py) = 1 >> a.py'"
    options = ("--layers", "sast", "--steps", "4", "--goal", "grow", "--with", propose)
    ended = scaffold("run", "a.py", *options, cwd=repo)
    assert (repo / "a.py").read_text().count("\n") == 5, ended
    assert starts() == ["scan", "lsp"]


def test_nothing_changed_since_the_last_verdict_starts_no_engine(
    tmp_path: Path, counting: tuple[Path, Counting]
) -> None:
    program, starts = counting
    config = f'[sast]\nengine = "{program}"\n'
    repo = make_repo(tmp_path / "repo", {"a.py": "x = 1\n", "b.py": "y = 1\n", "scaffold.toml": config})
    write(repo, {"a.py": WEAK})
    check = ("check", "--layers", "sast", "--format", "json")
    first = scaffold(*check, cwd=repo)
    assert (first.code, starts()) == (1, ["scan"])
    again = scaffold(*check, cwd=repo)
    assert (again.code, starts()) == (1, [])
    assert again.json["layers"][0]["violations"] == first.json["layers"][0]["violations"]
    write(repo, {"b.py": "y = 2\n"})
    assert (scaffold(*check, cwd=repo).code, starts()) == (1, ["scan"])
