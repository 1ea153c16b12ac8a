"""Renames that lose nothing: two names swapped in one step, and a name taken only when it is free."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

_AT_FDCWD = -100
_NOREPLACE, _EXCHANGE = 1, 2
_CANNOT = frozenset({errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM, errno.EXDEV})


def exchange(first: Path, second: Path) -> bool:
    """Let two names trade what they stand for, in one step; False where the system or the disk cannot.

    Whatever lay at either name the moment before lies at the other one after. Raises OSError.
    """
    return _rename(first, second, _EXCHANGE)


def rename_to_free(source: Path, target: Path) -> None:
    """Give `source` the name `target`. Raises FileExistsError, with nothing changed, when that name is taken."""
    if _rename(source, target, _NOREPLACE):
        return
    try:
        os.link(source, target, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:  # no hard links either: the look before the leap is all there is
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from None
        source.rename(target)
        return
    source.unlink()


def _rename(source: Path, target: Path, flag: int) -> bool:
    call = _renameat2()
    if call is None:
        return False
    sys.audit("scaffold.rename", str(source), str(target), flag)
    if call(_AT_FDCWD, os.fsencode(source), _AT_FDCWD, os.fsencode(target), flag) == 0:
        return True
    number = ctypes.get_errno()
    if number in _CANNOT:
        return False
    raise OSError(number, os.strerror(number), str(source), None, str(target))


@cache
def _renameat2() -> Callable[[int, bytes, int, bytes, int], int] | None:
    """The C library's `renameat2`: Python has no door to it."""
    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return None
    call.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    call.restype = ctypes.c_int
    typed: Callable[[int, bytes, int, bytes, int], int] = call
    return typed
