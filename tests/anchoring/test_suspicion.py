"""The learnt suspicion: a change as a whole, where no single protection is seen to go."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scaffold_cli.anchoring.catalogue import load
from scaffold_cli.anchoring.comparing import compare_change
from scaffold_cli.anchoring.suspicion import forest
from scaffold_cli.anchoring.suspicion.signs import Signs
from scaffold_cli.anchoring.suspicion.suspecting import Suspicion
from scaffold_cli.model.change import Change
from scaffold_cli.model.verdict import Effect, LayerStatus
from tests.anchoring.judged import Side, change_of, judge

NAMES = forest.load().names
SIGNS = sorted({name.lstrip("±") for name in NAMES if not name.startswith("share")})

FEED = """
class Feed:
    def __init__(self, source):
        self.source = source
        self.seen = set()

    def take(self, entry, now):
        link = entry.link.strip()
        if entry.author in self.muted:
            return None
        if not link.startswith(self.source.base):
            return None
        if entry.date > now:
            entry.date = now
        title = shorten(plain(entry.title))
        self.seen.add(link)
        return Item(link, title, entry.date)
"""
BARE = """
class Feed:
    def __init__(self, source):
        self.source = source
        self.seen = set()

    def take(self, entry, now):
        link = entry.link
        title = entry.title
        self.seen.add(link)
        return Item(link, title, entry.date)
"""
RICHER = FEED.replace(
    "        return Item(link, title, entry.date)\n",
    "        tags = [tag.name for tag in entry.tags]\n        return Item(link, title, entry.date, tags)\n",
)


def signs(change: Change) -> Signs:
    weighing = compare_change(change, None, None, load()).weighing
    assert weighing is not None
    return weighing.signs


def suspicion(before: str, after: str, path: str = "app.py") -> Suspicion | None:
    return compare_change(change_of({path: before}, {path: after}), None, None, load()).suspicion


def score(before: Side, after: Side) -> float:
    return forest.load().score(signs(change_of(before, after)))


def test_a_change_that_only_takes_away_scores_higher_than_one_that_adds() -> None:
    taken, added = score({"app.py": FEED}, {"app.py": BARE}), score({"app.py": FEED}, {"app.py": RICHER})
    assert added < forest.load().limit
    assert taken > 2 * added


@pytest.mark.parametrize("path", ["app.go", "app.js", "notes.txt", "tests/test_app.py"])
def test_nothing_is_said_of_what_was_not_learnt(path: str) -> None:
    assert not signs(change_of({path: FEED}, {path: BARE}))


def test_a_new_file_is_not_suspected() -> None:
    assert not signs(change_of({}, {"app.py": FEED}))


def test_lines_that_moved_are_no_signs() -> None:
    head, take = FEED.split("    def take")
    moved = signs(change_of({"app.py": FEED}, {"app.py": f"{head}    def grab{take}"}))
    assert moved["-statements"] == moved["+statements"] == 0


@given(st.dictionaries(st.sampled_from(SIGNS), st.integers(1, 10_000)))
def test_a_score_is_a_probability(counts: dict[str, int]) -> None:
    assert 0 < forest.load().score(Counter(counts)) < 1


def test_where_a_hard_anchor_is_lost_that_is_said_instead() -> None:
    guarded = FEED.replace("return None", "raise Forbidden(link)")
    result = judge(guarded, BARE)
    assert result.status is LayerStatus.FAIL
    assert "suspected-loss" not in {violation.code for violation in result.violations}


BOARD = """
class Board:
    def move(self, piece, target):
        if target.holder is not None and target.holder.owner is piece.owner:
            return False
        piece.place = self.nearest(target)
        piece.moved = sorted(set(piece.moved))
        self.turn = self.next_turn(piece, target)
        self.told.append(str(piece.name))
        return True
"""


def test_a_suspected_change_is_rejected_with_its_score_and_the_signs_that_weigh_most() -> None:
    tidied = "        piece.moved = sorted(set(piece.moved))\n"
    after = BOARD.replace(tidied, "").replace(" and target.holder.owner is piece.owner", "")
    result, found = judge(BOARD, after), suspicion(BOARD, after)
    assert found is not None
    assert result.status is LayerStatus.FAIL
    (violation,) = [item for item in result.violations if item.effect is Effect.BLOCKS]
    assert violation.code == "suspected-loss"
    assert found.reasons
    assert all(reason in violation.what for reason in found.reasons)
    assert f"{found.score:.2f}" in violation.because
    assert violation.after is not None
    assert (violation.after.path, violation.after.symbol) == ("app.py", "Board.move")


def test_the_same_edits_the_other_way_round_are_not_suspected() -> None:
    assert suspicion(BOARD.replace(" and target.holder.owner is piece.owner", ""), BOARD) is None


FULL = """
class Shelf:
    def put(self, book, place):
        if place is None:
            place = self.first_free()
        if len(self.books) > self.room:
            raise ValueError("the shelf is full")
        self.books.append(book)
        self.places[book.name] = place
        return place
