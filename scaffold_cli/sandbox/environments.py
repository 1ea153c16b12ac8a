"""Installed dependencies inside a project: recognised by their marks, and whether they point back into it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

_SITE_PACKAGES = ("lib/python*/site-packages", "lib64/python*/site-packages", "Lib/site-packages")


def is_environment(folder: Path) -> bool:
    """True for a virtual environment (it holds `pyvenv.cfg`) and for installed node packages."""
    return (folder / "pyvenv.cfg").is_file() or (folder.name == "node_modules" and folder.is_dir())


def environments(root: Path) -> tuple[Path, ...]:
    """The environments directly in `root`, by name."""
    return tuple(sorted(child for child in root.iterdir() if is_environment(child)))


def editable_installs(root: Path) -> tuple[str, ...]:
    """What, in the virtual environments of `root`, makes Python import code from `root` itself.

    Returns the names of the `.pth` and `direct_url.json` files that do, relative to `root`.
    """
    resolved = root.resolve()
    found = []
    for environment in environments(root):
        for site in (match for pattern in _SITE_PACKAGES for match in environment.glob(pattern)):
            found += [path for path in site.glob("*.pth") if _points_into(_pth_lines(path), resolved)]
            found += [path for path in site.glob("*/direct_url.json") if _points_into(_editable_url(path), resolved)]
    return tuple(sorted({path.relative_to(root).as_posix() for path in found}))


def _points_into(places: Iterator[str], root: Path) -> bool:
    return any(Path(place).resolve().is_relative_to(root) for place in places)


def _pth_lines(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if line.strip() and not line.startswith(("import ", "import\t", "#")):
            yield str(path.parent / line.strip())


def _editable_url(path: Path) -> Iterator[str]:
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        url = urlsplit(record["url"]) if record["dir_info"].get("editable") else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return  # not a record pip wrote, so it makes nothing editable
    if url is not None and url.scheme == "file":
        yield unquote(url.path)
