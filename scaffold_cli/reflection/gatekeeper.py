"""Gatekeeper: what our own layers say of new texts, before the whole gate judges the candidate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from scaffold_cli.anchoring.careless import Careless, careless
from scaffold_cli.anchoring.catalogue import Catalogue, load
from scaffold_cli.anchoring.coverage import Cover, Sink, coverage
from scaffold_cli.gate.engine import judge
from scaffold_cli.gate.layer import JudgeContext
from scaffold_cli.gate.layers import build
from scaffold_cli.model.change import Change, FileChange, FileVersion
from scaffold_cli.model.verdict import Decision, Effect, LayerName, Severity, Verdict
from scaffold_cli.reflection.self_check import UNJUDGED, LayerAnswer, LayerCheck, Safety

_LAYERS = (LayerName.SAST, LayerName.ANCHORS)


def layer_check(before: Mapping[str, str], cache: Path | None = None) -> LayerCheck:
    """A check of new texts against `before`: UNSAFE unless the sast and anchors layers accept the change.

    A finding, a lost protection, a new sensitive call that nothing stands before, and a file that cannot be judged
    are all UNSAFE; and so are a new Medium finding and careless C, which the gate lets pass: here a wrong alarm costs
    no more than a question. The full gate judges the candidate all the same.
    """

    def check(texts: Mapping[str, str]) -> LayerAnswer:
        pairs = [
            FileChange(_version(path, before.get(path)), _version(path, text))
            for path, text in sorted(texts.items())
            if before.get(path) != text
        ]
        if not pairs:
            return LayerAnswer(Safety.SAFE)
        verdict = judge(Change.of(pairs), JudgeContext(cache=cache), build(_LAYERS))
        blocking = [found for found in verdict.violations if found.effect is Effect.BLOCKS]
        if verdict.decision is not Decision.ACCEPT and not blocking:
            reason = next((layer.reason for layer in verdict.layers if layer.reason), "undecided")
            return LayerAnswer(Safety.UNSAFE, reason, complaints=UNJUDGED)
        reasons = [(found.what, found.cwe) for found in blocking]
        reasons += [*_reported(verdict), *_new_bare_calls(pairs), *_newly_careless(pairs)]
        if not reasons:
            return LayerAnswer(Safety.SAFE)
        return LayerAnswer(Safety.UNSAFE, *reasons[0], complaints=len(reasons))

    return check


_Reason = tuple[str, tuple[str, ...]]
"""What is wrong, and which weaknesses that is."""


def _reported(verdict: Verdict) -> Iterator[_Reason]:
    """The new findings the scanner only reports, but for Low ones."""
    for found in verdict.violations:
        if found.layer is LayerName.SAST and found.effect is not Effect.BLOCKS and found.severity is Severity.MEDIUM:
            yield f"{found.what} {found.why}", found.cwe


def _newly_careless(pairs: Sequence[FileChange]) -> Iterator[_Reason]:
    """The careless places in C that were not there before."""
    known = Counter(_kind(place) for pair in pairs if pair.before is not None for place in careless(pair.before))
    for version in (pair.after for pair in pairs if pair.after is not None):
        for place in careless(version):
            if not known[_kind(place)]:
                where = f"{version.path}, line {place.line}; CERT C {place.rule}"
                yield f"{place.what} ({where})", (place.cwe,)
            known[_kind(place)] -= 1


def _kind(place: Careless) -> tuple[str, str]:
    return place.symbol, place.rule


def _new_bare_calls(pairs: Sequence[FileChange]) -> Iterator[_Reason]:
    """The sensitive calls without protection that were not there before."""
    catalogue = load()
    known = Counter(_name(sink) for sink in _bare([pair.before for pair in pairs], catalogue))
    for sink in _bare([pair.after for pair in pairs], catalogue):
        if not known[_name(sink)]:
            where = f"{sink.place.path}, line {sink.place.line}"
            because = f"Nothing stands before the new call of `{sink.call}` in {where} ({sink.rule})."
            yield because, catalogue.entries[sink.rule].cwe
        known[_name(sink)] -= 1


def _bare(versions: Sequence[FileVersion | None], catalogue: Catalogue) -> list[Sink]:
    there = [version for version in versions if version is not None]
    return [sink for sink in coverage(there, catalogue) if sink.cover is Cover.NONE]


def _name(sink: Sink) -> tuple[str, str, str]:
    return sink.place.path, sink.place.symbol, sink.call


def _version(path: str, text: str | None) -> FileVersion | None:
    return None if text is None else FileVersion(path, text.encode("utf-8", "surrogateescape"))
