"""The engine as a resident server: it has read the rules once and answers for one file in a few hundredths of a second.

An answer counts only when the server's own log says that it scanned one file without an error and found as many matches
as it reported. Anything else (a part it could not read, a rule that took too long, a file it left out, another version
that speaks differently) is no answer, and the caller scans cold.
"""

from __future__ import annotations

import contextlib
import json
import queue
import re
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from scaffold_cli import clock, owned, processes
from scaffold_cli.model.errors import ScaffoldError
from scaffold_cli.sast.engine import Engine, environment
from scaffold_cli.sast.output import RULE_SECONDS, SEVERITIES, Match, sentences, weaknesses

PATIENCE = 30.0
"""Seconds for a start, and for one answer, at most."""
_ERRORS = "Semgrep errors:"
_COUNT = re.compile(r"(Scanned|Found) (\d+) (?:files|matches)")
Item = Mapping[str, Any] | str
"""A message of the protocol, or a line of the log."""
Range = Mapping[str, Mapping[str, int]]


class NoAnswerError(Exception):
    """The server is not there, or what it says proves nothing."""


@dataclass(slots=True)
class _Log:
    """What the server's log said of one scan."""

    counts: dict[str, int] = field(default_factory=dict)
    errors: str | None = None
    _open: bool = False

    def read(self, line: str) -> None:
        if "No targets to scan" in line:
            raise NoAnswerError("the file was left out")
        if _ERRORS in line:
            self.errors, self._open = line.partition(_ERRORS)[2].strip(), True
        elif line.startswith("Semgrep skipped"):
            self._open = False
        elif self._open:
            self.errors = f"{self.errors or ''} {line.strip()}".strip()
        elif found := _COUNT.match(line):
            self.counts[found[1]] = int(found[2])

    def vouches_for(self, matches: int) -> bool:
        return self.errors == "" and self.counts == {"Scanned": 1, "Found": matches}


