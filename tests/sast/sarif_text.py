"""Reports in SARIF, made by tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def sarif(*results: Mapping[str, Any], **run: Any) -> str:
    driver = {"name": "Probe", "version": "1"}
    return json.dumps({"version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results, **run}]})


def at(path: str, line: int, rule: str = "r1", level: str = "error", **region: int) -> dict[str, Any]:
    place = {"artifactLocation": {"uri": path}, "region": {"startLine": line, **region}}
    return {"ruleId": rule, "level": level, "message": {"text": "Bad."}, "locations": [{"physicalLocation": place}]}
