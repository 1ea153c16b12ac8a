"""Queries, commands and paths put together out of values."""

from __future__ import annotations

import pytest

from tests.anchoring.judged import assert_accepted, assert_rejected

LOST = {
    "bound values are formatted into the query": (
        "app.py",
        "def find(db, name):\n    sql = 'select a from t where n = $1'\n    return db.ask(sql, name)\n",
        "def find(db, name):\n    sql = \"select a from t where n = '{}'\".format(name)\n    return db.ask(sql)\n",
    ),
    "bound values are added to the query in Java": (
        "A.java",
        'class A { R find(Db db, String n) { return db.ask("select a from t where n = ?", n); } }',
        'class A { R find(Db db, String n) { return db.ask("select a from t where n = \'" + n + "\'"); } }',
    ),
    "an argument list becomes a command line": (
        "app.py",
        "def go(self, path):\n    command = ['sync', '--to', path]\n    return self.start(command)\n",
        "def go(self, path):\n    command = 'sync --to {}'.format(path)\n    return self.start(command)\n",
    ),
    "an argument list becomes a command line in Java": (
        "A.java",
        'class A { void go(String path) { List<String> cmd = List.of("sync"); cmd.add(path); start(cmd); } }',
        'class A { void go(String path) { String cmd = "sync " + path; start(cmd); } }',
    ),
    "a filter that a function built is put together in place": (
        "app.py",
        "def find(conn, name):\n    return conn.look(base, person_filter(name))\n",
        "def find(conn, name):\n    return conn.look(base, '(&(kind=person)(name=%s))' % name)\n",
    ),
    "a path that a function built is joined in place": (
        "app.py",
        "def drop(self, key):\n    self.store.forget(self._place(key))\n",
        "def drop(self, key):\n    self.store.forget(os.path.join(self.root, key))\n",
    ),
    "a condition of a query is dropped": (
        "app.py",
        "def mine(query, user):\n    return query.filter(Item.open == True, Item.owner == user.id)\n",
        "def mine(query, user):\n    return query.filter(Item.open == True)\n",
    ),
    "a request chooses the keys of a trusted dictionary": (
        "app.py",
        "def ask(policy, request):\n    policy['body'] = request.json\n    return decide(policy)\n",
        "def ask(policy, request):\n    policy.update(request.json)\n    return decide(policy)\n",
    ),
    "a secret is put on a command line": (
        "app.py",
        "def key(self, path):\n    cmd = ['keygen', path]\n    feed(cmd, self.passphrase)\n",
        "def key(self, path):\n    cmd = ['keygen', path, '-N', self.passphrase]\n    run(cmd)\n",
    ),
    "the current directory is searched": (
        "app.py",
        "def places(home):\n    return [home]\n",
        "def places(home):\n    return [os.getcwd(), home]\n",
    ),
    "a value comes loose from its option": (
        "app.py",
        "def options(rev):\n    return [f'--rev={rev}', 'x']\n",
        "def options(rev):\n    return ['--rev', rev, 'x']\n",
    ),
    "the end of options is no longer marked": (
        "app.py",
        "def options(rev):\n    return ['show', '--', rev]\n",
        "def options(rev):\n    return ['show', rev]\n",
    ),
}


@pytest.mark.parametrize(("path", "before", "after"), LOST.values(), ids=LOST.keys())
def test_loss_is_rejected(path: str, before: str, after: str) -> None:
    assert_rejected(before, after, path)
    assert_accepted(after, before, path)
