"""The repairs in the order they are proposed: a hand-written table."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from scaffold_cli.proposers.repairs.assert_check import AssertCheck
from scaffold_cli.proposers.repairs.bare_except import BareExcept
from scaffold_cli.proposers.repairs.digest_compare import DigestCompare
from scaffold_cli.proposers.repairs.http_timeout import HttpTimeout
from scaffold_cli.proposers.repairs.imports import ensure_import
from scaffold_cli.proposers.repairs.interface import About, Repair
from scaffold_cli.proposers.repairs.names import Names
from scaffold_cli.proposers.repairs.tar_filter import TarFilter
from scaffold_cli.proposers.repairs.weak_random import WeakRandom

REPAIRS: tuple[type[Repair], ...] = (WeakRandom, DigestCompare, TarFilter, HttpTimeout, AssertCheck, BareExcept)


def candidates(source: bytes) -> Iterator[tuple[About, bytes, int]]:
    """What each repair makes of `source` by itself (repair, new source, places), where it finds something to mend.

    The order is that of the table; a source that does not parse has no repairs.
    """
    wanted = [repair for repair in REPAIRS if any(mark in source for mark in repair.about.marks)]
    module = parse(source) if wanted else None
    if module is None:
        return
    for repair in wanted:
        result, places = repaired(repair, module)
        if places:
            yield repair.about, result.bytes, places


def parse(source: bytes) -> cst.Module | None:
    """The syntax tree of `source`, or None when it does not parse."""
    try:
        return cst.parse_module(source)
    except (cst.ParserSyntaxError, SyntaxError, UnicodeDecodeError, RecursionError):
        return None


def repaired(repair: type[Repair], module: cst.Module) -> tuple[cst.Module, int]:
    """`module` with every place `repair` knows mended, and how many those were."""
    transformer = repair(Names(module))
    result = module.visit(transformer)
    for name, instead_of in transformer.needed.items():
        result = ensure_import(result, name, instead_of)
    return result, transformer.count
