"""Runs inside a workspace: calls functions with given arguments and tells how each call ended.

Only the standard library, and text alone is taken over from here (it is passed to ``python -c``), so it works with
whatever Python the project uses. Input: one JSON argument. Output: one JSON line for each call.

Nothing a call wants to do to the world happens: writing, deleting, starting programs, reaching the network are
stopped by an audit hook, which is how "it got as far as ``os.remove('..')``" is seen.
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import io
import json
import os
import random
import re
import resource
import signal
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from types import FrameType, ModuleType
from typing import Any

_SECONDS = 0.25
"""For one call."""
_MOST_SLOW = 3
"""After so many calls that took longer a function is left alone."""
_MEMORY = 4 << 30
_SHOWN = 60
"""Characters of a value that are shown."""
_SHOWN_PLACE = 200
"""Characters of a path or address that are shown."""
_STOPPED = (
    "os.chdir", "os.chflags", "os.chmod", "os.chown", "os.exec", "os.fork", "os.forkpty", "os.kill", "os.killpg",
    "os.link", "os.lockf", "os.mkdir", "os.posix_spawn", "os.remove", "os.removexattr", "os.rename", "os.rmdir",
    "os.setxattr", "os.spawn", "os.startfile", "os.symlink", "os.system", "os.truncate", "os.utime", "pty.", "shutil.",
    "subprocess.", "socket.bind", "socket.connect", "socket.getaddrinfo", "socket.gethost", "socket.sendto",
    "socket.sendmsg", "sqlite3.connect", "ftplib.", "http.client.", "imaplib.", "nntplib.", "poplib.", "smtplib.",
    "telnetlib.", "urllib.Request", "webbrowser.", "syslog.", "tempfile.", "ctypes.", "signal.pthread_kill",
    "resource.setrlimit", "resource.prlimit",
)  # fmt: skip
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_ORDINARY = (
    "a", "abc", "a1", "1", "12", "A", "AB", "a.b", "a.txt", "a.png", "a_b", "a-b", "a/b", "a b", "-1", "1.5", "x=1",
    "a@b.co", "b.co", "127.0.0.1", "::1", "1.2.3", "12:30", "2024-01-02", "abcdef12", "http://b.co/", "/a", "a:1", "",
)  # fmt: skip
"""Short ones: a pattern that takes exponential time must not cost the search."""
_CODE = (".py", ".pyc", ".so", ".pth")


class Stopped(BaseException):
    """A call was about to do something to the world."""


class Slow(BaseException):
    """A call took too long."""


class StandIn:
    """An object with the attributes given and any other; says yes to everything else."""

    def __init__(self, **attributes: object) -> None:
        self.__dict__.update(attributes)

    def __getattr__(self, name: str) -> StandIn:
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn()

    def __call__(self, *_given: object, **_named: object) -> StandIn:
        """Answer with another stand-in."""
        return StandIn()

    def __iter__(self) -> Iterator[object]:
        return iter(())

    def __getitem__(self, _key: object) -> StandIn:
        return StandIn()

    def __await__(self) -> Generator[None, None, StandIn]:
        return StandIn()
        yield

    def __enter__(self) -> StandIn:
        return self

    def __exit__(self, *_given: object) -> None:
        return None

    def __repr__(self) -> str:
        return f"stand_in({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


def answer(value: object) -> Callable[..., object]:
    """A function that answers `value` to everything."""
    return lambda *_given, **_named: value


def like(pattern: str) -> str:
    """The first ordinary text that the whole pattern matches. Raises LookupError when none does."""
    expression = re.compile(pattern)
    for text in _ORDINARY:
        if expression.fullmatch(text):
            return text
    raise LookupError(pattern)


_NAMES = {"Path": Path, "stand_in": StandIn, "answer": answer, "like": like}


class Watch:
    """What the code under test reaches for, its import included. `calling` says that a call is on its way."""

    def __init__(self) -> None:
        self.on = False
        self.calling = False
        self.reached: list[str] = []
        self.opened: list[str] = []

    def audit(self, event: str, args: tuple[Any, ...]) -> None:
        """The audit hook."""
        if not self.on:
            return
        if event == "open":
            self._open(*args)
        elif event.startswith(_STOPPED) and (self.calling or not event.startswith("ctypes.")):
            shown = ", ".join(
                _shown(item, _SHOWN_PLACE) for item in args[:1] if isinstance(item, (str, bytes, PurePath))
            )
            self._stop(f"{event}({shown})")

    def _open(self, path: object, mode: object, flags: object) -> None:
        if isinstance(path, int) or path == os.devnull:
            return
        text = os.fsdecode(path) if isinstance(path, (str, bytes, PurePath)) else str(path)
        if isinstance(flags, int) and flags & _WRITING:
            self._stop(f"open({_shown(text, _SHOWN_PLACE)}, {str(mode or 'w')!r})")
        elif self.calling and not text.endswith(_CODE):
            self.opened.append(f"open({_shown(text, _SHOWN_PLACE)})")

    def _stop(self, what: str) -> None:
        if self.calling:
            self.reached.append(what)
        raise Stopped(what)


def _shown(value: object, most: int = _SHOWN) -> str:
    try:
        text = repr(value)
    except Exception:  # a broken __repr__ of the code under test must not end the search
        return type(value).__name__
    text = re.sub(r" at 0x[0-9a-f]+", "", text.replace(f"{Path.cwd()}/", ""))
    return text if len(text) <= most else f"a {type(value).__name__} of {len(text):,} characters"


class Ending:
    """Follows one call into the function that is meant and remembers on which line it left it."""

    def __init__(self, file: str, name: str) -> None:
        self.line = 0
        self._file, self._name = file, name
        self._frame: FrameType | None = None

    def trace(self, frame: FrameType, event: str, _arg: object) -> Any:
        """The trace function of `sys.settrace`."""
        if event != "call" or self._frame is not None:
            return None
        code = frame.f_code
        if code.co_name != self._name or os.path.realpath(code.co_filename) != self._file:
            return None
        self._frame = frame
        frame.f_trace_lines = False
        return self._local

    def _local(self, frame: FrameType, event: str, _arg: object) -> Any:
        if event in ("return", "exception") and frame is self._frame:
            self.line = frame.f_lineno
        return self._local


class Subject:
    """One function to call, bound to an object of its class where it needs one."""

    def __init__(self, target: Mapping[str, Any]) -> None:
        module = _import(target["path"])
        self._file = os.path.realpath(str(module.__file__))
        self._name = target["symbol"].rpartition(".")[2]
        self._function = _resolve(module, target["symbol"], target["attributes"])
        self._parameters = [
            item
            for item in inspect.signature(self._function).parameters.values()
            if item.kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        ]

    def call(self, case: Sequence[str], watch: Watch) -> dict[str, Any]:
        """How one call ended. `ended` is returned, raised, reached, slow or none (it could not be called)."""
        positional, named, shown = [], {}, []
        for parameter, text in zip(self._parameters, case, strict=False):
            value = eval(text, dict(_NAMES))  # noqa: S307 - the expressions are our own
            spelled = repr(value) if isinstance(value, (str, bytes, int)) and len(repr(value)) <= _SHOWN else text
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
                named[parameter.name] = value
                shown.append(f"{parameter.name}={spelled}")
            else:
                positional.append(value)
                shown.append(spelled)
        ending = Ending(self._file, self._name)
        ended, value = _guarded(lambda: _driven(self._function(*positional, **named)), ending, watch)
        told = _told(ended, value, watch)
        return {**told, "line": ending.line, "args": ", ".join(shown)}


def _driven(result: object) -> object:
    """The first step of a coroutine or generator: that is where it refuses."""
    if inspect.iscoroutine(result):
        try:
            result.send(None)
        except StopIteration as end:
            return end.value
        finally:
            result.close()
        return StandIn()
    return next(result, None) if inspect.isgenerator(result) else result


def _guarded(work: Callable[[], object], ending: Ending, watch: Watch) -> tuple[str, object]:
    random.seed(0)
    watch.reached.clear()
    watch.opened.clear()
    quiet = io.StringIO()
    signal.setitimer(signal.ITIMER_REAL, _SECONDS)
    try:
        with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
            watch.calling = True
            sys.settrace(ending.trace)
            return "returned", work()
    except Slow:
        return "slow", None
    except Stopped:
        return "reached", None
    except (Exception, SystemExit) as error:  # whatever the code raises is what we want to know
        return "raised", error
    finally:
        sys.settrace(None)
        watch.calling = False
        signal.setitimer(signal.ITIMER_REAL, 0)


def _told(ended: str, value: object, watch: Watch) -> dict[str, Any]:
    if ended != "slow" and watch.reached:
        return {"ended": "reached", "text": watch.reached[0]}
    if ended in ("returned", "raised") and watch.opened and not _refuses(value):
        return {"ended": "reached", "text": watch.opened[-1]}
    if ended == "raised":
        return {"ended": ended, "text": type(value).__name__}
    try:
        truth = bool(value)
    except Exception:  # objects that have no truth value count as given
        truth = True
    return {"ended": ended, "text": _shown(value), "truth": truth}


def _refuses(value: object) -> bool:
    """False for the errors that reading a file brings: it was let through to the file."""
    return isinstance(value, BaseException) and not isinstance(value, (OSError, UnicodeError))


def _import(path: str) -> ModuleType:
    file = PurePath(path)
    parts, folder = [file.stem], file.parent
    while folder != PurePath() and Path(folder, "__init__.py").exists():
        parts.insert(0, folder.name)
        folder = folder.parent
    if parts[-1] == "__init__":
        parts.pop()
    sys.path[:0] = [str(Path.cwd() / place) for place in (folder, "", "src")]
    module = importlib.import_module(".".join(parts))
    if os.path.realpath(str(module.__file__)) != os.path.realpath(path):
        raise ImportError(f"{path} is not what its name imports")
    return module


def _resolve(module: ModuleType, symbol: str, attributes: Iterable[str]) -> Callable[..., object]:
    *owners, name = symbol.split(".")
    owner: Any = module
    for part in owners:
        owner = getattr(owner, part)
    plain = inspect.isfunction(inspect.getattr_static(owner, name))
    if isinstance(owner, type) and plain:
        owner = _instance(owner, attributes)
    found: Callable[..., object] = getattr(owner, name)
    return found


def _instance(owner: type, attributes: Iterable[str]) -> object:
    """An object of the class; one that cannot be made without arguments gets stand-ins for what the method reads."""
    try:
        return owner()
    except TypeError:
        made: object = object.__new__(owner)
    for name in attributes:
        if not hasattr(made, name):
            setattr(made, name, StandIn())
    return made


def _limit() -> None:
    for kind, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_AS, _MEMORY)):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))


def _slow(_signal: int, _frame: FrameType | None) -> None:
    raise Slow


def main(request: Mapping[str, Any]) -> None:
    """Answer a request: `targets`, each with its number, path, symbol, attributes of self and cases."""
    out = os.fdopen(os.dup(1), "w", buffering=1, encoding="utf-8")
    watch = Watch()
    sys.addaudithook(watch.audit)
    signal.signal(signal.SIGALRM, _slow)
    _limit()
    watch.on = True
    for target in request["targets"]:
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                subject = Subject(target)
        except (Exception, Stopped, SystemExit) as error:  # what cannot be imported is not searched
            out.write(json.dumps({"target": target["number"], "problem": type(error).__name__}) + "\n")
            continue
        slow = 0
        for case in target["cases"]:
            try:
                told = subject.call(case, watch)
            except (LookupError, re.error):  # nothing ordinary matches the pattern
                continue
            out.write(json.dumps({"target": target["number"], "case": case, **told}) + "\n")
            slow += told["ended"] == "slow"
            if slow == _MOST_SLOW:
                break


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
    os._exit(0)  # threads the code under test left behind must not hold us
