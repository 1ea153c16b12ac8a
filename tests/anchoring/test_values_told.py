"""Values told to those who should not read them, or told as they are."""

from __future__ import annotations

import pytest

from tests.anchoring.judged import assert_accepted, assert_rejected

LOST = {
    "an error page shows what was asked for": (
        "app.py",
        "def show(name):\n    return HttpResponseNotFound('no such page')\n",
        "def show(name):\n    return HttpResponseNotFound('no such page ' + name)\n",
    ),
    "an error answer shows a field": (
        "app.py",
        "def edit(item):\n    return 'not allowed', 403\n",
        "def edit(item):\n    return 'not allowed: %s' % item.title, 403\n",
    ),
    "an error page shows what was asked for in Java": (
        "A.java",
        'class A { void go(Rsp rsp, String name) { rsp.sendError(404, "no such command"); } }',
        'class A { void go(Rsp rsp, String name) { rsp.sendError(404, "no such command " + name); } }',
    ),
    "an answer carries the exception in Java": (
        "A.java",
        'class A { R go(Throwable t) { String text = "failed"; return R.status(500).entity(text).build(); } }',
        "class A { R go(Throwable t) { return R.status(500).entity(json.write(t)).build(); } }",
    ),
    "a stack trace is shown": (
        "app.py",
        "def text(self, cause):\n    return 'broken'\n",
        "def text(self, cause):\n    return 'broken' + traceback.format_exc()\n",
    ),
    "a log line shows the whole message": (
        "A.java",
        'class A { void go(Message message) { log.info("got {}", message.kind); } }',
        'class A { void go(Message message) { log.info("got {}", message); } }',
    ),
    "a banner tells the version": (
        "app.py",
        "SERVER_NAME = 'thing'\n",
        "SERVER_NAME = 'thing/%s' % __version__\n",
    ),
    "a secret is told in an error": (
        "A.java",
        'class A { void go(String user, String password) { if (no(password)) { throw new E("bad login"); } } }',
        'class A { void go(String user, String password) { if (no(password)) { throw new E("bad " + password); } } }',
    ),
    "text is marked as safe": (
        "app.py",
        "def show(text):\n    return page(text)\n",
        "def show(text):\n    return page(mark_safe(text))\n",
    ),
    "a mark of safe text is put on a value": (
        "app.py",
        "def show(x):\n    return Markup('<b>{}</b>').format(x)\n",
        "def show(x):\n    return Markup('<b>{}</b>'.format(x))\n",
    ),
    "a credential is sent to everybody": (
        "app.py",
        "def go(self, r):\n    if r.host == self.host:\n        r.headers['Authorization'] = self.auth\n",
        "def go(self, r):\n    r.headers['Authorization'] = self.auth\n",
    ),
    "a cookie's attribute is no longer written": (
        "app.py",
        "def put(cookie, mode):\n    return '%s; SameSite=%s' % (cookie, mode)\n",
        "def put(cookie, mode):\n    return '%s' % cookie\n",
    ),
    "control characters are no longer told apart in Java": (
        "A.java",
        "class A { void put(char c) { if (ok(c) && !Character.isISOControl(c)) { w.write(c); } } }",
        "class A { void put(char c) { if (ok(c)) { w.write(c); } } }",
    ),
}


@pytest.mark.parametrize(("path", "before", "after"), LOST.values(), ids=LOST.keys())
def test_loss_is_rejected(path: str, before: str, after: str) -> None:
    assert_rejected(before, after, path)
    assert_accepted(after, before, path)
