"""Patterns compared as languages, and by how long they may take."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scaffold_cli.anchoring.values.ambiguity import Growth, growth
from scaffold_cli.anchoring.values.languages import Relation, relation
from tests.anchoring.judged import judge

LEAVES = st.sampled_from(["a", "b", "[ab]", "[^a]", "."])
PATTERNS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{1,2}", "{2}"])).map(lambda pair: f"(?:{pair[0]}){pair[1]}"),
    ),
    max_leaves=5,
)
TEXTS = tuple("".join(letters) for length in range(5) for letters in product("abc", repeat=length))


def accepted(pattern: str) -> set[str]:
    """The short texts a pattern matches as a whole."""
    return {text for text in TEXTS if re.fullmatch(pattern, text)}


@settings(max_examples=150, deadline=None)
@given(PATTERNS, PATTERNS)
def test_the_relation_holds_for_every_short_text(old: str, new: str) -> None:
    before, after = accepted(old), accepted(new)
    expected = {
        Relation.SAME: before == after,
        Relation.WIDER: before <= after,
        Relation.NARROWER: before >= after,
        Relation.UNKNOWN: True,
    }
    assert expected[relation(old, new)]
    assert relation(old, old) is Relation.SAME


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (r"^[a-z]+\Z", "^[a-z]+$", Relation.WIDER),
        ("^abc$", "abc$", Relation.WIDER),
        ("^abc$", "^abc", Relation.WIDER),
        (r"[\x00-\x1f\x7f]", r"[\r\n]", Relation.NARROWER),
        (r"[a-z\-]{3,80}", "(?:-|[a-z]){3,80}", Relation.SAME),
        ("a(?=b)", "a", Relation.UNKNOWN),
        ("(", "a", Relation.UNKNOWN),
    ],
)
def test_known_pairs(old: str, new: str, expected: Relation) -> None:
    assert relation(old, new) is expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"(?:\w+,)*", Growth.LINEAR),
        (r"(?:\w+,?)*", Growth.EXPONENTIAL),
        ("(x+)+", Growth.EXPONENTIAL),
        ("(a|ab|b)*", Growth.EXPONENTIAL),
        (r"\s*,\s*", Growth.LINEAR),
        (r"\s*,?\s*", Growth.POLYNOMIAL),
        (r'"([^"\\]|\\.)*"', Growth.LINEAR),
        ("a.*b.*c", Growth.POLYNOMIAL),
        ("(", Growth.LINEAR),
        (r"\w*" * 50, Growth.POLYNOMIAL),
        (r"^a(?:.[0-9]+)*(?= |$)", Growth.EXPONENTIAL),
        (r"^a(?:,[0-9]+)*(?= |$)", Growth.LINEAR),
        (r"(x+y?)+\1", Growth.EXPONENTIAL),
    ],
)
def test_growth(pattern: str, expected: Growth) -> None:
    assert growth(pattern) is expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("<[^>]+>", Growth.POLYNOMIAL),
        ("<[^<>]+>", Growth.LINEAR),
        (r"(\w+):", Growth.POLYNOMIAL),
        (r"\b(\w+):", Growth.LINEAR),
        (r"(?<!\w)\w+:", Growth.LINEAR),
        (r"^\w+:", Growth.LINEAR),
        (r"\w+", Growth.LINEAR),
        (r"\s+$", Growth.POLYNOMIAL),
        (r"\((?!.*\()x", Growth.POLYNOMIAL),
        ("", Growth.LINEAR),
    ],
)
def test_growth_of_a_search(pattern: str, expected: Growth) -> None:
    assert growth(pattern, is_searched=True) is expected


ASKED = {
    "a boundary held the search to the starts of words": (
        "import re\nPAIR = re.compile(r'\\b(\\w+)=x')\ndef find(t):\n    return PAIR.sub('', t)\n",
        "import re\ndef find(t):\n    pair = r'(\\w+)=x'\n    return re.sub(pair, '', t)\n",
    ),
    "constants the pattern is put together from": (
        "import re\nPART = '[a-z]+'\nWHOLE = re.compile('^(?:' + PART + ',)*$')\n",
        "import re\nPART = '[a-z]+,?'\nWHOLE = re.compile('^(?:' + PART + ')*$')\n",
    ),
    "a class that read the text gave way to a pattern": (
        "import re\nclass Reader:\n    pass\n\nWORDS = Reader\n",
        "import re\nWORDS = re.compile('<[^>]+>')\n",
    ),
    "what was done in steps is done by one pattern": (
        "import re\nENDS = re.compile(r'^\\(*(.*?)[.,]*$')\n"
        "def cut(t):\n    while t.endswith('.'):\n        t = t[:-1]\n    return t\n",
        "import re\nENDS = re.compile(r'^\\(*(.*?)[.,]*$')\ndef cut(t):\n    return ENDS.match(t).group(1)\n",
    ),
    "white space and comments do not count": (
        "import re\ndef f(t):\n    return re.match(r'''(?: \\w+ , # item\n)* $''', t, re.X)\n",
        "import re\ndef f(t):\n    return re.match(r'''(?: \\w+ ,? # item\n)* $''', t, re.X)\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), ASKED.values(), ids=ASKED.keys())
def test_a_pattern_that_got_slower_is_told(before: str, after: str) -> None:
    found = judge(before, after).violations
    assert any("very long" in violation.what for violation in found)
    assert not any("very long" in violation.what for violation in judge(after, before).violations)
