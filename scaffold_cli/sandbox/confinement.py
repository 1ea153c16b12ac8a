"""What a command in a workspace may reach: the network, files, secrets, and how much of the machine.

Three ways, best first: namespaces of its own (with the overlay, or bubblewrap's), Landlock, none.
"""

from __future__ import annotations

import marshal
import os
import re
import resource
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from scaffold_cli.config.schema import SandboxSettings
from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.processes import run

SCRIPT = Path(__file__).resolve().parent / "inside" / "confine.py"
_MEGABYTE = 1_000_000
_TRIAL = 20.0
FAILED = 125
"""The code of a command that could not be confined."""

SECRETS = (
    ".ssh", ".aws", ".azure", ".config/gh", ".config/gcloud", ".config/hub", ".netrc", "_netrc", ".gnupg", ".kube",
    ".docker/config.json", ".git-credentials", ".config/git/credentials", ".pypirc", ".npmrc", ".yarnrc.yml",
    ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials",
    ".m2/settings-security.xml", ".m2/settings.xml", ".gradle/gradle.properties", ".local/share/keyrings",
    ".password-store", ".config/op", ".vault-token",
    ".terraform.d", ".mozilla", ".config/google-chrome", ".config/chromium", ".bash_history", ".zsh_history",
    ".python_history",
    ".config/rclone", ".config/doctl", ".databrickscfg", ".boto", ".s3cfg", ".pgpass", ".my.cnf", ".huggingface/token",
    ".cache/huggingface/token", ".claude/.credentials.json", ".codex/auth.json",
)  # fmt: skip
"""Below the home folder: what no test needs and everybody would want."""
_SYSTEM_SECRETS = (
    "/etc/shadow", "/etc/gshadow", "/var/run/docker.sock", "/run/docker.sock", "/run/containerd", "/run/podman",
    "/run/dbus", "/run/user", "/run/secrets", "/var/run/secrets",
)  # fmt: skip
_SECRET_NAME = re.compile(
    r"(TOKEN|SECRET|PASSW|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL|_AUTH$|^AUTH_|COOKIE|_DSN$|_PAT$|"
    r"^AWS_|^AZURE_|^GOOGLE_APPLICATION|^GCP_|^GH_|^GITLAB_|^NPM_CONFIG__|^DOCKER_AUTH|^KUBECONFIG$|^VAULT_|"
    r"^SSH_(AUTH_SOCK|AGENT_PID)$|^DBUS_SESSION_BUS_ADDRESS$|^GPG_AGENT_INFO$|DATABASE_URL$|^NETRC$)",
    re.IGNORECASE,
)
DROPPED = (2, 9, 12, 16, 17, 19, 20, 21, 22, 25, 27, 29, 30, 32, 33, 34, 35, 36, 37, 38, 39, 40)
"""Capabilities that could undo the confinement: mounts, devices, modules, tracing, the network's and the machine's
settings; by the system's numbers."""
_SHARED = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 - they are what is made private
_PATH = re.compile(r"/[^\s'\"|;&<>()$`]+")
_OPEN_NAME = frozenset({"SCAFFOLD_OUTCOMES_FILE", "SCAFFOLD_REQUEST"})


class ConfinementKind(StrEnum):
    """What holds a command in."""

    NAMESPACES = "namespaces"
    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    NONE = "none"


_MODES = {
    ConfinementKind.NAMESPACES: "mounts",
    ConfinementKind.BUBBLEWRAP: "limits",
    ConfinementKind.LANDLOCK: "landlock",
    ConfinementKind.NONE: "watched",
}


@dataclass(frozen=True, slots=True)
class Confinement:
    """What the policy allows. `environment` names variables that are handed on although they look like secrets.

    Limits are per process but `processes`, which is per user: bytes of private memory and of one written file, and
    how many processes. `output` is what is kept of stdout and of stderr, in bytes. `required` makes a machine that can
    hold nothing in an error.
    """

    network: bool = False
    environment: tuple[str, ...] = ()
    memory: int = 8_000 * _MEGABYTE
    file: int = 4_000 * _MEGABYTE
    processes: int = 8192
    output: int = 32 * _MEGABYTE
    required: bool = False

    @staticmethod
    def of(settings: SandboxSettings, *, network: bool = False) -> Confinement:
        """What the settings allow; `network` allows the network beyond them."""
        return Confinement(
            network=settings.network or network,
            environment=settings.environment,
            memory=settings.memory_mb * _MEGABYTE,
            file=settings.file_mb * _MEGABYTE,
            processes=settings.processes,
            required=settings.required,
        )

    def cleaned(self, env: Mapping[str, str] | None) -> dict[str, str]:
        """`env` (default: our own) without what looks like a secret."""
        given = os.environ if env is None else env
        allowed = _OPEN_NAME.union(self.environment)
        return {name: value for name, value in given.items() if name in allowed or not _SECRET_NAME.search(name)}

    @property
    def limits(self) -> dict[int, int]:
        """Resource limits by the system's numbers for them."""
        return {
            resource.RLIMIT_DATA: self.memory,
            resource.RLIMIT_FSIZE: self.file,
            resource.RLIMIT_NPROC: self.processes,
            resource.RLIMIT_CORE: 0,
        }


