"""Which model at which address with which key: from the environment or the keyring, never from a repository."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from scaffold_cli.model.errors import UsageError

_URL = ("SCAFFOLD_BASE_URL", "OPENAI_BASE_URL")
_MODEL = ("SCAFFOLD_MODEL",)
_KEY = ("SCAFFOLD_API_KEY", "OPENAI_API_KEY")
_SERVICE = "scaffold"
NO_KEY = "none"
"""Sent where a server on this machine asks for no key."""


@dataclass(frozen=True, slots=True)
class Address:
    """An endpoint. The key never shows in a representation."""

    model: str
    base_url: str | None
    """None is the SDK's own default."""
    key: str = field(repr=False, default=NO_KEY)


def from_environment(model: str = "", environment: Mapping[str, str] | None = None) -> Address:
    """The address in the environment; `model` wins over `SCAFFOLD_MODEL`.

    Raises UsageError when there is no model, or no key for a server elsewhere.
    """
    values = os.environ if environment is None else environment
    name = model or _first(values, _MODEL)
    if not name:
        raise UsageError("No model is named.", "Write --with model:NAME or set SCAFFOLD_MODEL.")
    url = _first(values, _URL) or None
    if url is not None and not url.startswith(("http://", "https://")):
        raise UsageError(
            f"{url!r} is no address of a model.", "Set SCAFFOLD_BASE_URL to one like http://127.0.0.1:8080/v1."
        )
    key = _first(values, _KEY) or _from_keyring(url or "default")
    if not key:
        if url is None or not _is_loopback(url):
            raise UsageError(
                "There is no key for the model.",
                "Set SCAFFOLD_API_KEY, or store one in your keyring: keyring set scaffold ADDRESS.",
            )
        key = NO_KEY
    return Address(name, url, key)


def _first(values: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((values[name] for name in names if values.get(name)), "")


def _is_loopback(url: str) -> bool:
    from urllib.parse import urlsplit

    host = urlsplit(url).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")


def _from_keyring(address: str) -> str:
    """The key in the user's keyring, where the `keyring` package is installed; empty otherwise."""
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return ""
    try:
        return keyring.get_password(_SERVICE, address) or ""
    except KeyringError:
        return ""
