"""Resident engines kept between verdicts by whoever gives many: a chain, a watcher, a server for agents."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from scaffold_cli.sast.engine import Engine
from scaffold_cli.sast.output import Match
from scaffold_cli.sast.resident import PATIENCE, NoAnswerError, Server

_FEW = 8
"""Texts at most; a cold scan looks at many in one go and is faster then."""
_SERVERS = 2
"""Kept at once (one holds about 250 MB): the rules of two folders, or of two sets of languages."""
_FAILURES = 2
"""After so many servers that did not start, or ended, no other is started."""
Key = tuple[str, bytes]


class Warm:
    """Holds the servers; each starts at its second question, since a start costs more than one cold scan.

    Use it in a `with`, or close it.
    """

    def __init__(self, patience: float = PATIENCE) -> None:
        """`patience` is how many seconds a server may take to start or to answer."""
        self._patience = patience
        self._lock = threading.Lock()
        self._servers: dict[Key, Server] = {}
        self._asked: set[Key] = set()
        self._failures = 0

    def scan(
        self, engine: Engine, rules: bytes, texts: Sequence[tuple[str, bytes]]
    ) -> tuple[str, list[tuple[Match, ...] | None]]:
        """(engine version, matches of each (suffix, text)); None where only a cold scan can tell."""
        nothing: list[tuple[Match, ...] | None] = [None] * len(texts)
        if not engine.dialect.resident or len(texts) > _FEW:
            return "", nothing
        with self._lock:
            key = engine.identity, rules
            server = self._server(key, engine) if key in self._asked else None
            self._asked.add(key)
            if server is None:
                return "", nothing
            return server.version, [_asked(server, suffix, data) for suffix, data in texts]

    def close(self) -> None:
        """End all servers; safe to call twice."""
        with self._lock:
            while self._servers:
                self._servers.popitem()[1].close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _server(self, key: Key, engine: Engine) -> Server | None:
        server = self._servers.pop(key, None)
        if server is not None and not server.alive:
            server.close()
            self._failures += 1
            server = None
        if server is None:
            if self._failures >= _FAILURES:
                return None
            try:
                server = Server(engine, key[1], self._patience)
            except NoAnswerError:
                self._failures += 1
                return None
        self._servers[key] = server  # the last one used comes last
        while len(self._servers) > _SERVERS:
            self._servers.pop(next(iter(self._servers))).close()
        return server


def _asked(server: Server, suffix: str, data: bytes) -> tuple[Match, ...] | None:
    try:
        return server.scan(suffix, data)
    except NoAnswerError:
        return None
