"""Text from judged code made safe to show: nothing in it may steer a terminal or hide itself."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote

_COMMAND = re.compile(
    r"::(?=(set-output|set-env|add-path|add-mask|add-matcher|remove-matcher|save-state|debug|notice|warning|error|group|"
    r"endgroup|stop-commands|echo)\b)|(?<=#)#(?=\[)|##(?=vso\[)"
)
TAB = "    "


def plain(text: str) -> str:
    """The text with bytes that were no UTF-8 (surrogates) written as ``\\xNN``, so that it can be encoded."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def visible(text: str) -> str:
    """One line without control, bidirectional or invisible characters: they are written as escapes.

    A workflow command (``::set-output …``, which CI would obey wherever a line begins) gets a backslash. Tabs become
    four spaces. Line ends are escaped as well; split before calling.
    """
    return _COMMAND.sub(r":\\:", "".join(_shown(char) for char in plain(text)))


def uri(path: str) -> str:
    """A relative path as a URI reference, byte for byte."""
    return quote(path.encode("utf-8", "surrogateescape"), safe="/")


def _shown(char: str) -> str:
    if char == "\t":
        return TAB
    # Cc control, Cf format (bidirectional overrides, zero width), Zl/Zp line separators, Cs/Co/Cn no characters.
    if char.isprintable() or char == " " or unicodedata.category(char) == "Zs":
        return char
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
