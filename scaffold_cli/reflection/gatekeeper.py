"""Gatekeeper: what our own layers say of new texts, before the whole gate judges the candidate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from scaffold_cli.anchoring.careless import Careless, careless
from scaffold_cli.anchoring.catalogue import Catalogue, load
from scaffold_cli.anchoring.coverage import Cover, Sink, coverage
from scaffold_cli.gate.engine import judge
from scaffold_cli.gate.layer import JudgeContext
from scaffold_cli.gate.layers import build
from scaffold_cli.model.change import Change, FileChange, FileVersion
from scaffold_cli.model.verdict import Decision, Effect, LayerName, Severity, Verdict
from scaffold_cli.reflection.self_check import LayerCheck, Safety

_LAYERS = (LayerName.SAST, LayerName.ANCHORS)


def layer_check(before: Mapping[str, str], cache: Path | None = None) -> LayerCheck:
    """A check of new texts against `before`: UNSAFE unless the sast and anchors layers accept the change.

    A finding, a lost protection, a new sensitive call that nothing stands before, and a file that cannot be judged
    are all UNSAFE; and so are a new Medium finding and careless C, which the gate lets pass: here a wrong alarm costs
    no more than a question. The full gate judges the candidate all the same.
    """

    def check(texts: Mapping[str, str]) -> tuple[Safety, str]:
        pairs = [
            FileChange(_version(path, before.get(path)), _version(path, text))
            for path, text in sorted(texts.items())
            if before.get(path) != text
        ]
        if not pairs:
            return Safety.SAFE, ""
        verdict = judge(Change.of(pairs), JudgeContext(cache=cache), build(_LAYERS))
        if verdict.decision is Decision.ACCEPT:
            because = _reported(verdict) or _new_bare_call(pairs) or _newly_careless(pairs)
            return (Safety.UNSAFE, because) if because else (Safety.SAFE, "")
        blocking = next((found.what for found in verdict.violations if found.effect is Effect.BLOCKS), "")
        return Safety.UNSAFE, blocking or next((layer.reason for layer in verdict.layers if layer.reason), "undecided")

    return check


def _reported(verdict: Verdict) -> str:
    """The first new finding the scanner only reports, unless it is Low; empty without one."""
    reported = (found for found in verdict.violations if found.layer is LayerName.SAST)
    return next((f"{found.what} {found.why}" for found in reported if found.severity is Severity.MEDIUM), "")


def _newly_careless(pairs: Sequence[FileChange]) -> str:
    """The first careless place in C that was not there before, as a sentence; empty without one."""
    known = Counter(_kind(place) for pair in pairs if pair.before is not None for place in careless(pair.before))
    for pair in pairs:
        for place in careless(pair.after) if pair.after is not None else ():
            if not known[_kind(place)]:
                return f"{place.what} ({pair.after.path if pair.after else ''}, line {place.line}; CERT C {place.rule})"
            known[_kind(place)] -= 1
    return ""


def _kind(place: Careless) -> tuple[str, str]:
    return place.symbol, place.rule


def _new_bare_call(pairs: Sequence[FileChange]) -> str:
    """The first sensitive call without protection that was not there before, as a sentence; empty without one."""
    catalogue = load()
    known = Counter(_name(sink) for sink in _bare([pair.before for pair in pairs], catalogue))
    for sink in _bare([pair.after for pair in pairs], catalogue):
        if not known[_name(sink)]:
            where = f"{sink.place.path}, line {sink.place.line}"
            return f"Nothing stands before the new call of `{sink.call}` in {where} ({sink.rule})."
        known[_name(sink)] -= 1
    return ""


def _bare(versions: Sequence[FileVersion | None], catalogue: Catalogue) -> list[Sink]:
    there = [version for version in versions if version is not None]
    return [sink for sink in coverage(there, catalogue) if sink.cover is Cover.NONE]


def _name(sink: Sink) -> tuple[str, str, str]:
    return sink.place.path, sink.place.symbol, sink.call


def _version(path: str, text: str | None) -> FileVersion | None:
    return None if text is None else FileVersion(path, text.encode("utf-8", "surrogateescape"))
