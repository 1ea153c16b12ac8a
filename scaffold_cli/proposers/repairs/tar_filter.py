"""Unpacking an archive writes wherever the archive says, unless a filter refuses."""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from scaffold_cli.proposers.repairs.interface import About, Repair, passes, with_argument
from scaffold_cli.proposers.repairs.names import Names


class TarFilter(Repair):
    """Adds ``filter="data"`` (PEP 706) to extractall and extract on what ``tarfile.open`` gave."""

    about: ClassVar[About] = About(
        id="tar-filter",
        title="unpack archives with the data filter",
        why="A member named ../../x or a link out of the folder overwrites files outside of it.",
        cwe="CWE-22",
        marks=(b"tarfile",),
        examples=(
            (
                "import tarfile\n\n\ndef unpack(name, folder):\n    with tarfile.open(name) as archive:\n"
                "        archive.extractall(folder)\n",
                "import tarfile\n\n\ndef unpack(name, folder):\n    with tarfile.open(name) as archive:\n"
                '        archive.extractall(folder, filter="data")\n',
            ),
            (
                "import tarfile as t\n\ntar = t.open('a.tar')\ntar.extractall()\n",
                "import tarfile as t\n\ntar = t.open('a.tar')\ntar.extractall(filter=\"data\")\n",
            ),
        ),
        leaves=(
            "import tarfile\n\nwith tarfile.open('a.tar') as tar:\n    tar.extractall(filter='tar')\n",
            "import zipfile\n\nwith zipfile.ZipFile('a.zip') as archive:\n    archive.extractall()\n",
            "def unpack(archive):\n    archive.extractall()\n",
        ),
    )

    def __init__(self, names: Names) -> None:
        super().__init__(names)
        self._archives: list[set[str]] = [set()]

    def enter(self, node: cst.CSTNode) -> None:
        """Learn which names hold archives; a function sees those opened around it."""
        match node:
            case cst.FunctionDef():
                self._archives.append(set(self._archives[-1]))
            case cst.WithItem(asname=cst.AsName(name=target)):
                self._remember(target, node.item)
            case cst.Assign():
                for assigned in node.targets:
                    self._remember(assigned.target, node.value)

    def leave(self, original: cst.CSTNode, updated: cst.CSTNode) -> cst.CSTNode:
        """Repair one call; what was opened inside a function stays inside."""
        if isinstance(original, cst.FunctionDef):
            self._archives.pop()
        elif isinstance(updated, cst.Call) and self._unpacks(updated):
            self.count += 1
            return with_argument(updated, "filter", cst.SimpleString('"data"'))
        return updated

    def _unpacks(self, call: cst.Call) -> bool:
        match call.func:
            case cst.Attribute(value=cst.Name(value=name), attr=cst.Name(value="extractall" | "extract")):
                return name in self._archives[-1] and not passes(call, "filter")
        return False

    def _remember(self, target: cst.CSTNode, value: cst.BaseExpression) -> None:
        if not isinstance(target, cst.Name):
            return
        opened = isinstance(value, cst.Call) and self.names.resolve(value.func) == "tarfile.open"
        if opened:
            self._archives[-1].add(target.value)
        else:
            self._archives[-1].discard(target.value)
