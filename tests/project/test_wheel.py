"""The wheel: what it holds, and that it works, with its own dependencies, where the checkout is not."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.support.repos import make_repo

ROOT = Path(__file__).resolve().parents[2]

GUARDED = """\
def load(name: str) -> bytes:
    if '..' in name:
        raise ValueError(name)
    with open('/srv/data/' + name, 'rb') as file:
        return file.read()
"""
GUARD = "    if '..' in name:\n        raise ValueError(name)\n"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(target), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, env=_installer_environment())
    return next(target.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a fresh environment into which only the wheel was installed."""
    home = tmp_path_factory.mktemp("fresh") / "venv"
    venv.create(home, with_pip=True)
    subprocess.run(
        [str(home / "bin/pip"), "install", "--quiet", "--disable-pip-version-check", str(wheel)],
        check=True,
        capture_output=True,
        env=_installer_environment(),
    )
    return home / "bin"


def test_it_holds_the_package_and_its_data_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"scaffold_cli"}
    for folder in ("anchors", "rulesets"):
        shipped = {n.removeprefix(f"scaffold_cli/_data/{folder}/") for n in names if f"/_data/{folder}/" in n}
        there = {str(p.relative_to(ROOT / folder)) for p in (ROOT / folder).rglob("*") if p.is_file()}
        assert shipped == there
        assert shipped


def test_it_judges_a_change_from_a_fresh_environment(installed: Path, tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"store.py": GUARDED})
    (repo / "store.py").write_text(GUARDED.replace(GUARD, ""))
    done = subprocess.run([installed / "scaffold", "check"], cwd=repo, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "'..' in name" in done.stdout
    (repo / "store.py").write_text(GUARDED.replace("file", "handle"))
    done = subprocess.run([installed / "scaffold", "check"], cwd=repo, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def _installer_environment() -> dict[str, str]:
    """The tests' environment with the user's own home back: pip keeps its settings and its cache there."""
    return {**os.environ, "HOME": pwd.getpwuid(os.getuid()).pw_dir}
