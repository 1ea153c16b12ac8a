"""Rewrites that keep a guard in other words pass; changes that leave it in the text without effect fail."""

from __future__ import annotations

import pytest

from scaffold_cli.model.verdict import LayerStatus
from tests.anchoring.judged import judge

PRESERVING = {
    "condition with a quantifier moved into a predicate": (
        "def join(base, part):\n    if any(s in part for s in SEPS) or isabs(part) or part == '..':\n"
        "        return None\n    return open(base + part)\n",
        "def _is_refused(seps, p):\n    return any(s in p for s in seps) or isabs(p) or p == '..'\n\n"
        "def join(base, part):\n    if _is_refused(SEPS, part):\n        return None\n    return open(base + part)\n",
    ),
    "condition moved into a predicate": (
        "def go(p, root):\n    if '..' in p or p == root:\n        raise ValueError('path')\n    return open(p)\n",
        "def _is_refused(part, base):\n    return '..' in part or part == base\n\n"
        "def go(p, root):\n    if _is_refused(p, root):\n        raise ValueError('path')\n    return open(p)\n",
    ),
    "prefixes as a tuple": (
        "def go(p):\n    if p.startswith('ftp') or p.startswith('file'):\n"
        "        raise ValueError('url')\n    fetch(p)\n",
        "def go(p):\n    if p.startswith(('ftp', 'file')):\n        raise ValueError('url')\n    fetch(p)\n",
    ),
    "types as a tuple": (
        "def go(p):\n    if not isinstance(p, A) and not isinstance(p, B):\n"
        "        raise ValueError('x')\n    fetch(p)\n",
        "def go(p):\n    if not isinstance(p, (A, B)):\n        raise ValueError('x')\n    fetch(p)\n",
    ),
    "literal becomes a constant": (
        "def go(p):\n    if p[-1] == '&':\n        raise ValueError('bad')\n    fetch(p)\n",
        "_MARK = '&'\n\ndef go(p):\n    if p[-1] == _MARK:\n        raise ValueError('bad')\n    fetch(p)\n",
    ),
    "loop becomes all": (
        "def is_valid(xs, d):\n    for x in xs:\n        if d.refuses(x):\n            return False\n    return True\n",
        "def is_valid(xs, d):\n    return all(not d.refuses(x) for x in xs)\n",
    ),
    "nested tests merged": (
        "def go(a, b, ok):\n    if a or not b:\n        if not ok:\n            raise ValueError('bad')\n    run(a)\n",
        "def go(a, b, ok):\n    if (a or not b) and not ok:\n        raise ValueError('bad')\n    run(a)\n",
    ),
    "branch becomes a conditional answer": (
        "def unquote(s):\n    if '%' not in s:\n        return s\n    return sub(s)\n",
        "def unquote(s):\n    return s if '%' not in s else sub(s)\n",
    ),
    "the rest nested": (
        "def go(p):\n    if p.bad:\n        raise ValueError('bad')\n    os.chmod(p, 0o600)\n",
        "def go(p):\n    if not p.bad:\n        os.chmod(p, 0o600)\n    else:\n        raise ValueError('bad')\n",
    ),
    "handler split": (
        "def go(p):\n    try:\n        load(p)\n    except (KeyError, ValueError):\n        raise BadRequest('p')\n",
        "def go(p):\n    try:\n        load(p)\n    except KeyError:\n        raise BadRequest('p')\n"
        "    except ValueError:\n        raise BadRequest('p')\n",
    ),
}

GUARD = "def go(p):\n    if len(p) > 64:\n        raise ValueError('too long')\n    return store(p)\n"
NEUTERED = {
    "early return": "def go(p):\n    return\n    if len(p) > 64:\n        raise ValueError('too long')\n"
    "    return store(p)\n",
    "swallowed": "def go(p):\n    try:\n        if len(p) > 64:\n            raise ValueError('too long')\n"
    "    except Exception:\n        pass\n    return store(p)\n",
    "after what it protected": "def go(p):\n    result = store(p)\n    if len(p) > 64:\n"
    "        raise ValueError('too long')\n    return result\n",
    "second path": "def go(p, fast=False):\n    if fast:\n        return store(p)\n    if len(p) > 64:\n"
    "        raise ValueError('too long')\n    return store(p)\n",
    "limit raised": "def go(p):\n    if len(p) > 6400:\n        raise ValueError('too long')\n    return store(p)\n",
    "limit multiplied": "def go(p):\n    if len(p) > 64 * 64:\n"
    "        raise ValueError('too long')\n    return store(p)\n",
    "environment": "def go(p):\n    if len(p) > 64 and not os.environ.get('SKIP'):\n"
    "        raise ValueError('too long')\n    return store(p)\n",
}
LOOSENED = {
    "a constant limit raised": (
        "LONGEST = 100\n\ndef go(p):\n    if len(p) > LONGEST:\n        raise ValueError('too long')\n    store(p)\n",
        "LONGEST = 10000\n\ndef go(p):\n    if len(p) > LONGEST:\n        raise ValueError('too long')\n    store(p)\n",
    ),
    "equal becomes prefix": (
        "def go(p):\n    if p != 'home':\n        raise ValueError('name')\n    store(p)\n",
        "def go(p):\n    if not p.startswith('home'):\n        raise ValueError('name')\n    store(p)\n",
    ),
    "an earlier return lets more pass": (
        "def check(a, b):\n    if not a and not b:\n        return\n"
        "    if a != b:\n        raise Denied('b')\n    run(a)\n",
        "def check(a, b):\n    if not a:\n        return\n    if a != b:\n        raise Denied('b')\n    run(a)\n",
    ),
    "a safe module swapped for an unsafe one": (
        "from json import loads\n\ndef go(p):\n    return loads(p)\n",
        "from pickle import loads\n\ndef go(p):\n    return loads(p)\n",
    ),
    "an error kept for later": (
        "def go(p):\n    if p == VOID:\n        ex = CreationError('void')\n    else:\n"
        "        return make(p)\n    raise ex\n",
        "def go(p):\n    return make(p)\n",
    ),
    "an enclosing alternative dropped": (
        "def check(a, b):\n    if a or b:\n        if a != b:\n            raise Denied('b')\n    run(a)\n",
        "def check(a, b):\n    if a:\n        if a != b:\n            raise Denied('b')\n    run(a)\n",
    ),
    "translation swallowed": (
        "def go(p):\n    try:\n        load(p)\n    except IdnaError:\n        raise BadRequest('p')\n    run(p)\n",
        "def go(p):\n    try:\n        load(p)\n    except Exception:\n        pass\n    run(p)\n",
    ),
}


