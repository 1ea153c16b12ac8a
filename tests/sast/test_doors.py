"""The layer behind a real door: renames as git resolves them."""

from __future__ import annotations

from pathlib import Path

from scaffold_cli.gate.session import SessionOptions, judge_comparison
from scaffold_cli.model.verdict import Decision, LayerName, Verdict
from scaffold_cli.vcs.doors.revisions import revisions
from scaffold_cli.vcs.repository import Repository
from tests.support.repos import Content, commit, make_repo

QUERY = "def find(cursor, name):\n    cursor.execute(f\"SELECT id FROM users WHERE name = '{name}'\")\n"
FILLER = "".join(f"def helper_{number}():\n    return {number}\n\n\n" for number in range(20))


def judged(repo: Path, after: dict[str, Content | None]) -> Verdict:
    """The verdict of the sast layer on one more commit."""
    commit(repo, after, "Change things")
    with revisions(Repository.discover(repo), "HEAD~1", "HEAD", max_file_bytes=1_000_000) as comparison:
        return judge_comparison(comparison, SessionOptions(layers=(LayerName.SAST,)))


def test_a_renamed_and_edited_file_keeps_its_finding(tmp_path: Path) -> None:
    # semgrep/semgrep-action#406
    repo = make_repo(tmp_path / "repo", {"before.py": FILLER + QUERY})
    verdict = judged(repo, {"before.py": None, "after.py": "# tidied up\n" + FILLER + QUERY})
    assert (verdict.decision, verdict.violations) == (Decision.ACCEPT, ())


def test_a_rename_out_of_an_ignore_pattern_hides_nothing(tmp_path: Path) -> None:
    # semgrep/semgrep#6621; the ignore file is the engine's, and a guard does not heed it.
    repo = make_repo(tmp_path / "repo", {".semgrepignore": "*.py\n", "before.txt": FILLER + QUERY})
    verdict = judged(repo, {"before.txt": None, "after.py": FILLER + QUERY})
    assert verdict.decision is Decision.REJECT
    assert [violation.code for violation in verdict.violations] == ["py-sql-string-building"]


def test_a_pasted_copy_is_new(tmp_path: Path) -> None:
    # PyCQA/bandit#466
    call = "    subprocess.call(cmd, shell=True)\n"
    repo = make_repo(tmp_path / "repo", {"a.py": f"import subprocess\n\n\ndef run(cmd):\n{call}"})
    verdict = judged(repo, {"a.py": f"import subprocess\n\n\ndef run(cmd):\n{call}{call}"})
    assert [violation.code for violation in verdict.violations] == ["py-shell-dynamic-command"]
