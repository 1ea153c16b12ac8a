"""Every operator, by hand. A family is a file; its operators are listed at its end."""

from __future__ import annotations

from benchmarks.operators.java import degrade_guards as java_guards
from benchmarks.operators.java import degrade_values as java_values
from benchmarks.operators.java import preserve_branches as java_branches
from benchmarks.operators.java import preserve_layout as java_layout
from benchmarks.operators.java import preserve_names as java_names
from benchmarks.operators.operator import Kind, Language, Operator
from benchmarks.operators.python import (
    degrade_conditions,
    degrade_guards,
    degrade_handlers,
    degrade_settings,
    degrade_values,
    degrade_verifiers,
    preserve_branches,
    preserve_calls,
    preserve_conditions,
    preserve_helpers,
    preserve_layout,
    preserve_loops,
    preserve_names,
    preserve_statements,
    preserve_structure,
    preserve_temps,
    preserve_text,
)

OPERATORS: tuple[Operator, ...] = (
    *preserve_branches.OPERATORS,
    *preserve_conditions.OPERATORS,
    *preserve_loops.OPERATORS,
    *preserve_text.OPERATORS,
    *preserve_names.OPERATORS,
    *preserve_helpers.OPERATORS,
    *preserve_temps.OPERATORS,
    *preserve_layout.OPERATORS,
    *preserve_structure.OPERATORS,
    *preserve_statements.OPERATORS,
    *preserve_calls.OPERATORS,
    *degrade_guards.OPERATORS,
    *degrade_conditions.OPERATORS,
    *degrade_verifiers.OPERATORS,
    *degrade_handlers.OPERATORS,
    *degrade_values.OPERATORS,
    *degrade_settings.OPERATORS,
    *java_branches.OPERATORS,
    *java_names.OPERATORS,
    *java_layout.OPERATORS,
    *java_guards.OPERATORS,
    *java_values.OPERATORS,
)


def operators(language: Language, kind: Kind) -> tuple[Operator, ...]:
    """The operators of one language and kind, in the order of the table."""
    return tuple(item for item in OPERATORS if item.language is language and item.kind is kind)


def operator(name: str, language: Language = Language.PYTHON) -> Operator:
    """The operator of that name. Raises KeyError when there is none."""
    return {(item.name, item.language): item for item in OPERATORS}[name, language]
