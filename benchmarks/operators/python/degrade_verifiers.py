"""Functions whose work is to refuse, and that no longer do it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from benchmarks.operators.operator import Rewrite
from benchmarks.operators.python.declare import degrading
from benchmarks.operators.python.security import SWITCH, VERIFIER, called, verifiers
from benchmarks.operators.python.source import Function, PythonSource

_DECORATOR = re.compile(r"require|permission|login|csrf|auth|protect|validat|verif|restrict|secure")


def _work(function: Function) -> list[ast.stmt]:
    """The body without its docstring."""
    return function.body[1:] if ast.get_docstring(function) is not None else function.body


def _early_return(source: PythonSource) -> Iterator[Rewrite]:
    for function, answers in verifiers(source):
        for first in _work(function)[:1]:
            yield (source.insert_before(first, f"{source.indent(first)}return{' True' if answers else ''}\n"),)


def _empty(source: PythonSource) -> Iterator[Rewrite]:
    for function, answers in verifiers(source):
        work = _work(function)
        if work and source.owns_lines(work[0], work[-1]):
            yield (
                source.replace_lines(
                    work[0], work[-1], f"{source.indent(work[0])}{'return True' if answers else 'pass'}\n"
                ),
            )


def _elide(source: PythonSource) -> Iterator[Rewrite]:
    for function, answers in verifiers(source):
        work = _work(function)
        if not answers and work and source.owns_lines(work[0], work[-1]):
            indent = source.indent(work[0])
            yield (source.replace_lines(work[0], work[-1], f"{indent}# ... existing code ...\n{indent}pass\n"),)


def _answer_true(source: PythonSource) -> Iterator[Rewrite]:
    for function, answers in verifiers(source):
        for node in ast.walk(function):
            match node:
                case ast.Return(value=ast.Constant(value=False) as value) if (
                    answers and source.function_of(node) is function
                ):
                    yield (source.replace(value, "True"),)


def _drop_call(source: PythonSource) -> Iterator[Rewrite]:
    """A statement that only calls a function of this file whose work is to refuse."""
    raising = {function.name for function, answers in verifiers(source) if not answers}
    for block in source.blocks:
        for node in block:
            match node:
                case ast.Expr(value=ast.Call() as call) if called(call) in raising and call.args + call.keywords:
                    if (
                        VERIFIER.search(called(call).lower())
                        and source.function_of(node) is not None
                        and source.owns_lines(node, node)
                    ):
                        yield (
                            source.replace_lines(node, node, f"{source.indent(node)}pass\n" if len(block) == 1 else ""),
                        )


def _drop_decorator(source: PythonSource) -> Iterator[Rewrite]:
    for function in source.functions:
        for decorator in function.decorator_list:
            accessor = source.code(decorator).endswith((".setter", ".getter", ".deleter"))
            if (
                not accessor
                and _DECORATOR.search(source.code(decorator).lower())
                and decorator.lineno == decorator.end_lineno
            ):
                start = source.line_start(decorator.lineno)
                yield (type(source.replace(decorator, ""))(start, source.line_start(decorator.lineno + 1), ""),)


def _flip_default(source: PythonSource) -> Iterator[Rewrite]:
    for function in source.functions:
        given = function.args
        pairs = [
            *zip(given.args[len(given.args) - len(given.defaults) :], given.defaults, strict=True),
            *zip(given.kwonlyargs, given.kw_defaults, strict=True),
        ]
        for item, default in pairs:
            if isinstance(default, ast.Constant) and default.value is True and SWITCH.search(item.arg):
                yield (source.replace(default, "False"),)


OPERATORS = (
    degrading("early-return", "A verifier returns before it looks.", _early_return),
    degrading("empty-verifier", "A verifier's body is emptied.", _empty),
    degrading("elide-verifier", "A verifier's body is replaced by a comment that claims it is there.", _elide),
    degrading("answer-true", "A verifier answers True where it answered False.", _answer_true),
    degrading("drop-check-call", "A call of a function that refuses is removed.", _drop_call),
    degrading("drop-decorator", "A decorator that protects a function is removed.", _drop_decorator),
    degrading("flip-default", "A parameter that switches a protection on is off by default.", _flip_default),
)
