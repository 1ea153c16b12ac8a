"""Names that say themselves that nothing is checked, where another function stood."""

from __future__ import annotations

from collections.abc import Iterator

from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.word_lists import WordList

_CONFESSING = WordList("confessing")


def confessed(versions: Versions) -> Iterator[Shift]:
    """``decode(token, key)`` became ``decode_unverified(token)``."""
    before, after = versions.before, versions.after
    gone = [name for name in before.calls if name not in after.calls]
    for name in after.calls:
        if name in before.calls or _CONFESSING.find(name) is None or not gone:
            continue
        is_moved = versions.around.calls_before[name] >= versions.around.calls_after[name]
        is_renamed = any((old, name) in versions.around.renamed or _CONFESSING.find(old) is not None for old in gone)
        if not is_moved and not is_renamed:
            because, how = f"`{name}()` says that it is not careful", f"now {name}()"
            yield shift(f"{gone[0]}()", before.unit.line, because, how, entry="validation")
