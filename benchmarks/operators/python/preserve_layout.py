"""What readers see and the program does not: comments, docstrings, hints, line breaks; and log lines."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchmarks.operators.operator import Edit, Rewrite
from benchmarks.operators.python.declare import preserving
from benchmarks.operators.python.source import PythonSource

_LOG = "logging.getLogger(__name__).debug"


def _add_comment(source: PythonSource) -> Iterator[Rewrite]:
    for block in source.blocks:
        for node in block:
            if source.owns_lines(node, node) and source.text.startswith(
                source.indent(node), source.line_start(node.lineno)
            ):
                yield (source.insert_before(node, f"{source.indent(node)}# The next step, in words.\n"),)


def _add_blank_line(source: PythonSource) -> Iterator[Rewrite]:
    for block in source.blocks:
        for node in block[1:]:
            if source.owns_lines(node, node):
                yield (source.insert_before(node, "\n"),)


def _add_docstring(source: PythonSource) -> Iterator[Rewrite]:
    for function in source.functions:
        if ast.get_docstring(function) is None and not function.name.startswith(("p_", "t_")):  # ply reads those
            first = function.body[0]
            yield (source.insert_before(first, f'{source.indent(first)}"""Do what the name says."""\n'),)


def _add_hint(source: PythonSource) -> Iterator[Rewrite]:
    for function in source.functions:
        if function.decorator_list:
            continue
        for item in function.args.args:
            if item.annotation is None and item.arg not in ("self", "cls"):
                yield (Edit(source.end(item), source.end(item), ': "object"'),)


def _add_return_hint(source: PythonSource) -> Iterator[Rewrite]:
    for function in source.functions:
        head = source.text[source.start(function) : source.line_start(source.first_line(function.body[0]))].rstrip()
        if function.returns is None and not function.decorator_list and head.endswith("):") and "#" not in head:
            end = source.start(function) + len(head) - 1
            yield (Edit(end, end, ' -> "object"'),)


def _break_call(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.Call):
        assert isinstance(node, ast.Call)
        if not node.args or node.keywords or isinstance(node.args[0], ast.GeneratorExp) or "\n" in source.code(node):
            continue
        start, end = source.start(node.args[0]), source.end(node) - 1
        opening = source.text[source.end(node.func) : start]
        if opening.strip() == "(":
            yield Edit(start, start, "\n        "), Edit(end, end, "\n    ")


def _add_logging(source: PythonSource) -> Iterator[Rewrite]:
    """A debug line as the first statement behind the docstring."""
    known = source.importing("logging")
    for function in source.functions:
        first = (
            function.body[1] if ast.get_docstring(function) is not None and len(function.body) > 1 else function.body[0]
        )
        if known is not None and source.owns_lines(first, first) and not isinstance(first, ast.Global | ast.Nonlocal):
            yield (
                known,
                source.insert_before(first, f"{source.indent(first)}{_LOG}('enter {function.name}')\n"),
            )


def _log_refusal(source: PythonSource) -> Iterator[Rewrite]:
    known = source.importing("logging")
    for node in source.of(ast.Raise):
        assert isinstance(node, ast.Raise)
        if (
            known is not None
            and source.function_of(node) is not None
            and node.exc is not None
            and source.owns_lines(node, node)
        ):
            yield (
                known,
                source.insert_before(node, f"{source.indent(node)}{_LOG}('refused')\n"),
            )


OPERATORS = (
    preserving("add-comment", "A comment is put above a statement.", _add_comment),
    preserving("add-blank-line", "A blank line is put between two statements.", _add_blank_line),
    preserving("add-docstring", "A function without a docstring gets one.", _add_docstring),
    preserving("add-parameter-hint", "A parameter gets a type hint.", _add_hint),
    preserving("add-return-hint", "A function gets a return type hint.", _add_return_hint),
    preserving("break-call", "The arguments of a call are put on a line of their own.", _break_call),
    preserving("add-logging", "A function writes a debug line when it starts.", _add_logging),
    preserving("log-before-raise", "A debug line is written before an error is raised.", _log_refusal),
)
