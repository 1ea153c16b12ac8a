"""Unchanged helper files: what a changed file imports, read from the judged tree (never from disk)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.units import mine_file
from scaffold_cli.model.change import FileChange, FileVersion
from scaffold_cli.model.tree import Tree
from scaffold_cli.syntax.frontends import outline
from scaffold_cli.syntax.outline import Import, Language

Trees = tuple[Tree | None, Tree | None]

_MAX_FILES = 60
"""Unchanged files read for one change; a change that imports more is judged with the first of them."""
_MAX_BYTES = 1_000_000
"""Larger helper files (in bytes) are not read."""
_SOURCE_ROOTS = ("", "src/", "lib/", "src/main/java/")


def imported_units(files: Iterable[FileChange], side: str, tree: Tree | None, catalogue: Catalogue) -> list[Mined]:
    """The functions of unchanged files that the changed files of one side ("before" or "after") import."""
    if tree is None:
        return []
    changed = {version.path for pair in files for version in pair.sides}
    known = frozenset(tree.paths())
    units: list[Mined] = []
    wanted = dict.fromkeys(path for path in _imported(files, side, known) if path not in changed)
    for path in list(wanted)[:_MAX_FILES]:
        data = tree.read(path)
        if data is not None and len(data) <= _MAX_BYTES:
            units += mine_file(FileVersion(path, data), catalogue)
    return units


def _imported(files: Iterable[FileChange], side: str, known: frozenset[str]) -> Iterator[str]:
    for pair in files:
        version = pair.before if side == "before" else pair.after
        if version is None or not version.is_text:
            continue
        source = outline(version)
        for item in source.imports:
            for candidate in _candidates(item, version.path, source.language):
                if candidate in known:
                    yield candidate
                    break


def _candidates(item: Import, path: str, language: Language) -> Iterator[str]:
    """Paths a module may lie at, nearest first."""
    suffix = {Language.PYTHON: ".py", Language.JAVA: ".java"}.get(language)
    if suffix is None:
        return
    module = item.module.replace(".", "/")
    folder = PurePosixPath(path).parent
    for _ in range(max(0, item.level - 1)):
        folder = folder.parent
    roots = [f"{folder}/"] if item.level else [*_SOURCE_ROOTS, *_roots_of(path, module)]
    for root in roots:
        for name in (f"{module}/{item.name}" if module else item.name, module):
            if name:
                plain = f"{root}{name}".removeprefix("./")
                yield f"{plain}{suffix}"
                yield f"{plain}/__init__{suffix}"


def _roots_of(path: str, module: str) -> list[str]:
    """Folders above `path` whose name begins the module: where a package that imports itself has its root."""
    first = module.partition("/")[0]
    parts = PurePosixPath(path).parts
    return ["/".join(parts[:index]) + "/" for index, part in enumerate(parts) if part == first and index]
