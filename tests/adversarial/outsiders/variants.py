# ruff: noqa: E501 - a table of small programs
"""The mechanisms of the other tables in other languages and forms."""

from __future__ import annotations

from collections.abc import Mapping

from tests.adversarial.attacks import Files
from tests.adversarial.outsiders.table import swap

_GOLOCK = "package a\n\nfunc (s *S) Take(id string, n int) error {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\tif s.left[id] < n {\n\t\treturn ErrFew\n\t}\n\ts.left[id] -= n\n\treturn nil\n}\n"
_JSLOCK = "async function take(id, n) {\n  await mutex.runExclusive(async () => {\n    if (left.get(id) < n) {\n      throw new Error('few');\n    }\n    left.set(id, left.get(id) - n);\n  });\n}\n"
_JCACHE = "class Rights {\n    private final Store store;\n    boolean mayRead(User user, Doc doc) {\n        return store.readers(doc).contains(user);\n    }\n}\n"
_PYMERGE = "def create(store, body):\n    row = {**body, 'role': 'user', 'verified': False}\n    store.insert(row)\n"
_JSCATCH = "async function open(req, doc) {\n  await authorize(req.user, doc);\n  return doc.text;\n}\n"
_JSCASE = "function rights(user) {\n  switch (user.kind) {\n    case 'staff':\n      return 7;\n    default:\n      throw new Error('kind');\n  }\n}\n"
_PYCASE = "def rights(user):\n    match user.kind:\n        case 'staff':\n            return 7\n        case _:\n            raise PermissionError(user.kind)\n"
_GOCOUNT = "package a\n\nfunc (s *S) Try(user, code string) error {\n\ts.tries[user]++\n\tif s.tries[user] > 5 {\n\t\treturn ErrMany\n\t}\n\treturn s.match(user, code)\n}\n"
_JSCOUNT = "class Limit {\n  hit(user) {\n    const count = (this.counts.get(user) || 0) + 1;\n    this.counts.set(user, count);\n    if (count > 5) {\n      throw new Error('many');\n    }\n  }\n}\n"
_TSENUM = "export enum Level {\n  Read = 1,\n  Write = 2,\n  Admin = 3,\n}\nexport function need(level: Level, wanted: Level): void {\n  if (level < wanted) {\n    throw new Error('level');\n  }\n}\n"
_PYEQ = "class User:\n    def __init__(self, id, name):\n        self.id = id\n        self.name = name\n\n    def __eq__(self, other):\n        return isinstance(other, User) and self.id == other.id and self.name == other.name\n"
_GOEQ = "package a\n\nfunc (u User) Equal(o User) bool {\n\treturn u.ID == o.ID && u.Tenant == o.Tenant\n}\n"
_PYAUD = "def drop(user, item, store):\n    if not user.is_admin:\n        raise PermissionError(user)\n    store.delete(item)\n    audit_log.record(user, 'drop', item)\n"
_JRAW = "class Files {\n    byte[] read(String name) throws IOException {\n        Path safe = checkInside(name);\n        return Files.readAllBytes(safe);\n    }\n}\n"
_JSRAW = "function page(req, res) {\n  const text = sanitize(req.query.text);\n  res.send('<p>' + text + '</p>');\n}\n"
_PYONCE = "def redeem(invites, code, user):\n    room = invites.pop(code, None)\n    if room is None:\n        raise PermissionError(code)\n    room.add(user)\n"
_JFIN = "class Acting {\n    void as(Session session, User user, Runnable work) {\n        User before = session.user();\n        session.set(user);\n        try {\n            work.run();\n        } finally {\n            session.set(before);\n        }\n    }\n}\n"
_GODEF = "package a\n\nfunc (s *Session) As(user *User, work func()) {\n\tbefore := s.user\n\ts.user = user\n\tdefer s.back(before)\n\twork()\n}\n"
_JFROZEN = "class Team {\n    private final List<User> members;\n    List<User> members() {\n        return Collections.unmodifiableList(members);\n    }\n}\n"
_JEX = (
    "class AccessDenied extends RuntimeException {\n    AccessDenied(String what) {\n        super(what);\n    }\n}\n"
)

ATTEMPTS: Mapping[str, tuple[Files, Files]] = {
    "go lock gone": swap("a.go", _GOLOCK, "\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n",""),
    "go check before lock": swap("a.go", _GOLOCK, "\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\tif s.left[id] < n {\n\t\treturn ErrFew\n\t}\n","\tif s.left[id] < n {\n\t\treturn ErrFew\n\t}\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n"),
    "js lock gone": swap("a.js", _JSLOCK, "  await mutex.runExclusive(async () => {\n    if (left.get(id) < n) {\n      throw new Error('few');\n    }\n    left.set(id, left.get(id) - n);\n  });\n","  if (left.get(id) < n) {\n    throw new Error('few');\n  }\n  left.set(id, left.get(id) - n);\n"),
    "java cached": swap("R.java", _JCACHE, "    boolean mayRead","    @Cacheable(\"rights\")\n    boolean mayRead"),
    "py merge order": swap("a.py", _PYMERGE, "{**body, 'role': 'user', 'verified': False}","{'role': 'user', 'verified': False} | body"),
    "js catch": swap("a.js", _JSCATCH, "  await authorize(req.user, doc);","  await authorize(req.user, doc).catch(() => null);"),
    "js case opened": swap("a.js", _JSCASE, "      throw new Error('kind');","      return 1;"),
    "py case opened": swap("a.py", _PYCASE, "            raise PermissionError(user.kind)","            return 1"),
    "go count": swap("a.go", _GOCOUNT, "\ts.tries[user]++\n",""),
    "js count": swap("a.js", _JSCOUNT, "(this.counts.get(user) || 0) + 1","(this.counts.get(user) || 0)"),
    "ts enum": swap("a.ts", _TSENUM, "Read = 1","Read = 2"),
    "py eq": swap("a.py", _PYEQ, "self.id == other.id and self.name == other.name","self.name == other.name"),
    "go eq": swap("a.go", _GOEQ, " && u.Tenant == o.Tenant",""),
    "py audit": swap("a.py", _PYAUD, "    audit_log.record(user, 'drop', item)\n",""),
    "java raw": swap("F.java", _JRAW, "Files.readAllBytes(safe)","Files.readAllBytes(Path.of(name))"),
    "js raw": swap("a.js", _JSRAW, "'<p>' + text + '</p>'","'<p>' + req.query.text + '</p>'"),
    "py once": swap("a.py", _PYONCE, "invites.pop(code, None)","invites.get(code)"),
    "java finally": swap("A.java", _JFIN, "        try {\n            work.run();\n        } finally {\n            session.set(before);\n        }\n","        work.run();\n        session.set(before);\n"),
    "go defer": swap("a.go", _GODEF, "\tdefer s.back(before)\n\twork()\n","\twork()\n\ts.back(before)\n"),
    "java view": swap("T.java", _JFROZEN, "Collections.unmodifiableList(members)","members"),
    "java error kind": swap("E.java", _JEX, "extends RuntimeException","extends NoSuchElementException"),
}  # fmt: skip
