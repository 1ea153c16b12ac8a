"""The same change through any door is the same Change."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from scaffold_cli.model.change import Change, Door, FileChange
from scaffold_cli.vcs.build import files_after, files_before, tree_with
from scaffold_cli.vcs.compare import compare
from scaffold_cli.vcs.doors.folders import folders
from scaffold_cli.vcs.doors.patch import patch
from scaffold_cli.vcs.doors.revisions import revisions
from scaffold_cli.vcs.doors.staged import staged
from scaffold_cli.vcs.doors.working_tree import working_tree
from scaffold_cli.vcs.repository import Repository
from tests.support.repos import git, make_repo

NAMES = st.sampled_from(
    ["a.py", "b.py", "sub/c.py", "sub/d e.py", 'q"uote.py', "n\new.py", "-x.py", "\udcff.py", "long.py"]
)
TEXTS = st.one_of(
    st.binary(max_size=40),
    st.lists(st.sampled_from([b"x = 1\n", b"y\r\n", b"\xe4\n", b"# c\n", b"end"]), max_size=8).map(b"".join),
    st.just(b"z" * 300),
)
FILES = st.dictionaries(NAMES, st.tuples(TEXTS, st.booleans()), max_size=6)
LIMIT = 200


def lay_out(folder: Path, files: dict[str, tuple[bytes, bool]]) -> None:
    for name, (data, executable) in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o755 if executable else 0o644)


def replace(repo: Path, files: dict[str, tuple[bytes, bool]]) -> None:
    for place in repo.iterdir():
        if place.is_dir() and place.name != ".git":
            shutil.rmtree(place)
        elif place.name != ".git":
            place.unlink()
    lay_out(repo, files)


def through_all_doors(
    top: Path, before: dict[str, tuple[bytes, bool]], after: dict[str, tuple[bytes, bool]]
) -> list[Change]:
    repo = make_repo(top / "repo", {})
    lay_out(repo, before)
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "--allow-empty", "-m", "before")
    for name, files in (("old", before), ("new", after)):
        (top / name).mkdir()
        lay_out(top / name, files)
    replace(repo, after)
    here = Repository.discover(repo)
    seen = [working_tree(here, LIMIT), folders(top / "old", top / "new", LIMIT)]
    git(repo, "add", "-A")
    seen.append(staged(here, LIMIT))
    text = (git(repo, "diff", "--cached", "--binary", "HEAD") + "\n\n").encode("utf-8", "surrogateescape")
    seen += [patch(here, text, LIMIT), patch(top / "old", text, LIMIT)]
    git(repo, "commit", "-q", "--allow-empty", "-m", "after")
    seen.append(revisions(here, "HEAD~1", max_file_bytes=LIMIT))
    for comparison in seen:
        comparison.close()
    return [comparison.change for comparison in seen]


@settings(max_examples=15, deadline=None)
@given(before=FILES, after=FILES)
def test_every_door_gives_the_same_change(
    before: dict[str, tuple[bytes, bool]], after: dict[str, tuple[bytes, bool]]
) -> None:
    with tempfile.TemporaryDirectory() as top:
        first, *others = through_all_doors(Path(top), before, after)
        for other in others:
            assert other == first
            assert other.digest == first.digest
        assert {pair.path for pair in first.files if pair.after} <= set(after)


@settings(max_examples=15, deadline=None)
@given(before=FILES, after=FILES)
def test_a_change_can_be_applied_and_taken_back(
    before: dict[str, tuple[bytes, bool]], after: dict[str, tuple[bytes, bool]]
) -> None:
    with tempfile.TemporaryDirectory() as top:
        for name, files in (("old", before), ("new", after)):
            Path(top, name).mkdir()
            lay_out(Path(top, name), files)
        with folders(Path(top, "old"), Path(top, "new"), 10_000) as comparison:
            change = comparison.change
            assert tree_with(comparison.before, files_after(change)) == comparison.after
            assert tree_with(comparison.after, files_before(change)) == comparison.before
            back = compare(comparison.after, comparison.before, max_file_bytes=10_000, door=Door.FOLDERS)
            assert paths(back.files) == paths(change.files)


def paths(files: tuple[FileChange, ...]) -> set[str]:
    return {side.path for pair in files for side in pair.sides}
