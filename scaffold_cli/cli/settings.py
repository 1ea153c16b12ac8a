"""Settings the person who runs the command gives: they win over every configuration file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scaffold_cli.model.errors import UsageError
from scaffold_cli.model.verdict import LayerName, Waiver


def overrides(config: Path | None, **given: Any) -> dict[str, object]:
    """Dotted keys to values: those of the file `config`, then the options that were given.

    An option is named like its key with two underscores for the dot (`tests__command`); None was not given.
    Raises UsageError for a file that cannot be read or does not fit.
    """
    values: dict[str, object] = {}
    if config is not None:
        values.update(_from_file(config))
    for name, value in given.items():
        if value is not None:
            values[name.replace("__", ".").replace("_", "-")] = value
    return values


def layer_names(text: str | None) -> tuple[LayerName, ...] | None:
    """``tests,sast`` as layers; None when not given."""
    if text is None:
        return None
    words = [word.strip() for word in text.split(",") if word.strip()]
    valid = [name.value for name in LayerName]
    unknown = [word for word in words if word not in valid]
    if unknown or not words:
        raise UsageError(
            f"There is no layer {unknown[0]!r}." if unknown else "--layers names no layer.",
            f"Use one or more of: {', '.join(valid)}.",
        )
    return tuple(LayerName(word) for word in words)


def waivers(ids: Sequence[str], reasons: Sequence[str]) -> tuple[Waiver, ...]:
    """Each id with its reason; one reason may hold for all. Raises UsageError when they do not pair up."""
    if ids and not reasons:
        raise UsageError("--waive needs --reason.", "Say why the violation may pass: --waive ID --reason TEXT.")
    if reasons and not ids:
        raise UsageError("--reason needs --waive.", "Name the violation that may pass: --waive ID --reason TEXT.")
    if len(reasons) not in (1, len(ids)) and ids:
        raise UsageError(
            f"There are {len(ids)} --waive and {len(reasons)} --reason.", "Give one reason for each, or one for all."
        )
    if not all(reason.strip() for reason in reasons):
        raise UsageError("A --reason is empty.", "Say why the violation may pass.")
    paired = reasons if len(reasons) == len(ids) else [*reasons] * len(ids)
    return tuple(Waiver(name, reason.strip()) for name, reason in zip(ids, paired, strict=True))


def _from_file(path: Path) -> dict[str, object]:
    from scaffold_cli.config.source import read_source

    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"The configuration file {path} cannot be read: {error.strerror}.") from error
    # The absolute path makes the paths among its values absolute: they are relative to that file.
    source = read_source(path.absolute().as_posix(), data)
    if source is None:
        raise UsageError(f"{path} has no [tool.scaffold] table.")
    return {name: given.value for name, given in source.values.items()}
