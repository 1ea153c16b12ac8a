"""How often test integrity objects to commits that a project has already accepted.

    python -m benchmarks.test_integrity [--repository FOLDER] [--commits N] [--json OUT]

Every commit (merges left out) that touches test files is looked at as `scaffold check` looks at it, on its text alone.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from scaffold_cli.syntax.roles import is_test_file
from scaffold_cli.testing.integrity.looking import look
from scaffold_cli.vcs.doors.revisions import revisions
from scaffold_cli.vcs.git import decode, git
from scaffold_cli.vcs.repository import Repository


def measure(repo: Repository, count: int) -> dict[str, Any]:
    """Counts over the newest `count` commits, and what was objected to."""
    names = decode(git("rev-list", "--no-merges", f"--max-count={count}", "HEAD", cwd=repo.root)).split()
    seen = tests = 0
    kinds: Counter[str] = Counter()
    objections = []
    for name in names:
        parents = decode(git("rev-list", "--parents", "--max-count=1", name, cwd=repo.root)).split()[1:]
        if not parents:
            continue
        with revisions(repo, parents[0], name, max_file_bytes=1_000_000) as comparison:
            if not any(is_test_file(side.path) for pair in comparison.change.files for side in pair.sides):
                continue
            material, breaches = look(comparison.change, comparison.after.read, comparison.after.paths())
        seen += 1
        tests += len(material.pairs)
        kinds.update(breach.kind.value for breach in breaches)
        objections += [f"{name[:10]} {breach.kind.value}: {breach.what}"[:240] for breach in breaches]
    return {
        "commits with tests": seen,
        "commits objected to": len({text.partition(" ")[0] for text in objections}),
        "tests on both sides": tests,
        "kinds": dict(sorted(kinds.items())),
        "objections": objections,
    }


def main() -> None:
    """Print the counts, and write them to a file when asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repository", type=Path, default=Path.cwd())
    parser.add_argument("--commits", type=int, default=300)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    found = measure(Repository.discover(options.repository), options.commits)
    command = f"python -m benchmarks.test_integrity --commits {options.commits}"
    text = json.dumps({"command": command, **found}, indent=1, ensure_ascii=False) + "\n"
    sys.stdout.write(text)
    if options.json is not None:
        options.json.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
