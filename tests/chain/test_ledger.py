"""The ledger: what it holds, and that no byte of it changes unseen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scaffold_cli.chain.entry import DIFF_FILE, ENTRY_FILE, VERDICT_FILE, Entry, EntryKind, read_entry
from scaffold_cli.chain.ledger import PREFIX, LedgerError, chains, entry_message, find_chain, following, read
from scaffold_cli.chain.verify import Stored, check, verify
from scaffold_cli.chain.view import diff_of, find_step, view
from scaffold_cli.model.chain import ChainId, ChainResult, ChainStart
from scaffold_cli.model.errors import UsageError
from scaffold_cli.model.plain import Json, PlainError, to_plain
from scaffold_cli.vcs import refs
from scaffold_cli.vcs.repository import Repository
from tests.chain.support import NO_OWNER, TIDIER, TIDY, chain, ran_once, vault
from tests.support.repos import commit, git

CHAIN = ChainId("20260314-091500-1f2e3d")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ChainResult]:
    """A repository in which a chain has run: one candidate rejected, two accepted. Read only."""
    with ran_once(tmp_path_factory) as root:
        result = chain(root, {"vault.py": NO_OWNER}, {"vault.py": TIDY}, {"vault.py": TIDIER}, steps=2)
    return root, result


@pytest.fixture
def copy(ran: tuple[Path, ChainResult], tmp_path: Path) -> tuple[Repository, ChainId]:
    """A clone with everything, to tamper with."""
    root, result = ran
    git(tmp_path, "clone", "-q", "--mirror", str(root), str(tmp_path / "copy" / ".git"))
    git(tmp_path / "copy" / ".git", "config", "core.bare", "false")
    git(tmp_path / "copy", "reset", "-q", "--hard")
    return Repository.discover(tmp_path / "copy"), result.start.chain


def test_every_attempt_is_an_entry(ran: tuple[Path, ChainResult]) -> None:
    root, result = ran
    records = read(Repository.discover(root), result.start.chain)
    kinds = [record.entry.kind.value for record in records]
    assert kinds == ["start", "attempt", "attempt", "commit", "attempt", "commit", "stop"]
    assert sorted(records[1].files) == [DIFF_FILE, ENTRY_FILE, VERDICT_FILE]
    assert [record.entry.seq for record in records] == list(range(7))
    assert verify(Repository.discover(root), result.start.chain).ok


def test_the_ledger_moves_no_branch_and_dirties_nothing(ran: tuple[Path, ChainResult]) -> None:
    root, _ = ran
    assert git(root, "status", "--porcelain") == ""
    assert git(root, "rev-list", "--count", "main") == "3"
    assert set(git(root, "for-each-ref", "--format=%(refname)").split()) == {
        "refs/heads/main",
        PREFIX + chains_of(root),
    }


def test_a_diff_is_found_by_its_record(ran: tuple[Path, ChainResult]) -> None:
    root, result = ran
    repo = Repository.discover(root)
    assert b"-        raise PermissionError" in diff_of(repo, result.start.chain, result.attempts[0])
    assert diff_of(repo, result.start.chain, replace(result.attempts[0], record="f" * 64)) == b""


def test_steps_and_chains_are_found_by_what_people_type(ran: tuple[Path, ChainResult]) -> None:
    root, result = ran
    repo, name = Repository.discover(root), result.start.chain
    assert find_chain(repo) == find_chain(repo, name[:8]) == find_chain(repo, name[-6:]) == name
    assert [attempt.attempt for attempt in find_step(repo, "1")[1]] == [1, 2]
    assert [attempt.attempt for attempt in find_step(repo, "1.2")[1]] == [2]
    assert [attempt.step for attempt in find_step(repo, f"{name}/2")[1]] == [2]
    assert [attempt.step for attempt in find_step(repo)[1]] == [2]


@pytest.mark.parametrize(
    ("spec", "said"),
    [("first", "names no step"), ("9", "has no step 9"), ("1.7", "has no step 1.7"), ("nope/1", "There is no chain")],
)
def test_what_is_not_there_is_said_so(ran: tuple[Path, ChainResult], spec: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        find_step(Repository.discover(ran[0]), spec)


def test_without_a_chain_the_message_says_how_to_start_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No chain has run"):
        find_chain(Repository.discover(vault(tmp_path / "repo")))


# -- tampering with a real ledger ----------------------------------------------------------------------------


def rewritten(repo: Repository, name: ChainId, change: Callable[[int, dict[str, bytes]], None]) -> None:
    """Write the ledger anew with what `change` makes of each entry's files."""
    old = refs.history(repo, PREFIX + name)
    git(repo.root, "update-ref", "-d", PREFIX + name)
    for seq, item in enumerate(old):
        files = dict(item.files)
        change(seq, files)
        refs.append(repo, PREFIX + name, files, item.message)


