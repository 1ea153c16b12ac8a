"""The SAST delta (SCAFFOLD-CEGIS gate layer 2): which findings a change brings, which it removes.

For each severity s, with F_s the multiset of fingerprints: new_s = sum over f of
max(0, count(f in F_s(after)) - count(f in F_s(before))). Severities never cancel each other out, and a swap of
one finding for another is new. Before counting, the findings that a plain move or renaming carries along are
paired, because they are the same defect in the same code:

* moved: same rule and code, and the code went along with its symbol: the old symbol is gone and the new one was not
  there (a renamed function, a split file), or a new symbol is used by the old one (an extracted helper), or a symbol
  that is gone was used by the new one (an inlined helper). Between two symbols that exist on both sides nothing moves.
* renamed: same rule and symbol, and the code differs only in variables, each old one gone from the symbol and
  each new one not there before.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from scaffold_cli.model.finding import Finding
from scaffold_cli.sast.source import Side

_VARIABLE = re.compile(r"[^\W\d]\w*")
Pair = tuple[Finding, Finding]


@dataclass(frozen=True, slots=True)
class Delta:
    """Every finding of both sides, exactly once: in a pair of `kept`, in `new` or in `fixed`."""

    new: tuple[Finding, ...]
    fixed: tuple[Finding, ...]
    kept: tuple[Pair, ...]


def compare(before: Sequence[Finding], after: Sequence[Finding], old: Side, new: Side) -> Delta:
    """Pair the findings of two sides; `old` and `new` say what else exists on each side."""
    kept, before, after = _pair(before, after, lambda item: (item.severity, item.fingerprint), _always)
    moved, before, after = _pair(before, after, _regardless_of_place, _Moved(old, new))
    renamed, before, after = _pair(before, after, _regardless_of_code, _Renamed(old, new))
    return Delta(tuple(after), tuple(before), (*kept, *moved, *renamed))


def _pair(
    before: Iterable[Finding],
    after: Iterable[Finding],
    key: Callable[[Finding], Hashable],
    same: Callable[[Finding, Finding], bool],
) -> tuple[list[Pair], list[Finding], list[Finding]]:
    """Pair greedily in the order given: (pairs, rest of before, rest of after)."""
    waiting: dict[Hashable, list[Finding]] = defaultdict(list)
    for finding in before:
        waiting[key(finding)].append(finding)
    pairs: list[Pair] = []
    rest: list[Finding] = []
    for finding in after:
        candidates = waiting[key(finding)]
        partner = next((candidate for candidate in candidates if same(candidate, finding)), None)
        if partner is None:
            rest.append(finding)
        else:
            candidates.remove(partner)
            pairs.append((partner, finding))
    return pairs, [finding for left in waiting.values() for finding in left], rest


def _always(_before: Finding, _after: Finding) -> bool:
    return True


def _regardless_of_place(finding: Finding) -> Hashable:
    return finding.severity, finding.rule, finding.fingerprint.code


def _regardless_of_code(finding: Finding) -> Hashable:
    return finding.severity, finding.rule, finding.fingerprint.path, finding.fingerprint.symbol


@dataclass(frozen=True, slots=True)
class _Moved:
    old: Side
    new: Side

    def __call__(self, before: Finding, after: Finding) -> bool:
        source = before.fingerprint.path, before.fingerprint.symbol
        target = after.fingerprint.path, after.fingerprint.symbol
        is_gone, is_new = source not in self.new.symbols, target not in self.old.symbols
        if is_gone and is_new:
            return True
        if is_new:
            return _name(*target) in self.new.names_in(*source)
        return is_gone and _name(*source) in self.old.names_in(*target)


def _name(path: str, symbol: str) -> str:
    """What other code calls a symbol; a module goes by its file name."""
    return symbol.rpartition(".")[2] or PurePosixPath(path).stem


@dataclass(frozen=True, slots=True)
class _Renamed:
    old: Side
    new: Side

    def __call__(self, before: Finding, after: Finding) -> bool:
        renames = _renames(before.fingerprint.code, after.fingerprint.code)
        if not renames:
            return False
        where = before.fingerprint.path, before.fingerprint.symbol
        there, here = self.old.names_in(*where), self.new.names_in(*where)
        return all(new not in there and old not in here for old, new in renames.items())


def _renames(before: Sequence[str], after: Sequence[str]) -> dict[str, str]:
    """The one-to-one renaming of variables that turns one token list into the other; empty when there is none."""
    if len(before) != len(after):
        return {}
    renames: dict[str, str] = {}
    for index, (old, new) in enumerate(zip(before, after, strict=True)):
        if old != new and not (_is_variable(before, index) and _is_variable(after, index)):
            return {}
        if renames.setdefault(old, new) != new:
            return {}
    renames = {old: new for old, new in renames.items() if old != new}
    return renames if len(set(renames.values())) == len(renames) else {}


def _is_variable(tokens: Sequence[str], index: int) -> bool:
    """A name that is no attribute, no called function and no keyword of an argument."""
    if not _VARIABLE.fullmatch(tokens[index]):
        return False
    previous = tokens[index - 1] if index else ""
    following = tokens[index + 1] if index + 1 < len(tokens) else ""
    return previous != "." and following not in ("(", "=")
