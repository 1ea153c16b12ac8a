"""Switches in files of settings: one with a security meaning that is turned the unsafe way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from scaffold_cli.syntax.line_patterns import without_comments

FILES = (
    *("*.json", "*.yaml", "*.yml", "*.toml", "*.ini", "*.cfg", "*.conf", "*.properties"),
    *("*.env", ".env*", "*.tfvars"),
)

_SWITCH = re.compile(
    r"(?<![\w.-])[\"']?(?P<key>[A-Za-z][\w.-]{1,60})[\"']?[ \t]*[:=][ \t]*[\"']?"
    r"(?P<value>true|false|yes|no|on|off|enabled|disabled|1|0)\b",
    re.IGNORECASE,
)
_ON = frozenset({"true", "yes", "on", "enabled", "1"})
_PROTECTS = re.compile(
    r"(verify|validate|check|enforce|require|force|strict)(tls|ssl|cert|https|host|peer|sign|auth|login|mfa|2fa|token|"
    r"origin|password|hash|integrity)"
    r"|(tls|ssl|cert|host|peer|signature|hostname)\w*(verify|verification|validation|check|required|enabled)"
    r"|^(cookie|session|sessioncookie)?(secure|httponly)$|(cookie|session)(secure|httponly)|csrf(protection|enabled|check)?$"
    r"|(auth|authentication|authorization|login|rbac|acl|mfa|audit|ratelimit|ratelimiting|sandbox|encryption|encrypt|"
    r"selinux|apparmor|firewall|hsts|autoescape)(is)?(enabled|required|on)?$|^(strictssl|rejectunauthorized|autoescape)$"
)
_EXPOSES = re.compile(
    r"^(debug|debugmode|appdebug|devmode)$|insecure|skip(tls|ssl|cert|host|auth|signature)?(verify|verification|check|auth)"
    r"|allow(all|anonymous|unsigned|untrusted|insecure|root)\w*|trustall|anonymousaccess|permitrootlogin"
    r"|permitemptypasswords|passwordauthentication|disable(auth|tls|ssl|verification|csrf|security)\w*"
)


def switched(before: str, after: str) -> Iterator[tuple[str, int]]:
    """(name, line from 1) of each switch that was safe before and of which there is an unsafe one more now."""
    had, has = _switches(before), _switches(after)
    safe_before = Counter(key for key, safe, _ in had if safe)
    unsafe_before = Counter(key for key, safe, _ in had if not safe)
    safe_after = Counter(key for key, safe, _ in has if safe)
    for key, number in Counter(key for key, safe, _ in has if not safe).items():
        if number > unsafe_before[key] and safe_after[key] < safe_before[key]:
            yield key, [line for name, safe, line in has if name == key and not safe][-1]


def _switches(text: str) -> list[tuple[str, bool, int]]:
    """(name, whether it is set the safe way, line) of every switch with a meaning for security."""
    found = []
    for match in _SWITCH.finditer(without_comments(text)):
        parts = [re.sub(r"[^a-z0-9]", "", part) for part in match["key"].lower().split(".")]
        names = (parts[-1], "".join(parts[-2:]))
        is_on, line = match["value"].lower() in _ON, text.count("\n", 0, match.start()) + 1
        if any(map(_EXPOSES.search, names)):
            found.append((match["key"], not is_on, line))
        elif any(map(_PROTECTS.search, names)):
            found.append((match["key"], is_on, line))
    return found
