"""The scanner's program: where it is, how it is called, and when its answer counts."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scaffold_cli import processes
from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.sast.output import Report, read_report

_FLAGS = (
    "--json",
    "--quiet",
    "--metrics=off",
    "--disable-version-check",  # with a network out of reach the check alone takes 97 s
    "--disable-nosem",
    "--no-rewrite-rule-ids",
    "--no-git-ignore",
    "--max-target-bytes=0",
)
MODES = ("--experimental", "--legacy")
"""The fast front end first; the plain one when the fast one fails."""
_RULE_SECONDS = 10
"""Seconds for one rule on one file; the engine names the file when it takes longer."""
_FINISHED = (0, 1)
_RULES_REFUSED = (2, 4, 7)


@dataclass(frozen=True, slots=True)
class Engine:
    """`identity` changes whenever the program on disk does, without starting it."""

    program: Path
    identity: str


def locate(name: str) -> Engine:
    """The scanner called `name`: a path, else beside our own interpreter, else on PATH.

    Raises ProgramNotFoundError when there is none.
    """
    beside = Path(sys.executable).parent / name
    found = str(beside) if os.sep not in name and os.access(beside, os.X_OK) else shutil.which(name)
    if found is None:
        raise processes.ProgramNotFoundError(name)
    program = Path(found).absolute()
    state = program.stat()
    return Engine(program, f"{program}:{state.st_size}:{state.st_mtime_ns}")


def run(engine: Engine, rules: bytes, folder: Path, timeout: float, modes: Sequence[str] = MODES) -> Report:
    """Scan the files in `folder / "targets"` with these rules (JSON); scratch files go to `folder` as well.

    `timeout` is in seconds for one attempt. Raises UndecidedError when no mode of the engine ends with an
    answer; a report with `rule_errors` is an answer.
    """
    config = folder / "rules.json"
    config.write_bytes(rules)
    reason = ""
    for mode in modes:
        argv = [str(engine.program), "scan", mode, *_FLAGS, f"--timeout={_RULE_SECONDS}"]
        argv += ["--config", str(config), str(folder / "targets")]
        done = processes.run(argv, cwd=folder, env=_environment(engine, folder), timeout=timeout)
        if done.timed_out:
            raise UndecidedError(
                f"The scanner did not finish within {timeout:g} seconds.", "Raise sast.timeout or split the change."
            )
        try:
            report = read_report(done.stdout)
        except UndecidedError:
            reason = reason or _last_line(done.stderr) or f"it ended with code {done.code} and no report"
            continue
        if done.code in _FINISHED or (done.code in _RULES_REFUSED and report.rule_errors):
            return report
        reason = reason or _last_line(done.stderr) or f"it ended with code {done.code}"
    raise UndecidedError(f"The scanner {engine.program.name} failed: {reason}.", "Run `scaffold doctor`.")


def _environment(engine: Engine, folder: Path) -> dict[str, str]:
    """Nothing of the user's reaches the engine, and it writes nowhere but in `folder`."""
    return {
        # The plain mode starts a second program that lies beside the first.
        "PATH": os.pathsep.join((str(engine.program.parent), os.environ.get("PATH") or os.defpath)),
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LC_ALL": "C.UTF-8",
        "SEMGREP_SETTINGS_FILE": str(folder / "settings.yml"),
        "SEMGREP_LOG_FILE": str(folder / "semgrep.log"),
        "SEMGREP_SEND_METRICS": "off",
        "SEMGREP_ENABLE_VERSION_CHECK": "0",
    }


def _last_line(stderr: bytes) -> str:
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip()[:200].rstrip(".") if lines else ""