@dataclass(frozen=True, slots=True)
class Ground:
    """Where a command runs: folders it may write to, and where its home's private layer may be kept.

    `home` are the mount options of an overlay over the home folder; empty leaves it read-only. `argv` is the command.
    """

    write: Sequence[Path]
    home: str = ""
    argv: Sequence[str] = ()


def private_folders(ground: Ground) -> list[str]:
    """Shared folders for temporary files that a command gets empty and for itself."""
    return [path for path in _SHARED if path not in map(str, ground.write)]


def confined(kind: ConfinementKind, rules: Confinement, ground: Ground, env: Mapping[str, str]) -> list[str]:
    """The words in front of a command that hold it in, or at least end what it leaves behind (NONE)."""
    mode = _MODES[kind]
    own = [path for name in ("TMPDIR",) if (path := env.get(name, "")) and Path(path).name]
    write = [*map(str, ground.write), *own, *places_of_results(env)]
    fresh = private_folders(ground)
    keep = [*reached(env, fresh, ground.argv)]
    home = Path.home()
    spec = {
        "mode": mode,
        "network": rules.network,
        "limits": rules.limits,
        "drop": DROPPED,
        "write": [path for path in write if path not in _SHARED],
        "keep": [path for path in keep if path not in _SHARED],
        "fresh": fresh,
        "hide": secrets(home),
        "home": {"target": str(home), "options": ground.home} if ground.home else None,
        "devices": os.geteuid() == 0,
    }
    return [sys.executable, "-I", "-S", str(SCRIPT), marshal.dumps(spec).hex()]


def secrets(home: Path) -> list[str]:
    """What is hidden, as far as it exists."""
    below = [home / name for name in SECRETS]
    return [str(path) for path in (*below, *map(Path, _SYSTEM_SECRETS)) if path.exists()]


def places_of_results(env: Mapping[str, str]) -> list[str]:
    """Folders of ours that the command writes its results to."""
    file = env.get("SCAFFOLD_OUTCOMES_FILE", "")
    return [str(Path(file).parent)] if file else []


_LONGEST = 255
"""Characters of a word that may name a file; a longer one is a text (`python -c`), about which the system complains."""


def _around(name: str) -> Iterator[str]:
    """What belongs to a path among a command's words: the folder of a file, the environment of a program in it."""
    yield name
    folder = os.path.dirname(name)  # noqa: PTH120 - any text may come here, and none may raise
    if os.path.isfile(name) and folder not in _SHARED:  # noqa: PTH113
        yield folder
        above = os.path.dirname(folder)  # noqa: PTH120
        if os.path.basename(folder) in ("bin", "Scripts") and above not in _SHARED:  # noqa: PTH119
            yield above


def reached(env: Mapping[str, str], fresh: Iterable[str], argv: Sequence[str] = ()) -> list[str]:
    """What a command needs of folders that are made private: programs, modules, what its words and variables name."""
    named = [sys.prefix, sys.base_prefix, str(SCRIPT.parents[3])]
    named += [part for text in env.values() for part in text.split(":")]
    words = {name for word in argv for name in (word, *_PATH.findall(word)) if len(name) < _LONGEST}
    named += [place for name in words for place in _around(name)]
    below = tuple(f"{folder}/" for folder in fresh)
    found = sorted({path for path in named if path.startswith(below) and os.path.exists(path)})  # noqa: PTH110
    tops: list[str] = []
    for path in found:  # what lies in another one comes with it
        if not any(path.startswith(f"{top.rstrip('/')}/") for top in tops):
            tops.append(path)
    return tops


@cache
def landlock_unavailable() -> str:
    """Why Landlock does not hold a command in here; empty when it does."""
    rules = Confinement()
    words = confined(ConfinementKind.LANDLOCK, rules, Ground(()), {})
    try:
        done = run([*words, sys.executable, "-I", "-S", "-c", "pass"], timeout=_TRIAL)
    except UndecidedError as error:
        return error.message
    return "" if done.ok else done.stderr.decode("utf-8", "replace").strip() or f"it ended with code {done.code}"
