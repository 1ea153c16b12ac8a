"""Repositories as people have them: a chain and its undo leave everything else as it was, and a look is a look."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from scaffold_cli.chain.undo import undo
from scaffold_cli.model.chain import StepOutcome
from scaffold_cli.vcs.repository import Repository
from tests.chain.support import TIDY, VAULT, Edit, chain, outcomes
from tests.cli.samples import GUARDED, UNGUARDED
from tests.situations.support import check, everything, untouched
from tests.support.repos import commit, git, make_repo, write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_repo(tmp_path / "repo", {"vault.py": VAULT, "other.py": "x = 1\n"})


def there_and_back(root: Path, edit: Edit, *, paths: tuple[str, ...] = ("vault.py",)) -> None:
    """One step and its undo; in between the status is what it was, and after it the files are too."""
    status = git(root, "status", "--porcelain")
    before = files(root)
    result = chain(root, edit, paths=paths, steps=1)
    assert outcomes(result) == [StepOutcome.ACCEPTED], result.message
    assert git(root, "status", "--porcelain") == status
    undo(Repository.discover(root))
    assert git(root, "status", "--porcelain") == status
    assert files(root) == before


def files(root: Path) -> dict[str, tuple[str, str]]:
    """Modes and contents outside of ``.git``."""
    return {name: (mode, data) for name, (mode, _, data) in everything(root).items() if not name.startswith(".git/")}


def test_a_sparse_checkout_stays_sparse(root: Path) -> None:
    commit(root, {"in/vault.py": VAULT, "out/far.py": "far = 1\n"})
    git(root, "sparse-checkout", "set", "in")
    assert not (root / "out").exists()
    there_and_back(root, {"in/vault.py": TIDY}, paths=("in",))
    assert not (root / "out").exists()
    assert git(root, "ls-files", "-v", "out") == "S out/far.py"
    result = chain(root, {"out/far.py": "far = 2\n"}, paths=("in",), retries=0)
    assert outcomes(result) == [StepOutcome.NO_CHANGE], "what git was told not to look at is no candidate"
    assert not (root / "out").exists()


def test_files_behind_a_filter_are_committed_as_pointers(root: Path) -> None:
    """As with LFS: the repository holds pointers, the folder contents; neither is taken for the other."""
    git(root, "config", "filter.big.clean", "sed 's/^content /pointer /'")
    git(root, "config", "filter.big.smudge", "sed 's/^pointer /content /'")
    commit(root, {".gitattributes": "*.big filter=big\n", "model.big": "content 1\n"})
    assert git(root, "show", "HEAD:model.big") == "pointer 1"
    there_and_back(root, {"vault.py": TIDY, "model.big": "pointer 2\n"})
    assert (root / "model.big").read_text() == "content 1\n"
    assert git(root, "show", "HEAD~1:model.big") == "pointer 2"


def test_links_to_folders_to_nothing_and_out_of_the_repository_stay(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text("secret = 1\n")
    (root / "folder").mkdir()
    write(root, {"folder/inner.py": "i = 1\n"})
    for name, target in (("to-folder", "folder"), ("dangling", "nowhere"), ("out.py", "../outside.py")):
        (root / name).symlink_to(target)
    commit(root, {})
    there_and_back(root, {"vault.py": TIDY}, paths=(".",))
    assert (tmp_path / "outside.py").read_text() == "secret = 1\n"


def test_a_rename_of_case_only(root: Path) -> None:
    there_and_back(root, {"vault.py": None, "Vault.py": TIDY}, paths=(".",))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("bom.py", "\ufeff".encode() + VAULT.encode()),
        ("cp1251.py", "# -*- coding: cp1251 -*-\nWORD = 'слово'\n".encode("cp1251")),
        ("utf16.txt", "слово\n".encode("utf-16")),
        ("crlf.py", VAULT.replace("\n", "\r\n").encode()),
    ],
)
@pytest.mark.parametrize("autocrlf", ["false", "input"])
def test_bytes_of_any_encoding_come_back_as_they_were(root: Path, name: str, content: bytes, autocrlf: str) -> None:
    commit(root, {name: content})
    git(root, "config", "core.autocrlf", autocrlf)
    git(root, "config", "core.safecrlf", "false")
    there_and_back(root, {"vault.py": TIDY}, paths=(".",))
    assert (root / name).read_bytes() == content


@pytest.mark.parametrize("quote", ["true", "false"])
def test_names_of_every_kind_lie_around_and_are_changed(root: Path, quote: str) -> None:
    git(root, "config", "core.quotePath", quote)
    names = ["sp ace.py", "-dash.py", 'quo"te.py', "new\nline.py", "\udcff\udcfe.py", "слово.py", "*.py"]
    commit(root, dict.fromkeys(names, "x = 1\n"))
    write(root, {"sp ace.py": "x = 2  # mine\n"})
    there_and_back(root, {"new\nline.py": "x = 3\n", "\udcff\udcfe.py": "x = 3\n"})
    assert (root / "sp ace.py").read_text() == "x = 2  # mine\n"


def test_a_commit_template_and_a_split_index_do_not_matter(root: Path) -> None:
    (root.parent / "template").write_text("TICKET: \n")
    git(root, "config", "commit.template", str(root.parent / "template"))
    git(root, "config", "commit.cleanup", "scissors")
    git(root, "config", "core.splitIndex", "true")
    git(root, "update-index", "--split-index")
    there_and_back(root, {"vault.py": TIDY})
    assert "TICKET" not in git(root, "log", "-2", "--format=%B")


def test_signed_commits_are_signed(root: Path) -> None:
    program = root.parent / "sign.sh"
    program.write_text("#!/bin/sh\ncat >/dev/null\necho '[GNUPG:] SIG_CREATED ' >&2\necho signature\n")
    program.chmod(0o755)
    git(root, "config", "gpg.program", str(program))
    git(root, "config", "commit.gpgSign", "true")
    there_and_back(root, {"vault.py": TIDY})
    for revision in ("HEAD", "HEAD~1"):
        assert "gpgsig signature" in git(root, "cat-file", "commit", revision)


@pytest.mark.parametrize("words", [("rebase", "side"), ("cherry-pick", "side")])
def test_an_operation_in_progress_is_left_to_the_user(root: Path, words: tuple[str, str]) -> None:
    git(root, "checkout", "-q", "-b", "side")
    commit(root, {"other.py": "x = 2\n"})
    git(root, "checkout", "-q", "main")
    commit(root, {"other.py": "x = 3\n"})
    with pytest.raises(AssertionError):
        git(root, *words)
    done = subprocess.run(["git", "status"], cwd=root, capture_output=True, text=True, check=True)
    assert words[0] in done.stdout
    before = everything(root)  # only now: git itself renews the index when it is asked
    with pytest.raises(Exception, match=r"in progress|detached"):
        chain(root, {"vault.py": TIDY})
    untouched(before, root)


@pytest.mark.parametrize("options", [("--depth=2",), ("--filter=blob:none",)])
def test_shallow_and_partial_clones(root: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    for number in range(3):
        commit(root, {"other.py": f"x = {number}\n"})
    git(root, "config", "uploadpack.allowFilter", "true")
    git(root, "config", "uploadpack.allowAnySHA1InWant", "true")
    git(tmp_path, "clone", "-q", *options, f"file://{root}", "clone")
    clone = tmp_path / "clone"
    there_and_back(clone, {"vault.py": TIDY})


def test_commit_of_one_file_and_of_all_is_judged_by_what_it_commits(tmp_path: Path) -> None:
    """The hook is given an index of git's own (GIT_INDEX_FILE): what `-a` and a path add is seen, the rest is not."""
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED, "b.py": "x = 1\n", "c.py": "y = 1\n"})
    hook = repo / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    python = f'PYTHONPATH="{Path(__file__).parents[2]}" "{__import__("sys").executable}"'
    hook.write_text(f"#!/bin/sh\nexec env {python} -m scaffold_cli check --staged --layers anchors\n")
    hook.chmod(0o755)
    write(repo, {"a.py": UNGUARDED, "b.py": "x = 2\n"})
    git(repo, "add", "b.py")
    git(repo, "commit", "-qm", "only b", "b.py")
    write(repo, {"c.py": "y = 2\n"})
    for words in (("-qam", "all"), ("-qm", "one", "a.py")):
        done = subprocess.run(["git", "commit", *words], cwd=repo, capture_output=True, text=True, check=False)
        assert done.returncode == 1, done.stderr
        assert "REJECTED" in done.stdout + done.stderr
    assert git(repo, "log", "-1", "--format=%s") == "only b"


def test_fifty_thousand_files(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "repo", {"a.py": GUARDED})
    blob = git(repo, "hash-object", "-w", "--stdin", stdin=b"x = 1\n")
    lines = "".join(f"100644 {blob}\tmany/{n % 250}/{n}.py\n" for n in range(50_000))
    git(repo, "update-index", "--index-info", stdin=lines.encode())
    git(repo, "commit", "-qm", "Many")
    git(repo, "sparse-checkout", "set", "--no-cone", "/*.py")
    write(repo, {"a.py": UNGUARDED})
    git(repo, "add", "a.py")
    judged = check(repo, "--staged", "--layers", "budget,anchors")
    assert judged.code == 1
    assert {path for _, path in judged.blocking} == {"a.py"}
