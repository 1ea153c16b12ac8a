"""What is asked less, believed, opened or only taken away must be seen; the same in other words must pass."""

from __future__ import annotations

import pytest

from tests.anchoring.judged import assert_accepted, assert_rejected

Pair = tuple[str, str]
READ = "def handle(self, message):\n{}    return self.answer(message)\n"
UNIQUE = (
    "def unique(items):\n    seen = {}\n    for item in items:\n"
    "        if item not in seen:\n            seen.{}(item)\n"
)
CSV = "def cell(value):\n{}    return value\n"

LOST: dict[str, Pair] = {
    "a state that had to hold is no longer asked": (
        "def login(name, word):\n    user = find(name)\n    if user and user.fits(word) and user.is_active:\n"
        "        return user\n",
        "def login(name, word):\n    user = find(name)\n    if user and user.fits(word):\n        return user\n",
    ),
    "letters in another case get past": (
        "def fine(name):\n    return name.lower() not in BLOCKED\n",
        "def fine(name):\n    return name not in BLOCKED\n",
    ),
    "everybody's things are asked for": (
        "def show(request, key):\n    return found_or_404(things_of(request.user), key)\n",
        "def show(request, key):\n    return found_or_404(Thing, key)\n",
    ),
    "a text is no longer cut": (
        "def fits(text):\n    text = text[:MAX_LENGTH]\n    return PATTERN.match(text)\n",
        "def fits(text):\n    return PATTERN.match(text)\n",
    ),
    "a text is handed on whole": (
        "def fits(text):\n    return search(text[:max_length])\n",
        "def fits(text):\n    return search(text)\n",
    ),
    "a list is searched in a loop": (
        UNIQUE.replace("{}", "set()", 1).replace("{}", "add"),
        UNIQUE.replace("{}", "[]", 1).replace("{}", "append"),
    ),
    "pieces are added to one text": (
        "def whole(parts):\n    out = []\n    for part in parts:\n        out.append(part)\n    return b''.join(out)\n",
        "def whole(parts):\n    out = b''\n    for part in parts:\n        out += part\n    return out\n",
    ),
    "a leftover stays in the buffer": (
        "def upgrade(self):\n    self.buffer = b''\n    self.start()\n",
        "def upgrade(self):\n    self.start()\n",
    ),
    "what is left over is no longer thrown away": (
        "def upgrade(self):\n    self.reader.clear()\n    self.start(self.reader)\n",
        "def upgrade(self):\n    self.start(self.reader)\n",
    ),
    "a refusal is only taken away": (
        READ.format("    if self.closing or self.ended:\n        return False\n"),
        READ.format(""),
    ),
    "fewer ciphers are left out": ("CIPHERS = 'HIGH:!aNULL:!MD5'\n", "CIPHERS = 'HIGH:!MD5'\n"),
    "a server listens to the net by default": (
        "def serve(app, host='127.0.0.1'):\n    return start(app, host)\n",
        "def serve(app, host='0.0.0.0'):\n    return start(app, host)\n",
    ),
    "every origin may read the answer": (
        "def answer(head, origin):\n    head['Access-Control-Allow-Origin'] = origin\n",
        "def answer(head, origin):\n    head['Access-Control-Allow-Origin'] = '*'\n",
    ),
    "a folder is made without a mode": (
        "import os\ndef make(path):\n    os.makedirs(path, mode=0o700)\n",
        "import os\ndef make(path):\n    os.makedirs(path)\n",
    ),
    "a class no longer says who may use it": (
        "class Edit(View):\n    permission_required = 'wiki.edit'\n\n    def get(self):\n        return page()\n",
        "class Edit(View):\n    def get(self):\n        return page()\n",
    ),
    "a switch is fixed the lax way": (
        "def load(name, trust_code=False):\n    return fetch(name, trust_code=trust_code)\n",
        "def load(name):\n    return fetch(name, trust_code=True)\n",
    ),
    "a default is switched off": (
        "def parse(text, scripting=True):\n    return tree(text, scripting)\n",
        "def parse(text, scripting=False):\n    return tree(text, scripting)\n",
    ),
    "a header of the client is believed": (
        "def address(request):\n    return request.remote\n",
        "def address(request):\n    return request.headers.get('X-Forwarded-For') or request.remote\n",
    ),
    "more text is run as code": (
        "def cast(kind, text):\n    return KINDS[kind](text)\n",
        "def cast(kind, text):\n    return eval(kind + '(\"' + text + '\")')\n",
    ),
    "a hook before every request is gone": (
        "def init(app):\n    @app.before_request\n    def check():\n        request.host\n    return app\n",
        "def init(app):\n    return app\n",
    ),
    "what a helper cleans arrives as it came": (
        "def paired(text):\n    return text.replace('\\\\', '\\\\\\\\').replace('(', '\\\\(')\n\n"
        "def fold(part):\n    return '(' + str(paired(part)) + ')'\n",
        "def fold(part):\n    return '(' + str(part) + ')'\n",
    ),
    "signs that a sheet obeys are left": (
        CSV.format('    if value and value[0] in "=+-@":\n        value = "\'" + value\n'),
        CSV.format(""),
    ),
    "an error that ended the work is worked around": (
        "def make(db, row):\n    try:\n        return db.insert(row)\n    except ConflictError as error:\n"
        "        raise AlreadyThere(row) from error\n",
        "def make(db, row):\n    try:\n        return db.insert(row)\n    except ConflictError:\n"
        "        return db.find(row)\n",
    ),
    "the oldest protocol may be spoken": (
        "def context():\n    made = Context()\n    made.minimum_version = Version.TLSv1_2\n    return made\n",
        "def context():\n    made = Context()\n    return made\n",
    ),
}

