"""All swap rules, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scaffold_cli.anchoring.swaps.agreeing import loosened_agreements, uneven_pairs
from scaffold_cli.anchoring.swaps.bounded_reads import unfitting_reads
from scaffold_cli.anchoring.swaps.checked_form import checked_in_part, decoded_late, kept_beside
from scaffold_cli.anchoring.swaps.counted import first_only
from scaffold_cli.anchoring.swaps.cut_chance import cut_chance
from scaffold_cli.anchoring.swaps.guessing import cheaper_guesses
from scaffold_cli.anchoring.swaps.header_text import weaker_headers
from scaffold_cli.anchoring.swaps.identities import counted_by_nobody
from scaffold_cli.anchoring.swaps.lifetimes import dropped_lifetimes, longer_lives
from scaffold_cli.anchoring.swaps.one_time import kept_tokens
from scaffold_cli.anchoring.swaps.order import counted_later, deed_first
from scaffold_cli.anchoring.swaps.presence import only_presence
from scaffold_cli.anchoring.swaps.query_text import looser_queries
from scaffold_cli.anchoring.swaps.rates import laxer_decorators, laxer_rates
from scaffold_cli.anchoring.swaps.undoing import taken_back
from scaffold_cli.anchoring.values.shifts import Shift, Versions

SWAPS: tuple[Callable[[Versions], Iterator[Shift]], ...] = (
    loosened_agreements,
    uneven_pairs,
    unfitting_reads,
    checked_in_part,
    kept_beside,
    decoded_late,
    only_presence,
    first_only,
    cheaper_guesses,
    longer_lives,
    laxer_rates,
    dropped_lifetimes,
    laxer_decorators,
    cut_chance,
    kept_tokens,
    taken_back,
    counted_by_nobody,
    deed_first,
    counted_later,
    looser_queries,
    weaker_headers,
)
