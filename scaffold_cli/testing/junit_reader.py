"""From JUnit XML (surefire, Gradle, jest-junit, gotestsum, pytest) to outcomes."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterable, Iterator

from scaffold_cli.model.errors import UndecidedError
from scaffold_cli.testing.outcomes import Case, Outcome

_DETAIL = 4000
"""Characters kept of a failure's report, from its end."""
_NOT_RUN = frozenset({"notrun", "disabled", "skipped", "ignored"})


class JunitError(UndecidedError):
    """A file is no JUnit XML, so its tests are unknown."""


def read(files: Iterable[tuple[str, bytes]]) -> dict[str, Case]:
    """The outcomes in these (name, content) pairs.

    An id is ``file::class::name``, parts that are missing or said twice left out; further tests of the same id
    get ``#2``, ``#3`` in the order of the files' names. Raises JunitError naming a file that is no JUnit XML.
    """
    cases: dict[str, Case] = {}
    seen: Counter[str] = Counter()
    for name, data in sorted(files):
        for id_, case in _cases(_parse(name, data), ""):
            seen[id_] += 1
            cases[id_ if seen[id_] == 1 else f"{id_}#{seen[id_]}"] = case
    return cases


class _Builder(ET.TreeBuilder):
    """The file comes from the program under test: without a document type no entity can make it grow."""

    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        raise ValueError(f"a document type {name}")


def _parse(name: str, data: bytes) -> ET.Element:
    try:
        root = ET.fromstring(data, parser=ET.XMLParser(target=_Builder()))  # noqa: S314 - see _Builder
    except (ET.ParseError, ValueError) as error:
        raise JunitError(f"The test report {name} cannot be read as plain XML: {error}.") from error
    if root.tag not in ("testsuites", "testsuite"):
        raise JunitError(f"The test report {name} is not JUnit XML: its root is <{root.tag}>.")
    return root


def _cases(element: ET.Element, suite: str) -> Iterator[tuple[str, Case]]:
    suite = element.get("name") or suite
    for child in element:
        if child.tag == "testsuite":
            yield from _cases(child, suite)
        elif child.tag == "testcase":
            yield _id(child, suite), _case(child)


def _id(case: ET.Element, suite: str) -> str:
    parts = [case.get("file") or "", case.get("classname") or suite, case.get("name") or ""]
    return "::".join(dict.fromkeys(part for part in parts if part))


def _case(element: ET.Element) -> Case:
    outcome, told = Outcome.PASSED, element
    for child in element:
        if child.tag in ("failure", "error"):
            outcome, told = Outcome.FAILED, child
            break
        if child.tag == "skipped":
            expected = child.get("type") == "pytest.xfail"
            outcome, told = (Outcome.XFAILED if expected else Outcome.SKIPPED), child
    if outcome is Outcome.PASSED and (element.get("status") or "").lower() in _NOT_RUN:
        outcome = Outcome.SKIPPED
    line = element.get("line") or ""
    summary, detail = _story(told) if told is not element else ("", "")
    return Case(outcome, summary, detail, element.get("file") or "", int(line) if line.isdecimal() else 0)


def _story(element: ET.Element) -> tuple[str, str]:
    """The first line of the message, or else of the report; and the end of the report."""
    body = (element.text or "").strip()
    message = (element.get("message") or "").strip()
    detail = body if message in body else f"{message}\n{body}".strip()
    return next(iter((message or detail).splitlines()), "")[:_DETAIL], detail[-_DETAIL:]
