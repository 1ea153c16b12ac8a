"""A bare ``except:`` also swallows Ctrl-C and ``sys.exit``."""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from scaffold_cli.proposers.repairs.interface import About, Repair
from scaffold_cli.proposers.repairs.names import walk


class BareExcept(Repair):
    """Rewrites ``except:`` to ``except Exception:`` where the handler does not raise again."""

    about: ClassVar[About] = About(
        id="bare-except",
        title="let Ctrl-C and exits through",
        why="A bare except also catches KeyboardInterrupt and SystemExit, so the program cannot be stopped there.",
        cwe="CWE-396",
        marks=(b"except",),
        examples=(
            (
                "try:\n    work()\nexcept:\n    log('failed')\n",
                "try:\n    work()\nexcept Exception:\n    log('failed')\n",
            ),
            (
                "try:\n    work()\nexcept OSError:\n    raise\nexcept:  # anything else\n    pass\n",
                "try:\n    work()\nexcept OSError:\n    raise\nexcept Exception:  # anything else\n    pass\n",
            ),
        ),
        leaves=(
            "try:\n    work()\nexcept:\n    undo()\n    raise\n",
            "try:\n    work()\nexcept Exception:\n    pass\n",
            "try:\n    work()\nfinally:\n    undo()\n",
        ),
    )

    def leave(self, original: cst.CSTNode, updated: cst.CSTNode) -> cst.CSTNode:
        """Repair one handler."""
        if not isinstance(original, cst.ExceptHandler) or original.type is not None:
            return updated
        if any(isinstance(node, cst.Raise) and node.exc is None for node in walk(original.body)):
            return updated
        self.count += 1
        return updated.with_changes(type=cst.Name("Exception"), whitespace_after_except=cst.SimpleWhitespace(" "))
