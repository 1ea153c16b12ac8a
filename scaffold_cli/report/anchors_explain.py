"""A catalogue entry, and what one anchor is, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from scaffold_cli.anchoring.catalogue import Entry, Example, Setting
from scaffold_cli.model.plain import Json, to_plain
from scaffold_cli.model.protection import Anchor
from scaffold_cli.report.frame import frame, where
from scaffold_cli.report.page import labelled, line, show, table, unbroken
from scaffold_cli.report.terminal import Terminal

STRENGTH = (
    "Hard, so that a loss blocks, where the catalogue knows what it does or where it stands before a sensitive call; "
    "soft, so that a loss warns, where nothing but its shape speaks for it."
)
_FOUND_BY = ("calls", "guards", "literals", "strings", "decorators", "collections", "cleared")
_SIGNS = {"kept": "green", "weakened": "yellow", "lost": "red"}


def entries_text(entries: Iterable[Entry], here: Terminal) -> str:
    """Every entry in one line."""
    rows = [(entry.id, ", ".join(entry.cwe), entry.why) for entry in entries]
    return show([table(("entry", "cwe", "why"), rows, wrap=2)], here.width, here.color)


def explain_text(entry: Entry | None, anchor: Anchor | None, here: Terminal) -> str:
    """The anchor, when one was asked for, then the entry it was recognised by."""
    parts: list[RenderableType] = []
    if anchor is not None:
        parts += [*_anchor(anchor), ""]
    if entry is not None:
        parts += _entry(entry)
    elif anchor is not None:
        parts.append("No catalogue entry: it was recognised by its shape.")
    return show(parts, here.width, here.color)


def explain_document(entry: Entry | None, anchor: Anchor | None) -> Json:
    """Both as they are; null for what there is not."""
    return {"anchor": to_plain(anchor), "entry": to_plain(entry), "strength": STRENGTH}


def _anchor(anchor: Anchor) -> Iterator[RenderableType]:
    protection = anchor.protection
    yield line((anchor.id, "cyan"), (f"  {protection.kind.value} · {protection.level.value}", "bold"))
    yield labelled([("where", where(protection.place))])
    yield from frame(protection.place, " ", "")
    yield labelled(
        (
            ("strikes", protection.condition),
            ("then", protection.action),
            ("guards", protection.subject),
            (anchor.strength.value, anchor.because),
        )
    )


def _entry(entry: Entry) -> Iterator[RenderableType]:
    yield line((entry.id, "cyan"), (f"  {entry.title}", "bold"), (f" · {', '.join(entry.cwe)}", ""))
    yield labelled((("why", entry.why), ("keep", entry.keep), ("strength", STRENGTH)))
    yield labelled([("sinks", ", ".join(entry.sinks))])
    yield labelled((f"{name}", ", ".join(_words(entry, name))) for name in _FOUND_BY)
    yield labelled(("ranked", " < ".join("/".join(names) for names in family)) for family in entry.families)
    yield labelled(("setting", _setting(setting)) for setting in entry.settings)
    for example in entry.examples:
        yield from _example(example)


def _words(entry: Entry, name: str) -> Sequence[str]:
    words: Sequence[str] = getattr(entry, name)
    return [repr(word) for word in words] if name in ("literals", "strings") else words


def _setting(setting: Setting) -> str:
    ranked = " < ".join(setting.order) or (f"{setting.safer} is safer" if setting.safer else "")
    return f"{', '.join(setting.names)}: {ranked}" if ranked else ", ".join(setting.names)


def _example(example: Example) -> Iterator[RenderableType]:
    yield ""
    yield line((example.outcome, _SIGNS.get(example.outcome, "")), (f"  an example in {example.language}", ""))
    for sign, source, style in (("-", example.before, "red"), ("+", example.after, "green")):
        yield from _code(sign, source, style)


def _code(sign: str, source: str, style: str) -> Iterator[Text]:
    for row in source.rstrip("\n").split("\n"):
        yield unbroken(f"    {sign} {row}", style)
