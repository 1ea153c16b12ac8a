"""Conditions that read alike once names are blanked, or that a rewrite cut in pieces, are still told apart."""

from __future__ import annotations

import pytest

from tests.anchoring.judged import assert_accepted, assert_rejected

Case = tuple[str, str, str]

TWO = (
    "def take(stack):\n    kind = stack.pop()\n    name = stack.pop()\n"
    "    if type(kind) is not str {} type(name) is not str:\n"
)
TWO += "        raise Broken('texts wanted')\n    return find(kind, name)\n"
PAIR = """
    class Basic {
        String of(Map<String, Object> given) throws AuthenticationException {
            String user = (String) given.get(Keys.USER);
            String word = (String) given.get(Keys.WORD);
            if (user == null %s word == null) {
                throw new AuthenticationException("user and password wanted");
            }
            return encoded(user, word);
        }
    }
    """
CHECK = "class Names { private boolean isAllowed(String name) { %s } }"
ENDS = "for (String end : ends) { if (name.endsWith(end)) { return true; } } return false;"
TWICE = """
def first(text):
    if len(text) > MOST{}:
        raise TooLong("text")
    return text


def second(text):
    {}
    return text.upper()
"""
HELPER = '\n\ndef refuse_long(text):\n    if len(text) > MOST:\n        raise TooLong("text")\n'

LOST: dict[str, Case] = {
    "two values of the same call": ("app.py", TWO.format("or"), TWO.format("and")),
    "two values that need be there": ("Basic.java", PAIR % "||", PAIR % "&&"),
    "a further condition that reads like the one around": (
        "app.py",
        "def host(name):\n    if name:\n        found = BAD.search(name)\n        if found:\n"
        "            raise BadHost(name)\n",
        "def host(name, strict=False):\n    if name:\n        found = BAD.search(name)\n        if strict and found:\n"
        "            raise BadHost(name)\n",
    ),
    "an error that is only told to a logger": (
        "app.py",
        "def lock(path):\n    try:\n        os.open(path, 3)\n    except FileExistsError as e:\n"
        "        raise Held(path) from e\n",
        "def lock(path):\n    try:\n        os.open(path, 3)\n    except FileExistsError as e:\n"
        "        logging.getLogger('x').warning(path)\n",
    ),
    "a check that says yes to all": ("Names.java", CHECK % ENDS, CHECK % "return true;"),
    "a check that says yes before it looks": (
        "Names.java",
        CHECK % ENDS,
        CHECK % f"if (true) {{ return true; }} {ENDS}",
    ),
    "an annotation of a parameter": (
        "Orders.java",
        "class Orders { String make(@Valid Form form) { return stored(form); } }",
        "class Orders { String make(Form form) { return stored(form); } }",
    ),
    "a mask before a log": (
        "app.py",
        "def put(self, line):\n    print('*put*', self.masked(line))\n    self.send(line)\n",
        "def put(self, line):\n    print('*put*', line)\n    self.send(line)\n",
    ),
    "the default of a mode": (
        "app.py",
        "def make(path, mode=0o700):\n    path.make(mode=mode)\n",
        "def make(path, mode=0o777):\n    path.make(mode=mode)\n",
    ),
    "one of two like guards, while the other becomes a function": (
        "app.py",
        TWICE.format("", 'if len(text) > MOST:\n        raise TooLong("text")'),
        TWICE.format(" and not lenient(text)", "refuse_long(text)") + HELPER,
    ),
}

KEPT: dict[str, Case] = {
    "work under two tests, nested": (
        "app.py",
        "def keep(part):\n    if part and part != '..':\n        parts.append(part)\n",
        "def keep(part):\n    if part:\n        if part != '..':\n            parts.append(part)\n",
    ),
    "an error behind a branch that may answer": (
        "app.py",
        "def find(kind, item):\n    if kind == 'tag':\n        if item.kind == kind:\n            return item\n"
        "        raise ValueError(kind)\n    raise ValueError('unknown')\n",
        "def find(kind, item):\n    if kind == 'tag':\n        if item.kind != kind:\n"
        "            raise ValueError(kind)\n"
        "        return item\n    raise ValueError('unknown')\n",
    ),
    "a break that moves to the other branch": (
        "app.py",
        "def dots(name):\n    level = 0\n    for c in name:\n        if c != '.':\n            break\n"
        "        level += 1\n"
        "    return level\n",
        "def dots(name):\n    level = 0\n    for c in name:\n        if c == '.':\n            level += 1\n"
        "        else:\n"
        "            break\n    return level\n",
    ),
    "the rest nested below a refusal": (
        "app.py",
        "def line(self, text):\n    if len(text) > self.most:\n        raise Broken('long')\n    if not text:\n"
        "        raise EOFError\n    return text\n",
        "def line(self, text):\n    if len(text) > self.most:\n        raise Broken('long')\n    else:\n"
        "        if not text:\n"
        "            raise EOFError\n        return text\n",
    ),
    "two refusals merged, of which the second does the work": (
        "app.py",
        "def end(handle):\n    if handle == BAD:\n        raise Broken('handle')\n    if not close_handle(handle):\n"
        "        raise Broken('handle')\n",
        "def end(handle):\n    if handle == BAD or not close_handle(handle):\n        raise Broken('handle')\n",
    ),
    "a condition that got a name": (
        "Tokens.java",
        "class Tokens { Map all(Object data) { if (data == null) { return Map.of(); } if (!isMap(data)) "
        '{ throw new Invalid("map wanted"); } return Map.of(); } }',
        "class Tokens { Map all(Object data) { boolean missing = data == null; if (missing) { return Map.of(); } "
        'if (!isMap(data)) { throw new Invalid("map wanted"); } return Map.of(); } }',
    ),
    "a condition that moved two calls deep": (
        "app.py",
        "def pairs(value):\n    if isinstance(value, (str, bytes)):\n        raise ValueError('pairs wanted')\n"
        "    return dict(value)\n",
        "def is_flat(value):\n    return isinstance(value, (str, bytes))\n\n\n@contextmanager\ndef checked(value):\n"
        "    if is_flat(value):\n        raise ValueError('pairs wanted')\n    yield\n\n\ndef pairs(value):\n"
        "    with checked(value):\n        return dict(value)\n",
    ),
    "a refusal that excuses nobody any more": (
        "app.py",
        "def put(size, trusted):\n    if not trusted and size > MOST:\n        raise TooLarge(size)\n    keep(size)\n",
        "def put(size, trusted):\n    if size > MOST:\n        raise TooLarge(size)\n    keep(size)\n",
    ),
    "an unnamed function takes the number of one that refused": (
        "Beans.java",
        'class Beans { A made(Found a) { return a.orElseGet(() -> { throw new Missing("a"); }); } }',
        'class Beans { A made(Found a) { return a.orElseGet(() -> { log.debug("made"); return new A(); }); } }',
    ),
}


@pytest.mark.parametrize("case", LOST.values(), ids=LOST.keys())
def test_loss_is_rejected_and_its_repair_passes(case: Case) -> None:
    path, before, after = case
    assert_rejected(before, after, path)
    assert_accepted(after, before, path)


@pytest.mark.parametrize("case", KEPT.values(), ids=KEPT.keys())
def test_the_same_in_other_words_passes(case: Case) -> None:
    path, before, after = case
    assert_accepted(before, after, path)
