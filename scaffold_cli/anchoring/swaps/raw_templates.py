"""Templates in a text that newly show a value as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold_cli.anchoring.swaps.texts import edited
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift

_RAW = re.compile(
    r"\|\s*(?:safe|raw|n)\b|\{\{\{|<%-|\bth:utext\b|\bv-html\b|autoescape\s+(?:off|false)|dangerouslySetInnerHTML|@Html\.Raw"
)


def raw_templates(versions: Versions) -> Iterator[Shift]:
    """``{{ name }}`` became ``{{ name|safe }}``."""
    for old, new in edited(versions.before, versions.after):
        if new is not None and ("{" in old.text or "<" in old.text):
            come = len(_RAW.findall(new.text)) - len(_RAW.findall(old.text))
            if come > 0:
                found = next(iter(_RAW.findall(new.text)))
                yield shift(old.text, old.line, "the template escapes it", f"now {found.strip()}", entry="escaping")
