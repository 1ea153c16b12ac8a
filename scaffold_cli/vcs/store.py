"""A repository's objects plus a temporary folder for new ones: reading a change writes nothing in the repository."""

from __future__ import annotations

import contextlib
import shutil
import weakref
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from scaffold_cli import owned
from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.processes import Completed
from scaffold_cli.vcs.git import GitError, clean_environment, decode, run
from scaffold_cli.vcs.repository import Repository


class ObjectStore:
    """Git objects of a repository (or of none), and a private index and object folder beside them.

    Build one with `of` or `detached` and close it (or use it in a `with`); the temporary objects go with it.
    """

    def __init__(self, repository: Repository | None, scratch: Path, *, lasting: bool = False) -> None:
        self.repository = repository
        self.lasting = lasting
        self.scratch = scratch
        """A private folder outside the repository, removed by `close`."""
        self.objects = scratch / "objects"
        self.index = scratch / "index"
        self._blobs: dict[str, bytes] = {}
        self._files = 0
        self._remove = weakref.finalize(self, shutil.rmtree, scratch, ignore_errors=True)
        self._env = self._environment()

    @staticmethod
    def of(repository: Repository) -> ObjectStore:
        """The objects of `repository`, with a temporary place for new ones."""
        store = ObjectStore(repository, _scratch())
        store.objects.mkdir()
        return store

    @staticmethod
    def lasting_in(repository: Repository) -> ObjectStore:
        """New objects go into the repository itself; only the index is private. For what is meant to stay."""
        return ObjectStore(repository, _scratch(), lasting=True)

    @staticmethod
    def detached() -> ObjectStore:
        """A store without a repository behind it, for plain folders: a temporary bare repository."""
        scratch = _scratch()
        for folder in ("objects", "refs", "empty"):
            (scratch / folder).mkdir()
        (scratch / "HEAD").write_text("ref: refs/heads/none\n")
        (scratch / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
        return ObjectStore(None, scratch)

    @property
    def root(self) -> Path:
        """The folder commands run in: the top of the working tree, or an empty folder without a repository."""
        return self.repository.root if self.repository else self.scratch / "empty"

    def env(self) -> dict[str, str]:
        """The whole environment for a git that sees these objects and writes to the temporary folder and index."""
        return dict(self._env)

    def git(
        self,
        *args: str,
        stdin: bytes = b"",
        ok: tuple[int, ...] = (0,),
        env: Mapping[str, str] | None = None,
    ) -> bytes:
        """Run git on this store, in `root`; `env` is added to `env()`. Raises GitError like `git.git`."""
        result = self.run(*args, stdin=stdin, env=env)
        if result.code not in ok:
            raise GitError(args[0], result.code, decode(result.stderr))
        return result.stdout

    def run(self, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Completed:
        """Like `git`, for callers to whom the exit code is an answer."""
        # Temporary objects live for one command: squeezing them is wasted time.
        options = () if self.lasting else ("-c", "core.looseCompression=0")
        return run(*options, *args, cwd=self.root, env={**self._env, **(env or {})}, stdin=stdin)

    def tree_of(self, revision: str) -> str:
        """The tree object of a commit id. Raises UndecidedError when the commit is not there."""
        result = self.run("rev-parse", "--quiet", "--verify", revision + "^{tree}")
        if not result.ok:
            raise _missing(revision)
        return result.stdout.decode().strip()

    def empty_tree(self) -> str:
        """The object name of the tree without files."""
        return self.git("mktree").decode().strip()

    def sizes(self, oids: Iterable[str]) -> dict[str, int]:
        """Size in bytes of each object. Raises UndecidedError naming one that is missing."""
        wanted = list(dict.fromkeys(oids))
        if not wanted:
            return {}
        lines = self.git("cat-file", "--batch-check", stdin=_lines(wanted)).decode().splitlines()
        found: dict[str, int] = {}
        for oid, line in zip(wanted, lines, strict=True):
            fields = line.split()
            if len(fields) != 3:
                raise _missing(oid)
            found[oid] = int(fields[2])
        return found

    def read_blob(self, oid: str) -> bytes:
        """The bytes of one blob. Raises UndecidedError when it is missing."""
        return self.read_blobs([oid])[oid]

    def read_blobs(self, oids: Iterable[str]) -> dict[str, bytes]:
        """The bytes of many blobs with one process; kept in memory. Raises UndecidedError naming a missing one."""
        wanted = list(dict.fromkeys(oids))
        unread = [oid for oid in wanted if oid not in self._blobs]
        if unread:
            output = self.git("cat-file", "--batch", stdin=_lines(unread))
            self._blobs.update(parse_batch(unread, output))
        return {oid: self._blobs[oid] for oid in wanted}

    def scratch_file(self, name: str) -> Path:
        """A fresh path in the scratch folder."""
        self._files += 1
        return self.scratch / f"{name}-{self._files}"

    def forget(self) -> None:
        """Drop what is remembered and all temporary objects: for when what is still needed is in the repository."""
        self._blobs.clear()
        for child in self.scratch.iterdir():
            if child.is_dir():
                shutil.rmtree(child, ignore_errors=True)
            else:
                child.unlink()
        self.objects.mkdir()

    def close(self) -> None:
        """Remove the temporary objects; safe to call twice."""
        self._remove()

    @contextlib.contextmanager
    def kept(self) -> Iterator[Self]:
        """Close on an error only: whoever gets the result closes it later."""
        try:
            yield self
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _environment(self) -> dict[str, str]:
        env = clean_environment()
        env.update(
            GIT_DIR=str(self.repository.git_dir if self.repository else self.scratch),
            GIT_WORK_TREE=str(self.root),
            GIT_INDEX_FILE=str(self.index),
            GIT_NO_REPLACE_OBJECTS="1",  # `git replace` shows other content under the same name
        )
        if not self.lasting:
            env["GIT_OBJECT_DIRECTORY"] = str(self.objects)
        if self.repository and not self.lasting:
            env["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = _quoted(str(self.repository.common_dir / "objects"))
        return env


def parse_batch(oids: Iterable[str], output: bytes) -> dict[str, bytes]:
    """Take the answer of `git cat-file --batch` apart. Raises UndecidedError naming a missing object."""
    found: dict[str, bytes] = {}
    position = 0
    for oid in oids:
        end = output.index(b"\n", position)
        fields = output[position:end].split()
        if len(fields) != 3:
            raise _missing(oid)
        size = int(fields[2])
        found[oid] = output[end + 1 : end + 1 + size]
        position = end + 1 + size + 1
    return found


def _scratch() -> Path:
    return owned.new_folder().resolve()


def _lines(oids: list[str]) -> bytes:
    return "".join(f"{oid}\n" for oid in oids).encode()


def _missing(oid: str) -> UndecidedError:
    return UndecidedError(
        f"The object {oid} is missing from this repository.",
        "Fetch it (`git fetch --refetch origin`), or run `git fsck` to see what is damaged.",
    )


def _quoted(path: str) -> str:
    """One entry of git's colon-separated list of object folders."""
    if ":" not in path and not path.startswith('"'):
        return path
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'
