"""Text put together another way: f-string, format, percent."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from benchmarks.operators.operator import Rewrite
from benchmarks.operators.python.declare import preserving
from benchmarks.operators.python.names import is_mangled
from benchmarks.operators.python.source import PythonSource

_CONVERSIONS = {-1: "", 115: "!s", 114: "!r", 97: "!a"}
_PERCENT = re.compile(r"%(.)")


def _fstring_to_format(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.JoinedStr):
        assert isinstance(node, ast.JoinedStr)
        if isinstance(source.parents.get(node), ast.FormattedValue) or "\n" in source.code(node):
            continue
        pieces: list[str] = []
        values: list[str] = []
        for part in node.values:
            if isinstance(part, ast.Constant):
                pieces.append(str(part.value).replace("{", "{{").replace("}", "}}"))
            elif isinstance(part, ast.FormattedValue) and _fixed_spec(part.format_spec) is not None:
                spec = _fixed_spec(part.format_spec)
                pieces.append("{" + _CONVERSIONS[part.conversion] + (f":{spec}" if spec else "") + "}")
                values.append(ast.unparse(part.value))
        if values and len(pieces) == len(node.values) and _is_one_literal(source.code(node)):
            yield (source.replace(node, f"{''.join(pieces)!r}.format({', '.join(values)})"),)


def _fixed_spec(spec: ast.expr | None) -> str | None:
    match spec:
        case None:
            return ""
        case ast.JoinedStr(values=[ast.Constant(value=str(text))]) if "{" not in text:
            return text
    return None


def _is_one_literal(text: str) -> bool:
    """True for one f-string, false for several put side by side."""
    return bool(re.fullmatch(r"(?i:f|rf|fr)(['\"])(?:(?!\1).)*\1", text))


def _percent_to_format(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.BinOp):
        match node:
            case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod(), right=ast.Tuple(elts=items)):
                signs = _PERCENT.findall(text)
                if (
                    set(signs) <= {"s", "r"}
                    and len(signs) == len(items)
                    and not any(isinstance(item, ast.Starred) for item in items)
                ):
                    template = _PERCENT.sub(r"{!\1}", text.replace("{", "{{").replace("}", "}}"))
                    yield (
                        source.replace(node, f"{template!r}.format({', '.join(source.code(item) for item in items)})"),
                    )


def _format_to_fstring(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.Call):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Constant(value=str(text)) as left, attr="format"), args=args, keywords=[]
            ):
                simple = all(isinstance(item, ast.Name) for item in args) and not is_mangled(node)
                if (
                    simple
                    and args
                    and text.count("{}") == len(args)
                    and text.count("{") == text.count("}") == len(args)
                    and "\n" not in source.code(left)
                ):
                    yield (source.replace(node, f"f{_filled(repr(text), [source.code(item) for item in args])}"),)


def _filled(literal: str, codes: list[str]) -> str:
    """The literal with each pair of empty braces filled."""
    first, *others = literal.split("{}")
    return first + "".join(f"{{{code}}}{text}" for code, text in zip(codes, others, strict=True))


OPERATORS = (
    preserving("fstring-to-format", "An f-string becomes a call of str.format.", _fstring_to_format),
    preserving("percent-to-format", "Percent formatting becomes a call of str.format.", _percent_to_format),
    preserving("format-to-fstring", "A call of str.format becomes an f-string.", _format_to_fstring),
)
