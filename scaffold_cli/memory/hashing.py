"""The default embedding: hashed words and pairs of words. No model, no dependency."""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from operator import mul

from scaffold_cli.memory.embedding import Vector

_SIZE = 256
_TOKEN = re.compile(r"[A-Za-z]+|[0-9]+|[^\sA-Za-z0-9_]")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


class HashingEmbedding:
    """Feature hashing (Weinberger et al. 2009): each feature adds ±(1 + ln count) to one of 256 places.

    Features are the words inside identifiers, in lower case, and neighbouring pairs of words and signs, which carry
    some of the order. Texts are similar when they share words; meaning is not seen.
    """

    name = "hashing-256"
    size = _SIZE
    lexical = True

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One vector of 256 floats for each text, of length 1, or 0 for a text without words."""
        return [_vector(text) for text in texts]


def words(text: str) -> list[str]:
    """The words of a text or code, in order: `getUserName` and `get_user_name` are three words."""
    return [part.lower() for part in _PART.findall(text)]


def _vector(text: str) -> Vector:
    vector = array("f", bytes(4 * _SIZE))
    for feature, count in Counter(_features(text)).items():
        place, sign = _bucket(feature)
        vector[place] += sign if count == 1 else sign * (1.0 + math.log(count))
    length = math.sqrt(sum(map(mul, vector, vector)))
    return array("f", (value / length for value in vector)) if length else vector


def _features(text: str) -> list[str]:
    found: list[str] = []
    last, after_word = "", False
    for token in _TOKEN.findall(text):
        for word, is_word in _parts(token):
            if is_word:
                found.append(word)
            if last and (is_word or after_word):
                found.append(f"{last} {word}")
            last, after_word = word, is_word
    return found


@lru_cache(maxsize=65536)
def _parts(token: str) -> tuple[tuple[str, bool], ...]:
    """The words of one token in lower case, or its one sign; True for what is no sign."""
    parts = (part.lower() for part in _PART.findall(token) or (token,))
    return tuple((part, part[0].isalnum()) for part in parts)


@lru_cache(maxsize=65536)
def _bucket(feature: str) -> tuple[int, float]:
    digest = blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return int.from_bytes(digest[:3], "big") % _SIZE, 1.0 if digest[3] & 1 else -1.0
