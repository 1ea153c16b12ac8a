"""All looks at declared protections over a change."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from scaffold_cli.anchoring.declared import flags
from scaffold_cli.anchoring.declared.left_out import left_out
from scaffold_cli.anchoring.declared.marks import MARKS
from scaffold_cli.anchoring.declared.moved import moved
from scaffold_cli.anchoring.declared.policies import POLICIES
from scaffold_cli.anchoring.declared.rule import DOCKERFILES, TEMPLATES, Rule
from scaffold_cli.anchoring.declared.rules import RULES
from scaffold_cli.anchoring.declared.versions import lowered
from scaffold_cli.anchoring.disarming.interface import Disarmed
from scaffold_cli.model.change import Change, FileChange, FileVersion
from scaffold_cli.syntax.decoding import decode
from scaffold_cli.syntax.line_patterns import covers, found, line_of, newest, without_comments
from scaffold_cli.syntax.roles import is_test_file

_USER = re.compile(r"^\s*USER\s+(\S+)", re.MULTILINE | re.IGNORECASE)
_SHOWN = re.compile(r"\{\{-?\s*(?P<value>[^{}|]+?)\s*(?P<filters>\|[^{}]*)?-?\}\}")
_RAW = re.compile(r"\|\s*(safe|raw)\b")


def declared(change: Change, paths: Callable[[], Sequence[str]] = tuple) -> Iterator[Disarmed]:
    """Every declared protection that a file had and the change takes or turns round; tests are left out.

    `paths` gives all files after the change; none when they are not known.
    """
    for pair in change.files:
        if any(
            side is not None and (not side.is_text or is_test_file(side.path)) for side in (pair.before, pair.after)
        ):
            continue
        yield from _by_rule(pair, change)
        if pair.before is not None and pair.after is not None:
            yield from _by_look(pair, paths)


def _by_rule(pair: FileChange, change: Change) -> Iterator[Disarmed]:
    before, after = _text(pair.before), _text(pair.after)
    for rule in (*RULES, *MARKS, *POLICIES):
        known = (rule.added or pair.before is not None) and (rule.removed or pair.after is not None)
        line = _broken(rule, before, after) if known and covers(rule.files, pair.path) else 0
        if line and not (rule.moves and _kept_elsewhere(rule, change)):
            yield Disarmed(rule.code, f"{pair.path} {rule.what}.", pair.path, line, rule.what)


def _by_look(pair: FileChange, paths: Callable[[], Sequence[str]]) -> Iterator[Disarmed]:
    path, before, after = pair.path, _text(pair.before), _text(pair.after)
    if covers(flags.FILES, path):
        for name, line in flags.switched(before, after):
            yield Disarmed("setting-turned", f"{path} turns `{name}` the unsafe way.", path, line, name)
        for name, line in flags.loosened(before, after):
            yield Disarmed("limit-loosened", f"{path} loosens `{name}`.", path, line, name)
    yield from left_out(pair)
    yield from moved(pair, paths)
    yield from lowered(pair)
    if covers(DOCKERFILES, path):
        yield from _as_root(path, before, after)
    if covers(TEMPLATES, path):
        yield from _unescaped(path, before, after)


def _broken(rule: Rule, before: str, after: str) -> int:
    """The line after the change that shows it (1 where something is gone), or 0."""
    came = newest(rule.more, before, after) if rule.more is not None else 0
    if rule.fewer is None:
        return came
    less = sum(found(rule.fewer, after).values()) < sum(found(rule.fewer, before).values())
    if rule.more is None:
        return (line_of(rule.fewer, after) or 1) if less else 0
    gone = bool(found(rule.fewer, before) - found(rule.fewer, after))
    return came if gone and came else 0


def _kept_elsewhere(rule: Rule, change: Change) -> bool:
    """True when what is gone here has come into another file that the change touches as well."""
    if rule.fewer is None:
        return False
    had = sum((found(rule.fewer, _text(each.before)) for each in change.files), Counter[str]())
    has = sum((found(rule.fewer, _text(each.after)) for each in change.files), Counter[str]())
    return not had - has


def _text(version: FileVersion | None) -> str:
    return decode(version.data) if version is not None and version.is_text else ""


def _as_root(path: str, before: str, after: str) -> Iterator[Disarmed]:
    had, has = (_USER.findall(without_comments(text)) for text in (before, after))
    roots = ("root", "0", "root:root", "0:0")
    if had and had[-1].lower() not in roots and (not has or has[-1].lower() in roots):
        what = f"{path} runs its program as root; it ran as {had[-1]}."
        yield Disarmed("container-privileges", what, path, line_of(_USER, after) or 1, "user")


def _unescaped(path: str, before: str, after: str) -> Iterator[Disarmed]:
    escaped = {match["value"] for match in _SHOWN.finditer(before) if not _RAW.search(match["filters"] or "")}
    known = found(_SHOWN, before)
    for match in _SHOWN.finditer(after):
        is_new = " ".join(match[0].split()) not in known
        if is_new and _RAW.search(match["filters"] or "") and match["value"] in escaped:
            line = after.count("\n", 0, match.start()) + 1
            what = f"{path} writes `{match['value']}` into the page as it is; it was escaped."
            yield Disarmed("output-unescaped", what, path, line, match["value"])
