"""Every rule names text a file must hold: a file without any of it is not even parsed by the engine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scaffold_cli import processes
from scaffold_cli.sast import engine as engines
from scaffold_cli.sast.inspection import SUFFIXES
from scaffold_cli.sast.rules import load
from scaffold_cli.syntax.outline import Language


@pytest.mark.parametrize("language", SUFFIXES, ids=str)
def test_every_rule_has_a_prefilter(language: Language, tmp_path: Path) -> None:
    (tmp_path / "targets").mkdir()
    (tmp_path / "targets" / f"a{SUFFIXES[language]}").write_text("")
    (tmp_path / "rules.json").write_bytes(load(languages=[language]).data_for({language}))
    engine = engines.locate("semgrep")
    told = ["scan", "--experimental", "--json", "--quiet", "--time", "--metrics=off", "--disable-version-check"]
    argv = [str(engine.program), *told, "--no-git-ignore", "--config", "rules.json", "targets"]
    done = processes.run(argv, cwd=tmp_path, env=engines.environment(engine, tmp_path))
    selected = json.loads(done.stdout)["time"]["prefiltering"]
    assert selected["rules_with_file_prefilters_ratio"] == 1.0
    assert selected["rules_selected_ratio"] == 0.0
