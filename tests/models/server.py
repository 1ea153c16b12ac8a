"""A real server on the loopback address that speaks the OpenAI protocol and answers as it was told."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Handler = Callable[[BaseHTTPRequestHandler, dict[str, Any]], None]


@dataclass
class Server:
    """`url` is the base of the protocol; `asked` holds every request's body, `keys` what it was authorised with."""

    url: str
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)


def chunk(text: str | None = None, reason: str | None = None, usage: dict[str, int] | None = None) -> bytes:
    delta = {} if text is None else {"content": text}
    choices = [] if usage else [{"index": 0, "delta": delta, "finish_reason": reason}]
    body = {
        "id": "x",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": choices,
        "usage": usage,
    }
    return b"data: " + json.dumps(body).encode() + b"\n\n"


def start_stream(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/event-stream")
    handler.send_header("Connection", "close")
    handler.end_headers()


def says(text: str, *, reason: str = "stop", usage: bool = True) -> Handler:
    """Streams `text` in small pieces, then how it ended and what it took."""

    def handle(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        start_stream(handler)
        for start in range(0, len(text), 7):
            handler.wfile.write(chunk(text[start : start + 7]))
        handler.wfile.write(chunk(reason=reason))
        if usage:
            counts = {"prompt_tokens": 50, "completion_tokens": 20, "total_tokens": 70}
            handler.wfile.write(chunk(usage=counts))
        handler.wfile.write(b"data: [DONE]\n\n")

    return handle


def fails(status: int, text: str = "no") -> Handler:
    """Answers with an HTTP error."""

    def handle(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        data = json.dumps({"error": {"message": text, "type": "x", "code": None, "param": None}}).encode()
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(data)))
        handler.send_header("Retry-After-Ms", "1")
        handler.end_headers()
        handler.wfile.write(data)

    return handle


def sends(*parts: bytes) -> Handler:
    """Streams raw bytes and closes."""

    def handle(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        start_stream(handler)
        for part in parts:
            handler.wfile.write(part)

    return handle


def never_stops(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
    """Streams until the other side hangs up."""
    start_stream(handler)
    try:
        while True:
            handler.wfile.write(chunk("again and again "))
    except OSError:
        pass


def comments(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
    """Streams comments, which the protocol allows as signs of life, until the other side hangs up."""
    start_stream(handler)
    try:
        while True:
            handler.wfile.write(b": still here\n\n")
            time.sleep(0.01)
    except OSError:
        pass


def silent(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
    """Takes the question and says nothing until the other side hangs up."""
    handler.connection.settimeout(30)
    with suppress(OSError):
        handler.rfile.read(1)


@contextmanager
def serving(*handlers: Handler) -> Iterator[Server]:
    """Answers the first request with the first handler, and so on; the last one answers all further requests."""
    left = list(handlers)

    class _Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            told.asked.append(body)
            told.keys.append(self.headers.get("Authorization", ""))
            handle = left.pop(0) if len(left) > 1 else left[0]
            handle(self, body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    told = Server(f"http://127.0.0.1:{server.server_address[1]}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
