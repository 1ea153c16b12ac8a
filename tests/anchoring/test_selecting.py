"""What is taken, named, pasted and let through in more cases must be seen; the same in other words must pass."""

from __future__ import annotations

import pytest

from tests.anchoring.judged import assert_accepted, assert_rejected

Pair = tuple[str, str]

LOST: dict[str, Pair] = {
    "a filter of what somebody may see is dropped": (
        "def pages(every, user):\n    return [page for page in every if page.visible_to(user)]\n",
        "def pages(every, user):\n    return every\n",
    ),
    "a filter loses its condition": (
        "def pages(every):\n    return [page for page in every if not page.private]\n",
        "def pages(every):\n    return [page for page in every]\n",
    ),
    "whatever fields came are set": (
        "def change(user, data):\n    for name in ('nick', 'mail'):\n        setattr(user, name, data[name])\n",
        "def change(user, data):\n    for name in data:\n        setattr(user, name, data[name])\n",
    ),
    "one of them is enough": (
        "def fine(parts):\n    return all(is_plain(part) for part in parts)\n",
        "def fine(parts):\n    return any(is_plain(part) for part in parts)\n",
    ),
    "a value bound beside a path is pasted into it": (
        "def find(tree, name):\n    return tree.xpath('//user[@name=$name]', name=name)\n",
        "def find(tree, name):\n    return tree.xpath(f'//user[@name=\"{name}\"]')\n",
    ),
    "a value becomes part of the template": (
        "def hello(name):\n    return render('Hi {{ name }}', name=name)\n",
        "def hello(name):\n    return render('Hi ' + name)\n",
    ),
    "all fields of a record are given": (
        "class Shown:\n    class Meta:\n        fields = ['id', 'nick']\n",
        "class Shown:\n    class Meta:\n        fields = '__all__'\n",
    ),
    "fields may be written": (
        "class Shown:\n    class Meta:\n        model = User\n        read_only_fields = ['is_staff']\n",
        "class Shown:\n    class Meta:\n        model = User\n",
    ),
    "a field is shown": (
        "class Login(Form):\n    word = Field(write_only=True)\n",
        "class Login(Form):\n    word = Field()\n",
    ),
    "a host is compared as it came": (
        "def fine(host):\n    host = host.encode('idna').decode().lower()\n    return host in ALLOWED\n",
        "def fine(host):\n    return host in ALLOWED\n",
    ),
    "a token is taken from the address": (
        "def token(request):\n    return request.headers.get('X-Token')\n",
        "def token(request):\n    return request.headers.get('X-Token') or request.args.get('token')\n",
    ),
    "folders in a name are kept": (
        "def target(to, member):\n    name = Path(member.name).name\n    return to / name\n",
        "def target(to, member):\n    name = member.name\n    return to / name\n",
    ),
    "what stands before the host is kept": (
        "def host_of(url):\n    host = url.authority.rpartition('@')[2]\n    return host\n",
        "def host_of(url):\n    host = url.authority\n    return host\n",
    ),
    "a debugging page is for the world": (
        "def routes(app):\n    if app.debug:\n        app.add_route('/inside', inside)\n    return app\n",
        "def routes(app):\n    app.add_route('/inside', inside)\n    return app\n",
    ),
    "an override that gives less is gone": (
        "class Mine(List):\n    model = Thing\n\n    def things(self):\n"
        "        return super().things().filter(owner=self.request.user)\n",
        "class Mine(List):\n    model = Thing\n",
    ),
    "an error no longer ends the work": (
        "def load(text, mark):\n    try:\n        verify(text, mark)\n"
        "    except BadMark:\n        raise\n    return text\n",
        "def load(text, mark):\n    try:\n        verify(text, mark)\n"
        "    except BadMark:\n        pass\n    return text\n",
    ),
    "line ends reach the log": (
        "def seen(log, name):\n    log.info('seen %s', name.replace('\\n', ''))\n",
        "def seen(log, name):\n    log.info('seen %s', name)\n",
    ),
    "there is no limit any more": (
        "def serve(app, max_size=2 ** 20):\n    return start(app, max_size)\n",
        "def serve(app, max_size=None):\n    return start(app, max_size)\n",
    ),
    "modules are looked for where the program is started": (
        "import sys\ndef find(here):\n    sys.path.insert(0, here)\n",
        "import sys\ndef find(here):\n    sys.path.insert(0, '')\n",
    ),
    "a keyed digest gives way to a plain one": (
        "import hmac\ndef mark(key, text):\n    return hmac.new(key, text, 'sha256').digest()\n",
        "import hashlib\ndef mark(key, text):\n    return hashlib.sha256(key + text).digest()\n",
    ),
    "a login comes from elsewhere as well": (
        "def login(self, request):\n    who = self.auth.verify_code(request.code)\n    return welcome(who)\n",
        "def login(self, request):\n    if request.mark:\n        who = self.auth.user_of(request.mark)\n    else:\n"
        "        who = self.auth.verify_code(request.code)\n    return welcome(who)\n",
    ),
    "secrets are copied with the rest": (
        "def shown(config):\n    return {k: v for k, v in config.items() if k not in SENSITIVE}\n",
        "def shown(config):\n    return dict(config)\n",
    ),
    "the time tells where two texts differ": (
        "def same(a, b):\n    differ = 0\n    for x, y in zip(a, b):\n        differ |= x ^ y\n    return not differ\n",
        "def same(a, b):\n    for x, y in zip(a, b):\n        if x != y:\n            return False\n    return True\n",
    ),
    "any kind of content is read as data": (
        "def body(request, raw):\n    data = raw\n    if request.content_type == 'application/json':\n"
        "        data = request.parsed()\n    return data\n",
        "def body(request, raw):\n    data = request.parsed()\n    return data\n",
    ),
    "a folder's own sender gives way to any file": (
        "def give(name):\n    return send_from_directory(FOLDER, name)\n",
        "def give(name):\n    return send_file(FOLDER + '/' + name)\n",
    ),
}

