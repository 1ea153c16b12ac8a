"""One suite for every backend and embedding."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scaffold_cli.config.schema import EmbeddingName, MemoryBackend
from scaffold_cli.memory.case import CaseKind
from scaffold_cli.memory.hashing import HashingEmbedding
from scaffold_cli.memory.store import MemoryFileError
from tests.memory.stores import COMBINATIONS, case, store

SQL = "cursor.execute('select * from users where name = ' + name)"
HASH = "digest = hashlib.md5(password).hexdigest()"
PATH = "return open(os.path.join(root, request.args['file'])).read()"

every = pytest.mark.parametrize(("backend", "vectors"), COMBINATIONS)


@every
def test_what_was_added_is_there_after_reopening(
    tmp_path: Path, backend: MemoryBackend, vectors: EmbeddingName
) -> None:
    cases = [case(SQL, created="2026-01-02"), case(HASH, created="2026-01-03"), case(PATH, created="2026-01-01")]
    with store(tmp_path, backend, vectors) as first:
        assert first.add(cases) == 3
        assert first.add(cases[:1]) == 0
    with store(tmp_path, backend, vectors) as again:
        assert len(again) == 3
        assert [found.query for found in again.cases()] == [HASH, SQL, PATH]
        assert again.get(cases[0].id[:8]) == cases[0]
        assert again.get("") is None
        assert again.get("*") is None


@every
def test_the_most_similar_case_is_first(tmp_path: Path, backend: MemoryBackend, vectors: EmbeddingName) -> None:
    with store(tmp_path, backend, vectors) as opened:
        opened.add([case(SQL), case(HASH), case(PATH)])
        hits = opened.search("db.execute('select * from users where id = ' + user_id)", 2)
        assert hits[0].case.query == SQL
        assert len(hits) == 2
        assert hits[0].similarity > hits[1].similarity
        same = opened.search(HASH, 1)[0]
        assert same.similarity == pytest.approx(1.0, abs=1e-3)


@every
def test_of_equally_similar_cases_the_one_used_last_is_first(
    tmp_path: Path, backend: MemoryBackend, vectors: EmbeddingName
) -> None:
    one, other = case(SQL, title="one"), case(SQL, title="other")
    with store(tmp_path, backend, vectors) as opened:
        opened.add([one, other])
        for used in (one, other):
            opened.used([used.id], "2026-05-01T00:00:00+00:00")
            opened.used([used.id], f"2026-05-0{2 if used is one else 3}T00:00:00+00:00")
            assert opened.search(SQL, 2)[0].case.title == used.title
        found = opened.get(one.id)
        assert found is not None
        assert (found.uses, found.last_used) == (2, "2026-05-02T00:00:00+00:00")


@every
def test_forgotten_is_forgotten(tmp_path: Path, backend: MemoryBackend, vectors: EmbeddingName) -> None:
    with store(tmp_path, backend, vectors) as opened:
        opened.add([case(SQL), case(HASH)])
        assert opened.forget([case(SQL).id, "0" * 16]) == 1
        assert [hit.case.query for hit in opened.search(SQL, 3)] == [HASH]


@every
def test_above_capacity_the_least_worthy_go(tmp_path: Path, backend: MemoryBackend, vectors: EmbeddingName) -> None:
    safe = case(HASH, kind=CaseKind.SAFE)
    old, used, new = (case(f"{PATH} {name}", created=f"2026-0{n}-01") for n, name in enumerate(("a", "b", "c"), 1))
    with store(tmp_path, backend, vectors, capacity=3) as opened:
        opened.add([safe, old, used])
        opened.used([old.id], "2026-02-01T00:00:00+00:00")
        opened.add([new])
        assert {found.id for found in opened.cases()} == {old.id, used.id, new.id}
        opened.add([case(SQL, created="2026-09-01")])
        assert used.id not in {found.id for found in opened.cases()}


@every
def test_vectors_of_another_embedding_are_not_compared(
    tmp_path: Path, backend: MemoryBackend, vectors: EmbeddingName, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store(tmp_path, backend, vectors) as opened:
        opened.add([case(SQL)])
    monkeypatch.setattr(HashingEmbedding, "name", "hashing-64")
    other = EmbeddingName.HASHING
    with pytest.raises(MemoryFileError, match="holds vectors of"), store(tmp_path, backend, other):
        pass


@every
def test_a_damaged_memory_is_named_and_left_alone(
    tmp_path: Path, backend: MemoryBackend, vectors: EmbeddingName
) -> None:
    with store(tmp_path, backend, vectors) as opened:
        opened.add([case(SQL)])
    for file in tmp_path.rglob("*.sqlite*"):
        if file.suffix == ".sqlite3" or file.name == "cases.sqlite":
            file.write_bytes(b"\0" * 8192)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*.sqlite3")}
    with pytest.raises(MemoryFileError, match="cannot be used"), store(tmp_path, backend, vectors) as opened:
        list(opened.cases())
    assert {file: file.read_bytes() for file in before} == before


def _add_many(folder: str, backend: str, writer: int) -> None:
    for number in range(20):
        with store(Path(folder), MemoryBackend(backend)) as opened:
            opened.add([case(f"writer_{writer} number_{number}")])


@every
def test_writers_at_the_same_time_lose_nothing(tmp_path: Path, backend: MemoryBackend, vectors: EmbeddingName) -> None:
    if vectors is not EmbeddingName.HASHING:
        pytest.skip("writing does not depend on the embedding, and this one takes seconds to load in every process")
    with store(tmp_path, backend):
        pass
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_add_many, args=(str(tmp_path), backend.value, n)) for n in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    with store(tmp_path, backend) as opened:
        assert len(opened) == 60


WRITE = """
import sys
from pathlib import Path
from tests.memory.stores import case, store
with store(Path(sys.argv[1])) as opened:
    for number in range(100000):
        opened.add([case(f"number_{number}")])
        print(number, flush=True)
