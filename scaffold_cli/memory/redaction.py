"""Take secrets out of a text before it is stored or sent."""

from __future__ import annotations

import math
import re
from collections import Counter

MASK = "[REDACTED]"

_BLOCK = re.compile(r"-----BEGIN ([A-Z ]*PRIVATE KEY)-----.*?(?:-----END \1-----|\Z)", re.DOTALL)

# Formats that their issuers document; each is a secret wherever it stands.
_TOKENS = re.compile(
    r"""(?x)
    \b(?:AKIA|ASIA)[0-9A-Z]{16}\b                                   # AWS access key id
    | \bgh[pousr]_[0-9A-Za-z]{36,}\b | \bgithub_pat_[0-9A-Za-z_]{40,}\b
    | \bglpat-[0-9A-Za-z_-]{20,}
    | \bxox[abeoprs]-[0-9A-Za-z-]{10,}                              # Slack
    | \bsk-(?:proj-|ant-)?[0-9A-Za-z_-]{20,}                        # keys of model providers
    | \bAIza[0-9A-Za-z_-]{35}                                       # Google
    | \b[sr]k_live_[0-9A-Za-z]{20,}                                 # Stripe
    | \bnpm_[0-9A-Za-z]{36}\b | \bpypi-[0-9A-Za-z_-]{50,}
    | \beyJ[0-9A-Za-z_-]{8,}\.eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]*  # JSON web token
    """
)
_URL = re.compile(r"(?P<head>[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s/:@'\"]{1,200}:)(?P<secret>[^\s/@'\"]{1,200})(?=@)")
_NAMED = re.compile(
    r"""(?ix)
    (?P<head>[\w.-]{0,40}(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential)s?
        [\w.-]{0,40}["'\]]{0,2}\s{0,4}(?::=|=>|=|:)\s{0,4}[bfru]{0,2})
    (?P<quote>"{3}|'{3}|["'])(?P<secret>(?:\\.|(?!(?P=quote))[^\\\n]){4,400})(?P=quote)
    """
)
_HEADER = re.compile(r"(?i)(?P<head>\b(?:bearer|basic)\s{1,4})(?P<secret>[0-9a-z+/._~=-]{16,2000})")
_ENVIRONMENT = re.compile(
    r"(?im)^(?P<head>[ \t]*(?:export[ \t]+)?[A-Z0-9_]{0,80}"
    r"(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_?KEY)[A-Z0-9_]{0,80}=)"
    r"(?P<secret>[^\s'\"$(){}\[\],]{8,400})$"
)
_PLACEHOLDER = re.compile(
    r"(?i)^<[^<>]*>$|\{[\s\w.%:!-]*\}|^\$\w+$|\$\(|%\(\w+\)|^%\w+%?$"
    r"|example|changeme|placeholder|redacted|your[_-]|xxxx|\*\*\*|\.\.\."
)
"""Where something is put in: <password>, {password}, $PASSWORD, %(password)s. Their signs alone stand in passwords."""


def redact(text: str) -> str:
    """`text` with every recognised secret replaced by MASK; what is around it stays. Doing it twice changes nothing.

    Recognised: private keys, tokens in the formats their issuers document, passwords in URLs, authorisation headers,
    and literals given to a name that says secret. A secret in none of these shapes stays.
    """
    text = _BLOCK.sub(MASK, text)
    text = _TOKENS.sub(MASK, text)
    text = _URL.sub(rf"\g<head>{MASK}", text)
    text = _HEADER.sub(_header, text)
    text = _ENVIRONMENT.sub(rf"\g<head>{MASK}", text)
    return _NAMED.sub(_named, text)


def _header(found: re.Match[str]) -> str:
    secret = found["secret"]
    looks_random = any(char.isdigit() for char in secret) or _entropy(secret) > 3.5
    return found["head"] + MASK if looks_random else found[0]


def _named(found: re.Match[str]) -> str:
    secret = found["secret"]
    if secret == MASK or _PLACEHOLDER.search(secret) or " " in secret.strip():
        return found[0]  # prose and templates say something about the code; they are no secret
    return f"{found['head']}{found['quote']}{MASK}{found['quote']}"


def _entropy(text: str) -> float:
    """Shannon entropy in bits per character."""
    return -sum(n / len(text) * math.log2(n / len(text)) for n in Counter(text).values())