def test_a_changed_verdict_is_found(copy: tuple[Repository, ChainId]) -> None:
    repo, name = copy

    def excuse(seq: int, files: dict[str, bytes]) -> None:
        if seq == 1:
            files[VERDICT_FILE] = files[VERDICT_FILE].replace(b'"reject"', b'"accept"', 1)

    rewritten(repo, name, excuse)
    faults = verify(repo, name).faults
    assert (1, "verdict.json is not what was recorded") in [(fault.seq, fault.what) for fault in faults]


def test_an_entry_taken_out_is_found(copy: tuple[Repository, ChainId]) -> None:
    repo, name = copy
    old = refs.history(repo, PREFIX + name)
    git(repo.root, "update-ref", "-d", PREFIX + name)
    for seq, item in enumerate(old):
        if seq != 1:
            refs.append(repo, PREFIX + name, item.files, item.message)
    assert any("does not follow" in fault.what for fault in verify(repo, name).faults)


def test_an_end_cut_off_is_found_by_the_commits_that_follow(copy: tuple[Repository, ChainId]) -> None:
    repo, name = copy
    assert verify(repo, name).ok
    git(repo.root, "update-ref", PREFIX + name, f"{PREFIX}{name}~4")
    faults = verify(repo, name).faults
    assert any("is not recorded" in fault.what for fault in faults)


def test_a_commit_that_is_gone_or_another_is_found(copy: tuple[Repository, ChainId]) -> None:
    repo, name = copy
    head = git(repo.root, "rev-parse", "HEAD")
    git(repo.root, "reset", "-q", "--hard", "HEAD~2")
    git(repo.root, "reflog", "expire", "--expire=now", "--all")
    git(repo.root, "gc", "-q", "--prune=now")
    assert any(fault.what == f"the commit {head} does not exist" for fault in verify(repo, name).faults)


def test_a_whole_ledger_made_up_afterwards_is_found(copy: tuple[Repository, ChainId]) -> None:
    """Every hash is right, but the commits of the steps carry the digests of the true records."""
    repo, name = copy
    last: Entry | None = None
    old = refs.history(repo, PREFIX + name)
    git(repo.root, "update-ref", "-d", PREFIX + name)
    for item in old:
        entry = read_entry(item.files[ENTRY_FILE])
        body: dict[str, Json] = {**entry.body}
        if "summary" in body:
            body["summary"] = "nothing to see here"
        made = replace(entry, body=body, prev="" if last is None else last.digest)
        refs.append(repo, PREFIX + name, {**item.files, ENTRY_FILE: made.data}, entry_message(made))
        last = made
    faults = [fault.what for fault in verify(repo, name).faults]
    assert any("does not name this record" in what or "tree beside it" in what for what in faults)


def test_rubbish_is_reported_and_not_read(copy: tuple[Repository, ChainId]) -> None:
    repo, name = copy
    refs.append(repo, PREFIX + name, {ENTRY_FILE: b"{}"}, "rubbish")
    assert verify(repo, name).faults[-1].what.startswith("it cannot be read")
    with pytest.raises(LedgerError, match="is damaged"):
        view(repo, name)


def test_an_empty_ledger_is_a_fault(tmp_path: Path) -> None:
    repo = Repository.discover(vault(tmp_path / "repo"))
    commit(repo.root, {"other.py": "x = 2\n"})
    assert [fault.what for fault in verify(repo, CHAIN).faults] == ["there is no entry"]


