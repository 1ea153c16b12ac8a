"""The engine: runs the layers, applies waivers, forms the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from scaffold_cli import clock, processes
from scaffold_cli.gate.layer import JudgeContext, Layer
from scaffold_cli.gate.notes import notes_on
from scaffold_cli.model.change import Change
from scaffold_cli.model.errors import ScaffoldError, UsageError
from scaffold_cli.model.verdict import (
    Decision,
    Effect,
    LayerName,
    LayerResult,
    LayerStatus,
    Verdict,
    Violation,
    Waiver,
)

_PROGRAMS = (LayerName.TESTS, LayerName.SAST)
_HEAD_START = 0.2
"""Seconds at most."""


def judge(
    change: Change,
    context: JudgeContext,
    layers: Sequence[Layer],
    waivers: Sequence[Waiver] = (),
) -> Verdict:
    """Judge one change: same change and policy in, same verdict out.

    The layers look side by side; results come in their fixed order. Raises UsageError when a waiver
    names a violation that is not there, so a mistyped id never passes for permission; a standing one may.
    """
    started = clock.seconds()
    ordered = sorted(layers, key=lambda layer: list(LayerName).index(layer.name))
    if change.is_empty:
        results = [LayerResult.skipped(layer.name, "the change is empty") for layer in ordered]
    else:
        results = _side_by_side(ordered, change, context)
    present = {violation.id for result in results for violation in result.violations}
    waivers = [waiver for waiver in waivers if not waiver.standing or waiver.violation in present]
    results = _apply(results, waivers)
    return Verdict(
        decision=decide(results),
        layers=tuple(results),
        change=change.digest,
        files=len(change.files),
        notes=notes_on(change),
        waivers=tuple(waivers),
        seconds=clock.seconds() - started,
    )


def decide(results: Sequence[LayerResult]) -> Decision:
    """Any failing layer rejects; else any undecided one leaves it undecided; else accept."""
    statuses = {result.status for result in results}
    if LayerStatus.FAIL in statuses:
        return Decision.REJECT
    if LayerStatus.UNDECIDED in statuses:
        return Decision.UNDECIDED
    return Decision.ACCEPT


def _side_by_side(layers: Sequence[Layer], change: Change, context: JudgeContext) -> list[LayerResult]:
    pool = ThreadPoolExecutor(max_workers=max(1, len(layers)))
    # Those that wait for a program go first: the interpreter is free for the others once it runs.
    waiting = [layer for layer in layers if layer.name in _PROGRAMS]
    try:
        pending = {layer.name: pool.submit(_run, layer, change, context) for layer in waiting}
        if pending and len(layers) > len(waiting):
            started = tuple(pending.values())
            processes.wait_for_one(_HEAD_START, lambda: all(future.done() for future in started))
        pending |= {layer.name: pool.submit(_run, layer, change, context) for layer in layers if layer not in waiting}
        return [pending[layer.name].result() for layer in layers]
    except BaseException:
        # Ctrl-C reaches this thread only: end what the others wait for, let them clean up, then go.
        with processes.ending():
            pool.shutdown(wait=True, cancel_futures=True)
        raise
    finally:
        pool.shutdown()


def _run(layer: Layer, change: Change, context: JudgeContext) -> LayerResult:
    context.progress.layer_started(layer.name)
    started = clock.seconds()
    try:
        result = layer.judge(change, context)
    except UsageError:  # the configuration is wrong: whoever wrote it can mend it, so it is not about the change
        raise
    except ScaffoldError as error:
        result = LayerResult.judged(
            layer.name,
            [
                Violation(
                    layer=layer.name,
                    code=f"{layer.name.value}-not-judged",
                    effect=Effect.UNDECIDED,
                    what=error.message,
                    why="A layer that cannot look must not be taken for one that found nothing.",
                    keep=error.hint,
                )
            ],
        )
    result = replace(result, seconds=clock.seconds() - started)
    context.progress.layer_finished(result)
    return result


def _apply(results: list[LayerResult], waivers: Sequence[Waiver]) -> list[LayerResult]:
    reasons = {waiver.violation: waiver.reason for waiver in waivers}
    present = {violation.id for result in results for violation in result.violations}
    unknown = sorted(set(reasons) - present)
    if unknown:
        raise UsageError(
            f"There is no violation {unknown[0]!r} in this change to waive.",
            "Run the same command without --waive to see the ids.",
        )
    return [
        result.with_violations(_waived(violation, reasons) for violation in result.violations) if reasons else result
        for result in results
    ]


def _waived(violation: Violation, reasons: dict[str, str]) -> Violation:
    reason = reasons.get(violation.id)
    return violation if reason is None else replace(violation, effect=Effect.WAIVED, waiver=reason)
