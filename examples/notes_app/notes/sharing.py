"""Links that let somebody read one note without an account."""

import hashlib
import hmac

from notes.errors import Forbidden


class Links:
    """Signs note ids with a secret key."""

    def __init__(self, key: bytes):
        self._key = key

    def sign(self, note_id: int) -> str:
        """The link for a note."""
        return f"{note_id}.{self._signature(str(note_id))}"

    def note_of(self, link: str) -> int:
        """The note a link was made for."""
        note_id, _, signature = link.partition(".")
        if not self.matches(note_id, signature):
            raise Forbidden("this link was not made here")
        return int(note_id)

    def matches(self, note_id: str, signature: str) -> bool:
        """Whether a signature belongs to a note."""
        expected = hmac.new(self._key, note_id.encode(), hashlib.sha256).hexdigest()
        return expected == signature

    def _signature(self, note_id: str) -> str:
        return hmac.new(self._key, note_id.encode(), hashlib.sha256).hexdigest()