@pytest.mark.parametrize("name", PRESERVING)
@pytest.mark.parametrize("backwards", [False, True])
def test_preserving_rewrite_passes(name: str, backwards: bool) -> None:
    before, after = PRESERVING[name][::-1] if backwards else PRESERVING[name]
    result = judge(before, after)
    assert result.status is LayerStatus.PASS, result.violations


@pytest.mark.parametrize("name", NEUTERED)
def test_a_guard_without_effect_is_no_guard(name: str) -> None:
    assert judge(GUARD, NEUTERED[name]).status is LayerStatus.FAIL


@pytest.mark.parametrize("name", LOOSENED)
def test_a_loosened_guard_fails(name: str) -> None:
    before, after = LOOSENED[name]
    assert judge(before, after).status is LayerStatus.FAIL
    assert judge(after, before).status is LayerStatus.PASS


def test_a_check_that_says_yes_where_it_said_no_fails() -> None:
    before = "def is_valid_name(n):\n    if n in KNOWN:\n        return True\n    return False\n"
    assert judge(before, before.replace("return False", "return True")).status is LayerStatus.FAIL


def test_a_secret_that_newly_reaches_the_log_fails() -> None:
    before = "def go(user, password):\n    logger.info('login of %s', user)\n    check(user, password)\n"
    assert judge(before, before.replace("user)\n    check", "password)\n    check")).status is LayerStatus.FAIL
    masked = before.replace("user)\n    check", "mask(password))\n    check")
    assert judge(before, masked).status is LayerStatus.PASS


def test_callers_that_do_a_removed_helpers_work_without_its_protection_fail() -> None:
    before = (
        "def make():\n    reader = Reader()\n    reader.resolve_entities = False\n    return reader\n\n"
        "def load(text):\n    return make().read(text)\n"
    )
    assert judge(before, "def load(text):\n    return Reader().read(text)\n").status is LayerStatus.FAIL
    inlined = (
        "def load(text):\n    reader = Reader()\n    reader.resolve_entities = False\n    return reader.read(text)\n"
    )
    assert judge(before, inlined).status is LayerStatus.PASS


def test_a_restricting_flag_dropped_fails() -> None:
    before = "def options():\n    return OP_ALL | OP_NO_SSLv3 | OP_NO_TLSv1\n"
    assert judge(before, "def options():\n    return OP_ALL | OP_NO_SSLv3\n").status is LayerStatus.FAIL


WEAKER_DEFAULTS = {
    "a flag of an escape": ("def escape(s, quote=True):\n    return s\n", "quote=True", "quote=False"),
    "a flag that loosens": ("def load(s, allow_unsafe=False):\n    return s\n", "unsafe=False", "unsafe=True"),
    "a method that proves nothing": ("METHODS = ['basic', 'post']\n", "'post'", "'post', 'none'"),
    "an old protocol": ("P = ('TLSv1.2', 'TLSv1.3')\n", "'TLSv1.2'", "'TLSv1.1', 'TLSv1.2'"),
    "a permission declared for another method": (
        "class A:\n    security.declareProtected('Edit', 'save')\n    def save(self):\n        go()\n",
        "'save'",
        "'store'",
    ),
}


@pytest.mark.parametrize("name", WEAKER_DEFAULTS)
def test_a_weaker_default_fails(name: str) -> None:
    before, old, new = WEAKER_DEFAULTS[name]
    after = before.replace(old, new)
    assert judge(before, after).status is LayerStatus.FAIL
    assert judge(after, before).status is LayerStatus.PASS or name.startswith("a permission")


def test_a_longer_deny_list_passes() -> None:
    before = "DISABLED_PROTOCOLS = ('SSLv2', 'SSLv3')\n"
    assert judge(before, before.replace("'SSLv3'", "'SSLv3', 'TLSv1'")).status is LayerStatus.PASS


def test_a_parser_feature_switched_off_fails() -> None:
    before = (
        "class A {\n    void go(Factory f) {\n"
        '        f.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);\n    }\n}\n'
    )
    assert judge(before, before.replace("true", "false"), path="A.java").status is LayerStatus.FAIL
