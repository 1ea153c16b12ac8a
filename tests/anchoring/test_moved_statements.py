"""Statements in another place pass where both orders come to the same, and fail where a refusal comes too late."""

from __future__ import annotations

import pytest

from tests.anchoring.judged import assert_accepted, assert_nothing_lost, assert_rejected

SAME = {
    "branches change places": (
        "def clean(entry):\n    if is_folder(entry):\n        if entry.is_symlink():\n"
        "            raise OSError('link')\n"
        "        empty(entry)\n    else:\n        os.unlink(entry.path)\n",
        "def clean(entry):\n    if not is_folder(entry):\n        os.unlink(entry.path)\n    else:\n"
        "        if entry.is_symlink():\n            raise OSError('link')\n        empty(entry)\n",
    ),
    "two refusals merged, the second of which acts": (
        "def go(lock, system):\n    close = system.CloseHandle\n    handle = make(lock)\n    if handle == INVALID:\n"
        "        raise SystemFault(last())\n    if not close(handle):\n        raise SystemFault(last())\n",
        "def go(lock, system):\n    close = system.CloseHandle\n    handle = make(lock)\n"
        "    if handle == INVALID or not close(handle):\n        raise SystemFault(last())\n",
    ),
    "a way out in an else": (
        "def read(fp):\n    lines = []\n    while True:\n        line = fp.readline(LONGEST)\n"
        "        lines.append(line)\n"
        "        if len(lines) > MOST:\n            raise TooLong('lines')\n        if line in (b'', b'\\n'):\n"
        "            break\n    return lines\n",
        "def read(fp):\n    lines = []\n    while True:\n        line = fp.readline(LONGEST)\n"
        "        lines.append(line)\n"
        "        if len(lines) > MOST:\n            raise TooLong('lines')\n        else:\n"
        "            if line in (b'', b'\\n'):\n                break\n    return lines\n",
    ),
    "a short function gets another name": (
        "class Lock:\n    def _has_path(self):\n        return self.owned\n\n    def take(self):\n"
        "        if self._has_path():\n            return\n        open(self.path)\n",
        "class Lock:\n    def _holds(self):\n        return self.owned\n\n    def take(self):\n"
        "        if self._holds():\n            return\n        open(self.path)\n",
    ),
    "the rest of a check moves into a branch": (
        "def is_valid(line):\n    if line[0] == '\\t':\n        return False\n    return store(line)\n",
        "def is_valid(line):\n    if line[0] != '\\t':\n        return store(line)\n    else:\n        return False\n",
    ),
    "a comparison with itself goes": (
        "def go(event):\n    token = event['token']\n    if not token:\n        raise Denied('token')\n"
        "    if event['token'] != token:\n        raise Denied('token differs')\n    admit(event)\n",
        "def go(event):\n    token = event['token']\n    if not token:\n        raise Denied('token')\n"
        "    admit(event)\n",
    ),
    "done for some, in the other branch": (
        "def start(self, origins):\n    if is_permission(origins):\n        self.any = True\n    else:\n"
        "        self.some = split(origins)\n",
        "def start(self, origins):\n    if not is_permission(origins):\n        self.some = split(origins)\n    else:\n"
        "        self.any = True\n",
    ),
    "two handlers of one error": (
        "def same(self, other):\n    for item in self:\n        try:\n            if other.next() != item:\n"
        "                return False\n        except StopIteration:\n            return False\n    try:\n"
        "        other.next()\n    except StopIteration:\n        return True\n    return False\n",
        "def same(self, other):\n    for item in self:\n        try:\n            if item != other.next():\n"
        "                return False\n        except StopIteration:\n            return False\n    try:\n"
        "        other.next()\n    except StopIteration:\n        return True\n    return False\n",
    ),
    "a raise in an else, or behind": (
        "def read(box, key):\n    try:\n        return open(box.path(key))\n    except OSError as e:\n"
        "        if e.errno == ENOENT:\n            raise KeyError('no message: %s' % key)\n"
        "        else:\n            raise\n",
        "def read(box, key):\n    try:\n        return open(box.path(key))\n    except OSError as e:\n"
        "        if e.errno == ENOENT:\n            raise KeyError('no message: %s' % key)\n        raise\n",
    ),
    "guards below another are nested": (
        "def pick(start, step):\n    if step is not None:\n        raise TypeError('a step needs a stop')\n"
        "    if start <= 0:\n        raise ValueError('empty range')\n    return store(start)\n",
        "def pick(start, step):\n    if not (step is not None):\n        if start <= 0:\n"
        "            raise ValueError('empty range')\n        return store(start)\n    else:\n"
        "        raise TypeError('a step needs a stop')\n",
    ),
    "branches below a guard become its else": (
        "def unpack(member, path):\n    if not inside(path):\n        raise Unsafe(path)\n    if member.isdir():\n"
        "        ensure_dir(path)\n    elif member.issym():\n        link(path)\n    else:\n"
        "        ensure_dir(parent(path))\n        write(path)\n",
        "def unpack(member, path):\n    if not inside(path):\n        raise Unsafe(path)\n    elif member.isdir():\n"
        "        ensure_dir(path)\n    elif member.issym():\n        link(path)\n    else:\n"
        "        ensure_dir(parent(path))\n        write(path)\n",
    ),
    "a long condition is given a name": (
        "def go(url):\n    if url[:2] == '//' and url[2:3] != '/' and url[2:12].lower() != 'localhost/':\n"
        "        raise ValueError('file:// is for this machine only')\n    return open(url)\n",
        "def go(url):\n    is_elsewhere = url[:2] == '//' and url[2:3] != '/' and url[2:12].lower() != 'localhost/'\n"
        "    if is_elsewhere:\n        raise ValueError('file:// is for this machine only')\n    return open(url)\n",
    ),
    "one of many, some of them not written out": (
        "def pull(self, specs):\n    for item in [self.name, *specs]:\n        if item.startswith('-'):\n"
        "            raise UnsafeOption('no options here')\n    run(specs)\n",
        "def pull(self, specs):\n    if any(item.startswith('-') for item in [self.name, *specs]):\n"
        "        raise UnsafeOption('no options here')\n    run(specs)\n",
    ),
    "a check gets a name that says less": (
        "def _validate_pair(pair):\n    return isinstance(pair, tuple) and len(pair) == 2\n\n\n"
        "def load(pair):\n    if _validate_pair(pair):\n        store(pair)\n",
        "def _the_pair(pair):\n    return isinstance(pair, tuple) and len(pair) == 2\n\n\n"
        "def load(pair):\n    if _the_pair(pair):\n        store(pair)\n",
    ),
    "an answer above or below the other way": (
        "def fetch(kind, path):\n    if kind == 'file':\n        return os.path.normpath(path)\n"
        "    with open(path) as out:\n        copy(out)\n    return path\n",
        "def fetch(kind, path):\n    if kind != 'file':\n        with open(path) as out:\n            copy(out)\n"
        "        return path\n    else:\n        return os.path.normpath(path)\n",
    ),
    "the last of several answers raised in an else": (
        "def pick(names):\n    if names is None:\n        return None\n    if 'auth' in names:\n        return 'auth'\n"
        "    if names == ['auth-int']:\n        raise Unfinished('auth-int')\n    raise ProtocolError(names)\n",
        "def pick(names):\n    if names is None:\n        return None\n    if 'auth' in names:\n        return 'auth'\n"
        "    if names == ['auth-int']:\n        raise Unfinished('auth-int')\n    else:\n"
        "        raise ProtocolError(names)\n",
    ),
    "one of two texts becomes a constant": (
        "def ask(read):\n    while 1:\n        c = read()\n        if c == '\\r' or c == '\\n':\n            break\n"
        "        use(c)\n",
        "END = '\\n'\n\n\ndef ask(read):\n    while 1:\n        c = read()\n        if c == '\\r' or c == END:\n"
        "            break\n        use(c)\n",
    ),
    "a loop ends in an else": (
        "def copy(fp, out):\n    while True:\n        data = fp.read(SIZE)\n        if not data:\n            break\n"
        "        out.write(data)\n",
        "def copy(fp, out):\n    while True:\n        data = fp.read(SIZE)\n        if data:\n"
        "            out.write(data)\n"
        "        else:\n            break\n",
    ),
    "the one answer first, or the other": (
        "def exceeds_limit(self, text):\n    if self.most is not None and len(text) > self.most:\n        tell(text)\n"
        "        return True\n    return False\n",
        "def exceeds_limit(self, text):\n    if not (self.most is not None and len(text) > self.most):\n"
        "        return False\n    else:\n        tell(text)\n        return True\n",
    ),
    "two answers in one": (
        "def is_absolute_path(p):\n    if not p.root:\n        return False\n"
        "    return not p.kind.has_drive or bool(p.drive)\n",
        "def is_absolute_path(p):\n    return False if not p.root else (not p.kind.has_drive or bool(p.drive))\n",
    ),
}
TOO_LATE = {
    "handed on before it was looked at": (
        "def load(ctx, key, secret):\n    if key and secret is None and is_locked(key):\n"
        "        raise TlsFault('a password is required')\n    if ctx.chain:\n        ctx.use_chain(key)\n",
        "def load(ctx, key, secret):\n    if ctx.chain:\n        ctx.use_chain(key)\n"
        "    if key and secret is None and is_locked(key):\n        raise TlsFault('a password is required')\n",
    ),
    "looked at in a function that is called afterwards": (
        "def go(p):\n    if len(p) > 64:\n        raise ValueError('too long')\n    return store(p)\n",
        "def refuse(p):\n    if len(p) > 64:\n        raise ValueError('too long')\n\n\n"
        "def go(p):\n    done = store(p)\n    refuse(p)\n    return done\n",
    ),
    "a way around the function that looks at it": (
        "def go(p):\n    if len(p) > 64:\n        raise ValueError('too long')\n    return store(p)\n",
        "def refuse(p):\n    if len(p) > 64:\n        raise ValueError('too long')\n\n\n"
        "def go(p, fast=False):\n    if fast:\n        return store(p)\n    refuse(p)\n    return store(p)\n",
    ),
    "moved to where its error is dropped": (
        "def go(p):\n    if len(p) > 64:\n        raise ValueError('too long')\n    return store(p)\n",
        "def refuse(p):\n    if len(p) > 64:\n        raise ValueError('too long')\n\n\n"
        "def go(p):\n    try:\n        refuse(p)\n    except Exception:\n        pass\n    return store(p)\n",
    ),
    "below what is never so": (
        "def is_allowed(name):\n    if name is None:\n        return False\n    if name in REFUSED:\n"
        "        return False\n    return True\n",
        "def is_allowed(name):\n    if not True:\n        if name is None:\n            return False\n"
        "        if name in REFUSED:\n            return False\n        return True\n    else:\n        return True\n",
    ),
    "asked of the next value as well": (
        "def read(s, at):\n    mark = s[at]\n    if mark == ']':\n        return None\n    mark = s[at + 1]\n"
        "    if mark == ']':\n        raise BadInput('illegal comma')\n    return store(mark)\n",
        "def read(s, at):\n    mark = s[at]\n    if mark == ']':\n        return None\n    mark = s[at + 1]\n"
        "    return store(mark)\n",
    ),
    "moved to where nothing runs": (
        "def go(p):\n    if len(p) > 64:\n        raise ValueError('too long')\n    return store(p)\n",
        "def refuse(p):\n    if len(p) > 64:\n        raise ValueError('too long')\n\n\n"
        "def go(p):\n    return store(p)\n    refuse(p)\n    return store(p)\n",
    ),
}
TURNED = {
    "a handler's no becomes yes": (
        "def is_network(text):\n    try:\n        parse(text)\n    except OSError:\n        return False\n"
        "    if text.mask < 1:\n        return False\n    return True\n",
        "def is_network(text):\n    try:\n        parse(text)\n    except OSError:\n        return True\n"
        "    if not text.mask < 1:\n        return True\n    else:\n        return False\n",
    ),
    "a flag that is added on a condition": (
        "def touch(path, again):\n    flags = os.O_CREAT | os.O_WRONLY\n    if not again:\n        flags |= os.O_EXCL\n"
        "    return os.open(path, flags)\n",
        "def touch(path, again):\n    flags = os.O_CREAT | os.O_WRONLY\n    return os.open(path, flags)\n",
    ),
    "a mode given to a name first": (
        "def make(path, entry):\n    mode = entry.mode\n    if mode is None:\n        mode = 0o600\n"
        "    node(path, mode)\n",
        "def make(path, entry):\n    mode = entry.mode\n    if mode is None:\n        mode = 0o666\n"
        "    node(path, mode)\n",
    ),
    "a switch that another call is given by that name": (
        "def install(shell):\n    script = make(shell=shell)\n    run([shell, '-c', script])\n",
        "def install(shell):\n    script = make(shell=shell)\n    run(' '.join([shell, '-c', script]), shell=True)\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), SAME.values(), ids=SAME)
@pytest.mark.parametrize("backwards", [False, True])
def test_the_same_in_another_place_passes(before: str, after: str, backwards: bool) -> None:
    assert_accepted(*((after, before) if backwards else (before, after)))


@pytest.mark.parametrize(("before", "after"), [*TOO_LATE.values(), *TURNED.values()], ids=[*TOO_LATE, *TURNED])
def test_what_comes_too_late_or_is_turned_fails_and_its_repair_loses_nothing(before: str, after: str) -> None:
    assert_rejected(before, after)
    assert_nothing_lost(after, before)


def test_a_value_may_be_named_like_the_function_it_comes_from() -> None:
    before = (
        "class A { boolean isAllowed(String uri) { boolean first = uri.startsWith(base);"
        ' boolean checkNext = "/".equals(base) || checkNext(uri, base);'
        " return strict ? (first && checkNext) : uri.equals(base); } }\n"
    )
    after = (
        "class A { boolean isAllowed(String uri) {"
        ' return strict ? uri.startsWith(base) && ("/".equals(base) || checkNext(uri, base))'
        " : uri.equals(base); } }\n"
    )
    assert_accepted(before, after, "A.java")


def test_what_runs_nothing_may_be_named_unsafe() -> None:
    policy = "def head(r):\n    r.headers['Content-Security-Policy'] = \"default-src 'self' 'unsafe-inline'; {}\"\n"
    assert_accepted(policy.format("img-src 'self' data:"), policy.format(""))
    assert_rejected(policy.format("script-src 'self'"), policy.format(""))
