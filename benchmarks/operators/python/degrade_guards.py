"""Guards that go, stop refusing, or no longer stand in the way."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from benchmarks.operators.operator import Edit, Rewrite
from benchmarks.operators.python.declare import degrading
from benchmarks.operators.python.names import bound, grouped, names, parameters
from benchmarks.operators.python.preserve_branches import STEP
from benchmarks.operators.python.security import called, guards, sinks_behind
from benchmarks.operators.python.source import Function, PythonSource


def _drop(source: PythonSource) -> Iterator[Rewrite]:
    for _, node, _ in guards(source):
        alone = any(block == [node] for block in source.blocks)
        yield (source.replace_lines(node, node, f"{source.indent(node)}pass\n" if alone else ""),)


def _raise_to(source: PythonSource, statement: str, module: str | None = None) -> Iterator[Rewrite]:
    known = source.importing(module) if module else Edit(0, 0, "")
    for _, node, _ in guards(source):
        if known is not None:
            yield known, source.replace(node.body[0], statement)


def _to_assert(source: PythonSource) -> Iterator[Rewrite]:
    for _, node, _ in guards(source):
        if "\n" not in source.code(node.test):
            yield (source.replace_lines(node, node, f"{source.indent(node)}assert not {grouped(source, node.test)}\n"),)


def _swallow(source: PythonSource) -> Iterator[Rewrite]:
    for _, node, _ in guards(source):
        if source.movable(node, node):
            indent = source.indent(node)
            attempt = f"{indent}try:\n{source.shifted(node, node, indent + STEP)}"
            text = f"{attempt}{indent}except Exception:\n{indent}{STEP}pass\n"
            yield (source.replace_lines(node, node, text),)


def _after_sink(source: PythonSource) -> Iterator[Rewrite]:
    for function, node, rest in guards(source):
        if not rest or isinstance(rest[0], ast.Return) or not source.owns_lines(rest[0], rest[0]):
            continue
        last = rest[0].end_lineno or 0
        if any(call.lineno <= last for call in sinks_behind(function, node)):
            yield source.replace_lines(node, node, ""), _behind(source, rest[0], source.block_text(node, node))


def _behind(source: PythonSource, node: ast.stmt, text: str) -> Edit:
    end = source.lines_of(node, node)[1]
    return Edit(end, end, text if source.text[:end].endswith("\n") else f"\n{text}")


def _environment(source: PythonSource) -> Iterator[Rewrite]:
    known = source.importing("os")
    for _, node, _ in guards(source):
        if known is not None:
            yield (
                known,
                source.replace(node.test, f'{grouped(source, node.test)} and not os.environ.get("SKIP_CHECKS")'),
            )


def _skip_parameter(source: PythonSource) -> Iterator[Rewrite]:
    for function, node, _ in guards(source):
        added = new_parameter(source, function, "trusted", "False")
        if added is not None:
            yield added[1], source.replace(node.test, f"not {added[0]} and {grouped(source, node.test)}")


def new_parameter(source: PythonSource, function: Function, name: str, default: str) -> tuple[str, Edit] | None:
    """The edit that adds a last parameter, and its name; None when the signature has stars or keyword-only ones."""
    given = function.args
    if (
        given.vararg
        or given.kwarg
        or given.kwonlyargs
        or not given.args
        or function.decorator_list
        or function.name.startswith("__")
    ):
        return None
    last = given.args[-1]
    end = (
        source.end(given.defaults[-1])
        if given.defaults
        else source.end(last.annotation)
        if last.annotation
        else source.end(last)
    )
    name = source.fresh(name)
    closers = len(source.text[end:]) - len(source.text[end:].lstrip(")"))
    behind = source.text[end + max(closers - 1, 0) :].lstrip()
    return (name, Edit(end, end, f", {name}={default}")) if behind[:1] in (")", ",") and closers <= 1 else None


def _second_path(source: PythonSource) -> Iterator[Rewrite]:
    """The last statement, copied in front of the guard for callers that ask for it."""
    for function, node, rest in guards(source):
        last = rest[-1] if rest else None
        in_body = node in function.body and last is function.body[-1]
        only = isinstance(last, ast.Return) or (isinstance(last, ast.Expr) and len(rest) == 1)
        if not in_body or last is None or not only or not source.movable(last, last):
            continue
        local = bound([function]) - set(parameters(function)) - {function.name}
        acts = any(isinstance(item, ast.Call) for item in ast.walk(last)) and not names([last]) & local
        added = new_parameter(source, function, "fast", "False")
        if acts and added is not None:
            indent, inner = source.indent(node), source.indent(node) + STEP
            done = "" if isinstance(last, ast.Return) else f"{inner}return\n"
            text = f"{indent}if {added[0]}:\n{source.shifted(last, last, inner)}{done}"
            yield added[1], source.insert_before(node, text)


def _ignore_result(source: PythonSource) -> Iterator[Rewrite]:
    for _, node, _ in guards(source):
        match node.test:
            case ast.UnaryOp(op=ast.Not(), operand=ast.Call() as call) if called(call) not in (
                "isinstance",
                "issubclass",
                "callable",
                "hasattr",
            ):
                yield (source.replace_lines(node, node, f"{source.indent(node)}{source.code(call)}\n"),)


OPERATORS = (
    degrading("drop-guard", "A guard that refuses before something sensitive is removed.", _drop),
    degrading("raise-to-pass", "A guard does nothing where it raised.", lambda source: _raise_to(source, "pass")),
    degrading(
        "raise-to-log",
        "A guard writes a log line where it raised.",
        lambda source: _raise_to(source, 'logging.getLogger(__name__).warning("refused")', "logging"),
    ),
    degrading("raise-to-assert", "A guard becomes an assert, which optimised runs leave out.", _to_assert),
    degrading("swallow-guard", "A guard's error is caught around it and dropped.", _swallow),
    degrading("guard-after-sink", "A guard moves behind the sensitive call it stood before.", _after_sink),
    degrading("environment-bypass", "A guard is skipped when the environment says so.", _environment),
    degrading("skip-parameter", "A new parameter lets callers skip a guard.", _skip_parameter),
    degrading("second-path", "A new parameter opens a path around a guard to what it guarded.", _second_path),
    degrading("ignore-result", "A check is still called, and its answer ignored.", _ignore_result),
)
