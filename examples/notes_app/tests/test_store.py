import pytest

from notes.errors import NotFound
from notes.store import NoteStore


@pytest.fixture
def store():
    return NoteStore()


def test_a_note_comes_back(store):
    note_id = store.add("ada", "Shopping", "tea")
    assert store.get("ada", note_id) == {"id": note_id, "title": "Shopping", "body": "tea"}


def test_a_missing_note_is_not_found(store):
    with pytest.raises(NotFound):
        store.get("ada", 7)


def test_a_deleted_note_is_gone(store):
    note_id = store.add("ada", "Shopping", "tea")
    store.delete("ada", note_id)
    with pytest.raises(NotFound):
        store.get("ada", note_id)


def test_search_finds_titles(store):
    store.add("ada", "Shopping list", "tea")
    store.add("ada", "Ideas", "")
    assert [note["title"] for note in store.search("ada", "list")] == ["Shopping list"]


def test_an_empty_title_is_refused(store):
    with pytest.raises(AssertionError):
        store.add("ada", "", "tea")
