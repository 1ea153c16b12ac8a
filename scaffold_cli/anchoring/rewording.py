"""Whether a condition in other words asks as much as the one it replaced, as far as its text can show."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from scaffold_cli.anchoring.facts import Fact, Mined
from scaffold_cli.anchoring.helpers import Helpers
from scaffold_cli.anchoring.implication import entails
from scaffold_cli.anchoring.predicates import names_the_bad
from scaffold_cli.anchoring.words import words
from scaffold_cli.syntax.outline import ExprKind

_TOKEN = re.compile(
    r"(?P<text>'(?:[^'\\]|\\.)*')"
    r"|\b\w+:(?:\w+(?=\())?"  # how a node is spelled that has no text of its own
    r"|(?:\w+\.)+(?P<constant>[A-Z][A-Z0-9_]+)\b(?!\()"
    r"|(?P<dot>\.)?(?P<name>[A-Za-z_$][\w$]*)(?:(?P<call>\()|(?P<keyword>=(?!=)))?"
    r"|(?P<number>\b\d[\w.]*)"
)
_SUBSCRIPT = re.compile(r"\['([A-Za-z_]\w*)'\]|\.get\('([A-Za-z_]\w*)'(?:, null)?\)")
_OPERATORS = (" not in ", " in ", " == ", " != ", " <= ", " < ")
_WORDS = frozenset({"not", "in", "and", "or", "null", "true", "false", "is", "self", "this", "cls", "instanceof"})
_AGREEING = frozenset({"equal", "equals", "eq", "compare", "digest", "match", "matches", "same", "fullmatch"})
"""Words of functions that say whether two things agree."""
_FOLDING = frozenset({"ignore", "lower", "upper", "casefold", "fold"})
_TIDYING = _FOLDING | {"strip", "trim"}
"""Words of functions after which more texts are equal."""
ASKS_KNOWN = "hard because its condition asks"
"""How the reason begins of a guard that asks a function the catalogue knows."""
_ANY = frozenset({"any", "some", "anyMatch", "Any", "exists"})
_ALL = frozenset({"all", "every", "allMatch", "All", "forall"})
_READS = frozenset(
    {"startswith", "endswith", "startsWith", "endsWith", "HasPrefix", "HasSuffix", "contains", "includes"}
)
"""Functions that tell something by how a text begins, ends or what it holds."""
_TRIVIAL = frozenset({"0", "1", "-1", "''"})


@dataclass(frozen=True, slots=True)
class _Asked:
    """One literal taken apart: its two sides (the second "" where it is no comparison) and what they mention."""

    literal: str
    operator: str
    left: str
    right: str
    roots: frozenset[str]
    """Variables: names that stand alone or begin a chain."""
    constants: frozenset[str]
    """Names written like constants."""
    members: frozenset[str]
    """Attributes, and fixed keys that read like them."""
    called: frozenset[str]
    fixed: frozenset[str]
    """Texts and numbers."""

    @property
    def mentions(self) -> frozenset[str]:
        """All it names, however it is reached."""
        return self.roots | self.constants | self.members | self.called | self.fixed

    @property
    def is_denied(self) -> bool:
        """True where it holds when something is not so."""
        return self.literal.startswith("!") or self.operator in ("!=", "not in")


def asks_as_much(other: Fact, fact: Fact, before: Iterable[Fact], added: Helpers) -> bool:
    """True when each literal `other` asks stands for one that was asked before, so that it strikes as often.

    `before` are the facts of the unit as it was; `added` the functions that the change adds, by name.
    """
    if fact.because.startswith(ASKS_KNOWN) and not other.because.startswith(ASKS_KNOWN):
        called = frozenset().union(*(_asked(literal).called for literal in fact.asks))
        if not any(map(_is_agreeing, called)):
            return False
    known = [_asked(literal) for literal in frozenset().union(fact.asks, *fact.covers)]
    if all(any(_stands_for(_asked(literal), old, added) for old in known) for literal in other.asks):
        return True
    if not all(literal.lstrip("!").isidentifier() for literal in fact.asks):
        return False
    # one of several grounds of a statement, and only a plain name: it may have been part of what the others ask
    beside = [item for item in before if item.line == fact.line and item.action == fact.action and item is not fact]
    return any(item.asks != fact.asks and asks_as_much(other, item, (), added) for item in beside)


def is_known_to_differ(other: Fact, fact: Fact, added: Helpers) -> bool:
    """True when what `other` asks leaves no doubt: a new function, or letters no longer alike."""
    asked = [_asked(literal) for literal in other.asks]
    gone = [_asked(literal) for literal in fact.asks - other.asks]
    if any(_takes_any(item, gone) or _tells_by_a_text(item, gone) for item in asked if item.literal not in fact.asks):
        return True
    if any(not added.keys().isdisjoint(item.called) for item in asked):
        return True
    folded = any(_folds(old) and not old.is_denied for old in map(_asked, fact.asks))
    return folded and not any(map(_folds, asked))


def _takes_any(new: _Asked, gone: Iterable[_Asked]) -> bool:
    """One of several is enough now, where one was asked about: ``not any(x in KNOWN for x in all)``."""
    quantifiers = _ANY if new.is_denied else _ALL
    come = new.called.difference(*(old.called for old in gone))
    return not quantifiers.isdisjoint(come) and any(old.roots & new.roots for old in gone)


def _tells_by_a_text(new: _Asked, gone: Iterable[_Asked]) -> bool:
    """A flag of something gave way to how a text of it reads: ``u.is_admin``, now ``u.name.startswith("adm")``."""
    if new.operator or not new.called & _READS or not new.fixed:
        return False
    flags = [old for old in gone if not (old.operator or old.called) and old.members]
    return any(old.roots == new.roots and new.is_denied is old.is_denied for old in flags)


def _asked(literal: str) -> _Asked:
    text = _SUBSCRIPT.sub(lambda found: f".{found.group(1) or found.group(2)}", literal)
    operator, left, right = next(
        ((sign.strip(), *text.split(sign, 1)) for sign in _OPERATORS if sign in text), ("", text.lstrip("!"), "")
    )
    kinds: dict[str, set[str]] = {"root": set(), "constant": set(), "member": set(), "called": set(), "fixed": set()}
    for found in _TOKEN.finditer(text):
        name = found["name"]
        if found["constant"]:
            kinds["constant"].add(found["constant"])
        elif name is None:
            kinds["fixed"].update(filter(None, (found["text"], found["number"])))
        elif found["call"]:
            kinds["called"].add(name)
        elif found["keyword"]:
            continue
        elif name.isupper() and len(name) > 1:
            kinds["constant"].add(name)
        elif found["dot"]:
            kinds["member"].add(name)
        elif name not in _WORDS:
            kinds["root"].add(name)
    return _Asked(literal, operator, left, right, *map(frozenset, kinds.values()))


def _stands_for(new: _Asked, old: _Asked, added: Helpers) -> bool:
    others = (_reads_alike, _asks_more_of_the_same, _looks_up_in_the_same, _looks_everywhere)
    if entails(old.literal, new.literal) or any(same(new, old) for same in others):
        return True
    folded = _folds(old) and not _folds(new) and not old.is_denied
    if folded or _takes_any(new, (old,)) or _tells_by_a_text(new, (old,)):
        return False
    if new.operator and new.operator == old.operator:
        return _compares_as_much(new, old)
    turned = new.is_denied is not old.is_denied and not any(map(names_the_bad, new.called ^ old.called))
    if turned and {new.operator, old.operator}.isdisjoint(("<", "<=")):
        return False
    if new.operator:
        return old.roots == new.roots and any(map(_is_agreeing, old.called))
    return _asks_by_a_function(new, old, added)


def _asks_more_of_the_same(new: _Asked, old: _Asked) -> bool:
    """The same comparison, each side of which mentions all that it did, and more: ``a < b`` and ``a < b + 30``."""
    if not new.operator or (new.operator, new.is_denied) != (old.operator, old.is_denied):
        return False
    further = new.called - old.called
    if further and (new.operator in ("<", "<=") or any(_TIDYING.isdisjoint(words(name)) for name in further)):
        return False
    sides = ((old.left, new.left), (old.right, new.right))
    return all(_asked(one).mentions <= _asked(other).mentions for one, other in sides)


def _folds(asked: _Asked) -> bool:
    """True for a comparison in which small and capital letters are alike."""
    return any(not _FOLDING.isdisjoint(words(name)) for name in asked.called)


def _reads_alike(new: _Asked, old: _Asked) -> bool:
    """The same names, texts and comparison, such as ``a.key`` and ``a["key"]``."""
    if (new.mentions, new.operator, new.is_denied) != (old.mentions, old.operator, old.is_denied):
        return False
    has_order = new.operator not in ("", "==", "!=")
    return not has_order or _asked(new.left).mentions == _asked(old.left).mentions


def _compares_as_much(new: _Asked, old: _Asked) -> bool:
    """The same comparison, of which one side stayed; the other is another list, or the same value in other words."""
    for kept, now, one, other in (
        (old.left, new.left, old.right, new.right),
        (old.right, new.right, old.left, new.left),
    ):
        if kept != now:
            continue
        if new.operator in ("in", "not in"):
            return kept == old.left
        was, came = _asked(one), _asked(other)
        if was.roots and was.roots <= came.roots:
            return new.operator in ("==", "!=") or was.mentions == came.mentions
        if not was.roots:
            return bool(was.constants) and bool(came.constants)
        specific = was.fixed - _TRIVIAL
        is_variable = not was.members and not was.called
        return is_variable and bool(specific) and specific <= came.fixed and bool(came.called)
    return False


def _looks_up_in_the_same(new: _Asked, old: _Asked) -> bool:
    """``key not in TABLE`` and ``not TABLE.get(other)``: both refuse what the table does not hold."""
    if old.operator != "not in" or not new.literal.startswith("!"):
        return False
    return old.right.isupper() and new.left.startswith(f"{old.right}.get(")


def _looks_everywhere(new: _Asked, old: _Asked) -> bool:
    """``MARK in name`` holds wherever ``name.startswith(MARK)`` does."""
    ends = ("startswith", "endswith", "startsWith", "endsWith")
    return new.operator == "in" and any(old.literal == f"{new.right}.{end}({new.left})" for end in ends)


def _asks_by_a_function(new: _Asked, old: _Asked, added: Helpers) -> bool:
    """A function is asked, handed all the variables that were asked about; one that is new looks at what was asked."""
    if new.left.startswith(old.literal.lstrip("!")) and not old.operator and new.called:
        return True  # one step more of the same: ``event()``, ``event().is_set()``
    come = new.called - old.called
    if not (come or old.called & new.called) or not (old.roots or old.constants & new.constants):
        return False
    gone = (old.members | old.constants) - new.mentions
    roots = set(old.roots - new.roots)
    if gone and not come:
        return False  # the same is looked up, and something else of it is asked
    for name in come & added.keys():
        named = frozenset().union(*(item.names | item.calls.keys() for item in added[name]))
        if (gone and named.isdisjoint(gone)) or not any(map(_decides, added[name])):
            return False
        roots -= named
    return not roots


def _decides(item: Mined) -> bool:
    """True for a function that compares something, or asks one that says so by its name."""
    return any(map(_is_agreeing, item.calls)) or bool(item.reading.of(ExprKind.COMPARE))


def _is_agreeing(name: str) -> bool:
    return not _AGREEING.isdisjoint(words(name))
