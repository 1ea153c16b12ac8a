"""Choices of libraries, patterns, modes and marks that are laxer than before."""

from __future__ import annotations

import pytest

from tests.anchoring.judged import assert_accepted, assert_rejected

LOST = {
    "a strict flag is dropped": (
        "app.py",
        "def ok(url):\n    return parse(url, fragments=False)\n",
        "def ok(url):\n    return parse(url)\n",
    ),
    "a weak protocol takes the place of the library's choice": (
        "app.py",
        "class Tls:\n    protocol = None\n",
        "class Tls:\n    protocol = 'TLSv1'\n",
    ),
    "a weak digest takes the place of another in Java": (
        "A.java",
        'class A { Object digest() { return Digests.of("BLAKE3"); } }',
        'class A { Object digest() { return Digests.of("MD5"); } }',
    ),
    "an allowing pattern is no longer held to the end": (
        "app.py",
        "import re\nVALID_NAME = re.compile(r'[a-z]+\\Z')\n",
        "import re\nVALID_NAME = re.compile(r'[a-z]+')\n",
    ),
    "an allowing pattern takes more characters in Java": (
        "A.java",
        'class A { static final Pattern SAFE_NAME = Pattern.compile("[a-z0-9]+"); }',
        'class A { static final Pattern SAFE_NAME = Pattern.compile("[a-z0-9./]+"); }',
    ),
    "a refusing pattern knows fewer characters": (
        "app.py",
        "import re\nBAD = re.compile(r'[\\x00-\\x1f\\x7f]')\n",
        "import re\nBAD = re.compile(r'[\\r\\n]')\n",
    ),
    "a pattern that refuses by its use takes more": (
        "app.py",
        "PART = re.compile(r'^[a-z]{1,9}$')\ndef go(x):\n    if not PART.match(x):\n        raise ValueError(x)\n",
        "PART = re.compile(r'^[a-z]{1,99}$')\ndef go(x):\n    if not PART.match(x):\n        raise ValueError(x)\n",
    ),
    "every certificate is accepted in Java": (
        "A.java",
        "class A { Client make(Builder builder) { return builder.build(); } }",
        "class A { Client make(Builder builder) { return builder.host(NoopHostnameVerifier.INSTANCE).build(); } }",
    ),
    "a file is made readable for all": (
        "app.py",
        "def key(path):\n    return os.open(path, os.O_CREAT, 0o600)\n",
        "def key(path):\n    return os.open(path, os.O_CREAT, 0o644)\n",
    ),
    "a salt gives way to a public name": (
        "app.py",
        "def token(self):\n    return make(self.salt, 3)\n",
        "def token(self):\n    return make(self.title, 3)\n",
    ),
    "a switch of a library is no longer set": (
        "app.py",
        "def render(doc):\n    doc.settings.allow_inclusion = False\n    return doc.render()\n",
        "def render(doc):\n    return doc.render()\n",
    ),
    "a class is no longer handed to the framework": (
        "app.py",
        "class Folder:\n    pass\n\nprotect_class(Folder)\n",
        "class Folder:\n    pass\n",
    ),
    "nothing takes the time of a comparison any more": (
        "A.java",
        "class A { U go(String n, String password) { try { return load(n); } catch (NotFound e) { "
        "ENCODER.compare(password, DUMMY); throw e; } } }",
        "class A { U go(String n, String password) { return load(n); } }",
    ),
    "what the program set is now set only where it was left out": (
        "app.py",
        "def bind(sent, cred):\n    sent['user'] = cred.user\n    return sent\n",
        "def bind(sent, cred):\n    if not sent.get('user'):\n        sent['user'] = cred.user\n    return sent\n",
    ),
    "a class is no longer derived from one that protects": (
        "app.py",
        "class Page(LoginRequiredMixin, View):\n    name = 'x'\n",
        "class Page(View):\n    name = 'x'\n",
    ),
    "a hardened reader gives way to the plain one in Java": (
        "A.java",
        "class A { Object go(In in) { return new HardenedReader(in).read(); } }",
        "class A { Object go(In in) { return new Reader(in).read(); } }",
    ),
    "TLS is left out in Java": (
        "A.java",
        'class A { static final String FROM = "https://files.example"; }',
        'class A { static final String FROM = "http://files.example"; }',
    ),
    "a careful function is no longer put in place": (
        "app.py",
        "RULES['format'] = safe_format\nRULES['title'] = title\n",
        "RULES['title'] = title\n",
    ),
    "the branch for the safe mode is gone": (
        "A.java",
        "class A { void go(boolean unsafe, P p) { if (!unsafe) { p.fetcher = new Empty(); } run(p, unsafe); } }",
        "class A { void go(boolean unsafe, P p) { run(p, unsafe); } }",
    ),
    "a name is no longer held against a pattern": (
        "app.py",
        "def order(item):\n    if '.' in item and NAME_PATTERN.match(item):\n        add(item)\n",
        "def order(item):\n    if '.' in item:\n        add(item)\n",
    ),
    "a check of a helper class is dropped in Java": (
        "A.java",
        "class A { void go(List o) { Git.checkOptions(o); run(o); } }",
        "class A { void go(List o) { run(o); } }",
    ),
    "a defused parser gives way to the plain one": (
        "app.py",
        "from xml.sax import handler\nfrom defusedxml.sax import make_parser\n",
        "from xml.sax import handler\nfrom xml.sax import make_parser\n",
    ),
    "a lock is no longer held": (
        "app.py",
        "def go(self):\n    with self.guarding:\n        self.count += 1\n",
        "def go(self):\n    self.count += 1\n",
    ),
    "a loop no longer ends with its input": (
        "app.py",
        "def skip(s):\n    c = s.read(1)\n    while c not in ('x', ''):\n        c = s.read(1)\n",
        "def skip(s):\n    c = s.read(1)\n    while c not in ('x',):\n        c = s.read(1)\n",
    ),
    "certificates are newly not verified": (
        "app.py",
        "def get(url):\n    return fetch(url)\n",
        "def get(url):\n    return fetch(url, verify=False)\n",
    ),
    "only safe members were passed": (
        "app.py",
        "def unpack(tar, path):\n    tar.put(path, members=safe_members(tar))\n",
        "def unpack(tar, path):\n    tar.put(path)\n",
    ),
    "how deep a call may go is no longer passed in Java": (
        "A.java",
        "class A { void walk(N n, int depth) { if (depth > 9) { throw new E(n); } walk(n.next(), depth + 1); } }",
        "class A { void walk(N n) { walk(n.next()); } }",
    ),
    "a protective call runs only in some cases": (
        "A.java",
        "class A { void go(Context c, Dir d) { c.set(d); c.setReadOnly(d); } }",
        "class A { void go(Context c, Dir d) { c.set(d); if (c instanceof Own) { ((Own) c).setReadOnly(d, 1); } } }",
    ),
    "a denial no longer comes first in Java": (
        "A.java",
        "class A { void add(Rule rule) { permissions.add(0, rule); } }",
        "class A { void add(Rule rule) { permissions.add(rule); } }",
    ),
}


@pytest.mark.parametrize(("path", "before", "after"), LOST.values(), ids=LOST.keys())
def test_loss_is_rejected(path: str, before: str, after: str) -> None:
    assert_rejected(before, after, path)
    assert_accepted(after, before, path)
