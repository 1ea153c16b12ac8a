"""Where each setting comes from, and what is said about settings that are wrong."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.config.keys import all_keys
from scaffold_cli.config.loading import load_policy
from scaffold_cli.config.schema import Settings, TestReader
from scaffold_cli.model.errors import UsageError
from scaffold_cli.model.verdict import LayerName, Severity
from tests.config.trees import MemoryTree


def root(text: str | bytes, name: str = "scaffold.toml") -> Settings:
    return load_policy(MemoryTree({name: text})).root


def test_without_files_the_defaults_hold() -> None:
    assert load_policy(None, ["a/b.py"]).root == Settings()
    assert load_policy(MemoryTree({"a/b.py": "x = 1"}), ["a/b.py"]).for_path("a/b.py") == Settings()


def test_values_take_the_types_of_the_schema() -> None:
    settings = root(
        'layers = ["budget", "tests"]\n[tests]\nreader = "junit"\ntimeout = 5\nrequired = true\n'
        '[sast]\ngate = ["low"]\n[budget]\nchanged-lines = 7\n'
    )
    assert settings.layers == (LayerName.BUDGET, LayerName.TESTS)
    assert settings.tests.reader is TestReader.JUNIT
    assert settings.tests.timeout == 5.0
    assert settings.tests.required is True
    assert settings.sast.gate == (Severity.LOW,)
    assert settings.budget.changed_lines == 7


def test_pyproject_holds_settings_in_its_tool_table() -> None:
    text = '[project]\nname = "x"\n[tool.scaffold.tests]\ncommand = "pytest -q"\n'
    assert root(text, "pyproject.toml").tests.command == "pytest -q"
    assert root('[tool.scaffold]\ntests.command = "pytest"\n', "pyproject.toml").tests.command == "pytest"


@pytest.mark.parametrize("text", ['[project]\nname = "x"\n', "this is [not toml", '[tool.other]\nname = "scaffold"\n'])
def test_a_pyproject_without_our_table_is_not_ours(text: str) -> None:
    assert root(text, "pyproject.toml") == Settings()


@pytest.mark.parametrize("text", [b"\xef\xbb\xbfmax-file-bytes = 5\n", b"max-file-bytes = 5\r\n[run]\r\nsteps = 2\r\n"])
def test_a_byte_order_mark_and_crlf_change_nothing(text: bytes) -> None:
    assert root(text).max_file_bytes == 5


def test_the_nearest_file_wins_key_by_key() -> None:
    tree = MemoryTree(
        {
            "scaffold.toml": "[budget]\nfiles = 1\nchanged-lines = 10\n",
            "services/api/pyproject.toml": "[tool.scaffold.budget]\nfiles = 9\n",
        }
    )
    policy = load_policy(tree, ["services/api/src/a.py", "lib/b.py"])
    inner = policy.for_path("services/api/src/a.py").budget
    assert (inner.files, inner.changed_lines) == (9, 10)
    assert policy.for_path("lib/b.py").budget.files == 1
    assert policy.folder_of("services/api/src/a.py") == "services/api"
    assert set(policy.digests) == {"scaffold.toml", "services/api/pyproject.toml"}


def test_an_inherited_test_command_runs_where_it_was_written() -> None:
    tree = MemoryTree(
        {
            "scaffold.toml": '[tests]\ncommand = "make test"\n',
            "a/scaffold.toml": "[budget]\nfiles = 9\n",
            "b/scaffold.toml": '[tests]\ncommand = "pytest"\n',
        }
    )
    policy = load_policy(tree, ["a/x.py", "b/x.py", "c/x.py"])
    assert policy.for_path("a/x.py").tests.command == "make test"
    assert [policy.tests_folder(path) for path in ("a/x.py", "b/x.py", "c/x.py")] == ["", "b", ""]


def test_paths_are_held_relative_to_the_root() -> None:
    tree = MemoryTree({"a/b/scaffold.toml": '[sast]\nrules = ["r.yml", "../shared", "/opt/rules"]\n'})
    rules = load_policy(tree, ["a/b/x.py"]).for_path("a/b/x.py").sast.rules
    assert rules == ("a/b/r.yml", "a/shared", "/opt/rules")


def test_the_command_line_wins_everywhere() -> None:
    tree = MemoryTree({"scaffold.toml": "[budget]\nfiles = 1\n", "a/scaffold.toml": "[budget]\nfiles = 2\n"})
    policy = load_policy(tree, ["a/x.py"], {"budget.files": 7, "layers": ["sast"]})
    assert policy.root.budget.files == policy.for_path("a/x.py").budget.files == 7
    assert policy.root.layers == (LayerName.SAST,)
    with pytest.raises(UsageError, match=r"^command line: there is no setting 'budget\.file'\.$"):
        load_policy(None, [], {"budget.file": 7})


def test_two_files_in_one_folder_are_refused() -> None:
    files = {"a/scaffold.toml": "", "a/pyproject.toml": "[tool.scaffold]\n"}
    with pytest.raises(UsageError, match=re.escape("Both a/scaffold.toml and [tool.scaffold] in a/pyproject.toml")):
        load_policy(MemoryTree(files), ["a/x.py"])


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("[tests]\ncomand = 'x'\n", "scaffold.toml:2: there is no setting 'tests.comand'.", "'tests.command'"),
        ("[test]\ncommand = 'x'\n", "scaffold.toml: there is no setting 'test'.", "'tests'"),
        ("command = 'x'\n", "scaffold.toml:1: there is no setting 'command'.", "'tests.command'"),
        ("max_file_bytes = 5\n", "scaffold.toml:1: there is no setting 'max_file_bytes'.", "'max-file-bytes'"),
        ("zzz = 5\n", "scaffold.toml:1: there is no setting 'zzz'.", "scaffold config"),
        ("tests = 5\n", "scaffold.toml:1: 'tests' is a table, not a key.", "[tests]"),
        (
            "layers = 'sast'\n",
            "scaffold.toml:1: layers must be a list, each item one of tests, sast, budget, anchors.",
            "",
        ),
        ("layers = ['sats']\n", "scaffold.toml:1: layers must be a list, each item one of tests, sast", "sats"),
        ("max-file-bytes = true\n", "scaffold.toml:1: max-file-bytes must be a whole number, 0 or more.", "True"),
        ("\n[run]\nsteps = 0\n", "scaffold.toml:3: run.steps must be a whole number, 1 or more.", "It is 0."),
        ("[run]\nwall-time = nan\n", "scaffold.toml:2: run.wall-time must be a number of seconds above 0.", "nan"),
        ("[tests]\nrequired = 1\n", "scaffold.toml:2: tests.required must be true or false.", ""),
        (
            "[tests]\nreader = 'tap'\n",
            "scaffold.toml:2: tests.reader must be one of auto, pytest, junit, exit-code.",
            "",
        ),
        ("[tests.command]\nx = 1\n", "scaffold.toml: tests.command must be a text.", ""),
        ("[tests\n", "scaffold.toml is not valid TOML: ", ""),
        (b"\xff\xfe", "scaffold.toml is not UTF-8 text.", ""),
    ],
)
def test_what_is_wrong_is_named(text: str | bytes, message: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        root(text)
    assert caught.value.message.startswith(message)
    assert hint in caught.value.hint


def test_a_pyproject_of_ours_must_be_toml_and_a_table() -> None:
    with pytest.raises(UsageError, match=r"^pyproject\.toml is not valid TOML"):
        root("[tool.scaffold\n", "pyproject.toml")
    with pytest.raises(UsageError, match=r"tool\.scaffold must be a table"):
        root("[tool]\nscaffold = 3\n", "pyproject.toml")


@given(name=st.sampled_from(sorted(all_keys())), value=st.one_of(st.text(), st.integers(), st.floats(), st.booleans()))
def test_any_value_is_taken_or_refused_with_the_name_of_its_key(name: str, value: object) -> None:
    message = ""
    try:
        assert isinstance(load_policy(None, [], {name: value}).root, Settings)
    except UsageError as error:
        message = error.message
    assert not message or f"{name} must be " in message
