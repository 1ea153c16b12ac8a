"""The index door: what is staged, in hooks, and during a merge."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from scaffold_cli.model.change import FileStatus
from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.vcs.doors.staged import staged
from scaffold_cli.vcs.doors.working_tree import working_tree
from scaffold_cli.vcs.quick import nothing_staged
from tests.support.repos import Content, commit, git, make_repo, write
from tests.vcs.support import LIMIT, brief, fingerprint, found

VALIDATOR = "def check(age):\n    if age < 0:\n        raise ValueError(age)\n    return age\n"


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return make_repo(tmp_path / "repo", {"a.py": "one\n", "b.py": "b\n", "v.py": VALIDATOR, "sub/x.py": "x\n"})


def look(folder: Path, index_file: Path | None = None) -> dict[str, tuple[str | None, str | None]]:
    return brief(staged(found(folder), LIMIT, index_file))


def test_the_index_is_judged_never_the_tree(repo: Path) -> None:
    """lint-staged#62: a file staged in part."""
    write(repo, {"a.py": "staged\n", "new.py": "n\n"})
    git(repo, "add", "a.py")
    write(repo, {"a.py": "later\n", "b.py": "unstaged\n"})
    before = fingerprint(repo)
    assert look(repo / "sub") == {"a.py": ("one\n", "staged\n")}
    assert fingerprint(repo) == before


def test_a_pure_rename_and_a_swap_find_their_old_selves(repo: Path) -> None:
    commit(repo, {"first.py": VALIDATOR * 8, "second.py": "y = 1\n" * 99})
    git(repo, "mv", "v.py", "w.py")
    for step in (("first.py", "t"), ("second.py", "first.py"), ("t", "second.py")):
        git(repo, "mv", *step)
    with staged(found(repo), LIMIT) as comparison:
        pairs = [(p.before and p.before.path, p.after and p.after.path) for p in comparison.change.files]
    assert pairs == [("second.py", "first.py"), ("first.py", "second.py"), ("v.py", "w.py")]


def test_a_rename_with_most_of_the_text_changed_is_a_rename(repo: Path) -> None:
    """semgrep-action#406, variant: 60 % of the text changed."""
    old = [f"line {number} of the old text\n" for number in range(50)]
    commit(repo, {"old.py": "".join(old)})
    git(repo, "mv", "old.py", "new.py")
    new = [line if number % 5 < 2 else f"something else entirely, {number * 7}\n" for number, line in enumerate(old)]
    write(repo, {"new.py": "".join(new)})
    git(repo, "add", "new.py")
    with staged(found(repo), LIMIT) as comparison:
        (pair,) = comparison.change.files
    assert pair.status is FileStatus.RENAMED


HOOK = f"""#!{sys.executable}
import os, sys
sys.path.insert(0, {str(Path(__file__).resolve().parents[2])!r})
from pathlib import Path
from scaffold_cli.vcs.quick import nothing_staged
from scaffold_cli.vcs.doors.staged import staged
from tests.vcs.support import brief, found
index = os.environ.get("GIT_INDEX_FILE")
index = Path(index) if index else None
with open(os.environ["SEEN"], "a") as seen:
    print(nothing_staged(Path.cwd(), index), brief(staged(found(Path.cwd()), 1000, index)), file=seen)
"""