"""


def test_a_killed_writer_loses_nothing_it_had_stored(tmp_path: Path) -> None:
    writer = subprocess.Popen([sys.executable, "-c", WRITE, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    told = [int(writer.stdout.readline()) for _ in range(30)]
    time.sleep(0.01)
    os.kill(writer.pid, signal.SIGKILL)
    told += [int(line) for line in writer.stdout if line.endswith("\n")]
    writer.wait()
    writer.stdout.close()
    with store(tmp_path) as opened:
        stored = {found.query for found in opened.cases()}
        assert {f"number_{number}" for number in told} <= stored
        assert len(stored) <= len(told) + 1
        assert opened.add([case("number_again")]) == 1


def test_a_memory_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    import sqlite3

    with store(tmp_path) as opened:
        opened.add([case(SQL)])
    database = sqlite3.connect(tmp_path / "cases.sqlite")
    database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(MemoryFileError, match="newer scaffold"), store(tmp_path):
        pass


def test_a_memory_of_the_first_version_is_brought_up_to_date(tmp_path: Path) -> None:
    import sqlite3

    with store(tmp_path) as opened:
        opened.add([*(case(f"value_{n} = compute(item_{n % 7})") for n in range(300)), case(SQL)])
    database = sqlite3.connect(tmp_path / "cases.sqlite")
    database.executescript(
        "DROP TABLE terms; CREATE VIRTUAL TABLE frequencies USING fts5vocab(words, 'row'); PRAGMA user_version = 1;"
    )
    database.close()
    with store(tmp_path) as opened:
        assert opened.search(SQL, 1)[0].case.query == SQL
        assert opened.add([case(SQL + " and more")]) == 1


def test_how_many_cases_have_a_word_is_known_after_every_change(tmp_path: Path) -> None:
    import sqlite3

    with store(tmp_path, capacity=20) as opened:
        opened.add([case(f"value_{n} = compute(item_{n % 7}, item)") for n in range(30)])
        opened.forget([found.id for found in opened.cases()][:5])
        opened.add([case(SQL), case(SQL)])
    database = sqlite3.connect(tmp_path / "cases.sqlite")
    database.execute("CREATE VIRTUAL TABLE temp.counted USING fts5vocab(main, words, 'row')")
    known = database.execute("SELECT term, cases FROM terms WHERE cases > 0 ORDER BY term").fetchall()
    counted = database.execute("SELECT term, doc FROM counted ORDER BY term").fetchall()
    database.close()
    assert known == counted != []


def test_in_a_large_store_the_similar_case_is_still_found(tmp_path: Path) -> None:
    filler = [case(f"value_{n} = compute(item_{n % 7}, users, name, select)") for n in range(600)]
    with store(tmp_path) as opened:
        opened.add([*filler, case(SQL)])
        assert opened.search(SQL.replace("name", "login"), 1)[0].case.query == SQL


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_any_text_embeds_the_same_way_twice_with_length_one(text: str) -> None:
    embed = HashingEmbedding().embed
    first, second = embed([text])[0], embed([text])[0]
    assert list(first) == list(second)
    length = sum(value * value for value in first)
    assert length == pytest.approx(1.0, abs=1e-4) or length == 0.0


def test_halves_of_characters_embed_too() -> None:
    assert HashingEmbedding().embed(["caf\udce9 x"])[0] != HashingEmbedding().embed(["x"])[0]


@every
def test_forgetting_nothing_forgets_nothing(tmp_path: Path, backend: MemoryBackend, vectors: EmbeddingName) -> None:
    with store(tmp_path, backend, vectors) as opened:
        opened.add([case(SQL)])
        opened.used([], "2026-02-01")
        assert opened.forget([]) == 0
        assert [(found.query, found.uses) for found in opened.cases()] == [(SQL, 0)]
