"""New ways in and work without a bound must be seen; the same work in other words must pass."""

from __future__ import annotations

import pytest

from tests.anchoring.judged import assert_accepted, assert_rejected

Pair = tuple[str, str]

LOST: dict[str, Pair] = {
    "what was read up to a bound is read to the end": (
        "def load(path, size):\n    with opener(path) as f:\n        data = f.read(size * 4)\n    return cut(data)\n",
        "def load(path, size):\n    data = expand(opener(path).read())\n    return cut(data)\n",
    ),
    "a loop copies its whole text each time round": (
        "def fill(text, find):\n    done = []\n    for m in find(text):\n        done.append(m)\n"
        "    return ''.join(done)\n",
        "def fill(text, find):\n    while True:\n        m = find(text)\n        if not m:\n            return text\n"
        "        text = text[: m.at] + m.new + text[m.end :]\n",
    ),
    "a bound in any place of a call is dropped": (
        "def draw(d, image):\n    d.paint(image, (0, 0) + image.size)\n    return d.done()\n",
        "def draw(d, image):\n    d.paint(image)\n    return d.done()\n",
    ),
    "a function that only refused lets in": (
        "def escape_map(value):\n    raise TypeError('a mapping cannot be used')\n",
        "def escape_map(value):\n    return {k: escape_item(v) for k, v in value.items()}\n",
    ),
    "a visitor that only refused goes on": (
        "class V:\n    def visit_group(self, node):\n        '''No.'''\n        self.not_allowed(node)\n",
        "class V:\n    def visit_group(self, node):\n        '''Yes.'''\n        return self.visit_all(node)\n",
    ),
    "a parser no longer reports what it must not take": (
        "class V:\n    def visit(self, node):\n        if node.name in PRIVATE:\n"
        "            self.error(node, 'this name is forbidden')\n        return self.inner(node)\n",
        "class V:\n    def visit(self, node):\n        return self.inner(node)\n",
    ),
    "what was looked up among the known is taken as it came": (
        "def login(self, form):\n    url = self.get_provider_url(form.name)\n    if url is None:\n"
        "        return self.back()\n    return self.go(url, 'mail')\n",
        "def login(self, form):\n    return self.go(form.name, 'mail')\n",
    ),
    "a function is opened to everybody": (
        "class F:\n    def decode(self, text):\n        return undo(text)\n",
        "class F:\n    @security.public\n    def decode(self, text):\n        return undo(text)\n",
    ),
    "a file is made by a plain open": (
        "import os\ndef save(name, key):\n    with os.fdopen(os.open(name, FLAGS, PRIVATE), 'w') as f:\n"
        "        key.write(f)\n",
        "import os\ndef save(name, key):\n    with open(name, 'w') as f:\n        key.write(f)\n",
    ),
    "a flag that a platform may not have is dropped": (
        "import os\ndef take(name):\n    flags = os.O_RDWR\n    more = getattr(os, 'O_NOFOLLOW', None)\n"
        "    if more is not None:\n        flags |= more\n    return os.open(name, flags)\n",
        "import os\ndef take(name):\n    flags = os.O_RDWR\n    return os.open(name, flags)\n",
    ),
    "text is decoded after it was cleaned": (
        "def page(text):\n    text = unescape(text)\n    text = without_tags(text)\n    return text\n",
        "def page(text):\n    text = without_tags(text)\n    text = unescape(text)\n    return text\n",
    ),
    "a path is checked after the file was asked": (
        "import os\ndef find(root, path):\n    full = validate_path(root, path)\n    if os.path.isdir(path):\n"
        "        return None\n    return full\n",
        "import os\ndef find(root, path):\n    if os.path.isdir(path):\n        return None\n"
        "    return validate_path(root, path)\n",
    ),
    "a careful filter is no longer handed over": (
        "import tarfile\ndef unpack(tf, to):\n    tf.extractall(to, filter=both(tarfile.data_filter, shorter))\n",
        "import tarfile\ndef unpack(tf, to):\n    tf.extractall(to, filter=shorter)\n",
    ),
    "one end of a text keeps its slashes": (
        "def back(self):\n    self.go('/' + self.uri.strip('/'))\n",
        "def back(self):\n    self.go(self.uri.rstrip('/'))\n",
    ),
    "a log line shows the path as it is": (
        "def seen(log, path):\n    log.info('asked for %r by %s', path, NAME)\n",
        "def seen(log, path):\n    log.info('asked for %s by %s', path, NAME)\n",
    ),
    "a change is made by a mere link": (
        "def prefs(request, action):\n    if request.method == 'POST' and action == 'set':\n        store(request)\n"
        "    return page()\n",
        "def prefs(request, action):\n    if action == 'set':\n        store(request)\n    return page()\n",
    ),
    "the whole authority stands in for the host": (
        "def host_of(url):\n    return urlparse(url).hostname\n",
        "def host_of(url):\n    return urlparse(url).netloc.split(':')[0]\n",
    ),
    "a switch of a class is no longer set": (
        "class Writer(Base):\n    escape_text = True\n\n    def go(self):\n        return self.write()\n",
        "class Writer(Base):\n    def go(self):\n        return self.write()\n",
    ),
    "a limit written as a sum is raised": (
        "MAX_CHUNK = 2 ** 30 - 1\n",
        "MAX_CHUNK = 2 ** 31 - 1\n",
    ),
    "another text is looked for": (
        "def connect(url):\n    if '?' in url:\n        raise ValueError('no question')\n    return engine(url)\n",
        "def connect(url):\n    if '&' in url:\n        raise ValueError('no ampersand')\n    return engine(url)\n",
    ),
}

