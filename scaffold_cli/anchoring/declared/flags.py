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
_NUMBER = re.compile(
    r"(?<![\w.-])[\"']?(?P<key>[A-Za-z][\w.-]{1,60})[\"']?[ \t]*[:=][ \t]*[\"']?(?P<value>-?\d+(?:\.\d+)?)\b(?![.\w])"
)
_SECTION = re.compile(r"^\s*\[+([\w.:-]+)\]+\s*$")
_PARENT = re.compile(r"^([ \t]*)[\"']?([\w.-]+)[\"']?[ \t]*:[ \t]*\{?[ \t]*$")
_GUARDS = re.compile(
    r"rate|throttl|attempt|lockout|session|token|passw|otp|login|cookie|jwt|captcha|bcrypt|argon|pbkdf|hash(ing)?(rounds|cost|iter)"
)
_MORE_IS_SAFER = re.compile(
    r"min(imum)?(length|len|size|chars|score)|length$|rounds|iterations|cost$|bits|keysize|entropy|lockout(time|duration|minutes|seconds)|history|complexity"
)
_PLAIN = frozenset({"enabled", "required", "on", "verify", "check", "strict"})
"""Words that get their meaning from what they stand under."""
_MUCH = 4
"""How many times a limit must grow (half of that for what shrinks) to be another limit rather than a tuned one."""
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


def loosened(before: str, after: str) -> Iterator[tuple[str, int]]:
    """(name, line) of each number that limits guesses, sessions or passwords and is a multiple laxer now, or none."""
    had = {key: value for key, value, _ in _numbers(before)}
    for key, value, line in _numbers(after):
        old = had.get(key)
        if old is None or old <= 0 or old == value:
            continue
        low = re.sub(r"[^a-z]", "", key.lower())
        if (_MORE_IS_SAFER.search(low) and value * 2 <= old) or (
            not _MORE_IS_SAFER.search(low) and (value <= 0 or value >= old * _MUCH)
        ):
            yield key, line


def _numbers(text: str) -> Iterator[tuple[str, float, int]]:
    plain = without_comments(text)
    for match in _NUMBER.finditer(plain):
        key = f"{_above(plain, match.start())}.{match['key']}".lstrip(".")
        if _GUARDS.search(re.sub(r"[^a-z]", "", key.lower())):
            yield key, float(match["value"]), text.count("\n", 0, match.start("key")) + 1


def _above(text: str, at: int) -> str:
    """The keys over a line of YAML by their indents, or the section of an INI or TOML file."""
    lines = text[:at].split("\n")
    here = text[text.rfind("\n", 0, at) + 1 :].split("\n", 1)[0]
    indent = len(here) - len(here.lstrip())
    names: list[str] = []
    for line in reversed(lines[:-1] if lines else []):
        section = _SECTION.match(line)
        if section is not None and not names:
            return section[1]
        parent = _PARENT.match(line)
        if parent is not None and len(parent[1]) < indent:
            indent = len(parent[1])
            names.insert(0, parent[2])
        if indent == 0:
            if names or section is not None:
                break
            if not any(map(_SECTION.match, lines)):
                break
    return ".".join(names)


def _switches(text: str) -> list[tuple[str, bool, int]]:
    """(name, whether it is set the safe way, line) of every switch with a meaning for security."""
    found = []
    for match in _SWITCH.finditer(without_comments(text)):
        whole = f"{_above(text, match.start())}.{match['key']}" if match["key"].lower() in _PLAIN else match["key"]
        parts = [re.sub(r"[^a-z0-9]", "", part) for part in whole.lower().split(".")]
        names = (parts[-1], "".join(parts[-2:]))
        is_on, line = match["value"].lower() in _ON, text.count("\n", 0, match.start()) + 1
        if any(map(_EXPOSES.search, names)):
            found.append((match["key"], not is_on, line))
        elif any(map(_PROTECTS.search, names)):
            found.append((match["key"], is_on, line))
    return found
