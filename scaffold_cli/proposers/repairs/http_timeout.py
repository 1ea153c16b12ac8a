"""A request without a time limit waits for ever for a server that does not answer."""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from scaffold_cli.proposers.repairs.interface import About, Repair, passes, with_argument

_SECONDS = "30"
_POSITIONAL = {
    "urllib.request.urlopen": 2,
    **{f"requests.{verb}": 3 for verb in ("get", "post", "put", "patch", "delete", "head", "options", "request")},
}
"""Functions whose default is to wait without limit, and how many arguments come before `timeout` by position."""


class HttpTimeout(Repair):
    """Adds ``timeout=30`` to calls of requests and urlopen that have none."""

    about: ClassVar[About] = About(
        id="http-timeout",
        title="limit how long an HTTP request waits",
        why="A server that never answers holds the caller, and with it a worker, for ever.",
        cwe="CWE-400",
        marks=(b"requests", b"urlopen"),
        examples=(
            (
                "import requests\n\n\ndef fetch(url):\n    return requests.get(url).text\n",
                "import requests\n\n\ndef fetch(url):\n    return requests.get(url, timeout=30).text\n",
            ),
            (
                "from urllib.request import urlopen\n\ndata = urlopen(\n    U,\n    B,\n).read()\n",
                "from urllib.request import urlopen\n\ndata = urlopen(\n    U,\n    B,\n    timeout=30,\n).read()\n",
            ),
        ),
        leaves=(
            "import requests\n\nrequests.get(URL, timeout=5)\n",
            "import requests\n\nrequests.get(URL, **options)\n",
            "import urllib.request\n\nurllib.request.urlopen(URL, None, 5)\n",
            "import urllib.request\n\nurllib.request.urlopen(*arguments)\n",
            "def get(requests):\n    return requests.get('x')\n",
        ),
    )

    def leave(self, original: cst.CSTNode, updated: cst.CSTNode) -> cst.CSTNode:
        """Repair one call."""
        if not isinstance(original, cst.Call) or not isinstance(updated, cst.Call):
            return updated
        limit = _POSITIONAL.get(self.names.resolve(original.func))
        if limit is None or passes(original, "timeout") or any(arg.star == "*" for arg in original.args):
            return updated
        if sum(arg.keyword is None for arg in original.args) > limit:
            return updated
        self.count += 1
        return with_argument(updated, "timeout", cst.Integer(_SECONDS))
