"""Tests that say nothing because there is no network where they run."""

from __future__ import annotations

import re

from scaffold_cli.testing.baseline import Baseline
from scaffold_cli.testing.outcomes import Case, TestRun

_SIGNS = re.compile(
    # What the system says, in the words of its libraries, of Java, of Node and of Go.
    r"Network is unreachable|Temporary failure in name resolution|Name or service not known|No address associated|"
    r"getaddrinfo|gaierror|nodename nor servname|Could not resolve host|UnknownHostException|NoRouteToHostException|"
    r"Network is down|\bENOTFOUND\b|\bEAI_AGAIN\b|\bENETUNREACH\b|\bno such host\b|\bno (?:network|internet)\b|"
    r"(?:network|internet)(?: access| connection)? (?:is )?(?:not available|unavailable|required|needed|disabled)",
    re.IGNORECASE,
)


def without_network(baseline: Baseline) -> tuple[str, ...]:
    """Ids of tests and files that did not pass before the change and whose report speaks of a missing network."""
    return tuple(sorted({id_ for run in baseline.runs for id_ in _of(run) if id_ not in baseline.stable}))


def _of(run: TestRun) -> list[str]:
    cases = [*run.cases.items(), *run.uncollected.items()]
    return [id_ for id_, case in cases if not case.outcome.vouches and _speaks_of_it(case)]


def _speaks_of_it(case: Case) -> bool:
    return _SIGNS.search(case.summary) is not None or _SIGNS.search(case.detail) is not None
