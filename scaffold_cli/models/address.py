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
PLAIN_HTTP = "SCAFFOLD_ALLOW_PLAIN_HTTP"
"""Set to 1, it lets code and key go over http to another machine."""
NO_KEY = "none"
"""Sent where a server on this machine asks for no key."""


@dataclass(frozen=True, slots=True)
class Address:
    """An endpoint. The key never shows in a representation."""

    model: str
    base_url: str | None
    """None is the SDK's own default."""
    key: str = field(repr=False, default=NO_KEY)

    @property
    def shown(self) -> str:
        """The address for people: without a password or a query, which may hold a key."""
        return _shown(self.base_url) if self.base_url else "the default address"

    @property
    def is_loopback(self) -> bool:
        """Whether it is on this machine."""
        return self.base_url is not None and _is_loopback(self.base_url)


def from_environment(model: str = "", environment: Mapping[str, str] | None = None) -> Address:
    """The address in the environment; `model` wins over `SCAFFOLD_MODEL`.

    Raises UsageError when there is no model, no key for a server elsewhere, or the way there can be read by others.
    """
    values = os.environ if environment is None else environment
    name = model or _first(values, _MODEL)
    if not name:
        raise UsageError("No model is named.", "Write --with model:NAME or set SCAFFOLD_MODEL.")
    url = _first(values, _URL) or None
    if url is not None and not url.startswith(("http://", "https://")):
        raise UsageError(
            f"{_shown(url)!r} is no address of a model.", "Set SCAFFOLD_BASE_URL to one like http://127.0.0.1:8080/v1."
        )
    if url is not None and url.startswith("http://") and not _is_loopback(url) and values.get(PLAIN_HTTP) != "1":
        raise UsageError(
            f"{_shown(url)} is on another machine, and over http anyone on the way can read the code and the key.",
            f"Use https, or set {PLAIN_HTTP}=1 where you trust the network.",
        )
    # The vendor's key goes to the vendor's address, or to the one that is set for it; to no other.
    own = bool(values.get(_URL[0]))
    key = _first(values, _KEY[:1] if own else _KEY) or _from_keyring(url or "default")
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
    from ipaddress import ip_address
    from urllib.parse import urlsplit

    try:
        host = urlsplit(url).hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _shown(url: str) -> str:
    head, _, rest = url.partition("?")[0].rpartition("@")
    return f"{head.partition('://')[0]}://{rest}" if head else rest


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
