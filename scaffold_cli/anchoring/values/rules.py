"""All value rules, run over one pair of units."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scaffold_cli.anchoring.values.choices import weaker_choices
from scaffold_cli.anchoring.values.passing import dropped_arguments, merged_requests
from scaffold_cli.anchoring.values.pasting import pasted_after_helper, pasted_commands, pasted_queries
from scaffold_cli.anchoring.values.shifts import Shift, Versions
from scaffold_cli.anchoring.values.showing import (
    shown_in_answers,
    shown_internals,
    version_in_banner,
    whole_objects_logged,
)
from scaffold_cli.anchoring.values.wrapping import laxer_namesakes, unwrapped

RULES: tuple[Callable[[Versions], Iterator[Shift]], ...] = (
    unwrapped,
    laxer_namesakes,
    pasted_queries,
    pasted_commands,
    pasted_after_helper,
    dropped_arguments,
    merged_requests,
    shown_in_answers,
    shown_internals,
    whole_objects_logged,
    version_in_banner,
    weaker_choices,
)


def shifts(versions: Versions) -> Iterator[Shift]:
    """Every protection of a value that became weaker, one for each line and name, best known first."""
    seen: set[tuple[int, str]] = set()
    for rule in RULES:
        for found in rule(versions):
            key = (found.fact.line, found.fact.form)
            if key not in seen:
                seen.add(key)
                yield found
