"""Headers written as text: flags of cookies, content security policies, framing, origins, transport."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold_cli.anchoring.swaps.texts import Text, edited
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift

_DIRECTIVE = re.compile(r"\b[a-z]+-(?:src|ancestors|uri|action)\b|\bdefault-src\b", re.IGNORECASE)
_HEADER = re.compile(r"^\s*content-security-policy[\w-]*\s*:\s*")
_WEAK_SOURCES = frozenset(
    {"'unsafe-inline'", "'unsafe-eval'", "'unsafe-hashes'", "*", "data:", "http:", "https:", "blob:"}
)
_RUNS = ("default-src", "script-src", "style-src", "worker-src", "object-src")
"""Directives about what is run or styles; elsewhere ``'unsafe-inline'`` and its like mean nothing."""
_MAX_AGE = re.compile(r"max-age\s*=\s*(\d+)")
_SAME_SITE = {"none": 0, "lax": 1, "strict": 2}
_ORDERS: dict[str, tuple[frozenset[str], ...]] = {
    "x-frame-options": (frozenset({"allowall", "allow", ""}), frozenset({"sameorigin"}), frozenset({"deny"})),
    "access-control-allow-credentials": (frozenset({"true"}), frozenset({"false", ""})),
    "x-content-type-options": (frozenset({"", "sniff", "none"}), frozenset({"nosniff"})),
    "referrer-policy": (
        frozenset({"unsafe-url"}),
        frozenset({"no-referrer-when-downgrade", "origin-when-cross-origin"}),
        frozenset({"origin", "strict-origin", "strict-origin-when-cross-origin", "same-origin", "no-referrer"}),
    ),
    "cross-origin-opener-policy": (
        frozenset({"unsafe-none"}),
        frozenset({"same-origin-allow-popups"}),
        frozenset({"same-origin"}),
    ),
    "cross-origin-resource-policy": (frozenset({"cross-origin"}), frozenset({"same-site"}), frozenset({"same-origin"})),
    "cross-origin-embedder-policy": (frozenset({"unsafe-none"}), frozenset({"credentialless", "require-corp"})),
}
"""Values of headers from weak to strong (MDN, OWASP Secure Headers)."""
_TYPES = frozenset({"content-type", "mimetype", "media-type"})
_INERT = frozenset({"text/plain", "application/json", "application/octet-stream"})
_ACTIVE = frozenset({"text/html", "image/svg+xml", "application/xhtml+xml"})
"""Types that browsers run scripts of."""
_ANYBODY = frozenset({"*", "null"})


def weaker_headers(versions: Versions) -> Iterator[Shift]:
    """A header's text that protects less than before."""
    for old, new in edited(versions.before, versions.after):
        if new is None:
            continue
        how = _cookie(old.text, new.text) or _policy(old.text, new.text) or _named(old, new)
        if how:
            yield shift(old.text.strip(), old.line, "it tells browsers what to refuse", how, entry="security-headers")


def _cookie(old: str, new: str) -> str:
    one, other = _flags(old), _flags(new)
    if not one.keys() & {"httponly", "secure", "samesite"} or ";" not in old:
        return ""
    for flag in ("httponly", "secure"):
        if flag in one and flag not in other:
            return f"without {flag}"
    if _SAME_SITE.get(other.get("samesite", ""), 1) < _SAME_SITE.get(one.get("samesite", ""), 1):
        return "sent along from other sites"
    return ""


def _flags(text: str) -> dict[str, str]:
    """``a=b; Secure; SameSite=Lax`` as names with values, in small letters."""
    pieces = (piece.strip().lower().partition("=") for piece in text.split(";"))
    return {name: value for name, _, value in pieces}


def _policy(old: str, new: str) -> str:
    if not _DIRECTIVE.search(old):
        return ""
    one, other = _directives(old), _directives(new)
    for name, sources in one.items():
        now = other.get(name)
        if now is None:
            if not name.endswith("-src") or "default-src" not in other:
                return f"without {name}"
            now = other["default-src"]
        loose = (now - sources) & _WEAK_SOURCES
        if not name.startswith(_RUNS):
            loose = frozenset(source for source in loose if not source.startswith("'unsafe-"))
        if loose:
            return f"{name} now lets in {min(loose)}"
    return ""


def _directives(text: str) -> dict[str, frozenset[str]]:
    found = {}
    for piece in _HEADER.sub("", text.lower()).split(";"):
        parts = piece.split()
        if parts and _DIRECTIVE.fullmatch(parts[0]):
            found[parts[0]] = frozenset(parts[1:])
    return found


def _named(old: Text, new: Text) -> str:
    name = new.name.replace("_", "-")
    one, other = old.text.strip().lower(), new.text.strip().lower()
    if name.removeprefix("http-") == "strict-transport-security" or "includesubdomains" in one:
        return _transport(one, other)
    if name == "access-control-allow-origin":
        return "now for everybody" if other in _ANYBODY and one not in _ANYBODY else ""
    if name == "cache-control" and "no-store" in one and "no-store" not in other:
        return "now kept by caches"
    if name in _TYPES and one.partition(";")[0] in _INERT and other.partition(";")[0] in _ACTIVE:
        return f"now {new.text}"
    order = _ORDERS.get(name, ())
    ranks = [next((rank for rank, values in enumerate(order) if text in values), None) for text in (one, other)]
    return f"now {new.text}" if ranks[0] is not None and ranks[1] is not None and ranks[1] < ranks[0] else ""


def _transport(one: str, other: str) -> str:
    ages = [int(found[1]) if (found := _MAX_AGE.search(text)) else 0 for text in (one, other)]
    if ages[1] < ages[0]:
        return f"for {ages[1]} seconds only"
    return "without subdomains" if "includesubdomains" in one and "includesubdomains" not in other else ""
