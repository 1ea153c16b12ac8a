"""What a name says about the value it holds."""

from __future__ import annotations

import re

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_SECRET = re.compile(
    "tokens?|secrets?|passwords?|passwd|passphrase|nonce|salt|otp|csrf|session|apikey|credentials?", re.IGNORECASE
)
_PROOF = re.compile("signatures?|signed|sign|sig|hmac|mac|auth|authenticate|authenticator|verify", re.IGNORECASE)


def names_secret(name: str) -> bool:
    """True when a word of `name` (snake_case or camelCase) is used for values nobody may guess."""
    return any(_SECRET.fullmatch(word) for word in _WORD.findall(name))


def names_proof(name: str) -> bool:
    """True when a word of `name` speaks of a secret, or of what shows that somebody knows one."""
    return names_secret(name) or any(_PROOF.fullmatch(word) for word in _WORD.findall(name))
