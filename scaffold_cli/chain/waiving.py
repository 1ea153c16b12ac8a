"""Waivers in a chain: given once, they hold for whichever step shows the violation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scaffold_cli.gate.engine import decide
from scaffold_cli.model.verdict import Effect, LayerResult, Verdict, Waiver


def waive(verdict: Verdict, waivers: Sequence[Waiver]) -> Verdict:
    """`verdict` with the waivers that name one of its violations applied; the others say nothing about this step."""
    present = {violation.id for violation in verdict.violations}
    applying = tuple(waiver for waiver in waivers if waiver.violation in present)
    if not applying:
        return verdict
    reasons = {waiver.violation: waiver.reason for waiver in applying}
    layers = tuple(_waived(layer, reasons) for layer in verdict.layers)
    kept = (waiver for waiver in verdict.waivers if waiver.violation not in reasons)
    return replace(verdict, layers=layers, decision=decide(layers), waivers=(*kept, *applying))


def _waived(layer: LayerResult, reasons: dict[str, str]) -> LayerResult:
    if not any(violation.id in reasons for violation in layer.violations):
        return layer
    return layer.with_violations(
        replace(violation, effect=Effect.WAIVED, waiver=reasons[violation.id]) if violation.id in reasons else violation
        for violation in layer.violations
    )
