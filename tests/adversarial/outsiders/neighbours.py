# ruff: noqa: E501 - a table of small changes
"""Honest changes that lie next to the attempts: a transaction around more, a kept answer that rests on nothing, an audit by another name."""

from __future__ import annotations

from collections.abc import Mapping

from tests.adversarial.attacks import Files
from tests.adversarial.outsiders.table import places, program, swap

BANK, WEB, ORDERS, MAIL, DOCS, CART, CHAT = map(program, ("bank", "web", "orders", "mail", "docs", "cart", "chat"))
A = "bank/accounts.py"
S = "src/server.js"
J = "src/main/java/shop/Orders.java"
M = "mail/outbox.py"
D = "src/main/java/docs/Documents.java"
U = "src/main/java/docs/User.java"
C = "shop/cart.py"
R = "src/rooms.ts"
_POP = "def take(links, code, now):\n    until = links.pop(code, None)\n    if until is None or until < now:\n        raise PermissionError(code)\n"
_NAME = "import re\n\n\ndef is_valid(name):\n    return re.fullmatch('[a-z]+', name) is not None\n"
_BUILD = "import subprocess\n\n\ndef build(target):\n    if not target:\n        raise ValueError('target')\n    subprocess.run(['make', target], check=True)\n"
_POINT = "class Point:\n    def __eq__(self, other):\n        return self.__class__ == other.__class__ and self.x == other.x\n"
_HELD = "class Log:\n    def add(self, item):\n        with self._lock:\n            with self._file_lock:\n                self.items.append(item)\n"
_NOTED = 'const colour = "#seed";\nclass Made { constructor(seed) { this.seed = seed; } }\n'
_WITHDRAW = "class Account:\n    def take(self, amount):\n        with self._lock:\n            if amount <= 0:\n                raise ValueError(amount)\n            if amount > self.balance:\n                raise ValueError('balance')\n            self.balance -= amount\n"
_COLOURS = "import enum\n\n\nclass Colour(enum.Enum):\n    RED = 1\n    BLUE = 2\n"
_NOTE = "class Note:\n    def __init__(self, text, owner):\n        self.text = text\n        self.owner = owner\n\n    def __eq__(self, other):\n        return self.text == other.text and self.owner == other.owner\n"
_OPTIONS = "def connect(**options):\n    host = options.pop('host', None)\n    if host is None:\n        raise ValueError('host')\n    return host, options\n"
_GATHER = "def broken(rows):\n    failed = []\n    for row in rows:\n        if not row.fine:\n            failed.append(row)\n    return failed\n"
_TRIES = "class Door:\n    def knock(self):\n        if self.tries >= 5:\n            raise PermissionError('locked')\n        self.tries += 1\n"

