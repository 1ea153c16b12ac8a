"""Signs in what an edit stands in: what is no longer asked, called and named, and what changed functions are about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.matching import Matching
from scaffold_cli.anchoring.suspicion.vocabulary import Vocabulary
from scaffold_cli.anchoring.values.edits import UnitEdits, plain
from scaffold_cli.syntax.outline import Expr, ExprKind, StmtKind

AROUND = "around: "
"""What a sign begins with that is no part of the change itself."""
_LOGIC = frozenset({ExprKind.AND, ExprKind.OR, ExprKind.NOT})


def count_context(edited: Sequence[UnitEdits], matching: Matching, vocabulary: Vocabulary, signs: Counter[str]) -> None:
    """Add what the changed functions, taken together, do no longer or newly, and what they are about."""
    old = [*(item.before for item in edited), *matching.removed]
    new = [*(item.after for item in edited), *matching.added]
    sides = _names(old), _names(new)
    everywhere = [one for one, _ in matching.pairs], [other for _, other in matching.pairs]
    all_old, all_new = _names([*everywhere[0], *matching.removed]), _names([*everywhere[1], *matching.added])
    _count_names("name", *sides, (all_old, all_new), vocabulary, signs)
    _count_names("callee", _calls(old), _calls(new), (all_old, all_new), vocabulary, signs)
    for what, count in (("text", _texts), ("question", _questions)):
        before, after = count(old), count(new)
        _count(what, before.keys() - after.keys(), after.keys() - before.keys(), signs)
        _count(f"repeated {what}", _rarer(before, after), _rarer(after, before), signs)
    _count_functions(matching.removed, "-", all_old, signs)
    _count_functions(matching.added, "+", all_new, signs)
    for item in edited:
        _count_heads(item, signs)
        _count_around(item.before, vocabulary, signs)


def _count(what: str, gone: Iterable[str], come: Iterable[str], signs: Counter[str]) -> None:
    signs[f"-{what}"] += sum(1 for _ in gone)
    signs[f"+{what}"] += sum(1 for _ in come)


def _rarer(one: Counter[str], other: Counter[str]) -> Iterator[str]:
    """What both have, and the second less often."""
    return (key for key, count in one.items() if 0 < other[key] < count)


_Pair = tuple[Counter[str], Counter[str]]


def _count_names(
    what: str, old: Counter[str], new: Counter[str], everywhere: _Pair, vocabulary: Vocabulary, signs: Counter[str]
) -> None:
    """Names used less and names used more, apart by whether the changed files know them still, or did before."""
    all_old, all_new = everywhere
    for side, more, less, others in (("-", old, new, all_new), ("+", new, old, all_old)):
        for name in (key for key, count in more.items() if count > less[key]):
            how = what if others[name] == 0 else f"repeated {what}"
            signs[f"{side}{how}"] += 1
            signs[f"{side}protective {how}"] += vocabulary.is_protective(name)


def _names(items: Iterable[Mined]) -> Counter[str]:
    """In how many of the units each name is."""
    return Counter(name for item in items for name in item.names)


def _calls(items: Iterable[Mined]) -> Counter[str]:
    found: Counter[str] = Counter()
    for item in items:
        found.update(item.calls)
    return found


def _texts(items: Iterable[Mined]) -> Counter[str]:
    return Counter(node.text for item in items for node in item.reading.of(ExprKind.STRING))


def _questions(items: Iterable[Mined]) -> Counter[str]:
    """What conditions ask, taken apart at every and, or, not."""
    tests = (test for item in items for test in _tests(item))
    return Counter(plain(part) for test in tests for part in _apart(test))


def _tests(item: Mined) -> Iterator[Expr]:
    for statement in item.reading.statements:
        loops = statement.kind is StmtKind.LOOP and statement.text != "for"
        if loops or statement.kind in (StmtKind.IF, StmtKind.ASSERT):
            yield from statement.exprs


def _apart(test: Expr) -> Iterator[Expr]:
    if test.kind in _LOGIC:
        for part in test.parts:
            yield from _apart(part)
    else:
        yield test


def _count_functions(items: Iterable[Mined], side: str, names: Counter[str], signs: Counter[str]) -> None:
    """Functions on one side only, apart by whether the changed files use them."""
    for item in items:
        if item.unit.function is not None:
            used = "used" if names[item.unit.short_name] else "unused"
            signs[f"{side}{used} function"] += 1
            signs[f"{side}line of {used} functions"] += item.unit.end_line - item.unit.line + 1


def _count_heads(item: UnitEdits, signs: Counter[str]) -> None:
    old, new = item.before.unit.function, item.after.unit.function
    if old is None or new is None:
        return
    params, params_new = ({param.name for param in side.params} for side in (old, new))
    _count("parameter", params - params_new, params_new - params, signs)
    marks, marks_new = (set(map(plain, side.decorators)) for side in (old, new))
    _count("decorator", marks - marks_new, marks_new - marks, signs)


def _count_around(item: Mined, vocabulary: Vocabulary, signs: Counter[str]) -> None:
    signs[f"{AROUND}statement"] += len(item.reading.statements)
    for name in item.names:
        signs.update(AROUND + sign for sign in vocabulary.of_name(name))
    if item.unit.function is not None:
        name = item.unit.short_name
        signs[f"{AROUND}protective function"] += vocabulary.is_protective(name) or vocabulary.is_refusing(name)
