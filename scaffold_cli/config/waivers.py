"""Waivers a configuration gives: read, like all of it, from the side before the change, which cannot excuse itself."""

from __future__ import annotations

import re
from collections.abc import Iterable

from scaffold_cli import clock
from scaffold_cli.config.policy import Policy
from scaffold_cli.model.errors import UsageError
from scaffold_cli.model.verdict import Waiver

_FORM = re.compile(r"(?P<id>[\w-]+)(?:\s+until\s+(?P<until>\d{4}-\d\d-\d\d))?\s*:\s*(?P<reason>\S.*)", re.DOTALL)


def standing(policy: Policy, today: str) -> tuple[Waiver, ...]:
    """The waivers of all folders of a policy that still hold `today` (2026-03-14); the last day named counts.

    Raises UsageError for one that is not written as ``ID: REASON`` or ``ID until YYYY-MM-DD: REASON``.
    """
    texts = dict.fromkeys(_texts(policy))
    return tuple(waiver for text in texts if (waiver := _read(text, today)) is not None)


def _texts(policy: Policy) -> Iterable[str]:
    for settings in (policy.root, *policy.folders.values()):
        yield from settings.waivers


def _read(text: str, today: str) -> Waiver | None:
    """The waiver in a text; None when its time is over."""
    found = _FORM.fullmatch(text.strip())
    until = found and found["until"]
    if found is None or (until and not clock.is_day(until)):
        raise UsageError(
            f"The setting waivers holds {text!r}, which is no waiver.",
            "Write 'ID: REASON' or 'ID until YYYY-MM-DD: REASON', with the id a verdict shows.",
        )
    if until and until < today:
        return None
    return Waiver(found["id"], found["reason"].strip(), standing=True)
