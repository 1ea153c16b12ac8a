"""Coverage of sinks as a table and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from scaffold_cli.anchoring.coverage import Cover, Sink
from scaffold_cli.model.plain import Json, to_plain
from scaffold_cli.report.frame import where
from scaffold_cli.report.page import Cell, line, show, table
from scaffold_cli.report.summary import counted
from scaffold_cli.report.terminal import Terminal

_STYLE = {Cover.NONE: "bold yellow", Cover.FIXED: "dim"}


def coverage_text(sinks: Sequence[Sink], here: Terminal) -> str:
    """One row for each sink, then a line that counts them."""
    if not sinks:
        return "No sensitive calls were found.\n"
    header = ("where", "sink", "entry", "covered", "by")
    return show([table(header, map(_row, sinks), wrap=4), "", _count(sinks)], here.width, here.color)


def coverage_document(sinks: Sequence[Sink]) -> Json:
    """The sinks, each with `protected` (false where nothing covers it), and how many there are of each cover."""
    counts = Counter(sink.cover for sink in sinks)
    return {"sinks": [_sink(sink) for sink in sinks], "summary": {cover.value: counts[cover] for cover in Cover}}


def _sink(sink: Sink) -> Json:
    found = to_plain(sink)
    assert isinstance(found, dict)
    return {**found, "protected": sink.cover is not Cover.NONE}


def _row(sink: Sink) -> tuple[Cell, ...]:
    word = "no" if sink.cover is Cover.NONE else sink.cover.value
    return where(sink.place), f"{sink.call}()", sink.rule, line((word, _STYLE.get(sink.cover, "green"))), sink.by


def _count(sinks: Sequence[Sink]) -> str:
    bare = sum(sink.cover is Cover.NONE for sink in sinks)
    return f"{counted(len(sinks), 'sensitive call', 'sensitive calls')}: {len(sinks) - bare} covered, {bare} not."
