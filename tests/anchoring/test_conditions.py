"""Conditions as semantics: what a refusal asks may be reworded or widened, not narrowed."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.anchoring.implication import Case, implies, is_narrower, opposite
from scaffold_cli.model.verdict import LayerStatus
from tests.anchoring.judged import judge

PYTHON = "def f(a, b, d, k, n, c):\n    if {}:\n        {}\n    work(a, b)\n"
JAVA = "class A {{ String f(boolean a, boolean b, int n, char c) {{ if ({}) {{ {}; }} work(a, b); return c; }} }}\n"
RAISES = {PYTHON: "raise ValueError(n)", JAVA: "throw new BadValue(n)"}
ANSWERS = {PYTHON: "return 'login'", JAVA: 'return "login"'}

NARROWED = {
    "or to and": (PYTHON, "not a or b.stale", "not a and b.stale"),
    "or to and, java": (JAVA, "!a || b", "!a && b"),
    "empty to absent": (PYTHON, "a and not d.get(k)", "a and k not in d"),
    "a smaller range": (PYTHON, "n < 3 or 10 <= n", "n < 2 or 10 <= n"),
    "a range to one value, java": (JAVA, "n >= 3 && n <= 31", "n == 3"),
    "a range of characters, java": (JAVA, "c == 'a' || c >= '\\u000e' && c <= '\\u001f'", "c == 'a' || c == '\\u000e'"),
}


@pytest.mark.parametrize("ends", [RAISES, ANSWERS], ids=["raises", "answers"])
@pytest.mark.parametrize(("frame", "before", "after"), NARROWED.values(), ids=NARROWED)
def test_a_narrowed_condition_is_rejected_and_its_repair_is_not(
    frame: str, before: str, after: str, ends: dict[str, str]
) -> None:
    path = "app.py" if frame == PYTHON else "A.java"
    old, new = frame.format(before, ends[frame]), frame.format(after, ends[frame])
    assert judge(old, new, path).status is LayerStatus.FAIL
    assert judge(new, old, path).status is LayerStatus.PASS


def path_of(source: str) -> str:
    """A file name that tells the language of these examples."""
    return "A.java" if source.startswith("class") and "{" in source else "app.py"


KEPT = {
    "a constant collection": (
        "def is_tls(u):\n    return u.scheme in ('https', 'wss')\n",
        "TLS = frozenset(('https', 'wss'))\ndef is_tls(u):\n    return u.scheme in TLS\n",
    ),
    "an error passed on": (
        "def f(seen):\n    if seen and strict():\n        raise seen[1]\n",
        "def f(seen):\n    if seen and strict() and seen[0]:\n        raise seen[1]\n",
    ),
    "both ways refuse": (
        "def f(e):\n    try:\n        a = load(e)\n    except LostError:\n        abort(404)\n        return\n"
        "    use(a)\n",
        "def f(e):\n    try:\n        a = load(e)\n    except (LostError, OSError) as x:\n"
        "        if isinstance(x, LostError):\n            abort(404)\n        else:\n            abort(500)\n"
        "        return\n"
        "    use(a)\n",
    ),
    "the way in is no refusal": (
        "def f(c, s):\n    if same(c['sig'], s):\n        return\n    raise Unauthorized(c)\n",
        "def f(c, s):\n    if c.get('sig'):\n        if same(c['sig'], s):\n            return\n"
        "        raise Unauthorized(c)\n"
        "    else:\n        raise Unauthorized('no signature')\n",
    ),
    "a handler moved with its call into a method called like the call": (
        "class A:\n    def f(self, z):\n        try:\n            n = z.inflate(self.buf)\n"
        "        except ZError:\n            raise BadRequest('z')\n        return n\n",
        "class A:\n    def f(self, z):\n        n = self.inflate(z)\n        return n\n"
        "    def inflate(self, z):\n        try:\n            return z.inflate(self.buf)\n"
        "        except ZError:\n            raise BadRequest('z')\n",
    ),
    "one case more of a dispatch": (
        "def f(k, v):\n    if k == 'a':\n        return int(v)\n    elif k == 'b':\n        return str(v)\n"
        "    else:\n        raise BadKind(k)\n",
        "def f(k, v):\n    if k == 'a':\n        return int(v)\n    elif k == 'b':\n        return str(v)\n"
        "    elif k == 'c':\n        return float(v)\n    else:\n        raise BadKind(k)\n",
    ),
    "another answer given before the work": (
        "def f(r, n):\n    while r.goes_on():\n        if n >= self.most:\n            raise TooMany(n)\n"
        "        send(r)\n",
        "def f(r, n):\n    while r.goes_on():\n        if not r.can_be_sent_again(n):\n            return r.response\n"
        "        if n >= self.most:\n            raise TooMany(n)\n        send(r)\n",
    ),
    "compared in constant time": (
        "def check_token(sent, kept):\n    return sent == kept\n",
        "import hmac\ndef check_token(sent, kept):\n    return hmac.compare_digest(sent, kept)\n",
    ),
    "a higher permission": (
        "@app.route('/g')\n@Permissions.SETTINGS.require(403)\ndef groups():\n    return listed()\n"
        "def dump(o):\n    o.check_permission(Perm.READ)\n    write()\n",
        "@app.route('/g')\n@Permissions.ADMIN.require(403)\ndef groups():\n    return listed()\n"
        "def dump(o):\n    o.check_permission(Perm.ADMIN)\n    write()\n",
    ),
    "one of two equal checks of one value": (
        "def f(a):\n    validate(a)\n    log(a)\n    validate(a)\n    store(a)\n",
        "def f(a):\n    validate(a)\n    log(a)\n    store(a)\n",
    ),
    "a reading loop in other words": (
        "def f(s):\n    while True:\n        c = s.read(9)\n        if not c:\n            break\n        use(c)\n",
        "def f(s):\n    c = s.read(9)\n    while c:\n        use(c)\n        c = s.read(9)\n",
    ),
    "an error answered through the pipeline": (
        "class A { Mono f(String t) { Token k = parse(t); if (k instanceof Plain) "
        '{ throw new BadToken("plain"); } return decode(k); } }\n',
        "class A { Mono f(String t) { Token k = Parser.parse(t); if (k instanceof Plain) "
        '{ return Mono.error(new BadToken("plain")); } return decode(k); } }\n',
    ),
}


@pytest.mark.parametrize(("before", "after"), KEPT.values(), ids=KEPT)
def test_a_reworded_refusal_passes(before: str, after: str) -> None:
    assert judge(before, after, path_of(before)).status is LayerStatus.PASS


LOST = {
    "what was sent may be left out": (
        "def f(params, state):\n    sent = params.get('state')\n    if state and sent != state:\n"
        "        raise Mismatch(sent)\n    go(params)\n",
        "def f(params, state):\n    sent = params.get('state')\n    if sent and sent != state:\n"
        "        raise Mismatch(sent)\n    go(params)\n",
    ),
    "a test of the value a name has later": (
        "def f(m):\n    part = m.get('back')\n    if part is not None:\n        raise RuntimeError('bad back')\n"
        "    part = m.get('data')\n    if part is not None:\n        raise RuntimeError('bad data')\n    convert(m)\n",
        "def f(m):\n    part = m.get('back')\n    if part is not None:\n        raise RuntimeError('bad back')\n"
        "    convert(m)\n",
    ),
    "a loop that ends with its input": (
        "def f(s):\n    c = s.read(1)\n    while c not in (b'\\n', b''):\n        c = s.read(1)\n    return c\n",
        "def f(s):\n    c = s.read(1)\n    while c != b'\\n':\n        c = s.read(1)\n    return c\n",
    ),
    "a reading loop, java": (
        "class A { void f(In s) { while (true) { String c = s.readLine(); if (c == null) { break; } use(c); } } }\n",
        "class A { void f(In s) { while (true) { String c = s.readLine(); use(c); } } }\n",
    ),
    "nothing visited twice": (
        "def f(node, seen):\n    while node:\n        if id(node) in seen:\n            break\n"
        "        seen.add(id(node))\n        node = node.next\n",
        "def f(node, seen):\n    while node:\n        node = node.next\n",
    ),
    "a lower permission": (
        "@Permissions.ADMIN.require(403)\ndef groups():\n    return listed()\n",
        "@Permissions.SETTINGS.require(403)\ndef groups():\n    return listed()\n",
    ),
    "an affirmative answer before the check": (
        "def verify(u, t):\n    if expired(t):\n        raise Expired(t)\n    return True\n",
        "def verify(u, t):\n    if u.is_test:\n        return True\n    if expired(t):\n"
        "        raise Expired(t)\n    return True\n",
    ),
    "a flag raised in a loop": (
        "def f(items):\n    if wanted():\n        for i in items:\n            bad = False\n"
        "            if inspect(i):\n                bad = True\n            if bad:\n"
        "                fail('signature')\n"
        "    if busy():\n        fail('busy')\n    install(items)\n",
        "def f(items):\n    if busy():\n        fail('busy')\n    install(items)\n",
    ),
    "a check asked through a variable": (
        "def f(p):\n    wrong = validate_settings(p)\n    if wrong.present():\n        return wrong.get()\n"
        "    store(p)\n",
        "def f(p):\n    store(p)\n",
    ),
    "a further way in before an answer that refuses": (
        "def f(addr, host):\n    if addr in ('127.0.0.1', '::1'):\n        return work()\n"
        "    return 'Forbidden', 403\n",
        "def f(addr, host):\n    if addr in ('127.0.0.1', '::1') or host == 'localhost':\n        return work()\n"
        "    return 'Forbidden', 403\n",
    ),
    "a handler left behind when its call moved": (
        "class A { void f(String h, Exchange x) { long n; try { n = Long.parseLong(h); } "
        "catch (NumberFormatException e) { x.setResponseCode(400); x.end(); return; } x.use(n); } }\n",
        "class A { void f(String h, Exchange x) { use(h, x); } private void use(String h, Exchange x) "
        "{ long n = Long.parseLong(h); x.use(n); } }\n",
    ),
    "an override that checked": (
        "class A(Base):\n    def pick(self, name):\n        if not self.known(name):\n"
        "            raise Forbidden(name)\n"
        "        return super().pick(name)\n    def other(self):\n        return 1\n",
        "class A(Base):\n    def other(self):\n        return 1\n",
    ),
    "a class that checked what its base reads": (
        "class Careful extends Reader { Class pick(String n) throws Oops { if (!known(n)) { throw new NotAllowed(n); } "
        "return super.pick(n); } }\nclass B { void f(In in) { Reader r = new Careful(in); use(r); } }\n",
        "class B { void f(In in) { Reader r = new Reader(in); use(r); } }\n",
    ),
    "a base that cleaned": (
        "class Clean:\n    def names(self):\n        return [sanitize(n) for n in super().names()]\n"
        "class Box(Clean, Raw):\n    pass\n",
        "class Box(Raw):\n    pass\n",
    ),
    "what must not be there is let through": (
        "def f(m):\n    extra = m.get('extra')\n    if extra is not None:\n        note = 'has %s' % extra\n"
        "        raise RuntimeError(note)\n    convert(m)\n",
        "def f(m):\n    convert(m)\n",
    ),
    "a size beyond the most leaves the work out": (
        "def f(self, v):\n    if len(v) > self.max_length:\n        return v\n    return normalise(v)\n",
        "def f(self, v):\n    return normalise(v)\n",
    ),
    "a check on a class": (
        "def f(url, kw):\n    Git.check_options(url)\n    Git.check_options(kw)\n    clone(url, kw)\n",
        "def f(url, kw):\n    Git.check_options(url)\n    clone(url, kw)\n",
    ),
    "an error made before it is raised": (
        "class A { Object f(String r) { Object o = m.get(r); if (o == null) { Oops e = new ConversionException"
        '("Invalid reference"); e.add(r); throw e; } return o; } }\n',
        "class A { Object f(String r) { Object o = m.get(r); return o; } }\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), LOST.values(), ids=LOST)
def test_a_lost_refusal_is_rejected(before: str, after: str) -> None:
    assert judge(before, after, path_of(before)).status is LayerStatus.FAIL


LITERALS = st.sampled_from(["x", "!x", "x == null", "x != null", "n < 3", "3 <= n", "n == 3", "n <= 4", "n != 3"])
CASES = st.lists(st.frozensets(LITERALS, min_size=1, max_size=3), min_size=1, max_size=3)
VALUES = list(product((None, 0, 1), range(6)))


def _holds(literal: str, x: int | None, n: int) -> bool:
    text = literal.replace("!x", "not x").replace("== null", "is None").replace("!= null", "is not None")
    return bool(eval(text, {"x": x, "n": n}))


def _true(cases: list[Case], x: int | None, n: int) -> bool:
    return any(all(_holds(literal, x, n) for literal in case) for case in cases)


@given(CASES, CASES)
def test_implication_never_claims_what_some_values_refute(one: list[Case], other: list[Case]) -> None:
    if implies(one, other):
        assert all(_true(other, *values) for values in VALUES if _true(one, *values))
    assert not is_narrower(one, one)


@given(LITERALS)
def test_the_opposite_holds_exactly_otherwise(literal: str) -> None:
    assert all(_holds(literal, *values) is not _holds(opposite(literal), *values) for values in VALUES)
