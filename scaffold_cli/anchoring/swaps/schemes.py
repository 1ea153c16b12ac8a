"""Addresses whose scheme no longer encrypts: ``https:`` became ``http:``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.swaps.looking import nodes
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.syntax.outline import ExprKind

_SCHEMES = {"https": "http", "ldaps": "ldap", "wss": "ws", "ftps": "ftp", "amqps": "amqp", "rediss": "redis",
            "mqtts": "mqtt", "smtps": "smtp", "imaps": "imap", "grpcs": "grpc"}  # fmt: skip
"""Encrypted schemes with their plain twins (IANA's list of URI schemes)."""
_LOCAL = ("localhost", "127.", "[::1]")


def plain_schemes(versions: Versions) -> Iterator[Shift]:
    """``"https://" + host`` became ``"http://" + host``."""
    old, new = _addresses(versions.before), _addresses(versions.after)
    for text in old - new:
        scheme, mark, rest = text.partition(":")
        if scheme not in _SCHEMES:
            continue
        twin = f"{_SCHEMES[scheme]}{mark}{rest}"
        if (new - old)[twin] and not rest.lstrip("/").startswith(_LOCAL):
            line = next(node.line for _, node in nodes(versions.before) if node.text == text)
            yield shift(repr(text), line, f"`{scheme}` encrypts", f"now {twin!r}", entry="transport")


def _addresses(item: Mined) -> Counter[str]:
    """Fixed texts that are a scheme of interest or begin with one, encrypted or not."""
    known = _SCHEMES.keys() | set(_SCHEMES.values())
    texts = (node.text for _, node in nodes(item) if node.kind is ExprKind.STRING)
    return Counter(text for text in texts if text.partition(":")[0] in known)
