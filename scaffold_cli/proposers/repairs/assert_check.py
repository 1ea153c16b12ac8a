"""``python -O`` removes every assert, and with it the check it made."""

from __future__ import annotations

from itertools import takewhile
from typing import ClassVar

import libcst as cst
import libcst.matchers as m

from scaffold_cli.proposers.repairs.interface import About, Repair
from scaffold_cli.proposers.repairs.names import Names, walk

_FLIPPED: tuple[tuple[type[cst.BaseCompOp], cst.BaseCompOp], ...] = (
    (cst.Is, cst.IsNot()),
    (cst.IsNot, cst.Is()),
    (cst.In, cst.NotIn()),
    (cst.NotIn, cst.In()),
    (cst.Equal, cst.NotEqual()),
    (cst.NotEqual, cst.Equal()),
)
"""Comparisons that have an exact opposite. ``<`` has none: not (nan < 1) is not nan >= 1."""


class AssertCheck(Repair):
    """Rewrites an assert on a parameter of a public function to an explicit raise of the same AssertionError.

    Only among the checks a function opens with: further down, asserts state what the author knows. Not where
    the assert only tells a type checker what it cannot see (isinstance, is not None).
    """

    about: ClassVar[About] = About(
        id="assert-check",
        title="keep the check when Python runs with -O",
        why="Asserts are removed under -O, so a check of what a caller hands in is gone in optimised runs.",
        cwe="CWE-617",
        marks=(b"assert",),
        examples=(
            (
                "def pay(amount):\n    assert amount > 0, 'amount must be positive'\n    send(amount)\n",
                "def pay(amount):\n    if not amount > 0:\n"
                "        raise AssertionError('amount must be positive')\n    send(amount)\n",
            ),
            (
                "def open_door(user, door):\n    # residents\n    assert user in door.residents\n    door.open()\n",
                "def open_door(user, door):\n    # residents\n    if user not in door.residents:\n"
                "        raise AssertionError\n    door.open()\n",
            ),
            (
                "def f(a, b):\n    assert a and b\n    assert not a.closed\n",
                "def f(a, b):\n    if not (a and b):\n        raise AssertionError\n    if a.closed:\n"
                "        raise AssertionError\n",
            ),
        ),
        leaves=(
            "def total(items):\n    result = sum(items)\n    assert STATE\n    return result\n",
            "def name(user):\n    assert user is not None\n    assert isinstance(user, User)\n    return user.name\n",
            "assert VERSION > 3\n",
            "def _swap(i, j):\n    assert i < j\n    exchange(i, j)\n",
            "def swap(i, j):\n    exchange(i, j)\n    assert i < j\n",
            "class A:\n    def run(self):\n        assert self.ready\n",
        ),
    )

    def __init__(self, names: Names) -> None:
        super().__init__(names)
        self._parameters: list[set[str]] = []
        self._public: list[bool] = [True]
        self._opening: set[cst.CSTNode] = set()
        """The statements that open a public function (nodes are compared by identity)."""

    def enter(self, node: cst.CSTNode) -> None:
        """Learn the parameters of a function, and which statements check them before it does anything."""
        if isinstance(node, cst.ClassDef | cst.FunctionDef):
            name = node.name.value
            self._public.append(self._public[-1] and (not name.startswith("_") or name.endswith("__")))
        if isinstance(node, cst.FunctionDef):
            found = {item.name.value for item in walk(node.params) if isinstance(item, cst.Param)}
            self._parameters.append(found - {"self", "cls"})
            if self._public[-1]:
                self._opening.update(takewhile(_only_checks, node.body.body))
            self._public[-1] = False  # what is defined inside a function is nobody else's

    def leave(self, original: cst.CSTNode, updated: cst.CSTNode) -> cst.CSTNode:
        """Repair one assert; forget what was learnt at the end of the function or class."""
        if isinstance(updated, cst.ClassDef | cst.FunctionDef):
            self._public.pop()
        if isinstance(updated, cst.FunctionDef):
            self._parameters.pop()
        elif isinstance(updated, cst.SimpleStatementLine) and original in self._opening:
            return self._line(updated, updated.body[0])
        return updated

    def _line(self, updated: cst.SimpleStatementLine, statement: cst.BaseSmallStatement) -> cst.BaseStatement:
        if (
            not isinstance(statement, cst.Assert)
            or not self._parameters
            or _narrows(statement.test)
            or not self._checks_parameter(statement.test)
        ):
            return updated
        self.count += 1
        error: cst.BaseExpression = cst.Name("AssertionError")
        if statement.msg is not None:
            error = cst.Call(error, [cst.Arg(statement.msg)])
        return cst.If(
            test=_negated(statement.test),
            body=cst.IndentedBlock(
                [cst.SimpleStatementLine([cst.Raise(error)], trailing_whitespace=updated.trailing_whitespace)]
            ),
            leading_lines=updated.leading_lines,
        )

    def _checks_parameter(self, test: cst.BaseExpression) -> bool:
        return any(isinstance(node, cst.Name) and node.value in self._parameters[-1] for node in walk(test))


def _only_checks(statement: cst.CSTNode) -> bool:
    """Docstrings, asserts, and ifs that leave: what comes before a function does anything."""
    match statement:
        case cst.SimpleStatementLine(body=[cst.Assert() | cst.Expr(value=cst.SimpleString())]):
            return True
        case cst.If(orelse=None, body=cst.IndentedBlock(body=[cst.SimpleStatementLine(body=[small])])):
            return isinstance(small, cst.Raise | cst.Return)
    return False


def _narrows(test: cst.BaseExpression) -> bool:
    call = m.Call(func=m.Name("isinstance") | m.Name("issubclass") | m.Name("callable"))
    none = m.Comparison(comparisons=[m.ComparisonTarget(operator=m.IsNot(), comparator=m.Name("None"))])
    return m.matches(test, call | none)


def _negated(test: cst.BaseExpression) -> cst.BaseExpression:
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return test.expression
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        target = test.comparisons[0]
        for kind, opposite in _FLIPPED:
            if isinstance(target.operator, kind):
                return test.with_changes(comparisons=[target.with_changes(operator=opposite)])
    loose = isinstance(test, cst.BooleanOperation | cst.IfExp | cst.Lambda | cst.NamedExpr)
    if loose and not test.lpar:
        test = test.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return cst.UnaryOperation(cst.Not(), test)
