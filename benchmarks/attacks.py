"""Try every attack of `tests/adversarial` and count those that are stopped.

    python -m benchmarks.attacks [--json OUT]

Runs the tests of that folder, which go through `scaffold check` (swaps of one line: through the anchors layer), and
reads their report: an attack is stopped when its test passes. Harmless changes, which must be accepted, are counted
apart.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "adversarial"
_HARMLESS = "test_harmless"


def measure() -> dict[str, Any]:
    """The counts, and the names of what was not stopped."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", f"--junitxml={report}", str(FOLDER)]
        subprocess.run(command, cwd=FOLDER.parents[1], check=False, stdout=subprocess.DEVNULL)
        cases = [case for case in ET.parse(report).iter("testcase") if case.get("name")]
    skipped = [str(case.get("name")) for case in cases if case.find("skipped") is not None]
    failed = {
        str(case.get("name")) for case in cases if case.find("failure") is not None or case.find("error") is not None
    }
    names = {str(case.get("name")) for case in cases} - set(skipped)
    attacks = {name for name in names if not name.startswith(_HARMLESS)}
    harmless = names - attacks
    return {
        "attacks tried": len(attacks),
        "attacks stopped": len(attacks - failed),
        "got through": sorted(attacks & failed),
        "harmless changes tried": len(harmless),
        "harmless changes accepted": len(harmless - failed),
        "skipped": sorted(skipped),
    }


def main() -> None:
    """Print the counts, and write them to a file when asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = {"command": "python -m benchmarks.attacks --json benchmarks/results/attacks.json", **measure()}
    text = json.dumps(found, indent=1, ensure_ascii=False) + "\n"
    sys.stdout.write(text)
    if options.json is not None:
        options.json.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
