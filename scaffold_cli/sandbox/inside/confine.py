"""Runs inside a fresh namespace (or in front of Landlock), makes everything outside read-only, becomes the command.

Started as a script: ``python -I -S confine.py SPEC COMMAND…``. SPEC is what `confinement.confined` writes, for the same
Python. Ends with code 125 and one line on stderr when it cannot confine. Every module that is imported here is paid for
by each command that is run, so there are few: no json, resource, signal or contextlib.
"""

from __future__ import annotations

import ctypes
import marshal
import os
import struct
import sys

TYPE_CHECKING = False  # importing typing for it would cost more than all the rest
if TYPE_CHECKING:
    from typing import Any

_KILL, _TERM = 9, 15
_UNLIMITED = 2**64 - 1
_LIBC = ctypes.CDLL(None, use_errno=True)
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_BIND, _MS_REC = 1, 2, 4, 8, 4096, 16384
_MOUNT_SETATTR, _ATTR_RDONLY = 442, 1
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_PR_SET_PDEATHSIG, _PR_CAPBSET_DROP, _PR_SET_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 1, 24, 36, 38
_READ = 1 | 4 | 8  # execute, read file, read folder
_ALL_FILE = 1 | 2 | 4
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty", "fuse")


class _Tolerant:
    """Lets errors of the system pass; `contextlib` would be another module to load."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: object, trace: object) -> bool:
        return isinstance(error, OSError)


_TOLERANT = _Tolerant()


def main() -> None:
    """Confine this process as the first argument says, and run the rest in its place."""
    spec, command = marshal.loads(bytes.fromhex(sys.argv[1])), sys.argv[2:]
    if spec["mode"] == "mounts":
        if not spec["network"]:
            _loopback_up()
        _mounts(spec)
    if spec["mode"] in ("landlock", "watched"):
        _watched()
    _limits(spec["limits"])
    if spec["mode"] == "landlock":
        _landlock(spec)
    if spec["mode"] in ("mounts", "limits"):
        for capability in spec["drop"]:
            _LIBC.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    os.execvp(command[0], command)


def _mounts(spec: dict[str, Any]) -> None:
    """Everything read-only but `write`, a fresh /tmp and /dev/shm; `hide` empty; the home folder under an overlay."""
    held = _hold(spec["write"])
    home = spec["home"]
    if home and os.path.isdir(home["target"]):
        with _TOLERANT:  # then it is read-only
            _mount("overlay", home["target"], "overlay", 0, home["options"])
            held += _hold([home["target"]])  # the layer, not what is below it
            spec["write"] = [*spec["write"], home["target"]]
    names = {path for path, _ in held}
    held += _hold([path for path in spec["keep"] if path not in names])
    held.sort(key=lambda item: len(item[0]))
    for path in spec["fresh"]:
        if os.path.isdir(path) and not os.path.islink(path):
            _mount("tmpfs", path, "tmpfs", _MS_NOSUID | _MS_NODEV, "mode=1777")
            spec["write"] = [*spec["write"], path]
    _put_back(held)
    for path in spec["hide"]:
        _hide(path)
    if spec["devices"]:
        _devices()
    _attributes("/", _AT_RECURSIVE, _ATTR_RDONLY, 0)
    for path in [*spec["write"], "/proc"]:
        if os.path.isdir(path):
            _attributes(path, 0, 0, _ATTR_RDONLY)
    for path in ("/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus"):
        if os.path.exists(path):
            _mount(path, path, None, _MS_BIND, None)
            _attributes(path, 0, _ATTR_RDONLY, 0)
    os.chdir("/")


def _hold(paths: list[str]) -> list[tuple[str, int]]:
    """(path, descriptor) for what must still be there after something is mounted above it; parents first."""
    found = []
    for path in sorted(set(paths), key=len):
        with _TOLERANT:
            found.append((path, os.open(path, os.O_PATH | os.O_CLOEXEC)))
    return found


def _put_back(held: list[tuple[str, int]]) -> None:
    for path, descriptor in held:
        source = f"/proc/self/fd/{descriptor}"
        if os.path.isdir(source):
            os.makedirs(path, exist_ok=True)
        elif not os.path.exists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        _mount(source, path, None, _MS_BIND | _MS_REC, None)
        os.close(descriptor)


def _hide(path: str) -> None:
    if os.path.isdir(path):
        _mount("tmpfs", path, "tmpfs", _MS_RDONLY | _MS_NOSUID | _MS_NODEV | _MS_NOEXEC, "size=4k,mode=0555")
    elif os.path.exists(path):
        _mount("/dev/null", path, None, _MS_BIND, None)


def _devices() -> None:
    """A /dev with nothing in it that leads to the machine."""
    held = _hold([f"/dev/{name}" for name in (*_DEVICES, "pts", "shm", "ptmx")])
    _mount("tmpfs", "/dev", "tmpfs", _MS_NOSUID, "mode=755")
    for name in ("pts", "shm"):
        os.mkdir(f"/dev/{name}")
    _put_back([item for item in held if os.path.basename(item[0]) != "ptmx"])
    os.symlink("pts/ptmx", "/dev/ptmx")
    for name, target in (("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        os.symlink(target, f"/dev/{name}")


def _mount(source: str, target: str, kind: object, flags: int, options: object) -> None:
    raw = [None if item is None else os.fsencode(str(item)) for item in (source, target, kind, options)]
    if _LIBC.mount(raw[0], raw[1], raw[2], ctypes.c_ulong(flags), raw[3]):
        error = ctypes.get_errno()
        raise OSError(error, f"mount {target}: {os.strerror(error)}")


def _attributes(path: str, flags: int, set_: int, clear: int) -> None:
    attributes = struct.pack("QQQQ", set_, clear, 0, 0)
    if _LIBC.syscall(_MOUNT_SETATTR, _AT_FDCWD, os.fsencode(path), flags, attributes, len(attributes)):
        error = ctypes.get_errno()
        raise OSError(error, f"mount_setattr {path}: {os.strerror(error)}")


def _loopback_up() -> None:
    """A namespace without a network still has localhost, and tests use it."""
    probe = _LIBC.socket(2, 2, 0)
    _LIBC.ioctl(probe, 0x8914, struct.pack("16sH22s", b"lo", 1 | 64, b""))
    _LIBC.close(probe)


def _limits(limits: dict[int, int]) -> None:
    """Limits by the system's numbers for them; none is raised above what is allowed."""
    for kind, value in limits.items():
        pair = (ctypes.c_ulong * 2)()
        _LIBC.getrlimit(kind, pair)
        pair[0] = pair[1] = value if pair[1] == _UNLIMITED else min(value, pair[1])
        _LIBC.setrlimit(kind, pair)


