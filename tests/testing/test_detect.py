"""Finding the test command of a project, from a tree and from a folder alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from scaffold_cli.testing.detect import detect_command
from tests.support.repos import make_repo, write
from tests.support.trees import tree_at

PACKAGE = '{"scripts": {"test": "%s"}}'


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"pyproject.toml": "[tool.pytest.ini_options]\n"}, "python3 -m pytest"),
        ({"pyproject.toml": "[tool.pytest]\n"}, "python3 -m pytest"),
        ({"pyproject.toml": "[tool.other]\n"}, None),
        ({"pytest.ini": ""}, "python3 -m pytest"),
        ({"setup.cfg": "[metadata]\n[tool:pytest]\n"}, "python3 -m pytest"),
        ({"tox.ini": "[tox]\n"}, None),
        ({"tox.ini": "[pytest]\n"}, "python3 -m pytest"),
        ({"tests/conftest.py": ""}, "python3 -m pytest"),
        ({"tests/unit/test_a.py": ""}, "python3 -m pytest"),
        ({"test_a.py": ""}, "python3 -m pytest"),
        ({"testing.py": "", "tests/data.py": ""}, None),
        ({"pom.xml": ""}, "mvn -q -B test"),
        ({"pom.xml": "", "mvnw": ""}, "./mvnw -q -B test"),
        ({"build.gradle.kts": ""}, "gradle cleanTest test"),
        ({"settings.gradle": "", "gradlew": ""}, "./gradlew cleanTest test"),
        ({"package.json": PACKAGE % "jest"}, "npm test"),
        ({"package.json": PACKAGE % 'echo \\"Error: no test specified\\" && exit 1'}, None),
        ({"package.json": "{"}, None),
        ({"package.json": "[]"}, None),
        ({"package.json": "{}"}, None),
        ({"go.mod": ""}, "go test ./..."),
        ({"test_a.py": "", "package.json": PACKAGE % "jest"}, "python3 -m pytest"),
        ({"README.md": ""}, None),
    ],
)
def test_what_files_point_to(tmp_path: Path, files: dict[str, str], expected: str | None) -> None:
    repo = make_repo(tmp_path / "repo", files)
    assert detect_command(repo) == expected
    with tree_at(repo) as tree:
        assert detect_command(tree) == expected


def test_the_project_s_own_environment_is_preferred(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"test_a.py": ""})
    write(repo, {".venv/bin/python": ""})
    assert detect_command(repo) == ".venv/bin/python -m pytest"
