"""All value rules, run over one pair of units."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scaffold_cli.anchoring.swaps.rules import SWAPS
from scaffold_cli.anchoring.values.accepting import cased_comparisons, cased_values, dropped_states, for_everybody
from scaffold_cli.anchoring.values.choices import (
    any_origin,
    everything_named,
    fewer_exclusions,
    newly_weak,
    open_to_the_net,
    replaced_secrets,
    weaker_choices,
)
from scaffold_cli.anchoring.values.claims import believed_claims, credentials_in_addresses, run_as_code
from scaffold_cli.anchoring.values.consuming import (
    appended_texts,
    dropped_cuts,
    dropped_sizes,
    lists_for_sets,
    rebuilt_texts,
    unbounded_reads,
)
from scaffold_cli.anchoring.values.contexts import dropped_contexts, endless_loops, freer_secrets
from scaffold_cli.anchoring.values.escapes import unescaped_ranges
from scaffold_cli.anchoring.values.extents import newly_recursive, shorter_bounds
from scaffold_cli.anchoring.values.giving import overwritten_parameters, unstored_copies
from scaffold_cli.anchoring.values.letting_in import no_longer_looked_up, other_sources, refusing_functions
from scaffold_cli.anchoring.values.opening import (
    dropped_modes,
    marked_raw,
    opened,
    opened_to_all,
    plainly_created,
    searched_here,
    wider_default_modes,
    wider_modes,
)
from scaffold_cli.anchoring.values.ordering import late_canonical, late_checks
from scaffold_cli.anchoring.values.passing import dropped_arguments, merged_requests
from scaffold_cli.anchoring.values.pasting import loose_options, pasted_after_helper, pasted_commands, pasted_queries
from scaffold_cli.anchoring.values.patterns import laxer_patterns
from scaffold_cli.anchoring.values.placing import (
    dropped_bases,
    dropped_declarations,
    dropped_handovers,
    dropped_pattern_tests,
    dropped_placings,
    dropped_safe_branches,
    kept_characters,
)
from scaffold_cli.anchoring.values.positions import looser_positions, wider_trims
from scaffold_cli.anchoring.values.removing import dropped_resets, only_removed
from scaffold_cli.anchoring.values.rereading import cut_by_hand, direct_lookups, unheeded_errors
from scaffold_cli.anchoring.values.selecting import (
    dropped_filters,
    gone_filters,
    loops_over_anything,
    other_quantifiers,
    pasted_beside,
)
from scaffold_cli.anchoring.values.shifts import Shift, Versions
from scaffold_cli.anchoring.values.showing import (
    redirected_errors,
    shown_in_answers,
    shown_internals,
    shown_secrets,
    version_in_banner,
    whole_objects_logged,
)
from scaffold_cli.anchoring.values.slowing import newly_slow, slower_names, slower_patterns
from scaffold_cli.anchoring.values.statements import (
    dropped_decoys,
    dropped_registrations,
    dropped_repairs,
    dropped_switches,
    only_if_absent,
    turned_switches,
)
from scaffold_cli.anchoring.values.textual import (
    kept_users,
    logged_unquoted,
    timed_comparisons,
    trimmed_at_one_end,
    whole_names,
)
from scaffold_cli.anchoring.values.wrapping import dropped_refinements, laxer_namesakes, unwrapped

RULES: tuple[Callable[[Versions], Iterator[Shift]], ...] = (
    unwrapped,
    dropped_refinements,
    laxer_namesakes,
    pasted_queries,
    pasted_commands,
    pasted_after_helper,
    dropped_arguments,
    merged_requests,
    shown_in_answers,
    shown_internals,
    shown_secrets,
    whole_objects_logged,
    version_in_banner,
    weaker_choices,
    laxer_patterns,
    slower_patterns,
    slower_names,
    newly_slow,
    opened,
    wider_modes,
    wider_default_modes,
    replaced_secrets,
    newly_weak,
    dropped_repairs,
    dropped_switches,
    dropped_registrations,
    dropped_decoys,
    only_if_absent,
    dropped_bases,
    kept_characters,
    searched_here,
    loose_options,
    marked_raw,
    dropped_placings,
    dropped_safe_branches,
    dropped_pattern_tests,
    dropped_contexts,
    freer_secrets,
    endless_loops,
    shorter_bounds,
    newly_recursive,
    looser_positions,
    wider_trims,
    overwritten_parameters,
    unstored_copies,
    unescaped_ranges,
    cut_by_hand,
    unheeded_errors,
    direct_lookups,
    redirected_errors,
    unbounded_reads,
    rebuilt_texts,
    dropped_sizes,
    refusing_functions,
    no_longer_looked_up,
    opened_to_all,
    plainly_created,
    late_canonical,
    late_checks,
    dropped_handovers,
    trimmed_at_one_end,
    logged_unquoted,
    believed_claims,
    run_as_code,
    only_removed,
    dropped_states,
    cased_comparisons,
    for_everybody,
    dropped_cuts,
    lists_for_sets,
    appended_texts,
    dropped_resets,
    fewer_exclusions,
    open_to_the_net,
    any_origin,
    dropped_modes,
    dropped_declarations,
    turned_switches,
    cased_values,
    everything_named,
    credentials_in_addresses,
    dropped_filters,
    gone_filters,
    loops_over_anything,
    other_quantifiers,
    pasted_beside,
    whole_names,
    kept_users,
    other_sources,
    timed_comparisons,
    *SWAPS,
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
