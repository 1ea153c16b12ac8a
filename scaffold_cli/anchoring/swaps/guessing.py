"""What makes guessing hard: bytes of chance, rounds of a key derivation, lengths of keys."""

from __future__ import annotations

import math
from collections.abc import Iterator

from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.swaps.amounts import calls_around, names_of, numbers
from scaffold_cli.anchoring.swaps.looking import nodes, number_of
from scaffold_cli.anchoring.values.edits import Edit, plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.views import called_names, callee
from scaffold_cli.anchoring.word_lists import WordList
from scaffold_cli.syntax.outline import Expr, ExprKind

_BYTES = frozenset(
    {"token_bytes", "token_hex", "token_urlsafe", "urandom", "randbytes", "get_random_bytes", "randomBytes",
     "random_bytes", "RandomBytes", "generateSeed"}
)  # fmt: skip
"""Functions whose number is one of bytes of chance."""
_ENOUGH = 128
"""Bits nobody guesses (OWASP session management wants 64 at least, NIST SP 800-63B 112 for look-up secrets)."""
_KEYS = frozenset({"initialize", "generate_private_key", "generateKeyPair", "KeyPairGenerator"})
_LETTER = 5
"""Bits of chance in one letter that is drawn from some thirty."""
_WORK = WordList("work-of-guessing")
"""Names of how much work guessing a secret takes, or how long a key is."""


def cheaper_guesses(versions: Versions) -> Iterator[Shift]:
    """A number that makes guessing hard became smaller."""
    for edit in versions.edits.edits:
        both = numbers(edit, versions)
        if edit.old is None or edit.new is None or both is None or both[1] > both[0]:
            continue
        because = _chance(edit, both[1], versions)
        if because:
            yield shift(plain(edit.old), edit.old.line, because, f"now {plain(edit.new)}", entry="randomness")
            continue
        names = list(names_of(edit))
        if _KEYS & set(names) and both[0] >= _ENOUGH:  # bits of a key that a generator is told
            names.append("key size")
        name = next((name for name in names if _WORK.find(name) is not None), None)
        if name is not None and both[0] > 1:
            because = f"`{name}` says how much guessing costs"
            yield shift(plain(edit.old), edit.old.line, because, f"now {plain(edit.new)}", entry="cryptography")


def fewer_bytes(versions: Versions) -> Iterator[Shift]:
    """A constant that says how many bytes of chance are made got smaller elsewhere in the file."""
    old, new = list(_made(versions.before)), list(_made(versions.after))
    for (call, was), (other, now) in zip(old, new, strict=False):
        if callee(call) == callee(other) and plain(call) == plain(other) and now < was and 8 * now < _ENOUGH:
            yield shift(
                plain(call), call.line, "it makes what nobody is to guess", f"now {now:g} bytes", entry="randomness"
            )


def _made(item: Mined) -> Iterator[tuple[Expr, float]]:
    """Calls that make bytes of chance, and how many."""
    for _, node in nodes(item):
        if node.kind is ExprKind.CALL and callee(node) in _BYTES and len(node.parts) > 1:
            number = number_of(node.parts[1], item)
            if number is not None:
                yield node, number


def seeded(versions: Versions) -> Iterator[Shift]:
    """``new SecureRandom()`` became ``new SecureRandom(seed)``: whoever knows the seed knows all that follows."""
    for edit in versions.edits.edits:
        call = edit.around_new[-1] if edit.around_new else None
        if (
            edit.old is None
            and edit.new is not None
            and call is not None
            and callee(call) in ("SecureRandom", "SystemRandom")
        ):
            yield shift(
                plain(edit.around[-1]),
                edit.statement.line,
                "the system seeds it",
                f"now by {plain(edit.new)}",
                entry="randomness",
            )


def _chance(edit: Edit, few: float, versions: Versions) -> str:
    call = next(calls_around(edit), None)
    bits = None if call is None else _bits(call, few, edit, versions)
    return "" if bits is None or bits >= _ENOUGH else "it makes what nobody is to guess"


def _bits(call: Expr, few: float, edit: Edit, versions: Versions) -> float | None:
    """How many bits of chance a call with the number `few` gives; None where it gives none."""
    name = callee(call)
    is_buffer = call.text == "new" and call.parts[0].text == "byte[]" and "nextBytes" in versions.after.calls
    if name in _BYTES or is_buffer:
        return 8 * few
    if name == "getrandbits":
        return few
    if name == "randbelow":
        return math.log2(max(few, 1))
    draws = any(called in ("choice", "randbelow") for around in edit.around for called in called_names(around))
    return _LETTER * few if name == "range" and draws else None