KEPT: dict[str, Pair] = {
    "what was not written yet is written": (
        "def escape_map(value):\n    raise NotImplementedError\n",
        "def escape_map(value):\n    return {k: escape_item(v) for k, v in value.items()}\n",
    ),
    "a refusing function refuses in a helper's words": (
        "def escape_map(value):\n    raise TypeError('a mapping cannot be used')\n",
        "def escape_map(value):\n    message = 'no mapping: ' + str(type(value))\n    raise TypeError(message)\n",
    ),
    "a bound moves into a variable": (
        "def load(f, size):\n    return f.read(size * 4)\n",
        "def load(f, size):\n    most = size * 4\n    return f.read(most)\n",
    ),
    "an argument goes with the function's own parameter": (
        "def paint(image, size):\n    return image.put(size)\n\n"
        "def draw(image):\n    return paint(image, image.size)\n",
        "def paint(image):\n    return image.put(image.size)\n\ndef draw(image):\n    return paint(image)\n",
    ),
    "what is looked up is looked up by another name": (
        "def login(self, form):\n    url = self.get_provider_url(form.name)\n    if url is None:\n"
        "        return self.back()\n    return self.go(url)\n",
        "def login(self, form):\n    found = self.get_provider_url(form.name)\n    if found is None:\n"
        "        return self.back()\n    return self.go(found)\n",
    ),
    "the request's method is asked first": (
        "def prefs(request, action):\n    if request.method == 'POST' and action == 'set':\n        store(request)\n"
        "    return page()\n",
        "def prefs(request, action):\n    if request.method == 'POST':\n        if action == 'set':\n"
        "            store(request)\n    return page()\n",
    ),
    "a limit is written as a number": (
        "MAX_CHUNK = 2 ** 30 - 1\n",
        "MAX_CHUNK = 1073741823\n",
    ),
    "a flag is asked for by its name": (
        "import os\ndef take(name):\n    return os.open(name, os.O_RDWR | os.O_NOFOLLOW)\n",
        "import os\ndef take(name):\n    return os.open(name, os.O_RDWR | getattr(os, 'O_NOFOLLOW', 0))\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), LOST.values(), ids=LOST.keys())
def test_a_way_in_is_rejected(before: str, after: str) -> None:
    assert_rejected(before, after)


REPAIRS = {name: pair for name, pair in LOST.items() if name != "another text is looked for"}
"""Turned round, every loss but one is a repair; which of two texts is the one to look for cannot be told."""


@pytest.mark.parametrize(("before", "after"), REPAIRS.values(), ids=REPAIRS.keys())
def test_its_repair_passes(before: str, after: str) -> None:
    assert_accepted(after, before)


@pytest.mark.parametrize(("before", "after"), KEPT.values(), ids=KEPT.keys())
def test_the_same_in_other_words_passes(before: str, after: str) -> None:
    assert_accepted(before, after)


def test_a_body_that_is_yet_to_be_written_in_c_refuses_nothing() -> None:
    head = "#include <stdlib.h>\nint thousandth(const int *all)\n{\n"
    assert_accepted(head + "    abort();\n}\n", head + "    return all[1000];\n}\n", "a.c")
    assert_rejected(head + '    die("denied");\n}\n', head + "    return all[1000];\n}\n", "a.c")
