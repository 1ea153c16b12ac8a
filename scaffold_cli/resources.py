"""Where the shipped data lives: `scaffold_cli/_data` in an installed wheel, the repository's folders in a checkout."""

from __future__ import annotations

from pathlib import Path

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
