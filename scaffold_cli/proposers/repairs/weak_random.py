"""``random`` makes predictable secrets; ``secrets`` is for those."""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from scaffold_cli.proposers.repairs.interface import About, Repair
from scaffold_cli.proposers.repairs.names import Names, dotted
from scaffold_cli.proposers.repairs.words import names_secret

_SAME_CALL = {"choice": "choice", "getrandbits": "randbits", "randbytes": "token_bytes"}
_GENERATOR = frozenset(("choices", "randint", "randrange", "random", "sample", "shuffle", "uniform"))
_NAMING = (cst.FunctionDef, cst.Assign, cst.AnnAssign, cst.Arg)
"""Nodes whose name says what the values inside are for."""


class WeakRandom(Repair):
    """Rewrites ``random.…`` where the function or the target is named after a secret."""

    about: ClassVar[About] = About(
        id="weak-random",
        title="draw secrets from the secrets module",
        why="The generator behind random can be predicted from its output, so a token made with it can be guessed.",
        cwe="CWE-338",
        marks=(b"random",),
        examples=(
            (
                "import random\n\n\ndef new_token(n):\n    return ''.join(random.choice('abc') for _ in range(n))\n",
                "import secrets\n\n\ndef new_token(n):\n    return ''.join(secrets.choice('abc') for _ in range(n))\n",
            ),
            (
                "import random\n\nsession_id = random.getrandbits(128)\nroll = random.randint(1, 6)\n",
                "import random\nimport secrets\n\nsession_id = secrets.randbits(128)\nroll = random.randint(1, 6)\n",
            ),
            (
                "import os\nimport random as r\n\n\ndef reset_password():\n    return str(r.randint(100000, 999999))\n",
                "import os\nimport random as r\nimport secrets\n\n\ndef reset_password():\n"
                "    return str(secrets.SystemRandom().randint(100000, 999999))\n",
            ),
        ),
        leaves=(
            "import random\n\n\ndef shuffle_deck(deck):\n    random.shuffle(deck)\n",
            "import random\n\nrng = random.Random(7)\n\n\ndef token():\n    return rng.choice('abc')\n",
            "def token(random):\n    return random.choice('abc')\n",
            "import random\n\nsecrets = ['a', 'b']\n\n\ndef token():\n    return random.choice(secrets)\n",
        ),
    )

    def __init__(self, names: Names) -> None:
        super().__init__(names)
        self._context: list[bool] = []

    def enter(self, node: cst.CSTNode) -> None:
        """Remember whether what we are in is named after a secret."""
        if isinstance(node, _NAMING):
            self._context.append(any(names_secret(name) for name in _labels(node)))

    def leave(self, original: cst.CSTNode, updated: cst.CSTNode) -> cst.CSTNode:
        """Repair one call."""
        if isinstance(original, _NAMING):
            self._context.pop()
        elif isinstance(original, cst.Call) and isinstance(updated, cst.Call) and any(self._context):
            return self._call(original, updated)
        return updated

    def _call(self, original: cst.Call, updated: cst.Call) -> cst.Call:
        module, _, member = self.names.resolve(original.func).rpartition(".")
        if module != "random" or not self.names.can_import("secrets"):
            return updated
        if member in _SAME_CALL:
            function = f"secrets.{_SAME_CALL[member]}"
        elif member in _GENERATOR:
            function = f"secrets.SystemRandom().{member}"
        else:
            return updated
        self.count += 1
        self.need("secrets", instead_of="random")
        return updated.with_changes(func=cst.parse_expression(function))


def _labels(node: cst.CSTNode) -> list[str]:
    match node:
        case cst.FunctionDef():
            return [node.name.value]
        case cst.Assign():
            return [dotted(target.target).rpartition(".")[2] for target in node.targets]
        case cst.AnnAssign():
            return [dotted(node.target).rpartition(".")[2]]
        case cst.Arg():
            return [node.keyword.value] if node.keyword else []
    return []
