"""Characters that make source read otherwise than it runs (Boucher and Anderson 2021, "Trojan Source")."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from scaffold_cli.anchoring.disarming.interface import Disarmed
from scaffold_cli.model.change import FileChange, FileVersion
from scaffold_cli.syntax.decoding import decode
from scaffold_cli.syntax.frontends import has_front_end, language_of

_STEERING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_INVISIBLE = re.compile(
    "[\u200b\u2060-\u2064\u00ad\ufeff\U000e0001-\U000e007f]|(?<=[A-Za-z0-9_])[\u200c\u200d]|[\u200c\u200d](?=[A-Za-z0-9_])"
)
_STRINGS = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|`[^`]*`|#[^\n]*|//[^\n]*")
_WORD = re.compile(r"\w*[A-Za-z]\w*")
_LOOKALIKE = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "FULLWIDTH", "MATHEMATICAL")


def hidden_text(pair: FileChange) -> Iterator[Disarmed]:
    """One for the first new line of each kind. Text in other scripts is fine; a word of two scripts is not."""
    after = pair.after
    if after is None or not after.is_text or not has_front_end(language_of(after.path, after.data)):
        return
    if after.data.isascii():
        return
    known = set(_lines(pair.before))
    told: set[str] = set()
    for number, line in enumerate(_lines(after), start=1):
        what = "" if line.isascii() or line in known else _wrong(line.removeprefix("\ufeff") if number == 1 else line)
        if what and what not in told:
            told.add(what)
            yield Disarmed("hidden-text", f"A new line of {after.path} {what}.", after.path, number)


def _lines(version: FileVersion | None) -> list[str]:
    return decode(version.data).split("\n") if version is not None and version.is_text else []


def _wrong(line: str) -> str:
    if _STEERING.search(line):
        return "holds characters that reverse the order in which it is shown"
    if _INVISIBLE.search(line):
        return "holds characters that cannot be seen"
    for word in _WORD.findall(_STRINGS.sub(" ", line)):
        names = [unicodedata.name(char, "") for char in word if not char.isascii() and char.isalpha()]
        if any(name.startswith(_LOOKALIKE) for name in names):
            return "has a name with letters of two scripts, one of which looks like the other"
    return ""
