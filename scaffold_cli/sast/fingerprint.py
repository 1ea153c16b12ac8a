"""Our own identity of a finding, computed from the source (the engine's needs a login)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from scaffold_cli.model.finding import Finding, Fingerprint, Fix
from scaffold_cli.model.verdict import Place
from scaffold_cli.sast.lexer import tokens
from scaffold_cli.sast.output import Match
from scaffold_cli.sast.source import Source


def findings(source: Source, matches: Iterable[Match]) -> tuple[Finding, ...]:
    """The findings of one file in source order, each with its fingerprint, place and occurrence."""
    ordered = sorted(matches, key=lambda match: (match.start, match.end, match.rule))
    return number(_finding(source, match) for match in ordered)


def number(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """The same findings with `occurrence` counted over equal fingerprints, in the order given."""
    seen: Counter[Fingerprint] = Counter()
    numbered = []
    for finding in found:
        numbered.append(replace(finding, occurrence=seen[finding.fingerprint]))
        seen[finding.fingerprint] += 1
    return tuple(numbered)


def place(source: Source, line: int, end_line: int) -> Place:
    """The lines `line` to `end_line` of a source, with the symbol around them."""
    text = "\n".join(source.lines[line - 1 : end_line])
    return Place(source.version.path, line, end_line, text, source.symbol_at(line))


def _finding(source: Source, match: Match) -> Finding:
    data = source.encoded
    line = data.count(b"\n", 0, match.start) + 1
    end_line = line + data.count(b"\n", match.start, max(match.start, match.end - 1))
    code = data[match.start : match.end].decode("utf-8", "replace")
    where = place(source, line, end_line)
    return Finding(
        fingerprint=Fingerprint(match.rule, source.path, where.symbol, tokens(code, source.language)),
        severity=match.severity,
        place=where,
        why=match.why,
        keep=match.keep,
        cwe=match.cwe,
        fix=None if match.fix is None else Fix(match.start, match.end, match.fix),
    )
