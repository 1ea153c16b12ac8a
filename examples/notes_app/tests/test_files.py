import pytest

from notes.attachments import Attachments
from notes.backup import back_up, restore
from notes.errors import Forbidden, NotFound
from notes.sharing import Links


def test_an_attachment_comes_back(tmp_path):
    attachments = Attachments(tmp_path)
    attachments.save("ada", "tea.txt", b"oolong")
    assert attachments.load("ada", "tea.txt") == b"oolong"


def test_a_missing_attachment_is_not_found(tmp_path):
    with pytest.raises(NotFound):
        Attachments(tmp_path).load("ada", "none.txt")


def test_a_link_leads_to_its_note():
    links = Links(b"key")
    assert links.note_of(links.sign(7)) == 7


def test_a_forged_link_is_refused():
    with pytest.raises(Forbidden):
        Links(b"key").note_of("7.0000")


def test_a_backup_is_restored(tmp_path):
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.txt").write_text("a")
    back_up(tmp_path / "files", tmp_path / "backup.tgz")
    restore(tmp_path / "backup.tgz", tmp_path / "restored")
    assert (tmp_path / "restored" / "a.txt").read_text() == "a"
