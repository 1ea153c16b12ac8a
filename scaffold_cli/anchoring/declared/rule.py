"""A rule over declared protections, and the names of the files that several tables of rules speak of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

YAML = ("*.yaml", "*.yml")
SQL = ("*.sql", "*.psql", "*.ddl")
DOCKERFILES = ("dockerfile*", "*.dockerfile", "containerfile*")
TEMPLATES = ("*.html", "*.htm", "*.jinja", "*.jinja2", "*.j2", "*.twig", "*.liquid", "*.njk")
"""Templates that write a value as ``{{ value | filter }}``."""
PAGES = (*TEMPLATES, *(f"*.{kind}" for kind in ("erb", "ejs", "hbs", "jsp", "php", "vue", "svelte", "ftl", "astro")))
"""Whatever becomes a page."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Files by shell pattern, and what in them must not become less (`fewer`) or must not come (`more`).

    With both, only both together count: the one has taken the place of the other. `what` ends the sentence that
    begins with the file. `moves`: what comes into another file of the change is not gone. `added`, `removed`: the rule
    holds for files that are new, or gone, as well.
    """

    code: str
    files: Sequence[str]
    what: str
    more: re.Pattern[str] | None = None
    fewer: re.Pattern[str] | None = None
    moves: bool = False
    added: bool = False
    removed: bool = False


def pattern(text: str, *, cased: bool = False) -> re.Pattern[str]:
    """A pattern over a whole file, line by line; letters of either case are the same unless it is `cased`."""
    return re.compile(text, re.MULTILINE if cased else re.MULTILINE | re.IGNORECASE)