KEPT: dict[str, Pair] = {
    "a state is asked in another place": (
        "def login(name, word):\n    user = find(name)\n    if user and user.fits(word) and user.is_active:\n"
        "        return user\n",
        "def login(name, word):\n    user = find(name)\n    if not user or not user.is_active:\n        return None\n"
        "    if user.fits(word):\n        return user\n",
    ),
    "a class says by a method who may use it": (
        "class Edit(View):\n    permission_required = 'wiki.edit'\n\n    def get(self):\n        return page()\n",
        "class Edit(View):\n    def get_permission_required(self):\n        return ('wiki.edit',)\n\n"
        "    def get(self):\n        return page()\n",
    ),
    "a loop reads in its own test": (
        "def digest(source, mark):\n    while True:\n        piece = source.read(8192)\n        if not piece:\n"
        "            break\n        mark.update(piece)\n",
        "def digest(source, mark):\n    while piece := source.read(8192):\n        mark.update(piece)\n",
    ),
    "a state is asked by another name": (
        "def login(name, word):\n    user = find(name)\n    if user and user.is_active:\n        return user\n",
        "def login(name, word):\n    user = find(name)\n    if user and user.may_come_in():\n        return user\n",
    ),
    "who asks is found out by a function": (
        "def show(request, key):\n    return found_or_404(things_of(request.user), key)\n",
        "def show(request, key):\n    return found_or_404(things_of(current_user(request)), key)\n",
    ),
    "a text is cut by a function": (
        "def fits(text):\n    text = text[:MAX_LENGTH]\n    return PATTERN.match(text)\n",
        "def fits(text):\n    short = text[:MAX_LENGTH]\n    return PATTERN.match(short)\n",
    ),
    "a list that nobody searches": (
        "def every(items):\n    seen = set()\n    for item in items:\n        seen.add(item)\n    return seen\n",
        "def every(items):\n    seen = []\n    for item in items:\n        seen.append(item)\n    return seen\n",
    ),
    "a refusal goes with a new one": (
        READ.format("    if self.closing or self.ended:\n        return False\n"),
        READ.format("    if self.is_over():\n        return False\n"),
    ),
    "a trusted proxy is asked": (
        "def address(request):\n    return request.remote\n",
        "def address(request):\n    if request.remote in TRUSTED_PROXIES:\n"
        "        return request.headers['X-Forwarded-For']\n    return request.remote\n",
    ),
    "a default that loosens is switched off": (
        "def parse(text, allow_scripts=True):\n    return tree(text, allow_scripts)\n",
        "def parse(text, allow_scripts=False):\n    return tree(text, allow_scripts)\n",
    ),
    "a folder's mode is named": (
        "import os\ndef make(path):\n    os.makedirs(path, mode=0o700)\n",
        "import os\nPRIVATE = 0o700\ndef make(path):\n    os.makedirs(path, mode=PRIVATE)\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), LOST.values(), ids=LOST.keys())
def test_less_is_rejected(before: str, after: str) -> None:
    assert_rejected(before, after)


@pytest.mark.parametrize(("before", "after"), LOST.values(), ids=LOST.keys())
def test_its_repair_passes(before: str, after: str) -> None:
    assert_accepted(after, before)


@pytest.mark.parametrize(("before", "after"), KEPT.values(), ids=KEPT.keys())
def test_the_same_in_other_words_passes(before: str, after: str) -> None:
    assert_accepted(before, after)
