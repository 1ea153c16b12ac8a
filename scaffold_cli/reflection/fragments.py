"""Answers that give some functions of a file where the whole file was asked for.

A small model gives the function the goal is about and leaves out imports, constants and the rest. Taken by the letter
such an answer deletes all that.
"""

from __future__ import annotations

from scaffold_cli.model.change import FileVersion
from scaffold_cli.syntax.frontends import outline
from scaffold_cli.syntax.outline import Function, Outline, StmtKind


def completed(path: str, old: str, answer: str) -> str:
    """The file that `answer` means: `old` with these functions in it, or `answer` itself where it is a whole file.

    It consists of functions of the old file when each is in there once, nothing else stands beside them, and the old
    file has imports or statements, none of which the answer repeats. What else an answer leaves out is left out.
    """
    before, after = _outline(path, old), _outline(path, answer)
    if before.problem or after.problem or not _has_more(before) or _has_more(after):
        return answer
    known, given = _functions(before), _functions(after)
    if not given or after.classes or not given.keys() <= known.keys():
        return answer
    if any(len(found) != 1 for name in given for found in (known[name], given[name])):
        return answer
    old_lines, new_lines = old.splitlines(keepends=True), answer.splitlines(keepends=True)
    for name in sorted(given, key=lambda name: -known[name][0].line):
        first, last = _span(known[name][0])
        text = new_lines[slice(*_span(given[name][0]))]
        if not text[-1].endswith("\n"):
            text[-1] += "\n"
        old_lines[first:last] = text
    return "".join(old_lines)


def functions_of(path: str, text: str) -> frozenset[str]:
    """The names of the functions of a file, those of classes with the class; none of a text that cannot be read."""
    return frozenset(function.name for function in _outline(path, text).functions)


def _outline(path: str, text: str) -> Outline:
    return outline(FileVersion(path, text.encode("utf-8", "replace")))


def _has_more(file: Outline) -> bool:
    """Whether there is anything beside functions and classes."""
    markers = (StmtKind.FUNCTION, StmtKind.CLASS, StmtKind.EMPTY)
    return bool(file.imports) or any(statement.kind not in markers for statement in file.body)


def _functions(file: Outline) -> dict[str, list[Function]]:
    """Those at the top, by name."""
    found: dict[str, list[Function]] = {}
    for function in file.functions:
        if "." not in function.name:
            found.setdefault(function.name, []).append(function)
    return found


def _span(function: Function) -> tuple[int, int]:
    """The lines of a function with its decorators, from 0, the end not included."""
    return min([function.line, *(decorator.line for decorator in function.decorators)]) - 1, function.end_line
