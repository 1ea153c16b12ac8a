"""At build time the shipped YAML is kept as JSON too, by the digest of its bytes: reading YAML takes ten times longer.

Run as a program (``python hatch_build.py``) it does the same for a checkout whose YAML has changed since.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import yaml

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run as a program where only the tool is installed
    BuildHookInterface = object  # type: ignore[assignment,misc]

EXAMPLES = ".examples.yml"
"""Only tests and `scaffold rules test` read these."""


def compile_folder(root: Path, name: str) -> Path:
    """Write what the YAML below `name` holds to the package's data, in one step; returns the file."""
    paths = (path for path in (root / name).rglob("*.yml") if not path.name.endswith(EXAMPLES))
    contents = [path.read_bytes() for path in sorted(paths)]
    parsed = {hashlib.sha256(data).hexdigest(): yaml.safe_load(data) for data in contents}
    target = root / "scaffold_cli" / "_data" / f"compiled-{name}.json"
    target.parent.mkdir(exist_ok=True)
    draft = target.with_suffix(".tmp")
    draft.write_text(json.dumps(parsed, separators=(",", ":")))
    return draft.replace(target)


class CompileHook(BuildHookInterface):  # type: ignore[type-arg]
    """Called by the build for a wheel and for an editable installation."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the files are collected."""
        for name in ("anchors", "rulesets"):
            compile_folder(Path(self.root), name)


if __name__ == "__main__":
    for folder in ("anchors", "rulesets"):
        compile_folder(Path(__file__).parent, folder)
