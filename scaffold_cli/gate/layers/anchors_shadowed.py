"""Files of a change that are found before others of the same name: what is imported is no longer what was judged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from scaffold_cli.gate.layers.anchors_unread import undecided
from scaffold_cli.model.change import Change, FileStatus
from scaffold_cli.model.tree import Tree
from scaffold_cli.model.verdict import Violation

_COMPILED = re.compile(
    r"\.(py[co]|pyd|so(\.\d+)*|dll|dylib|node|wasm|class|jar|war|ear|exe|o|a|obj|lib)$", re.IGNORECASE
)
_ROOTS = ("", "src", "lib")
"""Folders that Python usually looks into."""
_LIBRARY = re.compile(
    r"(^|/)node_modules/|(^|/)java/(java|javax|jdk|sun|jakarta)/|(^|/)vendor/(crypto|net|os|io|html|encoding|hash|math|path|"
    r"strings|bytes|errors|time|reflect|regexp|text|archive|compress|database|mime|sync|unicode|internal)/"
)
"""Where a file takes the place of one of a library or of the language itself."""
_IMPORT = r"^[ \t]*(?:from|import)[ \t]+(?:[\w., \t]+,[ \t]*)?%s\b"


def shadowed(change: Change, before: Tree | None, after: Tree | None) -> Iterator[Violation]:
    """Compiled code, a package beside a module of the same name, and a module named like a library that is imported."""
    known = frozenset(before.paths()) if before is not None else frozenset()
    there = frozenset(after.paths()) if after is not None else frozenset()
    for pair in change.files:
        new = pair.after
        if new is None:
            continue
        if pair.status is FileStatus.ADDED and _LIBRARY.search(new.path):
            what = f"{new.path} is new, and is found in the place of a library."
            yield undecided(new.path, "module-shadowed", what, "Let the package manager install libraries.")
        elif _COMPILED.search(new.path):
            what = f"{new.path} is compiled code, which cannot be read here."
            yield undecided(new.path, "compiled-code", what, "Leave compiled code out of the repository, or judge it.")
        elif pair.status is FileStatus.ADDED and new.path.endswith(".py"):
            yield from _module(new.path, known, there, before)


def _module(path: str, known: frozenset[str], there: frozenset[str], before: Tree | None) -> Iterator[Violation]:
    place = PurePosixPath(path)
    package = place.name == "__init__.py"
    name = place.parent if package else place.with_suffix("")
    beside = f"{name}.py"
    if package and beside in there and beside in known:
        what = f"The new package {name}/ is imported in the place of {beside}, which is still there."
        yield undecided(path, "module-shadowed", what, "Give the package a name of its own, or remove the module.")
        return
    parent = "" if str(name.parent) == "." else str(name.parent)
    if parent not in _ROOTS or before is None or _is_ours(name.name, known):
        return
    user = _imported_by(name.name, sorted(item for item in known if item.endswith(".py")), before)
    if user is not None:
        what = f"{path} is new, and `{name.name}`, which {user} imports from elsewhere, may lead to it now."
        yield undecided(path, "module-shadowed", what, "Give the module a name that no library has.")


def _is_ours(name: str, known: frozenset[str]) -> bool:
    """True when a module or package of this name was part of the project before."""
    starts = tuple(f"{root}/{name}" if root else name for root in _ROOTS)
    return any(path.startswith(tuple(f"{start}/" for start in starts)) or path[:-3] in starts for path in known)


def _imported_by(name: str, paths: Sequence[str], tree: Tree) -> str | None:
    pattern = re.compile(_IMPORT % re.escape(name), re.MULTILINE)
    for path in paths:
        text = (tree.read(path) or b"").decode("utf-8", "replace")
        if pattern.search(text):
            return path
    return None