def test_another_tree_beside_an_entry_is_found(copy: tuple[Repository, ChainId]) -> None:
    repo, name = copy
    rewritten(repo, name, lambda _seq, _files: None)  # the same files, without the candidates' trees
    assert [fault.what for fault in verify(repo, name).faults][:1] == ["the candidate's tree beside it is another one"]


# -- any byte, any entry -------------------------------------------------------------------------------------

START = ChainStart(CHAIN, "goal", ("a.py",), "rules", "c" * 40, "d" * 40, "main", 3, 1, 60.0)


def told(entries: int) -> list[Stored]:
    """A ledger of one start and as many attempts as asked for."""
    stored: list[Stored] = []
    last: Entry | None = None
    for number in range(entries + 1):
        if number == 0:
            plain, files, kind = to_plain(START), {}, EntryKind.START
        else:
            attempt: dict[str, Json] = {"step": number, "attempt": 1, "outcome": "rejected", "summary": f"try {number}"}
            plain, files, kind = attempt, {DIFF_FILE: b"diff %d" % number}, EntryKind.ATTEMPT
        assert isinstance(plain, dict)
        last = following(last, CHAIN, kind, plain, files, None)
        stored.append(Stored(entry_message(last), {ENTRY_FILE: last.data, **files}, ""))
    return stored


def faults(stored: Sequence[Stored]) -> list[str]:
    return [fault.what for fault in check(CHAIN, stored)]


@settings(deadline=None)
@given(st.integers(0, 4))
def test_an_honest_ledger_has_no_fault(entries: int) -> None:
    assert faults(told(entries)) == []


@settings(deadline=None)
@given(st.data())
def test_any_changed_byte_is_found(data: st.DataObject) -> None:
    stored = told(data.draw(st.integers(1, 3)))
    seq = data.draw(st.integers(0, len(stored) - 1))
    name = data.draw(st.sampled_from(sorted(stored[seq].files)))
    content = bytearray(stored[seq].files[name])
    position = data.draw(st.integers(0, len(content) - 1))
    content[position] ^= data.draw(st.integers(1, 255))
    stored[seq] = replace(stored[seq], files={**stored[seq].files, name: bytes(content)})
    assert faults(stored)


@settings(deadline=None)
@given(st.data())
def test_any_other_order_is_found(data: st.DataObject) -> None:
    stored = told(3)
    shuffled = data.draw(st.permutations(stored))
    assert bool(faults(shuffled)) == (shuffled != stored)


@settings(deadline=None)
@given(st.data())
def test_an_entry_more_or_less_in_the_middle_is_found(data: st.DataObject) -> None:
    stored = told(3)
    seq = data.draw(st.integers(0, len(stored) - 2))
    assert faults([*stored[:seq], *stored[seq + 1 :]])
    assert faults([*stored[: seq + 1], *stored[seq:]])


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    with pytest.raises(PlainError):
        read_entry(data)


def chains_of(root: Path) -> str:
    (name,) = chains(Repository.discover(root))
    return name


def test_a_step_that_was_rebased_is_no_fault(copy: tuple[Repository, ChainId]) -> None:
    repo, name = copy
    git(repo.root, "checkout", "-q", "-b", "picked", "HEAD~2")
    commit(repo.root, {"notes.txt": "mine\n"})
    git(repo.root, "cherry-pick", "main~1", "main")
    assert verify(repo, name).ok


def test_time_never_runs_backwards() -> None:
    first = following(None, CHAIN, EntryKind.START, {}, {}, None)
    ahead = replace(first, time="2999-01-01T00:00:00+00:00")
    assert following(ahead, CHAIN, EntryKind.STOP, {}, {}, None).time == ahead.time


def test_an_entry_of_another_chain_is_found() -> None:
    assert "it belongs to chain 20260314-091500-1f2e3d" in [
        fault.what for fault in check(ChainId("20270101-000000-aaaaaa"), told(1))
    ]


def test_an_entry_of_another_kind_in_its_place_is_found() -> None:
    first = following(None, CHAIN, EntryKind.STOP, {}, {}, None)
    stored = [Stored(entry_message(first), {ENTRY_FILE: first.data}, "")]
    assert "a stop cannot stand here" in faults(stored)
