"""Cases and what a retrieval found, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import RenderableType

from scaffold_cli.memory.case import Case
from scaffold_cli.memory.retrieval import Evidence
from scaffold_cli.model.plain import Json, to_plain
from scaffold_cli.report.page import line, show, table, unbroken
from scaffold_cli.report.terminal import Terminal


def plain_case(case: Case) -> dict[str, Json]:
    """The case with its id."""
    body = to_plain(case)
    assert isinstance(body, dict)
    return {"id": case.id, **body}


def evidence_document(evidence: Evidence) -> dict[str, Json]:
    """The evidence by ids and similarities, rounded to four digits."""
    return {
        "source": evidence.source.value,
        "embedding": evidence.embedding,
        "cases": [
            {"id": hit.case.id, "title": hit.case.title, "similarity": round(hit.similarity, 4)}
            for hit in evidence.cases
        ],
        "guidance": [
            {"cwe": hit.guidance.cwe, "title": hit.guidance.title, "similarity": round(hit.similarity, 4)}
            for hit in evidence.documents
        ],
    }


def cases_text(cases: Iterable[Case], here: Terminal) -> str:
    """One row for each case."""
    rows = [
        (case.id, case.kind.value, case.language, " ".join(case.cwe), str(case.uses), case.created[:10], case.title)
        for case in cases
    ]
    if not rows:
        return (
            "No case is stored yet. Accepted repairs are stored by `scaffold run`, your own by `scaffold memory add`.\n"
        )
    header = ("id", "kind", "language", "cwe", "uses", "created", "title")
    return show([table(header, rows, wrap=6)], here.width, here.color)


def case_text(case: Case, here: Terminal) -> str:
    """Everything about one case."""
    parts: list[RenderableType] = [line((case.id, "bold"), (f"  {case.kind.value}  {case.title}", ""))]
    told = {
        "lesson": case.lesson,
        "cwe": " ".join(case.cwe),
        "language": case.language,
        "protections": " ".join(case.protections),
        "anchors": " ".join(case.anchors),
        "created": case.created,
        "used": f"{case.uses} times, last {case.last_used}" if case.uses else "never",
        "verdict": case.verdict,
    }
    parts += [line((f"{name}: ", "dim"), (value, "")) for name, value in told.items() if value]
    for name, text in (("before", case.before), ("after", case.after)):
        if text:
            parts.append(line(("", "")))
            parts.append(line((name, "bold")))
            parts += [unbroken(row, "") for row in text.splitlines()]
    return show(parts, here.width, here.color)


def evidence_text(evidence: Evidence, here: Terminal) -> str:
    """What was found, the best first."""
    rows = [(f"{hit.similarity:.2f}", hit.case.id, hit.case.title) for hit in evidence.cases]
    rows += [(f"{hit.similarity:.2f}", hit.guidance.cwe, hit.guidance.title) for hit in evidence.documents]
    said = {
        "dynamic": "cases that are similar enough",
        "fallback": "no case is similar enough: guidance helps out",
    }
    parts: list[RenderableType] = [line((said[evidence.source.value], "dim"))]
    if rows:
        parts.append(table(("similarity", "id", "title"), rows, wrap=2))
    return show(parts, here.width, here.color)
