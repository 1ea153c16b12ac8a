"""A verdict for people: decision, layers, evidence with code, notes, what to do next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from scaffold_cli.model.verdict import Decision, Effect, LayerResult, LayerStatus, Verdict, Violation
from scaffold_cli.report.frame import frame, where
from scaffold_cli.report.interface import Detail, Options
from scaffold_cli.report.page import labelled, line, show, table
from scaffold_cli.report.summary import counted, headline

DECISION_STYLE = {Decision.ACCEPT: "bold green", Decision.REJECT: "bold red", Decision.UNDECIDED: "bold yellow"}
STATUS_STYLE = {
    LayerStatus.PASS: "green",
    LayerStatus.FAIL: "bold red",
    LayerStatus.UNDECIDED: "bold yellow",
    LayerStatus.SKIPPED: "dim",
}
EFFECT_STYLE = {
    Effect.BLOCKS: "bold red",
    Effect.UNDECIDED: "bold yellow",
    Effect.WARNS: "yellow",
    Effect.WAIVED: "dim",
}
EFFECT_ORDER = (Effect.BLOCKS, Effect.UNDECIDED, Effect.WARNS, Effect.WAIVED)


def render_text(verdict: Verdict, options: Options) -> str:
    """The text at the width and colour asked for; QUIET is the first line alone."""
    parts = [_headline(verdict)]
    if options.detail is not Detail.QUIET:
        parts += evidence(verdict, options.detail)
        following = _next(verdict)
        if following:
            parts += ["", labelled((("next", sentence) for sentence in following), indent=0)]
    return show(parts, options.width, options.color)


def _headline(verdict: Verdict) -> RenderableType:
    word, rest = headline(verdict)
    return line((word, DECISION_STYLE[verdict.decision]), (f"  {rest}" if rest else "", ""))


def evidence(verdict: Verdict, detail: Detail) -> list[RenderableType]:
    """What the decision rests on: the layers, each violation with its code, the notes."""
    parts: list[RenderableType] = []
    if verdict.layers and verdict.files:
        parts += ["", _layers(verdict.layers, detail)]
    for violation in sorted(verdict.violations, key=lambda item: list(Effect).index(item.effect)):
        parts += ["", *_violation(violation)]
    if verdict.notes:
        parts += ["", labelled((("note", note.text) for note in verdict.notes), indent=0)]
    return parts


def _layers(layers: Sequence[LayerResult], detail: Detail) -> RenderableType:
    rows = [
        (
            layer.layer.value,
            Text(layer.status.value, STATUS_STYLE[layer.status]),
            _looked_at(layer, detail),
            f"{layer.seconds:.2f} s" if layer.status is not LayerStatus.SKIPPED else "",
        )
        for layer in layers
    ]
    return table(("layer", "result", "looked at", "time"), rows, wrap=2)


def _looked_at(layer: LayerResult, detail: Detail) -> str:
    facts = ", ".join(f"{name} {value}" for name, value in layer.facts)
    if not layer.reason and not facts:
        return counted(len(layer.violations), "violation", "violations") if layer.violations else ""
    if not layer.reason or (detail is Detail.VERBOSE and facts):
        return "; ".join(part for part in (layer.reason, facts) if part)
    return layer.reason


def _violation(violation: Violation) -> Iterator[RenderableType]:
    grade = f" · {violation.severity.value}" if violation.severity else ""
    cwe = f" · {', '.join(violation.cwe)}" if violation.cwe else ""
    yield line(
        (violation.effect.value, EFFECT_STYLE[violation.effect]),
        (f"  {violation.layer.value} · {violation.code}{grade}{cwe}  ", "bold"),
        (violation.id, "cyan"),
    )
    yield labelled([("what", violation.what)])
    for label, place, sign, style in (
        ("before", violation.before, "-", "red"),
        ("after", violation.after, "+", "green"),
    ):
        if place is not None:
            yield labelled([(label, where(place))])
            yield from frame(place, sign, style)
    yield labelled(
        (
            ("why", violation.why),
            ("keep", violation.keep),
            ("because", violation.because),
            ("witness", violation.witness),
            ("waived", violation.waiver or ""),
        )
    )


def _next(verdict: Verdict) -> list[str]:
    if verdict.decision is Decision.ACCEPT:
        return []
    if verdict.decision is Decision.UNDECIDED:
        return ["Nothing was accepted: mend what could not be judged and run the check again."]
    blocking = [item for item in verdict.violations if item.effect is Effect.BLOCKS]
    return [
        f"Mend the {counted(len(blocking), 'violation that blocks', 'violations that block')}, or let one pass "
        f"knowingly: --waive {blocking[0].id} --reason TEXT"
    ]
