"""What a name in a module stands for, as far as its imports tell."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst


class Names:
    """The imports of one module. A name that is also bound in another way stands for nothing certain."""

    def __init__(self, module: cst.Module) -> None:
        self._imports: dict[str, str] = {}
        self._bound: set[str] = set()
        for node in walk(module):
            self._collect(node)

    def resolve(self, node: cst.CSTNode) -> str:
        """The dotted origin of a name or attribute ("random.choice"); empty when it is not imported."""
        if isinstance(node, cst.Name):
            return "" if node.value in self._bound else self._imports.get(node.value, "")
        if isinstance(node, cst.Attribute):
            value = self.resolve(node.value)
            return f"{value}.{node.attr.value}" if value else ""
        return ""

    def can_import(self, module: str) -> bool:
        """True when ``import module`` would bind a name that is free or already means that module."""
        return module not in self._bound and self._imports.get(module, module) == module

    def is_free(self, name: str) -> bool:
        """True when nothing in the module binds `name`."""
        return name not in self._bound and name not in self._imports

    def is_imported(self, module: str) -> bool:
        """True when the name `module` already means that module."""
        return self._imports.get(module) == module and module not in self._bound

    def _collect(self, node: cst.CSTNode) -> None:
        match node:
            case cst.Import():
                self._add_modules(node)
            case cst.ImportFrom():
                self._add_members(node)
            case cst.AssignTarget() | cst.AnnAssign() | cst.AugAssign() | cst.For() | cst.CompFor() | cst.NamedExpr():
                self._bind(node.target)
            case cst.AsName():
                self._bind(node.name)
            case cst.Param() | cst.FunctionDef() | cst.ClassDef():
                self._bind(node.name)

    def _add_modules(self, node: cst.Import) -> None:
        for alias in node.names:
            first = alias.evaluated_name.partition(".")[0]
            self._add(alias.evaluated_alias or first, alias.evaluated_name if alias.asname else first)

    def _add_members(self, node: cst.ImportFrom) -> None:
        module = dotted(node.module) if node.module is not None and not node.relative else ""
        if isinstance(node.names, cst.ImportStar):
            return
        for alias in node.names:
            name = alias.evaluated_alias or alias.evaluated_name
            self._add(name, f"{module}.{alias.evaluated_name}" if module else "")

    def _add(self, name: str, origin: str) -> None:
        # Two different imports under one name: which one is meant depends on the path taken.
        if self._imports.setdefault(name, origin) != origin or not origin:
            self._bound.add(name)

    def _bind(self, target: cst.CSTNode) -> None:
        if isinstance(target, cst.Name):
            self._bound.add(target.value)
        elif isinstance(target, cst.Tuple | cst.List):
            for element in target.elements:
                self._bind(element.value)


def dotted(node: cst.CSTNode) -> str:
    """The text of a name or attribute, "" for anything else."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        value = dotted(node.value)
        return f"{value}.{node.attr.value}" if value else ""
    return ""


def walk(root: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Every node below `root`; import statements are given whole."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, cst.Import | cst.ImportFrom):
            stack.extend(reversed(node.children))


def uses(module: cst.Module, name: str) -> int:
    """How often `name` is written in `module` outside import statements."""
    return sum(isinstance(node, cst.Name) and node.value == name for node in walk(module))
