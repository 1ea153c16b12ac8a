"""What was refused before and is accepted now is found by running both sides, and nothing else happens."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from scaffold_cli.model.verdict import Decision, Verdict
from tests.witness.judged import verdict, witnesses

LOAD = """\
def load(name):
    if ".." in name or name.startswith("/"):
        raise ValueError(name)
    return open("data/" + name, "rb").read()
"""
EXAMPLES = {
    "a lost part of a condition": (
        LOAD,
        LOAD.replace('".." in name or ', ""),
        "load('..') raised ValueError before and reaches open('data/..') now",
    ),
    "an early return": (
        "def send(url):\n    if not url.startswith('https://'):\n        return None\n    return fetch(url)\n"
        "def fetch(url):\n    return len(url)\n",
        "def send(url):\n    return fetch(url)\ndef fetch(url):\n    return len(url)\n",
        "send('a') returned None before and returns 1 now",
    ),
    "a check that answers": (
        "def is_safe(url):\n    return url.startswith('https://') and '@' not in url\n",
        "def is_safe(url):\n    return url.startswith('https://')\n",
        "is_safe('https://x@x') returned False before and returns True now",
    ),
    "an object that is asked": (
        "def remove(user, key: str):\n    if not user.is_admin:\n        raise PermissionError(key)\n    return key\n",
        "def remove(user, key: str):\n    return key\n",
        "remove(stand_in(is_admin=False), 'a') raised PermissionError before and returns 'a' now",
    ),
    "a pattern that need not match to the end": (
        "import re\ndef name(text):\n    if not re.fullmatch(r'[a-z]+\\.txt', text):\n        raise ValueError('bad')\n"
        "    return text\n",
        "import re\ndef name(text):\n    if not re.match(r'[a-z]+\\.txt', text):\n        raise ValueError('bad')\n"
        "    return text\n",
        "name('a.txt\\n') raised ValueError before and returns 'a.txt\\n' now",
    ),
    "a limit named in the module, in a method": (
        "LIMIT = 10\nclass Box:\n    def __init__(self, root):\n        self.root = root\n"
        "    async def put(self, key, *, size=0):\n        if size > LIMIT:\n            raise ValueError(size)\n"
        "        return key\n",
        "LIMIT = 10\nclass Box:\n    def __init__(self, root):\n        self.root = root\n"
        "    async def put(self, key, *, size=0):\n        return key\n",
        "Box.put('a', size=11) raised ValueError before and returns 'a' now",
    ),
    "a path object": (
        "def read(path, root):\n    if not path.resolve().is_relative_to(root):\n        raise PermissionError(path)\n"
        "    return path.read_text()\n",
        "def read(path, root):\n    return path.read_text()\n",
        "read(Path('a'), 'a') raised PermissionError before and reaches open('a') now",
    ),
    "a helper that raises": (
        "def make(name):\n    validate_name(name)\n    return name\n"
        "def validate_name(name):\n    if '/' in name:\n        raise ValueError(name)\n",
        "def make(name):\n    return name\n"
        "def validate_name(name):\n    if '/' in name:\n        raise ValueError(name)\n",
        "make('../x') raised ValueError before and returns '../x' now",
    ),
    "a decorator": (
        "def login_required(function):\n    def inner(user):\n        if user != 'root':\n"
        "            raise PermissionError(user)\n        return function(user)\n    return inner\n"
        "@login_required\ndef wipe(user):\n    return 'gone'\n",
        "def login_required(function):\n    def inner(user):\n        if user != 'root':\n"
        "            raise PermissionError(user)\n        return function(user)\n    return inner\n"
        "def wipe(user):\n    return 'gone'\n",
        "wipe('a') raised PermissionError before and returns 'gone' now",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "expected"), EXAMPLES.values(), ids=EXAMPLES)
def test_the_input_that_shows_the_difference(before: str, after: str, expected: str, tmp_path: Path) -> None:
    assert expected in witnesses(tmp_path, before, after)


def test_modules_are_imported_as_the_project_imports_them(tmp_path: Path) -> None:
    shared = {"src/shop/__init__.py": "", "src/shop/words.py": "BAD = ('..', ';')\n"}
    guarded = (
        "from .words import BAD\n\ndef pay(item: str):\n    if item in BAD:\n        raise ValueError\n    return 1\n"
    )
    bare = "from .words import BAD\n\ndef pay(item: str):\n    return 1\n"
    found = verdict(tmp_path, {**shared, "src/shop/pay.py": guarded}, {**shared, "src/shop/pay.py": bare})
    assert [item.witness for item in found.violations] == ["pay('..') raised ValueError before and returns 1 now"]


def test_nothing_the_code_wants_to_do_to_the_world_happens(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    lost = {}
    for name, act in {
        "remove": "os.remove(VICTIM)",
        "write": "open(VICTIM, 'w')",
        "tree": "shutil.rmtree(os.path.dirname(VICTIM))",
        "start": "subprocess.run(['rm', VICTIM])",
        "shell": "os.system('rm ' + VICTIM)",
        "swallowed": "swallow()",
    }.items():
        lost[name] = f"    if where != 'root':\n        raise PermissionError(where)\n    {act}\n"
    head = f"import os, shutil, subprocess\nVICTIM = {str(victim)!r}\n"
    head += "def swallow():\n    try:\n        os.remove(VICTIM)\n    except:\n        pass\n"
    before = head + "".join(f"def {name}(where):\n{body}" for name, body in lost.items())
    after = before.replace("    if where != 'root':\n        raise PermissionError(where)\n", "")
    found = [witness.partition("reaches ")[2] for witness in witnesses(tmp_path, before, after)]
    assert victim.read_text() == "precious"
    assert found == [
        f"os.remove({str(victim)!r}) now",
        f"open({str(victim)!r}, 'w') now",
        f"shutil.rmtree({str(tmp_path)!r}) now",
        "subprocess.Popen('rm') now",
        f"os.system({f'rm {victim}'.encode()!r}) now",
        f"os.remove({str(victim)!r}) now",
    ]


def test_a_module_that_acts_when_it_is_imported_is_left_alone(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    act = f"open({str(mark)!r}, 'w').write('ran')\n"
    assert witnesses(tmp_path, act + LOAD, act + LOAD.replace('".." in name or ', "")) == [""]
    assert not mark.exists()


def test_a_function_that_never_ends_hides_no_other(tmp_path: Path) -> None:
    endless = "def spin(name):\n    if name == '..':\n        raise ValueError(name)\n    while True:\n        pass\n"
    bare = "def spin(name):\n    while True:\n        pass\n"
    found = witnesses(tmp_path, endless + LOAD, bare + LOAD.replace('".." in name or ', ""))
    assert sorted(found) == ["", "load('..') raised ValueError before and reaches open('data/..') now"]


def test_a_refusal_that_came_of_earlier_calls_is_no_witness(tmp_path: Path) -> None:
    before = """\
        SEEN = []
        def ask(name: str):
            SEEN.append(name)
            if len(SEEN) > 3:
                raise PermissionError("too many")
            return name
        """
    after = before.replace('    if len(SEEN) > 3:\n                raise PermissionError("too many")\n        ', "")
    assert set(witnesses(tmp_path, before, after)) == {""}


def test_what_still_refuses_is_no_witness(tmp_path: Path) -> None:
    before = LOAD
    after = LOAD.replace('    if ".." in name or name.startswith("/"):\n        raise ValueError(name)\n',
                         '    if "." in name or name[:1] == "/":\n        return None\n')  # fmt: skip
    assert set(witnesses(tmp_path, before, after)) <= {""}


def test_words_the_code_prints_are_not_taken_for_results(tmp_path: Path) -> None:
    noise = "import os\nos.write(1, b'{\"target\": 0}\\n[1]\\nnoise\\n')\n"
    found = witnesses(tmp_path, noise + LOAD, noise + LOAD.replace('".." in name or ', ""))
    assert found == ["load('..') raised ValueError before and reaches open('data/..') now"]


def test_the_search_changes_neither_ids_nor_decision_and_repeats_itself(tmp_path: Path) -> None:
    sides = ({"app.py": LOAD}, {"app.py": LOAD.replace('".." in name or ', "")})
    places = [tmp_path / name for name in ("one", "two", "off")]
    for place in places:
        place.mkdir()
    one, two = (verdict(place, *sides) for place in places[:2])
    off = verdict(places[2], *sides, seconds=0)
    assert one.decision is off.decision is Decision.REJECT
    assert _timeless(one) == _timeless(two)
    assert [item.witness for item in off.violations] == [""]
    assert [item.id for item in one.violations] == [item.id for item in off.violations]
    assert [replace(item, witness="") for item in one.violations] == list(off.violations)


def _timeless(found: Verdict) -> Verdict:
    return replace(found, seconds=0, layers=tuple(replace(layer, seconds=0) for layer in found.layers))
