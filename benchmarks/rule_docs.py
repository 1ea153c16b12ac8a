"""Write docs/rules.md: what the rules cover, and what they were measured to find.

    python -m benchmarks.rule_docs [--json benchmarks/results/rules.json] [--output docs/rules.md]

Everything in the page comes from the rules and from the results file, and a test holds it to them.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.weaknesses import LIBRARIES, NO_RULE, OWASP_2021, OWASP_2025, WEAKNESSES, Weakness, category_of_2025
from scaffold_cli.sast.rules import load

RESULTS = Path("benchmarks/results/rules.json")
PAGE = Path("docs/rules.md")
LANGUAGES = {"py": "Python", "java": "Java", "js": "JavaScript/TypeScript", "go": "Go"}
SEVERITIES = ("CRITICAL", "HIGH", "MEDIUM", "LOW")
Rule = Mapping[str, Any]


def cwe_of(rule: Rule) -> int:
    """The number of the weakness a rule speaks of."""
    return int(re.findall(r"CWE-(\d+)", rule["metadata"]["cwe"])[0])


def covering(weakness: Weakness, rules: Iterable[Rule]) -> list[Rule]:
    """The rules for a weakness or for one of its parts."""
    wanted = {weakness.cwe, *weakness.parts}
    return [rule for rule in rules if cwe_of(rule) in wanted]


def speaking_of(language: str, pattern: str, rules: Iterable[Rule]) -> list[Rule]:
    """The rules of a language whose patterns name a library."""
    return [rule for rule in _in(language, rules) if re.search(pattern, _patterns(rule))]


def _patterns(rule: Rule) -> str:
    told = {key: value for key, value in rule.items() if key not in ("metadata", "message", "id")}
    return json.dumps(told).replace('\\"', '"')


def _in(language: str, rules: Iterable[Rule]) -> list[Rule]:
    return [rule for rule in rules if rule["id"].startswith(f"{language}-")]


def _names(rules: Sequence[Rule]) -> str:
    return ", ".join(f"`{rule['id']}`" for rule in rules)


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def _counts(rules: Sequence[Rule]) -> str:
    rows = []
    for language, name in LANGUAGES.items():
        mine = _in(language, rules)
        severities = Counter(rule["severity"] for rule in mine)
        fixes = sum("fix" in rule or "fix-regex" in rule or "repair" in rule["metadata"] for rule in mine)
        rows.append((name, len(mine), fixes, *(severities[severity] for severity in SEVERITIES)))
    return _table(("language", "rules", "with a repair", "critical", "high", "medium", "low"), rows)


def _weaknesses(rules: Sequence[Rule]) -> str:
    rows = []
    for weakness in WEAKNESSES:
        found = covering(weakness, rules)
        said = _names(found) or f"none: {weakness.reason}"
        rows.append((f"CWE-{weakness.cwe}", weakness.title, weakness.lists, said))
    return _table(("weakness", "", "lists", "rules"), rows)


def _owasp(year: int, titles: Mapping[str, str], rules: Sequence[Rule], category: Callable[[Rule], str]) -> str:
    rows = []
    for letter, title in titles.items():
        found = [rule for rule in rules if category(rule) == letter]
        cwes = ", ".join(f"CWE-{cwe}" for cwe in sorted({cwe_of(rule) for rule in found}))
        told = (len(found), cwes) if found else (0, NO_RULE[f"{letter}:{year}"])
        rows.append((f"{letter}:{year}", title, *told))
    return _table(("category", "", "rules", "of the weaknesses"), rows)


def category_of_2021(rule: Rule) -> str:
    """ "A03" for a rule under A03:2021."""
    return str(rule["metadata"]["owasp"])[:3]


def _libraries(rules: Sequence[Rule]) -> str:
    rows = [
        (LANGUAGES[language], name, len(found), _names(found[:4]) + (", …" if len(found) > 4 else ""))
        for language, libraries in LIBRARIES.items()
        for name, pattern in libraries.items()
        for found in [speaking_of(language, pattern, rules)]
    ]
    return _table(("language", "library", "rules", "among them"), rows)


def _pairs(results: Mapping[str, Any]) -> str:
    rows = []
    for scanner in ("scaffold", "bandit"):
        for cwe, score in results[scanner]["python"]["pairs"].items():
            found, wrong = score["vulnerable side found"], score["fixed side found"]
            rows.append(
                (cwe, scanner, score["pairs"], found, wrong, _percent(score["precision"]), _percent(score["recall"]))
            )
    rows.sort(key=lambda row: (row[0] != "all", row[0]))
    return _table(
        ("weakness", "scanner", "pairs", "vulnerable side found", "fixed side found", "precision", "recall"), rows
    )


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f} %"


def _changes(results: Mapping[str, Any]) -> str:
    rows = []
    for scanner in ("scaffold", "bandit"):
        for language, tables in results[scanner].items():
            for name, table in tables.items():
                if name != "pairs":
                    severities = table["with a new finding, by severity"]
                    high = severities.get("critical", 0), severities.get("high", 0)
                    about = table["with a new finding of the weakness"] if name.startswith("degrade") else "–"
                    rows.append((name, language, scanner, table["changes"], about, table["with a new finding"], *high))
    rows.sort(key=lambda row: (row[0], row[1], row[2] != "scaffold"))
    head = ("changes", "language", "scanner", "number", "new: of the weakness", "new: any", "critical", "high")
    return _table(head, rows)


def page(rules: Sequence[Rule], results: Mapping[str, Any]) -> str:
    """The whole page as Markdown."""
    left_out = ", ".join(f"{count} {name}" for name, count in results["rows left out, by language"].items()) or "none"
    versions = ", ".join(f"{name} {number}" for name, number in results["versions"].items())
    examples = ", ".join(f"{name}: {count}" for name, count in results["examples"].items())
    return f"""# Rules

<!-- Written by `python -m benchmarks.rule_docs`; change the rules or the results, not this page. -->

How rules are written is told in [rulesets/README.md](../rulesets/README.md). Severity is a promise: only Critical and
High block, and they are given where the finding can be exploited by itself. Where a rule cannot see where a value comes
from, it is Medium or Low and reports.

{_counts(rules)}

## Weaknesses

The CWE Top 25 of 2024 and 2025, and the nine weaknesses of the SVEN data set.

{_weaknesses(rules)}

## OWASP Top 10

{_owasp(2021, OWASP_2021, rules, category_of_2021)}

{_owasp(2025, OWASP_2025, rules, lambda rule: category_of_2025(category_of_2021(rule), cwe_of(rule)))}

## Libraries

{_libraries(rules)}

## Measured

```
{results["command"]} --json benchmarks/results/rules.json
```

{versions}. Examples: {examples}.

**Function pairs.** Single Python functions before and after a security fix (SVEN). The rules were improved with these
rows in view, so this is an upper bound. Rows left out, because our rules do not speak their language: {left_out}.

{_pairs(results)}

**Whole changes.** *degrade*: a real fix taken back; *benign*: real refactorings, where nothing Critical or High may be
new. A protection that is taken away seldom makes a rule fire: that is what the anchors layer is for.

{_changes(results)}
"""


def main() -> None:
    """Read the arguments and write the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rule_docs", description=__doc__)
    parser.add_argument("--json", type=Path, default=RESULTS)
    parser.add_argument("--output", type=Path, default=PAGE)
    arguments = parser.parse_args()
    arguments.output.write_text(page(load().rules, json.loads(arguments.json.read_text())))


if __name__ == "__main__":
    main()
