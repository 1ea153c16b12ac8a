"""Handlers that refused, and now go on."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchmarks.operators.operator import Edit, Rewrite
from benchmarks.operators.python.declare import degrading
from benchmarks.operators.python.names import bound, names
from benchmarks.operators.python.security import DANGER, verifiers
from benchmarks.operators.python.source import PythonSource


def _refusing(source: PythonSource) -> Iterator[ast.ExceptHandler]:
    """Handlers of a specific error that only raise, or answer False or None, and speak of danger or of what failed."""
    for node in source.of(ast.ExceptHandler):
        match node:
            case ast.ExceptHandler(type=ast.expr() as kind, body=[ast.Raise(exc=ast.expr()) as refusal]):
                is_broad = source.code(kind) in ("Exception", "BaseException")
                says_danger = DANGER.search(source.code(refusal).lower()) is not None
                placed = source.owns_lines(refusal, refusal) and source.function_of(node) is not None
                if placed and says_danger and not is_broad and not _is_needed_later(source, node):
                    yield node


def _swallow(source: PythonSource) -> Iterator[Rewrite]:
    for node in _refusing(source):
        yield (source.replace(node.body[0], "pass"),)


def _broaden(source: PythonSource) -> Iterator[Rewrite]:
    for node in _refusing(source):
        assert node.type is not None
        yield source.replace(node.type, "Exception"), source.replace(node.body[0], "pass")


def _to_log(source: PythonSource) -> Iterator[Rewrite]:
    known = source.importing("logging")
    for node in _refusing(source):
        if known is not None:
            yield known, source.replace(node.body[0], 'logging.getLogger(__name__).warning("refused")')


def _to_true(source: PythonSource) -> Iterator[Rewrite]:
    answering = {function for function, answers in verifiers(source) if answers}
    for node in source.of(ast.ExceptHandler):
        match node:
            case ast.ExceptHandler(type=ast.expr(), body=[*_, ast.Return(value=ast.Constant(value=False) as value)]):
                if source.function_of(node) in answering:
                    yield (Edit(source.start(value), source.end(value), "True"),)


def _is_needed_later(source: PythonSource, handler: ast.ExceptHandler) -> bool:
    """True when the function reads what the try block binds: going on would fail there, and so still refuse."""
    attempt, function = source.parents[handler], source.function_of(handler)
    if not isinstance(attempt, ast.Try) or function is None:
        return True
    later = [node for node in ast.walk(function) if getattr(node, "lineno", 0) > (attempt.end_lineno or 0)]
    return bool(bound(attempt.body) & names([*later, *attempt.orelse]))


OPERATORS = (
    degrading("swallow-error", "A handler drops the error it turned into a refusal.", _swallow),
    degrading("broaden-and-swallow", "A handler of one error catches all and drops them.", _broaden),
    degrading("handler-to-log", "A handler writes a log line where it refused.", _to_log),
    degrading("handler-answers-true", "A handler answers True where it answered False.", _to_true),
)
