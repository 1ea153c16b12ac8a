# ruff: noqa: E501 - tables read better on one line
"""Code that is built or run from another place than before, while what it was built from is still there."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from scaffold_cli.anchoring.declared.origins import FILES, Origin, origins
from scaffold_cli.anchoring.disarming.interface import Disarmed
from scaffold_cli.model.change import FileChange
from scaffold_cli.syntax.decoding import decode
from scaffold_cli.syntax.line_patterns import covers

_ROOTS = ("", "src/", "lib/")
_SUFFIXES = (
    "",
    ".py",
    ".js",
    ".ts",
    ".mjs",
    ".cjs",
    ".tsx",
    ".java",
    ".kt",
    ".go",
    "/__init__.py",
    "/index.js",
    "/index.ts",
)
_BUILT = re.compile(r"^(dist|build|out|target|public|lib|es|esm|cjs|umd)(/|$)")
_BY_DEFAULT = re.compile(
    r"package.dir|sourceDirectory|force-include|sources|backend|cmdclass|hooks|^replace |jest\.|paths|pythonpath|srcDir",
    re.IGNORECASE,
)
"""Keys that change where code is taken from even where they were not written before."""


def moved(pair: FileChange, paths: Callable[[], Sequence[str]]) -> Iterator[Disarmed]:
    """One for each origin of a file that leads elsewhere. `paths` gives all files after the change, none if unknown."""
    old, new = pair.before, pair.after
    if old is None or new is None or not covers(FILES, new.path):
        return
    text = decode(new.data)
    folder = new.path.rpartition("/")[0]
    before, after = _by_key(origins(old.path, decode(old.data))), _by_key(origins(new.path, text))
    for key, places in after.items():
        gone = [origin for origin in before.get(key, ()) if origin not in places]
        came = [origin for origin in places if origin not in before.get(key, ())]
        for origin in came:
            if _leads_elsewhere(key, gone, origin, before, folder, paths()):
                line = next((n for n, row in enumerate(text.split("\n"), 1) if origin.place.strip("./") in row), 1)
                what = f"{new.path} takes code from `{origin.place}` now, where `{key}` says where it comes from."
                yield Disarmed("source-moved", what, new.path, line, key)
                break


def _leads_elsewhere(
    key: str,
    gone: Sequence[Origin],
    origin: Origin,
    before: Mapping[str, Sequence[Origin]],
    folder: str,
    paths: Sequence[str],
) -> bool:
    if not origin.place:
        return False
    if origin.is_remote:
        is_other = any(not item.is_remote or _home(item) != _home(origin) for item in gone)
        return is_other or (key not in before and not key.startswith("dependency") and bool(_BY_DEFAULT.search(key)))
    if gone:
        return any(_there(item.place, folder, paths) for item in gone) and (
            _there(origin.place, folder, paths) or not _BUILT.match(origin.place.strip("./"))
        )
    return key not in before and bool(_BY_DEFAULT.search(key)) and _takes_from_another(origin, folder, paths)


def _home(origin: Origin) -> str:
    """An address without its version."""
    return re.sub(r"[@#?][^/]*$", "", origin.place)


def _takes_from_another(origin: Origin, folder: str, paths: Sequence[str]) -> bool:
    """A new entry whose place does not bear the name of what it stands for, while that is in the tree as well."""
    name = origin.key.rpartition(" ")[2].rpartition(".")[2].strip("^$")
    stands = origin.place.strip("./")
    if not paths or not _there(stands, folder, paths):
        return False
    if "force-include " in origin.key:
        return _there(origin.key.rpartition(" ")[2], folder, paths)
    if name in (
        "",
        "backend-path",
        "package-dir",
        "package_dir",
        "sources",
        "pythonpath",
        "sourceDirectory",
        "srcDir",
        "srcDirs",
    ):
        return stands not in (
            "src",
            "lib",
            "python",
            "src/main/java",
            "src/main/kotlin",
            "src/main/resources",
            "src/test/java",
            "src/main/python",
        )
    usual = {f"{root}{name}" for root in _ROOTS}
    return stands not in usual and any(_there(place, folder, paths) for place in usual)


def _there(place: str, folder: str, paths: Sequence[str]) -> bool:
    """True when the place, as a path or a dotted module, is in the tree; without a tree, always."""
    if not paths:
        return True
    plain = re.sub(r"\$\{[^}]*\}/?|<rootDir>/?", "", place.partition(":")[0]).strip("./").removesuffix("*").rstrip("/")
    names = {plain, plain.replace(".", "/")} if re.fullmatch(r"[\w.]+", plain) else {plain}
    starts = {
        f"{base}{root}{name}" for base in ("", f"{folder}/" if folder else "") for root in _ROOTS for name in names
    }
    files = {f"{start}{suffix}" for start in starts for suffix in _SUFFIXES}
    return not plain or any(path in files or path.startswith(tuple(f"{start}/" for start in starts)) for path in paths)


def _by_key(found: Iterator[Origin]) -> Mapping[str, list[Origin]]:
    keyed: dict[str, list[Origin]] = defaultdict(list)
    for origin in found:
        keyed[origin.key].append(origin)
    return keyed
