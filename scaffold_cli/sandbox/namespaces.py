"""Entering a private mount namespace: which way works here, and the command line for it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from scaffold_cli import owned
from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.processes import Completed, ProgramNotFoundError, run
from scaffold_cli.sandbox import starting, temporary
from scaffold_cli.sandbox.confinement import Confinement, ConfinementKind, Ground, confined

_MOUNT = """\
mount=$1; shift
while [ "$1" != -- ]; do "$mount" -t overlay -o "$1" overlay "$2" || exit 126; shift 2; done
shift
"$@"
exit $?
"""
"""Not `exec`: as process 1 of its namespace a program would be deaf to signals such as SIGTERM."""

_PROBE = """\
test "$(cat here)" = below && echo above >here && rm -r folder && mkdir folder && mv folder moved && rm gone
"""
_PROBE_TIMEOUT = 20.0
_PLAIN_OPTIONS = "index=off,xino=off,redirect_dir=off,metacopy=off"
"""The upper folder must list what was written in plain: no renames or contents kept in attributes."""
_USER_OPTIONS = "userxattr,index=off,xino=off"
"""`userxattr` switches redirects and metacopy off by itself and refuses to be told so."""


@dataclass(frozen=True, slots=True)
class Mount:
    """One overlay: `upper` over `lower` (a link to `target`, so that no odd character gets into the options)."""

    target: Path
    lower: Path
    upper: Path
    work: Path


@dataclass(frozen=True, slots=True)
class Namespace:
    """One way in. `user` means through a user namespace, `pids` that processes are confined to it as well.

    `net` says that it can have a network of its own, without anything but localhost; `holds` that what is inside can be
    held in (see `confinement`).
    """

    user: bool
    pids: bool
    net: bool = False
    holds: bool = False

    def command(
        self, mounts: Sequence[Mount], inner: Sequence[str], confine: Sequence[str] = (), *, network: bool = True
    ) -> list[str]:
        """The command that mounts `mounts` where only `inner` sees them, and runs it as the current user.

        `confine` are the words in front of it that hold it in.
        """
        unshare = _program("unshare")
        outer = [*starting.ends_with_us(), unshare, "--mount"]
        if self.user:
            outer += ["--user", "--map-root-user"]
        if self.net and not network:
            outer += ["--net"]
        if self.pids:
            outer += ["--pid", "--fork", "--kill-child", "--mount-proc"]
        script = [starting.shell(), "-c", _MOUNT, "sh", _program("mount")]
        for mount in mounts:
            script += [self._options(mount), str(mount.target)]
        back = []
        if self.user and os.geteuid() != 0:  # tests that look at permissions must not find themselves root
            back = [unshare, "--user", f"--map-user={os.geteuid()}", f"--map-group={os.getegid()}"]
        return [*outer, *script, "--", *confine, *back, *inner]

    def home_options(self, lower: Path, upper: Path, work: Path) -> str:
        """The mount options of a private layer over the home folder."""
        return self._options(Mount(lower, lower, upper, work))

    @property
    def opaque_attribute(self) -> str:
        """The extended attribute with which this mount hides all that is below a folder."""
        return "user.overlay.opaque" if self.user else "trusted.overlay.opaque"

    def _options(self, mount: Mount) -> str:
        folders = f"lowerdir={mount.lower},upperdir={mount.upper},workdir={mount.work}"
        return f"{folders},{_USER_OPTIONS if self.user else _PLAIN_OPTIONS}"


@dataclass(frozen=True, slots=True)
class Found:
    """The first way that works, and where its upper folders may be kept; or why none does."""

    namespace: Namespace | None
    base: Path | None = None
    because: str = ""


@cache
def find(folder: Path) -> Found:
    """Try the ways on the real thing, best first, and remember the answer for this process.

    The trial also mounts over `folder`, without writing there: not every file system can lie below an overlay.
    """
    because = "there is no folder for temporary files outside the project"
    for base in temporary.bases(folder):
        for namespace in _ways():
            try:
                because = _trial(namespace, base, folder)
            except (UndecidedError, OSError) as error:
                because = str(error)
            if not because:
                return Found(_held(namespace), base)
    return Found(None, because=because)


def _held(namespace: Namespace) -> Namespace:
    """The same, knowing whether it can hold in what it runs, and whether without a network."""
    for net in (True, False):
        better = replace(namespace, net=net, holds=True)
        rules = Confinement(network=not net)
        words = confined(ConfinementKind.NAMESPACES, rules, Ground(()), {})
        inner = [starting.shell(), "-c", "exit 0"]
        if namespace.pids and run(better.command((), inner, words, network=not net), timeout=_PROBE_TIMEOUT).ok:
            return better
    return namespace


def _ways() -> Iterator[Namespace]:
    for pids in (True, False):
        if os.geteuid() == 0:
            yield Namespace(user=False, pids=pids)
        yield Namespace(user=True, pids=pids)


def _trial(namespace: Namespace, base: Path, folder: Path) -> str:
    """Why this way does not work over `folder` with its parts in `base`; empty when it does."""
    status = folder.stat()
    if namespace.user and (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
        return f"{folder} belongs to another user or group, which a user namespace cannot write for"
    state = temporary.new_folder(Path("/"), base)
    try:
        target = state / "target"
        (target / "folder").mkdir(parents=True)
        for name, text in (("here", "below\n"), ("gone", ""), ("folder/inner", "")):
            (target / name).write_text(text)
        mount = prepare(state, target)
        mounts = [mount, prepare(state, folder, "-real")]
        inner = starting.starter(str(target), [starting.shell(), "-c", _PROBE])
        done = run(namespace.command(mounts, inner), timeout=_PROBE_TIMEOUT)
        if done.ok and (target / "here").read_text() == "below\n" and (mount.upper / "here").read_text() == "above\n":
            return ""
        return _complaint(done)
    finally:
        owned.remove(state)


def prepare(state: Path, target: Path, name: str = "") -> Mount:
    """The folders of one overlay over `target`, made below `state`. `name` tells several apart."""
    mount = Mount(target, state / f"lower{name}", state / f"upper{name}", state / f"work{name}")
    mount.lower.symlink_to(target)
    for folder in (mount.upper, mount.work):
        folder.mkdir()
    status = target.stat()
    mount.upper.chmod(status.st_mode & 0o7777)
    if os.geteuid() == 0:
        os.chown(mount.upper, status.st_uid, status.st_gid)
    return mount


def _complaint(done: Completed) -> str:
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[0] if lines else f"the trial ended with code {done.code}"


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise ProgramNotFoundError(name)
    return found