ATTEMPTS: Mapping[str, tuple[Files, Files]] = {
    "state asked before the lock": swap(
        "app/a.py",
        _WITHDRAW,
        "        with self._lock:\n            if amount <= 0:\n                raise ValueError(amount)\n            if amount > self.balance:\n                raise ValueError('balance')\n",
        "        if amount > self.balance:\n            raise ValueError('balance')\n        with self._lock:\n            if amount <= 0:\n                raise ValueError(amount)\n",
    ),
    "levels that are held against each other turned round": swap(
        "app/c.py", _COLOURS.replace("Enum)", "IntEnum)"), "RED = 1\n    BLUE = 2", "RED = 2\n    BLUE = 1"
    ),
    "two members that are one": swap("app/c.py", _COLOURS, "BLUE = 2", "BLUE = 1"),
    "a count that is held where it is": swap("app/d.py", _TRIES, "self.tries += 1", "self.tries = min(self.tries, 5)"),
}
HONEST: Mapping[str, tuple[Files, Files]] = {
    "a transaction around more": places(BANK, A, ("        with db.transaction():\n            source.balance -= amount\n            target.balance += amount\n", "        with db.transaction() as open_one:\n            source.balance -= amount\n            target.balance += amount\n            open_one.note(amount)\n")),
    "a lock in place of synchronized": places(ORDERS, J, ("    public synchronized void redeem(User user, Voucher voucher) {\n", "    public void redeem(User user, Voucher voucher) {\n        lock.lock();\n")),
    "an answer kept that rests on its argument": swap("app/names.py", _NAME, "def is_valid", "@functools.cache\ndef is_valid"),
    "an answer kept that rests on letters": swap("app/names.py", _NAME, "def is_valid(name):\n    return re.fullmatch('[a-z]+', name) is not None", "@functools.cache\ndef is_valid(name):\n    return name.isalpha() and name.islower()"),
    "something kept that decides nothing": places(CART, C, ("    def total(self):", "    @functools.cached_property\n    def total(self):")),
    "another fixed value": places(WEB, S, ("role: 'reader', verified: false }", "role: 'reader', verified: false, since: now() }")),
    "defaults that are replaced": swap("web/opts.js", "function options(given) {\n  return { ...given, depth: 1 };\n}\n", "{ ...given, depth: 1 }", "{ depth: 1, ...given, depth: 1 }"),
    "levels further apart": places(MAIL, M, ("    READ = 1\n    WRITE = 2\n    ADMIN = 3\n", "    READ = 10\n    WRITE = 20\n    ADMIN = 30\n")),
    "one more level": places(MAIL, M, ("    ADMIN = 3\n", "    ADMIN = 3\n    OWNER = 4\n")),
    "an audit by another name": places(DOCS, D, ("audit.shared(user, document, other);", 'audit.write("shared", user, document, other);')),
    "equality by one more field": places(DOCS, U, ("id == that.id;", "id == that.id && external == that.external;")),
    "equality by a library": places(DOCS, U, ("id == that.id;", "Objects.equals(id, that.id);")),
    "a count by a method": places(MAIL, M, ("        self._sent += 1\n", "        self._count()\n"), ("    def letters", "    def _count(self):\n        self._sent += 1\n\n    def letters")),
    "taken out in two statements": swap("app/take.py", _POP, "    until = links.pop(code, None)\n", "    until = links.get(code)\n    if code in links:\n        del links[code]\n"),
    "put back by a manager": places(CART, C, ("    try:\n        yield session\n    finally:\n        session.user = before\n", "    with restoring(session, before):\n        yield session\n")),
    "a field of its own with another name": places(CHAT, R, ("private readonly members", "private readonly rooms"), ("this.members.get(room)?.has", "this.rooms.get(room)?.has"), ("this.members.get(invite", "this.rooms.get(invite"), ("this.members.get(room)?.delete", "this.rooms.get(room)?.delete"), ("this.members.get(room)?.has", "this.rooms.get(room)?.has")),
    "an error of another kind that nobody catches": places(BANK, "bank/errors.py", ("class Forbidden(Exception)", "class Forbidden(PermissionError)")),
    "a case more": places(ORDERS, J, ("            case GUEST:\n", "            case PRESS:\n                percent = 10;\n                break;\n            case GUEST:\n")),
    "one more command without arguments from outside": swap("app/build.py", _BUILD, "check=True)\n", "check=True)\n\n\ndef clean():\n    subprocess.run(['make', 'clean'], check=True)\n"),
    "equality by isinstance": swap("app/point.py", _POINT, "self.__class__ == other.__class__", "isinstance(other, Point)"),
    "two locks in one statement": swap("app/log.py", _HELD, "        with self._lock:\n            with self._file_lock:\n                self.items", "        with self._lock, self._file_lock:\n            self.items"),
    "an argument asked before the lock": swap("app/a.py", _WITHDRAW, "        with self._lock:\n            if amount <= 0:\n                raise ValueError(amount)\n", "        if amount <= 0:\n            raise ValueError(amount)\n        with self._lock:\n"),
    "members without order in another order": swap("app/c.py", _COLOURS, "RED = 1\n    BLUE = 2", "RED = 2\n    BLUE = 1"),
    "equality by a key": swap("app/n.py", _NOTE, "        return self.text == other.text and self.owner == other.owner\n", "        return self._key() == other._key()\n\n    def _key(self):\n        return self.text, self.owner\n"),
    "a field that is no more": swap("app/n.py", _NOTE.replace("owner", "colour"), "text, colour):\n        self.text = text\n        self.colour = colour\n\n    def __eq__(self, other):\n        return self.text == other.text and self.colour == other.colour\n", "text):\n        self.text = text\n\n    def __eq__(self, other):\n        return self.text == other.text\n"),
    "an option left among the options": swap("app/o.py", _OPTIONS, "options.pop('host', None)", "options.get('host')"),
    "failures gathered in one expression": swap("app/g.py", _GATHER, "    failed = []\n    for row in rows:\n        if not row.fine:\n            failed.append(row)\n    return failed\n", "    return [row for row in rows if not row.fine]\n"),
    "a count that stays below a number": swap("app/d.py", _TRIES, "self.tries += 1", "self.tries = min(self.tries + 1, 9)"),
    "a text that looks like a private field": swap("web/made.ts", _NOTED, "#seed", "#abc"),
}  # fmt: skip