KEPT: dict[str, Pair] = {
    "a filter is written as a loop's condition": (
        "def pages(every, user):\n    return [page for page in every if page.visible_to(user)]\n",
        "def pages(every, user):\n    found = []\n    for page in every:\n        if page.visible_to(user):\n"
        "            found.append(page)\n    return found\n",
    ),
    "a filter of another kind is dropped": (
        "def lines(every):\n    return [line for line in every if line.text]\n",
        "def lines(every):\n    return [line for line in every]\n",
    ),
    "fixed names come from a constant": (
        "def change(user, data):\n    for name in ('nick', 'mail'):\n        setattr(user, name, data[name])\n",
        "FIELDS = ('nick', 'mail')\ndef change(user, data):\n    for name in FIELDS:\n"
        "        setattr(user, name, data[name])\n",
    ),
    "a message is put together in another way": (
        "def told(name):\n    return _('hello %s', name)\n",
        "def told(name):\n    return _(f'hello {name}')\n",
    ),
    "none of them is bad": (
        "def fine(parts):\n    return all(is_plain(part) for part in parts)\n",
        "def fine(parts):\n    return not any(not is_plain(part) for part in parts)\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), LOST.values(), ids=LOST.keys())
def test_more_is_rejected(before: str, after: str) -> None:
    assert_rejected(before, after)


REPAIRS = {name: pair for name, pair in LOST.items() if name != "one of them is enough"}
"""Turned round, every loss but one is a repair; which quantifier is the stricter cannot be told."""


@pytest.mark.parametrize(("before", "after"), REPAIRS.values(), ids=REPAIRS.keys())
def test_its_repair_passes(before: str, after: str) -> None:
    assert_accepted(after, before)


@pytest.mark.parametrize(("before", "after"), KEPT.values(), ids=KEPT.keys())
def test_the_same_in_other_words_passes(before: str, after: str) -> None:
    assert_accepted(before, after)
