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
from scaffold_cli.sast.output import RULE_SECONDS, Report, read_report

_FLAGS = (
    "--json",
    "--quiet",
    "--disable-nosem",
    "--no-rewrite-rule-ids",
    "--no-git-ignore",
    "--max-target-bytes=0",
)
FAST = ("--experimental",)
"""The mode of semgrep's compiled front end."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """What one kind of engine is told. `modes` are tried in turn: the fast one first, the plain one when it fails."""

    flags: tuple[str, ...]
    modes: tuple[tuple[str, ...], ...]
    resident: bool = False
    """Whether it can stay as a server."""


SEMGREP = Dialect(
    # With a network out of reach the version check alone takes 97 s.
    (*_FLAGS, "--metrics=off", "--disable-version-check"),
    (FAST, ("--legacy",)),
    resident=True,
)
OPENGREP = Dialect((*_FLAGS, "--disable-version-check"), ((),))
"""It knows neither metrics nor a second front end, and refuses the flags for them."""
_ALONE = 40
"""Files up to which the engine is told to work alone: starting workers costs more than they save."""
_FEW_WORDS, _MANY_WORDS = "o=400", "s=2M,o=400"
"""How its memory is managed, for a few files and for many. With the small heap it would choose, two workers wait for
one another's collections and take 3.3 times the processor time of one; with this 1.1 times (60 files)."""
_NOBODY = """\
-----BEGIN CERTIFICATE-----
MIIBdTCCARugAwIBAgIUY9016CaL7xxZyyEqeZtl1F1ADuAwCgYIKoZIzj0EAwIw
DzENMAsGA1UEAwwEbm9uZTAgFw0yNjExMzAyMDQ0NDRaGA8yMTI2MTEwNjIwNDQ0
NFowDzENMAsGA1UEAwwEbm9uZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABLKR
UxJYwqN9kPgpzxGZaogYeszBe/XMT8ljysdhKgr/u+b96ITwgYW/qlLBBXYqTSMp
rm4f/vlNk1WVOSKLcSOjUzBRMB0GA1UdDgQWBBQ7XBnmJWOgJ4osPg7gcCMsVXrF
EDAfBgNVHSMEGDAWgBQ7XBnmJWOgJ4osPg7gcCMsVXrFEDAPBgNVHRMBAf8EBTAD
AQH/MAoGCCqGSM49BAMCA0gAMEUCIQC7X9Iy1idqfiHfYz5LfJhXeEQjoiugR0PD
wC7U+NNymQIgG4d7dK0xHplpgpfLTEzDqTvY5utEDpdvsaC9/ajhaKY=
-----END CERTIFICATE-----
"""
"""A certificate whose key was thrown away: trusting it trusts no one, and the engine refuses to start with none."""
_FINISHED = (0, 1)
_RULES_REFUSED = (2, 4, 7)


@dataclass(frozen=True, slots=True)
class Engine:
    """`identity` changes whenever the program on disk does, without starting it."""

    program: Path
    identity: str
    core: Path | None = None
    """The compiled program that semgrep's own script would replace itself with."""

    @property
    def dialect(self) -> Dialect:
        """How this program is called, by its name."""
        return OPENGREP if self.program.name.startswith("opengrep") else SEMGREP


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
    return Engine(program, f"{program}:{state.st_size}:{state.st_mtime_ns}", _core(program))


def _core(program: Path) -> Path | None:
    """The core of a semgrep that is installed beside us; of others we do not know where it is."""
    if program != Path(sys.executable).parent.absolute() / "semgrep":
        return None
    packages = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
    core = program.parents[1] / packages / "semgrep/bin/semgrep-core"
    return core if os.access(core, os.X_OK) else None


def _programs(engine: Engine, mode: tuple[str, ...], folder: Path) -> list[Path]:
    """What to start for a mode, in turn: the fast one is the core under another name, which saves an interpreter."""
    if engine.core is None or mode != FAST:
        return [engine.program]
    link = folder / "osemgrep"
    if not link.is_symlink():
        link.symlink_to(engine.core)
    return [link, engine.program]


@dataclass(frozen=True, slots=True)
class Job:
    """What one run is given: rules as JSON, and packs the engine fetches itself by name, over the user's network.

    The files to scan lie in `folder / "targets"`; scratch files go to `folder` as well. `timeout` is in seconds for
    one attempt.
    """

    rules: bytes
    folder: Path
    timeout: float
    packs: tuple[str, ...] = ()
    files: int = 0
    """How many there are to scan."""


def run(engine: Engine, job: Job, modes: Sequence[tuple[str, ...]] | None = None) -> Report:
    """Run the engine once, in the first of its modes that works.

    Raises UndecidedError when none ends with an answer; a report with `rule_errors` is an answer.
    """
    config = job.folder / "rules.json"
    config.write_bytes(job.rules)
    flags = [*engine.dialect.flags, f"--timeout={RULE_SECONDS}", "--config", str(config)]
    if job.files <= _ALONE:
        flags.append("--jobs=1")
    flags += [part for pack in job.packs for part in ("--config", pack)]
    wanted = engine.dialect.modes if modes is None else modes
    reason = ""
    # A pack that cannot be fetched in one mode cannot be in another, and asking again takes long.
    attempts = [(mode, program) for mode in wanted for program in _programs(engine, mode, job.folder)]
    for mode, program in attempts[:1] if job.packs else attempts:
        argv = [str(program), "scan", *mode, *flags, str(job.folder / "targets")]
        env = environment(engine, job.folder)
        if program.parent == job.folder and not job.packs:
            env |= _quick_start(job)
        done = processes.run(argv, cwd=job.folder, env=env, timeout=job.timeout)
        if done.timed_out:
            raise UndecidedError(
                f"The scanner did not finish within {job.timeout:g} seconds{_with(job.packs)}.",
                "Raise sast.timeout or split the change.",
            )
        try:
            report = read_report(done.stdout)
        except UndecidedError:
            reason = reason or _last_line(done.stderr) or f"it ended with code {done.code} and no report"
            continue
        if done.code in _FINISHED or (done.code in _RULES_REFUSED and report.rule_errors):
            return report
        reason = reason or _last_line(done.stderr) or f"it ended with code {done.code}"
    hint = (
        "Packs are fetched over your network; without it, drop sast.packs." if job.packs else "Run `scaffold doctor`."
    )
    raise UndecidedError(f"The scanner {engine.program.name} failed{_with(job.packs)}: {reason}.", hint)


def _quick_start(job: Job) -> dict[str, str]:
    """Settings of the compiled core for a scan without a network: it begins by reading all certificates it trusts."""
    trusted = job.folder / "nobody.pem"
    trusted.write_text(_NOBODY)
    return {"SSL_CERT_FILE": str(trusted), "OCAMLRUNPARAM": _FEW_WORDS if job.files <= _ALONE else _MANY_WORDS}


def _with(packs: Sequence[str]) -> str:
    return f" with the packs {', '.join(packs)}" if packs else ""


def environment(engine: Engine, folder: Path) -> dict[str, str]:
    """What the engine is started with: nothing of the user's reaches it, and it writes nowhere but in `folder`."""
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
        "OPENGREP_ENABLE_VERSION_CHECK": "0",
    }


def _last_line(stderr: bytes) -> str:
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip()[:200].rstrip(".") if lines else ""
