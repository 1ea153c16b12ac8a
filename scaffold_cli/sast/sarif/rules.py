"""What a SARIF report says about a rule: its name, how bad its findings are, which weakness they show.

Severity comes from the first of these that is there (docs/sast.md tells users the same):

1. the number `security-severity` of the result or its rule, on GitHub's scale: 9.0 and more Critical, 7.0 High,
   4.0 Medium, above 0 Low, 0 Info;
2. a word in the properties of the result or its rule (`severity`, `issue_severity`, `impact`, `priority`);
3. the SARIF level of the result, else the default level of its rule, else "warning" (SARIF 2.1.0, 3.27.10):
   error High, warning Medium, note Low, none Info.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scaffold_cli.model.verdict import Severity

Node = Mapping[str, Any]
"""A JSON object."""

_WORDS = {
    "blocker": Severity.CRITICAL,
    "critical": Severity.CRITICAL,
    "high": Severity.HIGH,
    "major": Severity.MEDIUM,
    "medium": Severity.MEDIUM,
    "moderate": Severity.MEDIUM,
    "minor": Severity.LOW,
    "low": Severity.LOW,
    "info": Severity.INFO,
    "informational": Severity.INFO,
}
_WORD_KEYS = ("severity", "issue_severity", "impact", "priority")
_LEVELS = {"error": Severity.HIGH, "warning": Severity.MEDIUM, "note": Severity.LOW, "none": Severity.INFO}
_SCALE = ((9.0, Severity.CRITICAL), (7.0, Severity.HIGH), (4.0, Severity.MEDIUM))
_CWE = re.compile(r"\bcwe[-_: ]?0*(\d+)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RuleBook:
    """The rules of one run: those of the driver and those of its extensions."""

    driver: Node
    extensions: tuple[Node, ...] = field(default=())

    @staticmethod
    def of(run: Node) -> RuleBook:
        """Raises KeyError or TypeError when the run names no tool."""
        tool = run["tool"]
        return RuleBook(tool["driver"], tuple(tool.get("extensions", ())))

    @property
    def tool(self) -> str:
        """The scanner's name as one word in lower case."""
        return re.sub(r"\s+", "-", str(self.driver["name"]).strip().lower())

    def rule_of(self, result: Node) -> Node:
        """The description of the rule behind a result; just its id when the report has none."""
        reference = result.get("rule", {})
        name = result.get("ruleId", reference.get("id"))
        index = result.get("ruleIndex", reference.get("index", -1))
        component = self._component(reference.get("toolComponent", {}))
        rules = component.get("rules", ())
        if isinstance(index, int) and 0 <= index < len(rules):
            found: Node = rules[index]
            return found if name is None else {**found, "id": name}
        if name is None:
            return {"id": "no-rule"}
        # "CA1000/1" is a sub-rule of "CA1000" (3.27.5).
        wanted = (name, str(name).rpartition("/")[0])
        everywhere = (rule for part in (component, self.driver, *self.extensions) for rule in part.get("rules", ()))
        found = next((rule for rule in everywhere if rule["id"] in wanted), {})
        return {**found, "id": name}

    def _component(self, reference: Node) -> Node:
        index = reference.get("index", -1)
        if isinstance(index, int) and 0 <= index < len(self.extensions):
            return self.extensions[index]
        name = reference.get("name")
        return next((part for part in self.extensions if name is not None and part.get("name") == name), self.driver)


def severity_of(result: Node, rule: Node) -> Severity:
    """How bad a result is (see the module for the order)."""
    bags = [part.get("properties") or {} for part in (result, rule)]
    for bag in bags:
        if (number := _number(bag.get("security-severity"))) is not None:
            least = Severity.LOW if number > 0 else Severity.INFO
            return next((severity for limit, severity in _SCALE if number >= limit), least)
    for bag in bags:
        for key in _WORD_KEYS:
            if (word := str(bag.get(key, "")).lower()) in _WORDS:
                return _WORDS[word]
    level = result.get("level") or (rule.get("defaultConfiguration") or {}).get("level")
    return _LEVELS.get(str(level), Severity.MEDIUM)


def weaknesses(result: Node, rule: Node) -> tuple[str, ...]:
    """The CWE ids a result or its rule names in tags, properties, taxa or relationships, each once."""
    return tuple(dict.fromkeys(f"CWE-{number}" for part in (result, rule) for number in _numbers(part)))


def _numbers(part: Node) -> Iterator[str]:
    bag = part.get("properties") or {}
    for text in (*bag.get("tags", ()), *_listed(bag.get("cwe"))):
        yield from _CWE.findall(str(text))
    relations = [relation.get("target", {}) for relation in part.get("relationships", ())]
    for target in (*part.get("taxa", ()), *relations):
        name = str(target.get("id", ""))
        if (target.get("toolComponent") or {}).get("name") == "CWE":
            yield from re.findall(r"\d+", name)
        else:
            yield from _CWE.findall(name)


def _listed(value: object) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


def _number(value: object) -> float | None:
    with contextlib.suppress(ValueError):
        return float(value) if isinstance(value, str | int | float) else None
    return None
