"""The search: what did the old side refuse that the new side accepts?"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from scaffold_cli import clock
from scaffold_cli.model.change import Change
from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.model.verdict import Violation
from scaffold_cli.sandbox.interface import Workspace
from scaffold_cli.witness.cases import Case, cases, merged
from scaffold_cli.witness.hints import attributes_of_self
from scaffold_cli.witness.running import Call, Runner, pythons, side_by_side
from scaffold_cli.witness.target import Sign, Target, targets
from scaffold_cli.witness.values import kinds, values

_MOST = 8
"""Functions searched for one change."""
_FURTHER = 150
"""Argument lists asked of hypothesis."""
_ACCIDENTS = frozenset(
    {"TypeError", "AttributeError", "NameError", "UnboundLocalError", "RecursionError", "MemoryError"}
)
"""What calls raise on arguments nobody meant them to get: no sign that something was refused."""
_REQUEST = 100_000
"""Bytes of a request (it is one argument of a command line)."""


@dataclass(frozen=True, slots=True)
class Sides:
    """How to open workspaces of both sides, and the words of the test command, whose Python is used."""

    before: Callable[[], Workspace]
    after: Callable[[], Workspace]
    command: Sequence[str] = ()


def with_witnesses(
    violations: Iterable[Violation], change: Change, sides: Sides, seconds: float
) -> tuple[Violation, ...]:
    """The same violations in the same order; `witness` is filled in where one was found within `seconds`.

    Only functions with a violation are run, in workspaces, and whatever they try to do to the world is stopped.
    Trouble of any foreseen kind only means that there is no witness.
    """
    given = tuple(violations)
    wanted = list(targets(given, change))[:_MOST] if seconds > 0 else []
    if not wanted:
        return given
    search = _Search(wanted, Runner(pythons(sides.command), clock.seconds() + seconds))
    with contextlib.suppress(UndecidedError), contextlib.ExitStack() as opened:
        before, after = side_by_side(sides.before, sides.after, opened.push)
        search.run(before, after)
    found = {wanted[number].violation: witness for number, witness in search.found.items()}
    return tuple(replace(item, witness=found.get(item.id, "")) for item in given)


class _Search:
    def __init__(self, wanted: Sequence[Target], runner: Runner) -> None:
        self.found: dict[int, str] = {}
        self._called: set[int] = set()
        """Functions that could be imported and called."""
        self._wanted = dict(enumerate(wanted))
        self._runner = runner

    def run(self, before: Workspace, after: Workspace) -> None:
        """Try our own argument lists on all functions, then those of hypothesis on what is left."""
        self._round(before, after, {number: cases(target) for number, target in self._wanted.items()})
        left = {number: self._wanted[number] for number in sorted(self._called - self.found.keys())}
        self._round(before, after, {number: self._further(before, target) for number, target in left.items()})

    def _further(self, workspace: Workspace, target: Target) -> list[Case]:
        columns = [{"kinds": kinds(hint), "known": values(hint)} for hint in merged(target)]
        return self._runner.further(workspace, columns, _FURTHER)

    def _round(self, before: Workspace, after: Workspace, tried: Mapping[int, list[Case]]) -> None:
        """What is found counts when it shows again in fresh processes, with no call before it."""
        first = self._compare(before, after, tried)
        sure = self._compare(before, after, {number: [old.case] for number, (old, _) in first.items()})
        for number, (old, new) in sure.items():
            steady = new.text == first[number][1].text
            self.found[number] = _sentence(self._wanted[number], old, new if steady else replace(new, text=""))

    def _compare(
        self, before: Workspace, after: Workspace, tried: Mapping[int, list[Case]]
    ) -> dict[int, tuple[Call, Call]]:
        """For each function the first argument list that the old side refuses and the new accepts."""
        old, new = side_by_side(
            lambda: self._runner.calls(before, self._requests(tried, old=True)),
            lambda: self._runner.calls(after, self._requests(tried, old=False)),
        )
        now = {(call.target, call.case): call for call in new}
        found: dict[int, tuple[Call, Call]] = {}
        for call in old:
            target, other = self._wanted.get(call.target), now.get((call.target, call.case))
            if target is None:
                continue
            self._called.add(call.target)
            if other is not None and _is_refusal(call, target) and _is_acceptance(other, call, target):
                found.setdefault(call.target, (call, other))
        return found

    def _requests(self, tried: Mapping[int, list[Case]], *, old: bool) -> list[dict[str, object]]:
        return [_request(number, self._wanted[number], given, old=old) for number, given in tried.items() if given]


def _request(number: int, target: Target, tried: list[Case], *, old: bool) -> dict[str, object]:
    function, source = (target.old, target.before) if old else (target.new, target.after)
    return {
        "number": number,
        "path": source.path,
        "symbol": function.name,
        "attributes": attributes_of_self(function),
        "cases": _fitting(tried),
    }


def _fitting(tried: list[Case]) -> list[Case]:
    size, kept = 0, []
    for case in tried:
        size += sum(map(len, case)) + 8 * len(case)
        if size > _REQUEST // _MOST:
            break
        kept.append(case)
    return kept


def _is_refusal(call: Call, target: Target) -> bool:
    """True when the old side refused, by the very protection that is in question."""
    first, last = target.refusal
    within = first <= call.line <= last
    by_accident = call.ended == "raised" and call.text in _ACCIDENTS
    if target.sign is Sign.KEPT_OUT:
        return call.line == 0 and call.ended in ("raised", "returned") and not by_accident
    if target.sign is Sign.RAISED:
        return within and call.ended == "raised" and not by_accident
    if target.sign is Sign.ENDED:
        return within and call.ended in ("raised", "returned")
    return within and call.ended == "returned" and call.truth is (target.sign is Sign.TRUE)


def _is_acceptance(call: Call, old: Call, target: Target) -> bool:
    """True when the new side lets the input pass: it answers, or gets as far as doing something to the world."""
    if target.sign in (Sign.FALSE, Sign.TRUE):
        return call.ended == "returned" and call.truth is (target.sign is Sign.FALSE)
    if any(first <= call.line <= last for first, last in target.refusals):
        return False
    if call.ended == "reached":
        return True
    return call.ended == "returned" and call.line > 0 and (old.ended == "raised" or call.text != old.text)


def _sentence(target: Target, old: Call, new: Call) -> str:
    now = "reaches" if new.ended == "reached" else "returns"
    call = f"{target.new.name}({new.args})"
    return " ".join(word for word in (call, old.ended, old.text, "before and", now, new.text, "now") if word)