class Server:
    """One server for one set of rules. Use it from one thread at a time; close it."""

    def __init__(self, engine: Engine, rules: bytes, patience: float = PATIENCE) -> None:
        """Start it and wait until it is ready. Raises NoAnswerError when it does not get there in time."""
        self._patience = patience
        self._rules = {str(rule["id"]): rule for rule in json.loads(rules)["rules"]}
        self._temporary = tempfile.TemporaryDirectory(prefix=owned.prefix("sast-"), ignore_cleanup_errors=True)
        self._folder = Path(self._temporary.name).resolve()
        self._items: queue.SimpleQueue[Item] = queue.SimpleQueue()
        self._asked = 0
        self.version = ""
        targets = self._folder / "targets"
        targets.mkdir()
        # Beside the working folder's root, so that the server gives rules no other names.
        (self._folder / "rules.json").write_bytes(rules)
        try:
            argv, env = [str(engine.program), "lsp"], environment(engine, self._folder)
            self._process = processes.Resident(argv, cwd=self._folder, env=env)
        except ScaffoldError as error:
            self._temporary.cleanup()
            raise NoAnswerError(error.message) from error
        pumps = (self._read_messages, self._process.stdout), (self._read_log, self._process.stderr)
        self._readers = [threading.Thread(target=pump, args=(pipe,), daemon=True) for pump, pipe in pumps]
        for reader in self._readers:
            reader.start()
        try:
            self._begin(targets)
        except BaseException:
            self.close()
            raise

    def scan(self, suffix: str, data: bytes) -> tuple[Match, ...]:
        """The matches in one text. Raises NoAnswerError."""
        self._asked += 1
        # A name of its own each time: the server remembers what it read under a name.
        path = self._folder / "targets" / f"f{self._asked:06}{suffix}"
        path.write_bytes(data)
        try:
            found = self._diagnostics(path.as_uri(), data)
            matches = tuple(self._match(path.as_uri(), diagnostic, data) for diagnostic in found)
            self._send("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise NoAnswerError("the server speaks another language") from error
        finally:
            path.unlink(missing_ok=True)
        return matches

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.alive

    def close(self) -> None:
        """End the server; safe to call twice."""
        self._process.end()
        for reader in self._readers:
            reader.join(self._patience)
        self._process.close()
        self._temporary.cleanup()

    def _begin(self, targets: Path) -> None:
        scan = {"configuration": [str(self._folder / "rules.json")], "timeout": RULE_SECONDS, "timeoutThreshold": 0}
        scan |= {"exclude": [], "include": [], "jobs": 1, "maxMemory": 0, "maxTargetBytes": 0, "onlyGitDirty": False}
        options = {"metrics": {"enabled": False}, "scan": {**scan, "ci": False}, "doHover": False}
        place = {"uri": targets.as_uri(), "name": "targets"}
        start: dict[str, Any] = {
            "processId": None,
            "rootUri": targets.as_uri(),
            "workspaceFolders": [place],
            "capabilities": {},
        }
        answer = self._ask("initialize", {**start, "initializationOptions": options})
        self.version = str(answer.get("serverInfo", {}).get("version", ""))
        self._send("initialized", {})
        deadline, ended, told = clock.seconds() + self._patience, 0, False
        while ended < 2 or not told:  # it reads the rules, then looks for open documents and finds none
            item = self._next(deadline)
            if isinstance(item, str):
                told = told or "Scanned open documents" in item
            elif item.get("method") == "$/progress":
                ended += item["params"]["value"]["kind"] == "end"

    def _diagnostics(self, uri: str, data: bytes) -> Sequence[Mapping[str, Any]]:
        with contextlib.suppress(queue.Empty):
            while True:
                self._items.get_nowait()
        self._send("workspace/didCreateFiles", {"files": [{"uri": uri}]})
        document = {"uri": uri, "languageId": "text", "version": 1, "text": data.decode("utf-8")}
        self._send("textDocument/didOpen", {"textDocument": document})
        deadline, log = clock.seconds() + self._patience, _Log()
        found: Sequence[Mapping[str, Any]] | None = None
        while found is None or "Found" not in log.counts:
            item = self._next(deadline)
            if isinstance(item, str):
                log.read(item)
            elif item.get("method") == "textDocument/publishDiagnostics" and item["params"]["uri"] == uri:
                found = item["params"]["diagnostics"]
        if not log.vouches_for(len(found)):
            raise NoAnswerError(log.errors or "the log and the answer differ")
        return found

    def _match(self, uri: str, diagnostic: Mapping[str, Any], data: bytes) -> Match:
        rule = self._rules[str(diagnostic["code"])]
        place: Range = diagnostic["range"]
        why, keep = sentences(str(diagnostic["message"]))
        return Match(
            rule=str(rule["id"]),
            severity=SEVERITIES[rule["severity"]],
            start=_offset(data, place["start"]),
            end=_offset(data, place["end"]),
            why=why,
            keep=keep,
            cwe=weaknesses(rule.get("metadata")),
            fix=self._fix(uri, rule, diagnostic) if {"fix", "fix-regex"} & rule.keys() else None,
        )

    def _fix(self, uri: str, rule: Mapping[str, Any], diagnostic: Mapping[str, Any]) -> str:
        place: Range = diagnostic["range"]
        question = {"textDocument": {"uri": uri}, "range": place, "context": {"diagnostics": [diagnostic]}}
        actions = self._ask("textDocument/codeAction", question)
        title = f"Semgrep({rule['id']}): Apply autofix"
        edits = [edit for action in actions if action["title"] == title for edit in action["edit"]["changes"][uri]]
        texts = {str(edit["newText"]) for edit in edits if edit["range"] == place}
        if len(texts) != 1:
            raise NoAnswerError("not one repair for one place")
        return texts.pop()

    def _ask(self, method: str, parameters: Mapping[str, Any]) -> Any:
        self._asked += 1
        number = self._asked
        self._send(method, parameters, number)
        deadline = clock.seconds() + self._patience
        while True:
            item = self._next(deadline)
            if isinstance(item, Mapping) and item.get("id") == number and "method" not in item:
                if "result" not in item:
                    raise NoAnswerError("the server refuses a question")
                return item["result"]

    def _send(self, method: str, parameters: Mapping[str, Any], number: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": parameters}
        body = json.dumps(message if number is None else {**message, "id": number}).encode()
        try:
            self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
            self._process.stdin.flush()
        except OSError as error:
            raise NoAnswerError("the server has ended") from error

    def _next(self, deadline: float) -> Item:
        try:
            item = self._items.get(timeout=max(0.0, deadline - clock.seconds()))
        except queue.Empty:
            raise NoAnswerError("the server did not answer in time") from None
        if item == {}:
            raise NoAnswerError("the server has ended")
        return item

    def _read_messages(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while header := pipe.readline():
                if header.lower().startswith(b"content-length:"):
                    size = int(header.partition(b":")[2])
                    while pipe.readline().strip():
                        pass
                    self._items.put(json.loads(pipe.read(size)))
        self._items.put({})

    def _read_log(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            for line in pipe:
                self._items.put(line.decode("utf-8", "replace"))


def _offset(data: bytes, position: Mapping[str, int]) -> int:
    """The byte offset of a position, whose columns the server counts in bytes."""
    start = 0
    for _ in range(position["line"]):
        start = data.index(b"\n", start) + 1
    return start + position["character"]
