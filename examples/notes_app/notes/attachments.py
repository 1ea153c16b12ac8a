"""Files that belong to a note, in one folder per user."""

from pathlib import Path

from notes.errors import Forbidden, Invalid, NotFound

MAX_BYTES = 1_000_000


class Attachments:
    """Keeps attachments below `root`; no name leads out of the user's folder."""

    def __init__(self, root: Path):
        self._root = Path(root)

    def save(self, user: str, name: str, data: bytes) -> None:
        """Store an attachment."""
        if len(data) > MAX_BYTES:
            raise Invalid("the attachment is too large")
        path = self._path(user, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def load(self, user: str, name: str) -> bytes:
        """Read an attachment."""
        path = self._path(user, name)
        try:
            return path.read_bytes()
        except FileNotFoundError:
            raise NotFound(f"there is no attachment {name}") from None

    def _path(self, user: str, name: str) -> Path:
        folder = (self._root / user).resolve()
        path = (folder / name).resolve()
        if not path.is_relative_to(folder):
            raise Forbidden("an attachment lies in its owner's folder")
        return path