@pytest.mark.parametrize("linked", [False, True], ids=["main", "linked-worktree"])
def test_inside_a_real_hook(repo: Path, tmp_path: Path, linked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """semgrep#11318: `git commit -a` and `git commit FILE` hand the hook an index of their own."""
    seen = tmp_path / "seen"
    monkeypatch.setenv("SEEN", str(seen))
    hook = repo / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(HOOK)
    hook.chmod(0o755)
    folder = repo
    if linked:
        folder = tmp_path / "side"
        git(repo, "worktree", "add", "-q", str(folder))
    write(folder, {"a.py": "two\n", "b.py": "bb\n"})
    git(folder, "add", "b.py")
    git(folder / "sub", "commit", "-q", "-m", "file", "../a.py")
    git(folder, "commit", "-q", "-m", "index")
    write(folder, {"a.py": "three\n"})
    git(folder, "commit", "-q", "-a", "-m", "all")
    assert seen.read_text().splitlines() == [
        "False {'a.py': ('one\\n', 'two\\n')}",
        "False {'b.py': ('b\\n', 'bb\\n')}",
        "False {'a.py': ('two\\n', 'three\\n')}",
    ]


def test_nothing_staged_is_told_apart_from_not_knowing(repo: Path, tmp_path: Path) -> None:
    write(repo, {"a.py": "unstaged\n"})
    assert nothing_staged(repo / "sub")
    git(repo, "add", "a.py")
    assert not nothing_staged(repo / "sub")
    assert not nothing_staged(tmp_path)
    assert not nothing_staged(make_repo(tmp_path / "fresh", {}))
    assert not nothing_staged(tmp_path / "missing")


def test_before_the_first_commit(tmp_path: Path) -> None:
    folder = make_repo(tmp_path / "fresh", {})
    assert look(folder) == {}
    write(folder, {"a.py": "one\n", "b.py": "b\n"})
    git(folder, "add", "a.py")
    assert look(folder) == {"a.py": (None, "one\n")}


def merge(repo: Path, ours: Mapping[str, Content], theirs: Mapping[str, Content]) -> bool:
    """Start merging a branch with `theirs` into one with `ours`; True when git found no conflict."""
    git(repo, "checkout", "-q", "-b", "side")
    commit(repo, dict(theirs), "theirs")
    git(repo, "checkout", "-q", "main")
    commit(repo, dict(ours), "ours")
    try:
        git(repo, "merge", "--no-commit", "--no-ff", "side")
    except AssertionError:
        return False
    return True


OURS = VALIDATOR.replace("age < 0", "age < 1")
THEIRS = VALIDATOR.replace("age < 0", "age <= -1")


def test_a_clean_merge_is_an_empty_change(repo: Path) -> None:
    assert merge(
        repo, {"v.py": VALIDATOR + "# ours\n", "a.py": "1\n"}, {"v.py": "# theirs\n" + VALIDATOR, "b.py": "2\n"}
    )
    assert look(repo) == {}
    assert brief(working_tree(found(repo), LIMIT)) == {}


def test_a_merge_that_commits_by_itself_names_its_parents_to_the_hook_alone(repo: Path) -> None:
    assert merge(repo, {"a.py": "1\n"}, {"v.py": "# no check any more\n"})
    (repo / ".git/MERGE_HEAD").unlink()
    (theirs,) = git(repo, "rev-parse", "side").split()
    assert set(look(repo)) == {"v.py"}
    assert brief(staged(found(repo), LIMIT, merging=[theirs])) == {}
    write(repo, {"b.py": "slipped in\n"})
    git(repo, "add", "-A")
    assert brief(staged(found(repo), LIMIT, merging=[theirs])) == {"b.py": ("b\n", "slipped in\n")}


def test_a_resolution_that_loses_the_check_is_seen_and_nothing_else(repo: Path) -> None:
    """pre-commit#31, ggshield#946, DALI#3032."""
    assert not merge(repo, {"v.py": OURS, "a.py": "1\n"}, {"v.py": THEIRS, "b.py": "2\n", "c.py": "c\n"})
    with pytest.raises(UndecidedError, match=r"v\.py"):
        look(repo)
    resolved = "def check(age):\n    return age\n"
    write(repo, {"v.py": resolved})
    git(repo, "add", "v.py")
    assert look(repo) == {"v.py": (OURS, resolved)}
    with staged(found(repo), LIMIT) as comparison:
        assert comparison.before.read("b.py") == b"2\n"
        assert comparison.after.read("b.py") == b"2\n"


def test_a_check_only_they_had_added_must_survive_the_resolution(repo: Path) -> None:
    guard = "\n\ndef other(name):\n    if not name:\n        raise ValueError(name)\n    return name\n"
    assert not merge(repo, {"v.py": OURS}, {"v.py": THEIRS + guard})
    write(repo, {"v.py": OURS.replace("age < 1", "age < 2")})
    git(repo, "add", "v.py")
    assert look(repo) == {"v.py": (OURS + guard, OURS.replace("age < 1", "age < 2"))}


def test_a_conflict_without_a_common_text_is_held_against_our_version(repo: Path) -> None:
    assert not merge(repo, {"new.py": "ours\n"}, {"new.py": "theirs\n"})
    write(repo, {"new.py": "neither\n"})
    git(repo, "add", "new.py")
    assert look(repo) == {"new.py": ("ours\n", "neither\n")}


def test_a_binary_conflict_is_held_against_our_version(repo: Path) -> None:
    commit(repo, {"bin": b"\0base"})
    assert not merge(repo, {"bin": b"\0ours"}, {"bin": b"\0theirs"})
    write(repo, {"bin": b"\0neither"})
    git(repo, "add", "bin")
    assert look(repo) == {"bin": ("\0ours", "\0neither")}


@pytest.mark.parametrize("side", [OURS, THEIRS], ids=["ours", "theirs"])
def test_taking_a_side_as_it_is_was_judged_on_its_branch(repo: Path, side: str) -> None:
    assert not merge(repo, {"v.py": OURS}, {"v.py": THEIRS})
    write(repo, {"v.py": side})
    git(repo, "add", "v.py")
    assert look(repo) == {}


def test_an_edit_slipped_into_a_clean_merge_is_seen(repo: Path) -> None:
    assert merge(repo, {"a.py": "1\n"}, {"b.py": "2\n", "v.py": THEIRS})
    write(repo, {"v.py": "slipped\n", "evil.py": "e\n"})
    git(repo, "add", "-A")
    git(repo, "rm", "-q", "sub/x.py")
    assert look(repo) == {"evil.py": (None, "e\n"), "sub/x.py": ("x\n", None), "v.py": (VALIDATOR, "slipped\n")}


def test_a_resolution_in_a_file_they_renamed_meets_our_version(repo: Path) -> None:
    git(repo, "checkout", "-q", "-b", "side")
    git(repo, "mv", "v.py", "w.py")
    commit(repo, {"w.py": VALIDATOR.replace("age < 0", "age <= -1")})
    git(repo, "checkout", "-q", "main")
    commit(repo, {"v.py": OURS})
    with pytest.raises(AssertionError):
        git(repo, "merge", "side")
    resolved = VALIDATOR.replace("        raise ValueError(age)", "        pass")
    write(repo, {"w.py": resolved})
    git(repo, "add", "-A")
    with staged(found(repo), LIMIT) as comparison:
        (pair,) = comparison.change.files
    assert pair.before is not None
    assert pair.after is not None
    assert (pair.before.path, pair.before.data.decode()) == ("v.py", OURS)
    assert (pair.after.path, pair.after.data.decode()) == ("w.py", resolved)


def test_several_parents_at_once(repo: Path) -> None:
    for name in ("x", "y"):
        git(repo, "checkout", "-q", "-b", name, "main")
        commit(repo, {f"{name}.py": "n\n"})
    git(repo, "checkout", "-q", "main")
    commit(repo, {"a.py": "1\n"})
    git(repo, "merge", "--no-commit", "x", "y")
    assert look(repo) == {}
