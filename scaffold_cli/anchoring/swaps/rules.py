"""All swap rules, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scaffold_cli.anchoring.swaps.agreeing import loosened_agreements, uneven_pairs
from scaffold_cli.anchoring.swaps.bare_beside import bare_beside, bare_instead
from scaffold_cli.anchoring.swaps.bounded_reads import unfitting_reads
from scaffold_cli.anchoring.swaps.bounds import exchanged_sides, moved_bounds, roomier_bounds
from scaffold_cli.anchoring.swaps.checked_form import checked_in_part, decoded_late, kept_beside
from scaffold_cli.anchoring.swaps.confessing import confessed
from scaffold_cli.anchoring.swaps.contained import contained_elsewhere
from scaffold_cli.anchoring.swaps.counted import first_only
from scaffold_cli.anchoring.swaps.cut_chance import cut_chance
from scaffold_cli.anchoring.swaps.fail_open import lower_bars, open_defaults
from scaffold_cli.anchoring.swaps.grown import grown_lists
from scaffold_cli.anchoring.swaps.guessing import cheaper_guesses, fewer_bytes, seeded
from scaffold_cli.anchoring.swaps.header_text import weaker_headers
from scaffold_cli.anchoring.swaps.identities import bound_to_nobody, counted_by_nobody
from scaffold_cli.anchoring.swaps.kept_bounds import for_everybody, uncorrected, yes_after_all
from scaffold_cli.anchoring.swaps.lifetimes import dropped_lifetimes, dropped_settings, longer_lives
from scaffold_cli.anchoring.swaps.listed import dropped_marks, dropped_members
from scaffold_cli.anchoring.swaps.membership import pieces_of_members
from scaffold_cli.anchoring.swaps.one_time import kept_tokens
from scaffold_cli.anchoring.swaps.order import counted_later, deed_among_guards, deed_first
from scaffold_cli.anchoring.swaps.partial import laxer_quantifiers, once_only, shorter_loops
from scaffold_cli.anchoring.swaps.presence import only_presence
from scaffold_cli.anchoring.swaps.query_objects import looser_objects, other_columns, unfiltered
from scaffold_cli.anchoring.swaps.query_text import looser_queries
from scaffold_cli.anchoring.swaps.rates import laxer_decorators, laxer_rates
from scaffold_cli.anchoring.swaps.raw_templates import raw_templates
from scaffold_cli.anchoring.swaps.registered import dropped_registrations
from scaffold_cli.anchoring.swaps.routes import dropped_dependencies, later_middleware, unguarded_routes
from scaffold_cli.anchoring.swaps.schemes import plain_schemes
from scaffold_cli.anchoring.swaps.shown import newly_told, unmasked, whole_environments
from scaffold_cli.anchoring.swaps.signed import covers_less, fewer_parts, shorter_messages
from scaffold_cli.anchoring.swaps.sources import chosen_by_others, taken_again
from scaffold_cli.anchoring.swaps.spelled import spelled_secrets, unlisted_names
from scaffold_cli.anchoring.swaps.undoing import taken_back
from scaffold_cli.anchoring.swaps.unlimited import unlimited
from scaffold_cli.anchoring.swaps.ways_in import switched_outside, unproved_ways
from scaffold_cli.anchoring.swaps.wider import dropped_exclusions, line_by_line, wider_creation, wider_paths
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
    dropped_settings,
    laxer_decorators,
    cut_chance,
    kept_tokens,
    taken_back,
    counted_by_nobody,
    bound_to_nobody,
    deed_first,
    deed_among_guards,
    counted_later,
    looser_queries,
    weaker_headers,
    moved_bounds,
    roomier_bounds,
    dropped_exclusions,
    pieces_of_members,
    exchanged_sides,
    confessed,
    lower_bars,
    open_defaults,
    laxer_quantifiers,
    once_only,
    shorter_loops,
    covers_less,
    fewer_parts,
    shorter_messages,
    chosen_by_others,
    taken_again,
    line_by_line,
    wider_creation,
    wider_paths,
    dropped_marks,
    dropped_members,
    dropped_registrations,
    switched_outside,
    unproved_ways,
    seeded,
    fewer_bytes,
    bare_beside,
    bare_instead,
    contained_elsewhere,
    unlimited,
    looser_objects,
    unfiltered,
    other_columns,
    spelled_secrets,
    unlisted_names,
    plain_schemes,
    newly_told,
    unmasked,
    whole_environments,
    uncorrected,
    for_everybody,
    yes_after_all,
    grown_lists,
    raw_templates,
    dropped_dependencies,
    later_middleware,
    unguarded_routes,
)
