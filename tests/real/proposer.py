"""A command proposer: three harmless steps, but the second is first tried by dropping a check.

Called as ``proposer.py MODULE SPEC`` in the candidate tree, where SPEC is JSON with the edits. It stands for an
author who reads the evidence: after a rejection it makes the harmless edit instead.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.real.edits import extract_condition, remove_guard, rename_local


def main() -> int:
    module, spec = Path(sys.argv[1]), json.loads(sys.argv[2])
    request = json.loads(Path(os.environ["SCAFFOLD_REQUEST"]).read_text())
    source = module.read_text()
    step, retried = request["step"], bool(request["counterexamples"])
    if step == 1:
        source = rename_local(source, *spec["local"])
    elif step == 2 and not retried:
        source = remove_guard(source, *spec["guard"])
    elif step == 2:
        source = rename_local(source, *spec["second_local"])
    elif step == 3:
        function, mention = spec["guard"]
        source = extract_condition(source, function, mention, "_is_refused")
    module.write_text(source)
    return 0


if __name__ == "__main__":
    sys.exit(main())
