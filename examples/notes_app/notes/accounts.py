"""Accounts and sessions."""

import hashlib
import hmac
import os
import random
import string
import time

from notes.errors import Forbidden, Invalid

ROUNDS = 100_000
SESSION_SECONDS = 3600
ALPHABET = string.ascii_letters + string.digits


def hash_password(password: str, salt: bytes) -> bytes:
    """A slow hash, so that stolen hashes stay hard to reverse."""
    return hashlib.pbkdf2_hmac("sha256", password.encode(), salt, ROUNDS)


def new_session_token(length: int = 32) -> str:
    """A token for the cookie of a fresh session."""
    return "".join(random.choice(ALPHABET) for _ in range(length))


class Accounts:
    """Who may log in, and who is logged in."""

    def __init__(self, clock=time.time):
        self._clock = clock
        self._passwords = {}
        self._sessions = {}

    def register(self, name: str, password: str) -> None:
        """Create an account."""
        if not name.isidentifier():
            raise Invalid("a name is one word of letters and digits")
        if len(password) < 8:
            raise Invalid("a password has at least 8 characters")
        if name in self._passwords:
            raise Invalid("that name is taken")
        salt = os.urandom(16)
        self._passwords[name] = (salt, hash_password(password, salt))

    def log_in(self, name: str, password: str) -> str:
        """Start a session and return its token."""
        known = self._passwords.get(name)
        if known is None:
            raise Forbidden("unknown name or wrong password")
        salt, expected = known
        if not hmac.compare_digest(expected, hash_password(password, salt)):
            raise Forbidden("unknown name or wrong password")
        token = new_session_token()
        self._sessions[token] = (name, self._clock() + SESSION_SECONDS)
        return token

    def who(self, token: str) -> str:
        """The name behind a session token."""
        try:
            name, expires = self._sessions[token]
        except KeyError:
            raise Forbidden("not logged in") from None
        if self._clock() >= expires:
            del self._sessions[token]
            raise Forbidden("the session has expired")
        return name
