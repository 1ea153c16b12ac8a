"""Notes in SQLite."""

import sqlite3

from notes.errors import Forbidden, Invalid, NotFound

MAX_TITLE = 200


class NoteStore:
    """Every note belongs to one owner, and only the owner reads, changes or deletes it."""

    def __init__(self, path: str = ":memory:"):
        self._db = sqlite3.connect(path)
        self._db.execute("CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, owner TEXT, title TEXT, body TEXT)")

    def add(self, owner: str, title: str, body: str) -> int:
        """Store a note and return its id."""
        assert 0 < len(title) <= MAX_TITLE, "a title has 1 to 200 characters"
        cursor = self._db.execute("INSERT INTO notes (owner, title, body) VALUES (?, ?, ?)", (owner, title, body))
        self._db.commit()
        return cursor.lastrowid

    def get(self, user: str, note_id: int) -> dict:
        """One note of `user`."""
        row = self._db.execute("SELECT owner, title, body FROM notes WHERE id = ?", (note_id,)).fetchone()
        if row is None:
            raise NotFound(f"there is no note {note_id}")
        owner, title, body = row
        if owner != user:
            raise Forbidden(f"note {note_id} belongs to somebody else")
        return {"id": note_id, "title": title, "body": body}

    def delete(self, user: str, note_id: int) -> None:
        """Remove one note of `user`."""
        self.get(user, note_id)
        self._db.execute("DELETE FROM notes WHERE id = ?", (note_id,))
        self._db.commit()

    def search(self, user: str, words: str) -> list:
        """Titles of the user's notes that contain `words`."""
        pattern = f"%{words}%"
        try:
            rows = self._db.execute(
                "SELECT id, title FROM notes WHERE owner = ? AND title LIKE ? ORDER BY id", (user, pattern)
            ).fetchall()
        except sqlite3.ProgrammingError as error:
            raise Invalid("the words cannot be searched for") from error
        return [{"id": note_id, "title": title} for note_id, title in rows]
