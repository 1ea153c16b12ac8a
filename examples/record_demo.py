"""Run the demo for real and save what it printed as an SVG: ``python examples/record_demo.py OUT.svg``."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

WIDTH = 118
DEMO = Path(__file__).with_name("run_demo.sh")


def main() -> int:
    """Record; ends with the demo's own exit code and writes nothing when it failed."""
    env = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "TERM": "xterm-256color"}
    done = subprocess.run(["sh", str(DEMO)], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    output = done.stdout.decode()
    if done.returncode:
        sys.stderr.write(output)
        return done.returncode
    with Path(os.devnull).open("w") as nowhere:
        console = Console(record=True, width=WIDTH, file=nowhere, force_terminal=True, color_system="truecolor")
        console.print(Text.from_ansi(output))
        svg = console.export_svg(title="make demo", unique_id="scaffold-demo")
    # The reader's own monospace font will do: a picture must not fetch anything.
    Path(sys.argv[1]).write_text(re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL))
    return 0


if __name__ == "__main__":
    sys.exit(main())