def _watched() -> None:
    """Put two watchers above the command, each in a group of its own.

    Whatever the command leaves behind comes to them and is ended. The outer one ends with the process that started us;
    the inner one is told so and ends everything. When the inner one is ended, the outer one does its work.
    """
    import signal

    _LIBC.prctl(_PR_SET_PDEATHSIG, _KILL, 0, 0, 0)
    _LIBC.prctl(_PR_SET_SUBREAPER, 1, 0, 0, 0)
    outer = os.getpid()
    inner = os.fork()
    if inner:
        _follow(inner)
    os.setpgid(0, 0)
    signal.signal(_TERM, _end)
    _LIBC.prctl(_PR_SET_PDEATHSIG, _TERM, 0, 0, 0)
    _LIBC.prctl(_PR_SET_SUBREAPER, 1, 0, 0, 0)
    if os.getppid() != outer:  # it was ended before it could be told
        os._exit(128 + _TERM)
    command = os.fork()
    if command:
        _follow(command)
    _LIBC.prctl(_PR_SET_PDEATHSIG, _KILL, 0, 0, 0)
    signal.signal(_TERM, signal.SIG_DFL)
    os.setsid()


def _follow(child: int) -> None:
    """Wait for a child, end what it leaves, and end as it did."""
    status = 0
    while True:
        done, status = os.wait()
        if done == child:
            break
    _end_the_rest()
    os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))


def _end(_number: int, _frame: object) -> None:
    _end_the_rest()
    os._exit(128 + _TERM)


def _end_the_rest() -> None:
    """End everything below us, also what is started meanwhile."""
    while True:
        for left in _children():
            with _TOLERANT:
                os.kill(left, _KILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        _LIBC.usleep(2000)


def _children() -> list[int]:
    """Everything below us: what is orphaned there is ours."""
    parents = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with _TOLERANT, open(f"/proc/{name}/stat", "rb") as stream:
                parents[int(name)] = int(stream.read().rpartition(b")")[2].split()[1])
    mine, found = {os.getpid()}, []
    for _ in parents:
        new = [pid for pid, parent in parents.items() if parent in mine and pid not in mine]
        if not new:
            break
        mine.update(new)
        found += new
    return found


def _landlock(spec: dict[str, Any]) -> None:
    """Write only below `write`; read anything but `hide`; without network, no TCP connection to anywhere."""
    version = _LIBC.syscall(_LANDLOCK_CREATE, None, 0, 1)
    if version < 1:
        raise OSError("Landlock is not available")
    handled = (1 << 13) - 1
    handled |= (1 << 13 if version >= 2 else 0) | (1 << 14 if version >= 3 else 0)
    network = 0 if spec["network"] or version < 4 else 2
    scoped = 3 if version >= 6 else 0
    attributes = struct.pack("QQQ", handled, network, scoped)[: 8 if version < 4 else 16 if version < 6 else 24]
    rules = _LIBC.syscall(_LANDLOCK_CREATE, attributes, len(attributes), 0)
    if rules < 0:
        raise OSError(ctypes.get_errno(), "Landlock refused the rules")
    devices = [f"/dev/{name}" for name in (*_DEVICES, "pts", "shm", "ptmx", "fd", "stdin", "stdout", "stderr")]
    for path in [*spec["write"], *devices]:
        _rule(rules, path, handled)
    for path in _readable("/", [*spec["hide"], "/dev"]):
        _rule(rules, path, _READ)
    _LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if _LIBC.syscall(_LANDLOCK_RESTRICT, rules, 0):
        raise OSError(ctypes.get_errno(), "Landlock could not be switched on")
    os.close(rules)


def _readable(folder: str, hidden: list[str]) -> list[str]:
    """The highest files and folders that hold nothing hidden. Folders on the way can be entered, not listed."""
    found: list[str] = []
    try:
        names = os.listdir(folder)
    except OSError:
        return found
    for name in names:
        path = os.path.join(folder, name)
        if path in hidden or os.path.islink(path):
            continue
        if any(item.startswith(path + "/") for item in hidden):
            found += _readable(path, hidden)
        else:
            found.append(path)
    return found


def _rule(rules: int, path: str, access: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not os.path.isdir(path):
        access &= _ALL_FILE | (1 << 14)
    rule = struct.pack("=Qi", access, descriptor)
    _LIBC.syscall(_LANDLOCK_ADD, rules, 1, rule, 0)
    os.close(descriptor)


if __name__ == "__main__":
    try:
        main()
    except OSError as problem:
        sys.stderr.write(f"scaffold: the command could not be confined: {problem}\n")
        sys.exit(125)