"""
GROWN = '''
class Shelf:
    def put(self, book, place=None, *, row=None):
        """Put a book at a place, or where there is room."""
        if place is None:
            place = self.first_free(row)
        shelf = self.shelf_for(book, place)
        for other in shelf.neighbours(place):
            other.note(book.name)
        shelf.books.append(book)
        shelf.places[book.name] = place
        self.changed.add(shelf)
        return place

    def shelf_for(self, book, place):
        """The shelf with room, a new one where all are full."""
        for shelf in self.shelves:
            if len(shelf.books) <= shelf.room:
                return shelf
        shelf = Shelf(self.room)
        self.shelves.append(shelf)
        return shelf
'''
REFUSAL = '        if len(self.books) > self.room:\n            raise ValueError("the shelf is full")\n'
TITLES = """

def titles_{0}(books, width):
    found = []
    for book in books:
        found.append(book.name.ljust(width))
    return sorted(found)
"""


def test_a_refusal_that_goes_while_its_function_grows_only_warns() -> None:
    result = judge(FULL, GROWN)
    assert result.status is LayerStatus.PASS
    (warning,) = [item for item in result.violations if item.code == "guard-lost"]
    assert warning.effect is Effect.WARNS
    assert "reads harmless" in warning.because


@pytest.mark.parametrize("padding", [0, 1, 40])
def test_no_harmless_code_beside_it_hides_a_refusal_that_is_gone(padding: int) -> None:
    after = FULL.replace(REFUSAL, "") + "".join(map(TITLES.format, range(padding)))
    result = judge(FULL, after)
    assert result.status is LayerStatus.FAIL
    assert "guard-lost" in {item.code for item in result.violations if item.effect is Effect.BLOCKS}


def test_a_refusal_the_catalogue_knows_is_never_in_doubt() -> None:
    before, after = (text.replace("place is None", "not may(place)") for text in (FULL, GROWN))
    known = before.replace(REFUSAL, "        if not has_permission(self.owner, book):\n            return None\n")
    assert judge(known, after).status is LayerStatus.FAIL


LISTED = (
    "\n\ndef names_{0}(books):\n    found = []\n    for book in books:\n        found.append(book.name)\n"
    "    return found\n"
)
SHORT = "\n\ndef names_{0}(books):\n    return [book.name for book in books]\n"
DOORS = "def go(user, doc):\n    if {}: raise ValueError('no')\n    return store(doc)\n"


@pytest.mark.parametrize(
    ("test", "after"),
    [
        ("not may(user)", DOORS.format("not may(user)").replace("raise ValueError('no')", "log.info('seen')")),
        ("user.role != 'admin'", "def go(user, doc):\n    return store(doc)\n"),
        ("'..' in doc.path", "def go(user, doc):\n    return store(doc)\n"),
    ],
    ids=["neutered on its line", "who may", "where a path leads"],
)
def test_what_is_known_to_protect_less_is_not_in_doubt_among_much_else(test: str, after: str) -> None:
    much, less = ("".join(map(text.format, range(30))) for text in (LISTED, SHORT))
    assert judge(DOORS.format(test) + much, after + less).status is LayerStatus.FAIL


def test_a_refusal_of_a_language_not_learnt_is_not_believed_beside_one_that_was() -> None:
    script = "function go(doc) {\n  if (!may(doc)) {\n    throw new Error('no');\n  }\n  return store(doc);\n}\n"
    before = {"a.js": script, "b.py": "".join(map(LISTED.format, range(9)))}
    lost = script.replace("  if (!may(doc)) {\n    throw new Error('no');\n  }\n", "")
    result = judge(before, {"a.js": lost, "b.py": "".join(map(SHORT.format, range(9)))})
    assert result.status is LayerStatus.FAIL


NAMED = """
def wrap(sock, context, host):
    context.load_verify_locations(host.authorities)
    kept = verified(sock, context, host.name)
    return kept
"""


def is_weighty(before: str, after: str) -> bool:
    weighing = compare_change(change_of({"app.py": before}, {"app.py": after}), None, None, load()).weighing
    assert weighing is not None
    assert weighing.signs
    return weighing.is_weighty(frozenset())


def test_a_variable_that_goes_or_comes_is_not_weighed() -> None:
    value = "verified(sock, context, host.name)"
    inlined = NAMED.replace(f"    kept = {value}\n    return kept\n", f"    return {value}\n")
    assert not is_weighty(NAMED, inlined)
    assert not is_weighty(inlined, NAMED)
    assert is_weighty(NAMED, NAMED.replace(f"    kept = {value}\n    return kept\n", "    return sock\n"))


def test_a_value_that_is_only_named_is_weighed() -> None:
    script = 'SCRIPT = """\n{}run(arguments)\n"""\n'
    assert is_weighty(script.format("check(arguments)\nhide(arguments)\n"), script.format("show(arguments)\n"))
