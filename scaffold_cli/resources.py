"""Where the shipped data lives: `scaffold_cli/_data` in an installed wheel, the repository's folders in a checkout."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from scaffold_cli.model.errors import InternalFaultError

_PACKAGE = Path(__file__).resolve().parent


def data_folder(name: str) -> Path:
    """The folder of shipped data called `name` ("anchors" or "rulesets").

    Raises InternalFaultError when the installation lacks it.
    """
    for root in (_PACKAGE / "_data", _PACKAGE.parent):
        folder = root / name
        if folder.is_dir():
            return folder
    raise InternalFaultError(f"The installation lacks its {name} data.", "Reinstall scaffold-cegis.")


def compiled(name: str, data: bytes) -> Any | None:
    """What these bytes of shipped YAML below `name` hold, kept as JSON when the package was built; None if unknown."""
    return _compiled(name).get(hashlib.sha256(data).hexdigest())


@cache
def _compiled(name: str) -> dict[str, Any]:
    try:
        kept = json.loads((_PACKAGE / "_data" / f"compiled-{name}.json").read_bytes())
    except (OSError, ValueError):
        return {}
    return kept if isinstance(kept, dict) else {}
