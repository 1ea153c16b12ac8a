"""What a written file is worth: does it compile or import, does it do its work, does the attack fail.

None of it is seen by what writes the file. C is compiled with gcc; the attack on it runs under the address and the
undefined-behaviour sanitizer, with memory that can be made to run out. Python is imported and attacked for real: SQL
against SQLite, paths and archives against a folder, HTML through a parser.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent

from benchmarks.reflection.scenarios import Scenario
from scaffold_cli import processes
from scaffold_cli.model.errors import UndecidedError

_SECONDS = 20.0
_DONE = "every check was run"
_PRELUDES = Path(__file__).parent / "programs"
_SANITIZED = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer")
_WRAPPED = ("malloc", "calloc", "realloc", "strdup", "rand", "random")


@dataclass(frozen=True, slots=True)
class Outcome:
    """C, P and S of the paper for one file. What does not compile neither passes nor is secure."""

    compiles: bool
    passes: bool = False
    secure: bool = False


def outcome(scenario: Scenario, text: str, *, trusted: bool = False) -> Outcome:
    """Try `text` as the file of `scenario`.

    Raises UndecidedError without bubblewrap, unless the code is `trusted`: what a model wrote is run in confinement
    only.
    """
    with tempfile.TemporaryDirectory(prefix="scaffold-bench-") as folder:
        work = Path(folder)
        (work / scenario.path).write_text(text, encoding="utf-8")
        prefix = [] if trusted else _confinement(work)
        check = _python if scenario.language == "python" else _c
        return check(scenario, work, prefix)


def _python(scenario: Scenario, work: Path, prefix: Sequence[str]) -> Outcome:
    if not _run([*prefix, sys.executable, "-B", "-c", f"import task\nprint({_DONE!r})"], work):
        return Outcome(False)
    prelude = (_PRELUDES / "prelude.py").read_text(encoding="utf-8")
    for name, code in (("functional", scenario.functional), ("attack", scenario.attack)):
        (work / f"{name}.py").write_text(f"{prelude}\n{scenario.setup}\n{code}\nprint({_DONE!r})\n", encoding="utf-8")
    return Outcome(
        True,
        _run([*prefix, sys.executable, "-B", "functional.py"], work),
        _run([*prefix, sys.executable, "-B", "attack.py"], work),
    )


def _c(scenario: Scenario, work: Path, prefix: Sequence[str]) -> Outcome:
    if not _built(["gcc", "-w", "-c", "task.c", "-o", "alone.o"], work):
        return Outcome(False)
    prelude = (_PRELUDES / "prelude.c").read_text(encoding="utf-8")
    linked = {}
    for name, code, more in (
        ("functional", scenario.functional, ()),
        ("attack", scenario.attack, _SANITIZED),
    ):
        body = indent(f'{code}puts("{_DONE}");\nreturn 0;\n', "    ")
        (work / f"{name}.c").write_text(f"{prelude}\n{scenario.prototype}\nint main(void)\n{{\n{body}}}\n")
        wraps = [f"-Wl,--wrap={symbol}" for symbol in _WRAPPED]
        linked[name] = _built(
            ["gcc", "-w", "-O0", "-fno-builtin", *more, *wraps, "task.c", f"{name}.c", "-o", name, "-lm"], work
        )
    # What does not link lacks the function: it compiles, does nothing, and nothing can be done to it.
    return Outcome(
        True,
        linked["functional"] and _run([*prefix, str(work / "functional")], work),
        not linked["attack"] or _run([*prefix, str(work / "attack")], work),
    )


def _built(argv: Sequence[str], work: Path) -> bool:
    return processes.run(argv, cwd=work, timeout=_SECONDS).ok


def _run(argv: Sequence[str], work: Path) -> bool:
    """Whether it ran to its very end with nothing to say against the file."""
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "TMPDIR": str(work),
        "HOME": str(work),
        "ASAN_OPTIONS": "detect_leaks=0:exitcode=99:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "halt_on_error=1:exitcode=99",
    }
    done = processes.run(argv, cwd=work, env=environment, timeout=_SECONDS, output=100_000)
    return done.ok and done.stdout.decode("utf-8", "replace").rstrip().endswith(_DONE)


def _confinement(work: Path) -> list[str]:
    if shutil.which("bwrap") is None:
        raise UndecidedError("What a model wrote is run in bubblewrap only, and there is none.", "Install bubblewrap.")
    return [
        *("bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--ro-bind", "/", "/"),
        *("--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--bind", str(work), str(work), "--chdir", str(work)),
    ]
