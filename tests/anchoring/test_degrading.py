"""Changes that lose a protection must fail, and say what was lost."""

from __future__ import annotations

import pytest

from scaffold_cli.model.verdict import Effect, LayerStatus
from tests.anchoring.judged import judge

DEGRADING = {
    "a guard is removed": (
        """
        def read(root, name):
            path = root / name
            if not path.is_relative_to(root):
                raise ValueError("outside")
            return open(path).read()
        """,
        """
        def read(root, name):
            path = root / name
            return open(path).read()
        """,
        "guard-lost",
    ),
    "a comparison is loosened": (
        """
        def kick(user, target):
            if user.level <= target.level:
                raise PermissionError("not allowed to kick")
            remove(target)
        """,
        """
        def kick(user, target):
            if user.level < target.level:
                raise PermissionError("not allowed to kick")
            remove(target)
        """,
        "guard-weakened",
    ),
    "a further condition excuses the check": (
        """
        def delete(user, item):
            if item.owner != user:
                raise PermissionError("forbidden")
            item.delete()
        """,
        """
        def delete(user, item, force=False):
            if item.owner != user and not force:
                raise PermissionError("forbidden")
            item.delete()
        """,
        "guard-weakened",
    ),
    "the wrapper on a value is dropped": (
        "import html\ndef page(name):\n    return render('<b>' + html.escape(name))\n",
        "import html\ndef page(name):\n    return render('<b>' + name)\n",
        "call-lost",
    ),
    "a decorator is dropped": (
        "@login_required\ndef admin(request):\n    return show(request)\n",
        "def admin(request):\n    return show(request)\n",
        "decorator-lost",
    ),
    "a flag is turned off": (
        "def log_in(response, value):\n    response.set_cookie('sid', value, httponly=True, secure=True)\n",
        "def log_in(response, value):\n    response.set_cookie('sid', value, httponly=False, secure=True)\n",
        "setting-weakened",
    ),
    "a header is no longer sent": (
        "def headers(r):\n    r.headers['X-Frame-Options'] = 'DENY'\n    return r\n",
        "def headers(r):\n    return r\n",
        "setting-lost",
    ),
    "constant time becomes plain": (
        """
        import hmac
        def check(sent, kept):
            if not hmac.compare_digest(sent, kept):
                raise PermissionError("token")
            return True
        """,
        """
        def check(sent, kept):
            if sent != kept:
                raise PermissionError("token")
            return True
        """,
        "call-lost",
    ),
    "another permission is asked": (
        "def dump(owner):\n    owner.check_permission(Perm.RUN_SCRIPTS)\n    write()\n",
        "def dump(owner):\n    owner.check_permission(Perm.READ)\n    write()\n",
        "call-weakened",
    ),
    "an element leaves a deny list": (
        "RESTRICTED_KEYS = ('password', 'token')\n",
        "RESTRICTED_KEYS = ('password',)\n",
        "setting-lost",
    ),
    "a handler that answers bad input is removed": (
        "def f(s):\n    try:\n        n = int(s)\n    except ValueError:\n        raise BadRequest()\n    go(n)\n",
        "def f(s):\n    n = int(s)\n    go(n)\n",
        "handler-lost",
    ),
    "a handler swallows what it refused": (
        "def f(s):\n    try:\n        load(s)\n    except ValueError:\n        raise BadRequest('n')\n    go(s)\n",
        "def f(s):\n    try:\n        load(s)\n    except Exception:\n        pass\n    go(s)\n",
        "handler-neutered",
    ),
    "a wrapper no catalogue knows is dropped": (
        "def save(db, link):\n    db.insert(link.url, prettify(link.text))\n",
        "def save(db, link):\n    db.insert(link.url, link.text)\n",
        "call-lost",
    ),
    "a check that raises runs only sometimes": (
        "def go(user, item):\n    validate_item(item)\n    store(item)\n",
        "def go(user, item):\n    if user.fresh():\n        validate_item(item)\n    store(item)\n",
        "call-weakened",
    ),
    "a call to a helper that refuses is dropped": (
        "def inside(p):\n    if '..' in p:\n        raise ValueError()\n\ndef go(p):\n    inside(p)\n    act(p)\n",
        "def inside(p):\n    if '..' in p:\n        raise ValueError()\n\ndef go(p):\n    act(p)\n",
        "call-lost",
    ),
    "a prefix loses its separator": (
        "import os\ndef ok(root, p):\n    return p.startswith(root + os.sep)\n",
        "import os\ndef ok(root, p):\n    return p.startswith(root)\n",
        "call-lost",
    ),
    "a check asks for less": (
        "def is_safe(url):\n    return url.path and not url.host and url.scheme != 'data:'\n",
        "def is_safe(url):\n    return url.path and url.scheme != 'data:'\n",
        "guard-lost",
    ),
    "credentials are no longer cleared": (
        "def go(a, b, cookies):\n    if a.host != b.host:\n        cookies = None\n        log()\n    to(b, cookies)\n",
        "def go(a, b, cookies):\n    if a.host != b.host:\n        log()\n    to(b, cookies)\n",
        "call-lost",
    ),
    "a refusal becomes an assertion": (
        "def f(n):\n    if n > 4:\n        raise ValueError('limit')\n    go(n)\n",
        "def f(n):\n    assert n <= 4\n    go(n)\n",
        "guard-weakened",
    ),
    "line breaks are no longer refused": (
        """
        def header(value):
            if "\\r" in value or "\\n" in value:
                raise ValueError("bad header")
            send(value)
        """,
        """
        def header(value):
            if "\\r" in value:
                raise ValueError("bad header")
            send(value)
        """,
        "guard-lost",
    ),
}


@pytest.mark.parametrize("name", DEGRADING)
def test_degrading_change_fails(name: str) -> None:
    before, after, code = DEGRADING[name]
    result = judge(before, after)
    assert result.status is LayerStatus.FAIL
    assert code in {violation.code for violation in result.violations if violation.effect is Effect.BLOCKS}


@pytest.mark.parametrize("name", sorted(set(DEGRADING) - {"another permission is asked"}))
def test_repair_of_a_degrading_change_passes(name: str) -> None:
    before, after, _ = DEGRADING[name]
    assert judge(after, before).status is LayerStatus.PASS


def test_a_violation_is_evidence_a_reviewer_can_act_on() -> None:
    before, after, _ = DEGRADING["a guard is removed"]
    found = next(v for v in judge(before, after).violations if v.effect is Effect.BLOCKS)
    assert found.before is not None
    assert (found.before.path, found.before.line, found.before.symbol) == ("app.py", 4, "read")
    assert "is_relative_to" in found.before.text
    assert found.cwe == ("CWE-22", "CWE-59")
    assert found.because.startswith("hard because")
    assert found.why
    assert found.keep


def test_a_guard_named_like_nothing_only_warns() -> None:
    before = "def f(a):\n    if a == 3:\n        return h(a)\n    return g(a)\n"
    result = judge(before, "def f(a):\n    return g(a)\n")
    assert result.status is LayerStatus.PASS
    assert [violation.effect for violation in result.violations] == [Effect.WARNS]


def test_a_bound_before_a_sink_is_explained_as_a_limit() -> None:
    before = (
        "def read(path, limit):\n    if limit < 0:\n        raise ValueError(limit)\n    return open(path).read()\n"
    )
    result = judge(before, "def read(path, n):\n    return open(path).read()\n")
    assert result.reason.startswith("1 protection compared")
    assert result.violations[0].what.startswith("The limit guard")
