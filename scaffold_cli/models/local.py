"""A GGUF file served on this machine, by llama.cpp inside a process of its own."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any, Self

from scaffold_cli.model.errors import UsageError
from scaffold_cli.models.address import NO_KEY, Address

CONTEXT = 8192
"""Tokens of context."""


class LocalServer:
    """Serves one model on the loopback address until it is closed; the same path as any other endpoint from there on.

    `slots` dialogues of `context` tokens each are kept at a time, so that one that goes on is not read again from its
    beginning. Raises UsageError when `xllamacpp` is not installed or the file is no model.
    """

    def __init__(self, file: Path, *, context: int = CONTEXT, threads: int = 0, slots: int = 1) -> None:
        try:
            import xllamacpp
        except ImportError as error:
            raise UsageError("A local model needs xllamacpp.", "pip install 'scaffold-cegis[local]'") from error
        if not file.is_file() or _magic(file) != b"GGUF":
            raise UsageError(f"{file} is no GGUF model.", "Name a file: --with local:MODEL.gguf")
        parameters: Any = xllamacpp.CommonParams()
        parameters.model.path = str(file)
        parameters.hostnames = ["127.0.0.1"]
        parameters.port = 0
        parameters.n_ctx = context * slots
        parameters.n_parallel = slots
        parameters.warmup = False
        if threads:
            parameters.cpuparams.n_threads = threads
        try:
            self._server: Any = xllamacpp.Server(parameters)
        except Exception as error:  # the library raises a bare RuntimeError for whatever goes wrong
            raise UsageError(f"The model {file} cannot be loaded: {error}.") from error
        self.address = Address(file.stem, f"{self._server.listening_address}/v1", NO_KEY)

    def close(self) -> None:
        """Stop serving."""
        self._server = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _magic(file: Path) -> bytes:
    with file.open("rb") as stream:
        return stream.read(4)
