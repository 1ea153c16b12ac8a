"""Values protected in other words: refactorings that must pass."""

from __future__ import annotations

import pytest

from tests.anchoring.judged import assert_accepted

HELPER = "def {}(x):\n    return x.replace('a', 'b').lower().title()\n\n"

KEPT = {
    "a wrapper is renamed with all its uses": (
        "app.py",
        HELPER.format("tidied") + "def page(out, name):\n    out.put(tidied(name))\n",
        HELPER.format("cleaned") + "def page(out, name):\n    out.put(cleaned(name))\n",
    ),
    "a careful function is renamed with all its uses": (
        "app.py",
        HELPER.format("safe_mix") + "def page(out, name):\n    out.put(safe_mix(name))\n",
        HELPER.format("mix") + "def page(out, name):\n    out.put(mix(name))\n",
    ),
    "a wrapper moves into the function called": (
        "app.py",
        "def put(out, text):\n    out.write(text)\n\ndef page(out, name):\n    put(out, tidied(name))\n",
        "def put(out, text):\n    out.write(tidied(text))\n\ndef page(out, name):\n    put(out, name)\n",
    ),
    "a wrapper moves to where the value is made": (
        "A.java",
        "class A { void page(Out out, String name) { out.put(tidied(name), 200); } }",
        "class A { void page(Out out, String name) { String text = tidied(name); out.put(text, 200); } }",
    ),
    "a formatted string is written in another way": (
        "app.py",
        "def find(db, table, n):\n    return db.ask('select a from %s where n = ?' % table, n)\n",
        "def find(db, table, n):\n    return db.ask(f'select a from {table} where n = ?', n)\n",
    ),
    "a query text becomes a variable": (
        "A.java",
        'class A { R find(Db db, String n) { return db.ask("select a from t where n = ?", n); } }',
        'class A { R find(Db db, String n) { String q = "select a from t where n = ?"; return db.ask(q, n); } }',
    ),
    "an argument list is built in steps": (
        "app.py",
        "def go(self, path):\n    command = ['sync', '--to', path]\n    return self.start(command)\n",
        "def go(self, path):\n    command = ['sync', '--to']\n    command.append(path)\n    self.start(command)\n",
    ),
    "arguments are given as a dictionary": (
        "app.py",
        "def fetch(url, ca):\n    return call(url, cafile=ca, retries=3)\n",
        "def fetch(url, ca):\n    options = {'cafile': ca, 'retries': 3}\n    return call(url, **options)\n",
    ),
    "an error text is reworded": (
        "A.java",
        'class A { void go(Rsp rsp) { rsp.sendError(404, "no such command"); } }',
        'class A { void go(Rsp rsp) { rsp.sendError(404, "This command does not exist."); } }',
    ),
    "an error text becomes translatable": (
        "app.py",
        "def edit(item):\n    return 'not allowed', 403\n",
        "def edit(item):\n    return _('not allowed'), 403\n",
    ),
    "an exception's own text is improved": (
        "app.py",
        "def load(name):\n    raise LookupError('no such thing')\n",
        "def load(name):\n    raise LookupError(f'no such thing: {name}')\n",
    ),
    "a log line names another field": (
        "app.py",
        "def go(message):\n    log.info('got %s', message.kind)\n",
        "def go(message):\n    log.info('got %s by %s', message.kind, message.sender)\n",
    ),
    "a stronger choice": (
        "app.py",
        "class Tls:\n    protocol = 'TLSv1'\n",
        "class Tls:\n    protocol = 'TLSv1.3'\n",
    ),
    "a local name is changed throughout": (
        "app.py",
        "def go(name):\n    plain = tidied(name)\n    return open_it(plain)\n",
        "def go(name):\n    clean = tidied(name)\n    return open_it(clean)\n",
    ),
    "a value is made better in one expression": (
        "app.py",
        "def go(url):\n    url = without_marks(url)\n    return follow(url)\n",
        "def go(url):\n    return follow(without_marks(url))\n",
    ),
    "a base class is renamed": (
        "app.py",
        "class SafeView(View):\n    name = 'x'\n    kind = 'y'\n\nclass Page(SafeView):\n    pass\n",
        "class GuardedView(View):\n    name = 'x'\n    kind = 'y'\n\nclass Page(GuardedView):\n    pass\n",
    ),
    "a mark stays on fixed text": (
        "app.py",
        "def show(x):\n    return Markup('<b>{}</b>').format(x)\n",
        "def show(x):\n    text = Markup('<i>{}</i>')\n    return text.format(x)\n",
    ),
    "a list of careful functions is written at once": (
        "app.py",
        "RULES = {}\nRULES['format'] = safe_format\n",
        "RULES = {'format': safe_format}\n",
    ),
    "a pattern is asked beforehand": (
        "app.py",
        "def order(item):\n    if '.' in item and NAME_PATTERN.match(item):\n        add(item)\n",
        "def order(item):\n    fits = NAME_PATTERN.match(item)\n    if '.' in item and fits:\n        add(item)\n",
    ),
    "a file is read without a context": (
        "app.py",
        "def go(path):\n    with open(path) as f:\n        text = f.read()\n    return text\n",
        "def go(path):\n    f = open(path)\n    text = f.read()\n    f.close()\n    return text\n",
    ),
    "a credential is sent under the same condition in other words": (
        "app.py",
        "def go(self, r):\n    if r.host == self.host:\n        r.headers['Authorization'] = self.auth\n",
        "def go(self, r):\n    if r.host != self.host:\n        return\n    r.headers['Authorization'] = self.auth\n",
    ),
    "a tag is put in by a pattern": (
        "app.py",
        "def page(body, url):\n    return re.sub('(<head>)', base(url), body)\n",
        "def page(body, url):\n    return with_base(body, url)\n",
    ),
    "a pattern is spelled in another way": (
        "app.py",
        "import re\nVALID_NAME = re.compile(r'^[a-z\\-]{3,80}$')\n",
        "import re\nVALID_NAME = re.compile(r'^(?:-|[a-z]){3,80}$')\n",
    ),
    "a bound is kept by another function": (
        "app.py",
        "def take(stream, size):\n    if size > MOST:\n        size = MOST\n    return stream.take(size)\n",
        "def take(stream, size):\n    return stream.take(min(size, MOST))\n",
    ),
    "a salt is read in another way": (
        "app.py",
        "def token(self):\n    return make(self.salt, 3)\n",
        "def token(self):\n    return make(self.get_salt(), 3)\n",
    ),
    "a class is handed to the framework by a decorator": (
        "app.py",
        "class Folder:\n    pass\n\nprotect_class(Folder)\n",
        "@protect_class\nclass Folder:\n    pass\n",
    ),
    "a switch is set where the object is made": (
        "A.java",
        "class A { P make() { P p = new P(); p.setValidating(true); return p; } }",
        "class A { P make() { return configured(new P()); } P configured(P p) { p.setValidating(true); return p; } }",
    ),
    "a dictionary takes what the program made": (
        "app.py",
        "def ask(policy, made):\n    policy['target'] = made.target\n    return decide(policy)\n",
        "def ask(policy, made):\n    policy.update(made.attributes)\n    return decide(policy)\n",
    ),
}


@pytest.mark.parametrize(("path", "before", "after"), KEPT.values(), ids=KEPT.keys())
def test_refactoring_passes(path: str, before: str, after: str) -> None:
    assert_accepted(before, after, path)
