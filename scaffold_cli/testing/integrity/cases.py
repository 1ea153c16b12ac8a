"""The tests of one file, whatever runs them: pytest, unittest, JUnit, TestNG, jest, vitest, mocha."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from scaffold_cli.syntax.outline import Block, Class, Expr, ExprKind, Function, Language, Outline, StmtKind
from scaffold_cli.syntax.roles import is_test_file
from scaffold_cli.testing.integrity.bodies import Found, read_body, read_expression
from scaffold_cli.testing.integrity.calls import raised
from scaffold_cli.testing.integrity.interface import Check, Strength, TestCase
from scaffold_cli.testing.integrity.spelling import dotted, function_name, keyword

_SKIP_MARKS = frozenset({"skip", "Disabled", "Ignore", "skipIf", "skipUnless", "skipif", "todo"})
_UNSURE_MARKS = frozenset({"skipIf", "skipUnless", "skipif"})
_SWITCHED = re.compile(r"(Enabled|Disabled)If(EnvironmentVariable|SystemProperty)s?")
"""Annotations of JUnit that let a test run when somebody says so."""
_XFAIL_MARKS = frozenset({"xfail", "expectedFailure", "fails", "failing"})
_JUNIT = frozenset({"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory"})
_TABLES = frozenset({"parametrize", "ValueSource", "CsvSource", "expand", "data", "EnumSource"})
_JS_TESTS = frozenset({"it", "test", "xit", "xtest", "fit", "specify"})
_JS_GROUPS = frozenset({"describe", "xdescribe", "fdescribe", "suite", "context"})


def cases_of(outline: Outline) -> list[TestCase]:
    """The tests of a file in source order; of the last definition only, when a name is defined twice."""
    if outline.language in (Language.JAVASCRIPT, Language.TYPESCRIPT):
        return list({case.name: case for case in _javascript(outline)}.values())
    classes = {item.name: item for item in outline.classes}
    helpers = {function.short_name: function for function in outline.functions}
    found = {}
    for function in outline.functions:
        if _is_test(outline, function, classes):
            case = _case(outline.path, function, helpers, classes.get(function.owner))
            found[case.name] = case
    return list(found.values())


def _is_test(outline: Outline, function: Function, classes: Mapping[str, Class]) -> bool:
    inner = function.name.rpartition(".")[0]
    if inner != function.owner:
        return False
    if outline.language is Language.JAVA:
        marked = any(_mark(item) in _JUNIT for item in function.decorators)
        return marked or (function.short_name.startswith("test") and is_test_file(outline.path))
    if outline.language is not Language.PYTHON or not function.short_name.startswith("test"):
        return False
    owner = classes.get(function.owner)
    in_case = owner is not None and any("TestCase" in dotted(base) for base in owner.bases)
    return in_case or is_test_file(outline.path)


def _mark(decorator: Expr) -> str:
    return dotted(decorator).rpartition(".")[2]


def _case(path: str, function: Function, helpers: Mapping[str, Function], owner: Class | None) -> TestCase:
    body = read_body(function, helpers)
    decorators = [*function.decorators, *(owner.decorators if owner else ())]
    marks = body.marks | set(_marks(decorators))
    checks = [*body.checks, *_expected(function.decorators)]
    rows = [count for item in function.decorators if (count := _rows(item))]
    total = 1
    for count in rows:
        total *= count
    return TestCase(
        function.name, path, function.line, function.end_line, tuple(checks), frozenset(marks), total if rows else 0,
        body.statements, frozenset(body.calls),
    )  # fmt: skip


def _marks(decorators: list[Expr]) -> Iterator[str]:
    for item in decorators:
        name = _mark(item)
        if name in _UNSURE_MARKS:
            yield "skip" if _is_certain(item, name) else "skip-sometimes"
        elif name in _SKIP_MARKS or _SWITCHED.fullmatch(name):
            yield "skip"
        elif name in _XFAIL_MARKS:
            yield "xfail"
        enabled = keyword(item, "enabled") if item.kind is ExprKind.CALL else None
        if enabled is not None and enabled.text == "false":
            yield "skip"


def _is_certain(mark: Expr, name: str) -> bool:
    """A condition that is a constant is none."""
    condition = mark.parts[1] if mark.kind is ExprKind.CALL and len(mark.parts) > 1 else None
    always = "false" if name == "skipUnless" else "true"
    return condition is not None and condition.kind is ExprKind.CONSTANT and condition.text == always


def _expected(decorators: tuple[Expr, ...]) -> Iterator[Check]:
    """JUnit 4 and TestNG name the error a test demands in its annotation."""
    for item in decorators:
        value = keyword(item, "expected", "expectedExceptions") if item.kind is ExprKind.CALL else None
        if value is not None:
            call = Expr(ExprKind.CALL, "", (Expr(ExprKind.NAME, "raises", (), item.line), value), item.line)
            yield replace(raised(call), calls=frozenset())


def _rows(decorator: Expr) -> int:
    """How many rows a table of parameters has; 0 when it is none or they are not written out."""
    if decorator.kind is not ExprKind.CALL or _mark(decorator) not in _TABLES:
        return 0
    tables = [part.parts[0] if part.kind is ExprKind.KEYWORD else part for part in decorator.parts[1:]]
    counted = [
        len(table.parts)
        for table in tables
        if table.kind is ExprKind.COLLECTION and table.text in ("list", "tuple", "array")
    ]
    return counted[-1] if counted else 0


def _javascript(outline: Outline) -> Iterator[TestCase]:
    functions = {function.name: function for function in outline.functions}
    yield from _Blocks(outline.path, functions).walk(outline.body, "", frozenset())


class _Blocks:
    """Walks describe blocks down to the tests in them."""

    def __init__(self, path: str, functions: Mapping[str, Function]) -> None:
        self._path = path
        self._functions = functions

    def walk(self, block: Block, prefix: str, marks: frozenset[str]) -> Iterator[TestCase]:
        for statement in block:
            for expr in statement.exprs if statement.kind is StmtKind.EXPR else ():
                yield from self._call(expr, prefix, marks)
            for inner in statement.blocks:
                yield from self.walk(inner, prefix, marks)

    def _call(self, call: Expr, prefix: str, marks: frozenset[str]) -> Iterator[TestCase]:
        if call.kind is not ExprKind.CALL:
            return
        word, extra, rows = _js_head(call.parts[0])
        given = call.parts[1:]
        title = given[0].text if given and given[0].kind is ExprKind.STRING else ""
        name = f"{prefix} > {title}" if prefix else title
        if word in _JS_GROUPS:
            for part in given:
                function = self._functions.get(part.text) if part.kind is ExprKind.LAMBDA else None
                if function is not None:
                    yield from self.walk(function.body, name, marks | extra)
        elif word in _JS_TESTS and given:
            body = self._body(given[-1]) if len(given) > 1 else Found()
            line, end = call.line, max([call.line, *(node.line for node in call.walk())])
            yield TestCase(
                name, self._path, line, end, tuple(body.checks), marks | extra | body.marks, rows, body.statements,
                frozenset(body.calls),
            )  # fmt: skip

    def _body(self, expr: Expr) -> Found:
        if expr.kind is ExprKind.LAMBDA and expr.text in self._functions:
            return read_body(self._functions[expr.text], self._functions)
        if expr.kind is ExprKind.LAMBDA and expr.parts:
            return read_expression(expr.parts[0], self._functions)
        return Found(checks=[Check(Strength.EXACT, f"body {dotted(expr)}")], statements=1)


def _js_head(function: Expr) -> tuple[str, frozenset[str], int]:
    """``it.skip.each(table)`` as its first word, the marks on it and the rows of its table."""
    marks: set[str] = set()
    rows = 0
    node = function
    while node.kind in (ExprKind.ATTRIBUTE, ExprKind.CALL) and node.parts:
        if node.kind is ExprKind.CALL:
            tables = [part for part in node.parts[1:] if part.kind is ExprKind.COLLECTION]
            rows = len(tables[0].parts) if tables and function_name(node) == "each" else rows
            if function_name(node) in ("skipIf", "runIf") and any(inner.text == "env" for inner in node.walk()):
                marks.add("skip")
        elif node.text in ("skip", "todo", "only"):
            marks.add("only" if node.text == "only" else "skip")
        elif node.text in _XFAIL_MARKS:
            marks.add("xfail")
        node = node.parts[0]
    word = node.text if node.kind is ExprKind.NAME else ""
    marks |= {"skip"} if word in ("xit", "xtest", "xdescribe") else {"only"} if word in ("fit", "fdescribe") else set()
    return word, frozenset(marks), rows
