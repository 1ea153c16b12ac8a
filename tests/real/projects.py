"""Three projects nobody here wrote: fetched as sources, committed to git, installed as by a developer."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys
import tarfile
import venv
from dataclasses import dataclass
from pathlib import Path

CACHE = Path(__file__).resolve().parents[2] / ".cache" / "real"
UNREACHABLE = ("NewConnectionError", "ConnectTimeout", "Temporary failure in name resolution", "ProxyError")


class IndexUnreachableError(Exception):
    """The package index cannot be reached from this machine."""


@dataclass(frozen=True, slots=True)
class Project:
    """A pinned release and the three edits made to it.

    `guard` and `other` are (function, what the guard mentions) in `module`; `local` is (function, local variable).
    """

    name: str
    version: str
    needs: tuple[str, ...]
    module: str
    guard: tuple[str, str]
    local: tuple[str, str]
    second_local: tuple[str, str]
    pytest_arguments: str = ""

    @property
    def command(self) -> str:
        """The project's own tests, run by the environment inside its folder."""
        return f".venv/bin/python -m pytest -q {self.pytest_arguments}".strip()


PROJECTS = (
    Project(
        name="itsdangerous",
        version="2.2.0",
        needs=("pytest", "freezegun"),
        module="src/itsdangerous/timed.py",
        guard=("TimestampSigner.unsign", "max_age"),
        local=("TimestampSigner.unsign", "ts_dt"),
        second_local=("TimestampSigner.sign", "timestamp"),
    ),
    Project(
        name="pyjwt",
        version="2.15.1",
        needs=("pytest", "cryptography"),
        module="jwt/api_jwt.py",
        guard=("PyJWT._validate_exp", "ExpiredSignatureError"),
        local=("PyJWT._validate_nbf", "nbf"),
        second_local=("PyJWT._validate_iat", "iat"),
    ),
    Project(
        name="werkzeug",
        version="3.1.9",
        needs=("pytest", "pytest-timeout", "ephemeral-port-reserve", "cryptography", "watchdog"),
        module="src/werkzeug/security.py",
        guard=("safe_join", "isabs"),
        local=("safe_join", "parts"),
        second_local=("check_password_hash", "hashval"),
        # The excluded tests start a development server and reload it by watching files.
        pytest_arguments="-m 'not dev_server'",
    ),
)


def unpack(project: Project, target: Path) -> Path:
    """The project's source, unpacked, committed, with its own environment in an ignored `.venv`."""
    with tarfile.open(_archive(project)) as archive:
        archive.extractall(target, filter="data")
    root = next(target.iterdir())
    (root / ".gitignore").write_text(".venv/\n__pycache__/\n*.egg-info/\n.pytest_cache/\n")
    identity = ["-c", "user.name=Ada Author", "-c", "user.email=ada@example.invalid"]
    for arguments in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", f"Import {project.name}"]):
        subprocess.run(["git", *identity, *arguments], cwd=root, check=True)
    venv.create(root / ".venv", with_pip=True)
    _pip(root / ".venv/bin/python", "install", "--editable", str(root), *project.needs)
    return root


def _archive(project: Project) -> Path:
    CACHE.mkdir(parents=True, exist_ok=True)
    stem = f"{project.name}-{project.version}.tar.gz"
    if not (CACHE / stem).exists():
        arguments = ["--no-deps", "--no-binary", ":all:", "--dest", str(CACHE), f"{project.name}=={project.version}"]
        _pip(Path(sys.executable), "download", *arguments)
    return CACHE / stem


def _pip(python: Path, *arguments: str) -> None:
    # pip keeps its settings and its cache in the user's own home, which the tests hide.
    env = {**os.environ, "HOME": pwd.getpwuid(os.getuid()).pw_dir}
    command = [str(python), "-m", "pip", *arguments, "--quiet", "--disable-pip-version-check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    if done.returncode != 0:
        if any(sign in done.stderr for sign in UNREACHABLE):
            raise IndexUnreachableError(done.stderr[-500:])
        raise AssertionError(done.stderr[-2000:])
