"""Every setting with its origin, the published schema, and a folder as a tree."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from scaffold_cli.config.explain import explain
from scaffold_cli.config.folder import FolderTree
from scaffold_cli.config.json_schema import PUBLISHED, config_schema
from scaffold_cli.config.keys import all_keys
from tests.config.trees import MemoryTree


def test_each_setting_is_shown_once_with_its_origin() -> None:
    tree = MemoryTree(
        {
            "scaffold.toml": '# ours\n[tests]\ncommand = "pytest" # fast\n\n[sast]\ngate = [\n "high",\n]\n',
            "a/pyproject.toml": "[tool.scaffold]\nrun.steps = 3\n",
        }
    )
    shown = {item.name: item for item in explain(tree, "a", {"budget.files": 8})}
    assert list(shown) == list(all_keys())
    assert (shown["tests.command"].value, shown["tests.command"].origin) == ("pytest", "scaffold.toml:3")
    assert (shown["sast.gate"].value, shown["sast.gate"].origin) == (["high"], "scaffold.toml:6")
    assert (shown["run.steps"].value, shown["run.steps"].origin) == (3, "a/pyproject.toml:2")
    assert (shown["budget.files"].value, shown["budget.files"].origin) == (8, "command line")
    assert shown["tests.reader"].origin == "default"
    assert {item.name: item for item in explain(tree)}["run.steps"].origin == "default"


def test_the_published_schema_is_the_generated_one() -> None:
    assert json.loads(PUBLISHED.read_text()) == config_schema()
    jsonschema.Draft202012Validator.check_schema(config_schema())


def test_the_schema_accepts_the_defaults_and_refuses_unknown_keys() -> None:
    validator = jsonschema.Draft202012Validator(config_schema())
    document: dict[str, object] = {}
    for item in explain(None):
        section, _, name = item.name.rpartition(".")
        table = document.setdefault(section, {}) if section else document
        assert isinstance(table, dict)
        table[name] = item.value
    validator.validate(document)
    wrongs: tuple[dict[str, object], ...] = (
        {"test": {}},
        {"tests": {"comand": ""}},
        {"run": {"steps": 0}},
        {"tests": {"timeout": 0}},
    )
    for wrong in wrongs:
        assert not validator.is_valid(wrong)


def test_a_folder_is_read_as_it_is_now(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("x")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.py").write_bytes(b"x = 1\r\n")
    (tmp_path / "gone").symlink_to("nowhere")
    tree = FolderTree(tmp_path)
    assert tree.paths() == ["a/b.py", "gone"]
    assert tree.read("a/b.py") == b"x = 1\r\n"
    assert tree.read("gone") is tree.read("a") is tree.read("a/c.py") is None
    before = tree.id
    (tmp_path / "a" / "b.py").write_bytes(b"x = 2\r\n")
    assert tree.id != before


@pytest.mark.parametrize("name", sorted(all_keys()))
def test_every_key_is_described_by_its_dataclass(name: str) -> None:
    key = all_keys()[name]
    table = config_schema()
    for part in name.split("."):
        table = table["properties"][part]
    assert "default" in table
    assert key.name == name
