"""The only way into memory: what passed the gate, without secrets."""

from __future__ import annotations

from dataclasses import replace

from scaffold_cli.memory.case import Case
from scaffold_cli.memory.redaction import redact
from scaffold_cli.memory.store import Store
from scaffold_cli.model.errors import InternalFaultError

_TEXT_LIMIT = 20_000
"""Characters kept of each text of a case: what is longer helps no prompt."""


def remember(store: Store, case: Case, *, accepted: bool) -> bool:
    """Store a case and return whether it is new.

    Raises InternalFaultError for one that was not accepted: whatever a model said, only what passed every layer of the
    gate is stored as verified (our choices RX-3 and RX-5).
    """
    if not accepted or not case.verdict:
        raise InternalFaultError("A case that did not pass the gate was about to be stored as verified.")
    return store.add([redacted(case)]) == 1


def redacted(case: Case) -> Case:
    """The case without secrets and without the tail of texts that are too long."""
    return replace(
        case,
        title=_clean(case.title),
        query=_clean(case.query),
        before=_clean(case.before),
        after=_clean(case.after),
        lesson=_clean(case.lesson),
    )


def _clean(text: str) -> str:
    # Cut afterwards: half a secret is not recognised.
    return redact(text)[:_TEXT_LIMIT]
