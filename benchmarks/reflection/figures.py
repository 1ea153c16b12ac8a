"""The paper's figures (Reflection-Driven Control, tables 1, 2, 3, 5, 8 and 9) from what was written and tried."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import Any

from benchmarks.reflection.arms import Written
from benchmarks.reflection.checks import Outcome

Row = tuple[Written, Outcome]
_BANDS = ((0.95, "0.95-1.00"), (0.85, "0.85-0.95"), (0.70, "0.70-0.85"), (-2.0, "< 0.70"))


def rates(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Table 5: T all tasks, C compiles, P of them passes, S of them is secure; in percent, over C and over T.

    An attack on a program that does nothing fails, so the tasks that pass and are secure are counted too.
    """
    total = len(outcomes)
    compiled = [item for item in outcomes if item.compiles]
    secure = sum(item.secure for item in compiled)
    passing = sum(item.passes for item in compiled)
    both = sum(item.passes and item.secure for item in compiled)
    return {
        "tasks (T)": total,
        "compile (C)": len(compiled),
        "pass (P)": passing,
        "secure (S)": secure,
        "pass and secure": both,
        "unresolved (T - C)": total - len(compiled),
        "security rate (S/C)": percent(secure, len(compiled)),
        "pass rate (P/C)": percent(passing, len(compiled)),
        "secure over all (S/T)": percent(secure, total),
        "pass over all (P/T)": percent(passing, total),
        "pass and secure over all": percent(both, total),
    }


def percent(part: float, whole: float) -> float | None:
    """In percent, to one digit; None of nothing."""
    return round(100 * part / whole, 1) if whole else None


def evolution(rows: Sequence[Row], cases: int) -> dict[str, Any]:
    """Table 2, one run. `cases` are those in memory at its end."""
    found = [retrieved for written, _ in rows for retrieved in _retrieved(written)]
    similar = [similarity for retrieved in found for _, similarity in retrieved["cases"]]
    dynamic = sum(retrieved["source"] == "dynamic" for retrieved in found)
    figures = rates([tried for _, tried in rows])
    return {
        "retrievals": len(found),
        "documents on average": round(fmean(len(retrieved["cases"]) for retrieved in found), 2) if found else None,
        "similarity average": round(fmean(similar), 3) if similar else None,
        "similarity max": max(similar, default=None),
        "similarity min": min(similar, default=None),
        "retrieval success": percent(dynamic, len(found)),
        "fallback": percent(len(found) - dynamic, len(found)),
        "pass rate (P/C)": figures["pass rate (P/C)"],
        "security rate (S/C)": figures["security rate (S/C)"],
        "cases in memory": cases,
    }


def bands(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Table 3: documents by similarity; accurate are those whose proposal was accepted, passes and is secure."""
    counts = {name: [0, 0] for _, name in _BANDS}
    for written, tried in rows:
        for place, audit in enumerate(written.audits):
            good = place == written.accepted and tried.passes and tried.secure
            for retrieved in audit.get("retrieved", ()):
                for _, similarity in retrieved["cases"]:
                    band = next(name for floor, name in _BANDS if similarity >= floor)
                    counts[band][0] += 1
                    counts[band][1] += good
    total = sum(documents for documents, _ in counts.values())
    return [
        {
            "similarity": name,
            "documents": documents,
            "share": percent(documents, total),
            "accuracy": percent(good, documents),
        }
        for name, (documents, good) in counts.items()
    ]


def shares(rows: Sequence[Row]) -> dict[str, Any]:
    """Tables 8 and 9: where tokens and seconds go. The gate's own time is what is left of the whole."""
    calls = [call for written, _ in rows for audit in written.audits for call in audit.get("calls", ())]
    checks = [call for call in calls if call["stage"] == "self-check"]
    others = [call for call in calls if call["stage"] != "self-check"]
    tokens = {
        "input with retrieved text": sum(call["prompt_tokens"] for call in others),
        "output": sum(call["completion_tokens"] for call in others),
        "reflection verification": sum(call["prompt_tokens"] + call["completion_tokens"] for call in checks),
    }
    whole = sum(written.seconds for written, _ in rows)
    retrieval = sum(retrieved["seconds"] for written, _ in rows for retrieved in _retrieved(written))
    model, verification = (sum(call["seconds"] for call in part) for part in (others, checks))
    seconds = {
        "retrieval": retrieval,
        "model": model,
        "reflection verification": verification,
        "gate and the rest": max(0.0, whole - retrieval - model - verification),
    }
    scenarios = max(1, len(rows))
    return {
        "calls per scenario": round(len(calls) / scenarios, 1),
        "calls that failed": sum(bool(call["failed"]) for call in calls),
        "tokens per scenario": round(sum(tokens.values()) / scenarios),
        "tokens, share": {name: percent(part, sum(tokens.values())) for name, part in tokens.items()},
        "seconds per scenario": round(whole / scenarios, 1),
        "seconds, share": {name: percent(part, whole) for name, part in seconds.items()},
    }


def stages(rows: Sequence[Row]) -> dict[str, Any]:
    """How far the loop came: what was flagged, reflected on, refused by the gate, kept."""
    audits = [audit for written, _ in rows for audit in written.audits]
    checks = [check for audit in audits for check in audit.get("checks", ())]
    return {
        "proposals": sum(written.attempts for written, _ in rows),
        "kept": sum(written.text is not None for written, _ in rows),
        "self-checks": len(checks),
        "model and layers disagree": sum(
            check["model"] is not None and check["model"] != check["layers"] for check in checks
        ),
        "rounds of reflection": sum(audit.get("rounds", 0) for audit in audits),
    }


def refusals(rows: Sequence[Row]) -> dict[str, int]:
    """Answers that could not be taken, by reason, the commonest first; what a reason quotes is left out.

    Those of a reflection too, which leave the draft as it was.
    """
    told = [reason for written, _ in rows for reason in written.refused]
    flagged = (reason for written, _ in rows for audit in written.audits for reason in audit.get("flagged", ()))
    told += [reason for reason in flagged if reason.startswith("the mended answer")]
    reasons = Counter(re.sub(r"(['\"]).*?\1|\d+", "…", reason) for reason in told)
    return dict(reasons.most_common())


def errors(said: Sequence[tuple[bool, bool]]) -> dict[str, Any]:
    """The self-check against the executed attack: pairs of (it said SAFE, the attack failed)."""
    unsafe = [safe for safe, held in said if not held]
    sound = [safe for safe, held in said if held]
    wrong = sum(unsafe) + len(sound) - sum(sound)
    return {
        "programs": len(said),
        "missed (SAFE, attack succeeds)": f"{sum(unsafe)} of {len(unsafe)}",
        "false alarms (UNSAFE, attack fails)": f"{len(sound) - sum(sound)} of {len(sound)}",
        "error rate": percent(wrong, len(said)),
    }


def _retrieved(written: Written) -> list[dict[str, Any]]:
    """What was retrieved in all proposals; a memory that failed retrieved nothing."""
    return [
        retrieved
        for audit in written.audits
        for retrieved in audit.get("retrieved", ())
        if not retrieved["source"].startswith("failed")
    ]
