"""Comparing digests with ``==`` tells an attacker by its timing how much of a guess was right."""

from __future__ import annotations

from typing import ClassVar

import libcst as cst

from scaffold_cli.proposers.repairs.interface import About, Repair
from scaffold_cli.proposers.repairs.names import Names, walk
from scaffold_cli.proposers.repairs.words import names_proof

_HEX, _RAW, _TEXT, _BYTES = "hex", "raw", "text", "bytes"


class DigestCompare(Repair):
    """Rewrites ``==`` and ``!=`` on a digest to ``hmac.compare_digest``.

    Only where names, or the use of hmac, say that the digest proves something: a checksum has no secret. Only
    where both sides are known to be text or bytes: compare_digest raises where ``==`` is False.
    Text that may hold other characters than ASCII is encoded first, for the same reason.
    """

    about: ClassVar[About] = About(
        id="digest-compare",
        title="compare digests in constant time",
        why="A comparison that stops at the first difference lets an attacker find a valid digest byte by byte.",
        cwe="CWE-208",
        marks=(b"digest(",),
        examples=(
            (
                "import hashlib\n\n\ndef is_token(data: bytes, given: str) -> bool:\n"
                "    return hashlib.sha256(data).hexdigest() == given\n",
                "import hashlib\nimport hmac\n\n\ndef is_token(data: bytes, given: str) -> bool:\n"
                "    return hmac.compare_digest(hashlib.sha256(data).hexdigest().encode(), given.encode())\n",
            ),
            (
                "import hmac\n\n\ndef check(key, body, signature: bytes):\n"
                "    expected = hmac.new(key, body, 'sha256').digest()\n"
                "    if signature != expected:\n        raise ValueError('bad signature')\n",
                "import hmac\n\n\ndef check(key, body, signature: bytes):\n"
                "    expected = hmac.new(key, body, 'sha256').digest()\n"
                "    if not hmac.compare_digest(signature, expected):\n        raise ValueError('bad signature')\n",
            ),
            (
                "import hashlib\n\n\ndef same_token(a, b):\n"
                "    return hashlib.sha256(a).hexdigest() == hashlib.sha256(b).hexdigest()\n",
                "import hashlib\nimport hmac\n\n\ndef same_token(a, b):\n"
                "    return hmac.compare_digest(hashlib.sha256(a).hexdigest(), hashlib.sha256(b).hexdigest())\n",
            ),
        ),
        leaves=(
            "def same(a: str, b: str) -> bool:\n    return a == b\n",
            "def unchanged(data, given: bytes):\n    return md5(data).digest() == given\n",
            "def same_token(h, given):\n    return h.hexdigest() == given\n",
            "def same_token(h, given: str):\n    return h.hexdigest() == given == 'x'\n",
            "hmac = None\n\n\ndef same_token(h, given: str):\n    return h.hexdigest() == given\n",
        ),
    )

    def __init__(self, names: Names) -> None:
        super().__init__(names)
        self._scopes: list[dict[str, str]] = []
        self._functions: list[str] = []

    def enter(self, node: cst.CSTNode) -> None:
        """Learn what the names of a function hold."""
        if isinstance(node, cst.FunctionDef):
            self._scopes.append(_kinds(node))
            self._functions.append(node.name.value)

    def leave(self, original: cst.CSTNode, updated: cst.CSTNode) -> cst.CSTNode:
        """Repair one comparison; forget the names at the end of the function."""
        if isinstance(original, cst.FunctionDef):
            self._scopes.pop()
            self._functions.pop()
        elif isinstance(updated, cst.Comparison) and len(updated.comparisons) == 1:
            return self._compare(updated, updated.comparisons[0])
        return updated

    def _compare(self, updated: cst.Comparison, target: cst.ComparisonTarget) -> cst.BaseExpression:
        left, right = updated.left, target.comparator
        sides = _sides(left, right, (self._kind(left), self._kind(right)))
        equality = isinstance(target.operator, cst.Equal | cst.NotEqual)
        if sides is None or not equality or not self._proves(updated) or not self.names.can_import("hmac"):
            return updated
        self.count += 1
        self.need("hmac")
        comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
        call = cst.Call(
            func=cst.Attribute(cst.Name("hmac"), cst.Name("compare_digest")),
            args=[cst.Arg(sides[0], comma=comma), cst.Arg(sides[1])],
        )
        if isinstance(target.operator, cst.NotEqual):
            return cst.UnaryOperation(cst.Not(), call, lpar=updated.lpar, rpar=updated.rpar)
        return call.with_changes(lpar=updated.lpar, rpar=updated.rpar)

    def _proves(self, comparison: cst.Comparison) -> bool:
        written = [node.value for node in walk(comparison) if isinstance(node, cst.Name)]
        return self.names.is_imported("hmac") or any(names_proof(name) for name in (*written, *self._functions))

    def _kind(self, node: cst.BaseExpression) -> str:
        kind = _kind_of(node)
        if not kind and isinstance(node, cst.Name) and self._scopes:
            return self._scopes[-1].get(node.value, "")
        return kind


def _sides(
    left: cst.BaseExpression, right: cst.BaseExpression, kinds: tuple[str, str]
) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
    """The arguments of compare_digest, or None when this is no comparison of digests of known kinds."""
    if set(kinds) in ({_HEX}, {_RAW}, {_RAW, _BYTES}):
        return _bare(left), _bare(right)
    if set(kinds) == {_HEX, _TEXT}:
        return _encoded(left), _encoded(right)
    return None


def _bare(node: cst.BaseExpression) -> cst.BaseExpression:
    return node.with_changes(lpar=[], rpar=[]) if isinstance(node, cst.Call) else node


def _encoded(node: cst.BaseExpression) -> cst.BaseExpression:
    return cst.Call(cst.Attribute(node, cst.Name("encode")))


def _kind_of(node: cst.BaseExpression) -> str:
    match node:
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="hexdigest")), args=[]):
            return _HEX
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="digest")), args=[]):
            return _RAW
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="encode"))):
            return _BYTES
        case cst.Call(func=cst.Attribute(value=cst.Name(value="bytes"), attr=cst.Name(value="fromhex"))):
            return _BYTES
        case cst.Call(func=cst.Name(value="str")):
            return _TEXT
    return ""


def _kinds(function: cst.FunctionDef) -> dict[str, str]:
    """What the annotated parameters and the variables assigned once hold."""
    kinds: dict[str, str] = {}
    parameters = function.params
    for parameter in (*parameters.posonly_params, *parameters.params, *parameters.kwonly_params):
        match parameter.annotation:
            case cst.Annotation(annotation=cst.Name(value="str")):
                kinds[parameter.name.value] = _TEXT
            case cst.Annotation(annotation=cst.Name(value="bytes")):
                kinds[parameter.name.value] = _BYTES
            case _:
                kinds[parameter.name.value] = ""
    for node in walk(function.body):
        if isinstance(node, cst.Assign):
            for target in node.targets:
                if isinstance(target.target, cst.Name):
                    name = target.target.value
                    kinds[name] = "" if name in kinds else _kind_of(node.value)
        elif isinstance(node, cst.AugAssign | cst.For | cst.NamedExpr) and isinstance(node.target, cst.Name):
            kinds[node.target.value] = ""
    return kinds
