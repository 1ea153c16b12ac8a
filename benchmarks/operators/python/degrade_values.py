"""Values that lose their wrapper, and weaker primitives."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from benchmarks.operators.operator import Edit, Rewrite
from benchmarks.operators.python.declare import degrading
from benchmarks.operators.python.names import grouped, names
from benchmarks.operators.python.security import called, guards
from benchmarks.operators.python.source import PythonSource

_ESCAPES = frozenset({"escape", "quote", "quoteattr", "quote_plus", "sanitize", "_escape", "_quote"})
_DANGEROUS = frozenset({"\0", "<", ">", "&", '"', "'", "..", "../", "-->"})
_SECRETS = re.compile(r"(?i)password|token|sign|hmac|auth|secret|salt|verif|certificate|fingerprint")
_LINE_ENDS = frozenset({"\r", "\n", "\r\n"})


def _calls(source: PythonSource) -> Iterator[ast.Call]:
    return (node for node in source.of(ast.Call) if isinstance(node, ast.Call))


def _drop_escape(source: PythonSource) -> Iterator[Rewrite]:
    for node in _calls(source):
        function = source.function_of(node)
        if called(node) not in _ESCAPES or not node.args or isinstance(node.args[0], ast.Starred | ast.Constant):
            continue
        if function is not None and function.name not in _ESCAPES:
            yield (source.replace(node, grouped(source, node.args[0])),)


def _drop_neutralising(source: PythonSource) -> Iterator[Rewrite]:
    """Of markup, quotes and parent folders anywhere; of line ends where headers are made."""
    for node in _calls(source):
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr="replace"), args=[ast.Constant(value=str(text)), _]):
                function = source.function_of(node)
                in_header = text in _LINE_ENDS and function is not None and "header" in source.code(function).lower()
                if function is not None and (text in _DANGEROUS or in_header):
                    yield (source.replace(node, grouped(source, value)),)


def _drop_realpath(source: PythonSource) -> Iterator[Rewrite]:
    for node in _calls(source):
        function = source.function_of(node)
        if function is None or called(node) not in ("realpath", "resolve") or not _has_containment(function):
            continue
        match node:
            case ast.Call(func=ast.Attribute(attr="realpath") | ast.Name(id="realpath"), args=[value, *_]):
                yield (source.replace(node, grouped(source, value)),)
            case ast.Call(func=ast.Attribute(attr="resolve", value=value), args=[]):
                yield (source.replace(node, grouped(source, value)),)


def _has_containment(node: ast.AST) -> bool:
    tests = {"startswith", "commonpath", "commonprefix", "is_relative_to", "relative_to"}
    return any(isinstance(item, ast.Call) and called(item) in tests for item in ast.walk(node))


def _plain_compare(source: PythonSource) -> Iterator[Rewrite]:
    for node in _calls(source):
        if called(node) in ("compare_digest", "constant_time_compare") and len(node.args) == 2:
            one, other = (grouped(source, item) for item in node.args)
            yield (source.replace(node, f"({one} == {other})"),)


def _weak_random(source: PythonSource) -> Iterator[Rewrite]:
    known = source.importing("random")
    for node in source.of(ast.Call, ast.Attribute):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="secrets"), attr="token_hex"), args=[size]):
                text = f'"%0*x" % (2 * {grouped(source, size)}, random.getrandbits(8 * {grouped(source, size)}))'
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="secrets"), attr="choice" | "randbelow" as name), args=[value]
            ):
                text = f"random.{'choice' if name == 'choice' else 'randrange'}({source.code(value)})"
            case ast.Call(func=ast.Attribute(value=ast.Name(id="os"), attr="urandom"), args=[size]):
                text = f"random.randbytes({source.code(size)})"
            case ast.Call(func=ast.Attribute(value=ast.Name(id="secrets" | "random"), attr="SystemRandom"), args=[]):
                text = "random.Random()"
            case _:
                continue
        if known is not None and source.parents.get(node) is not None:
            yield known, source.replace(node, text)


def _weak_hash(source: PythonSource) -> Iterator[Rewrite]:
    """Where the function speaks of signatures, secrets or passwords: elsewhere a digest may be a mere key."""
    for node in source.of(ast.Attribute):
        match node:
            case ast.Attribute(value=ast.Name(id="hashlib") as module, attr="sha256" | "sha512" | "sha384"):
                function = source.function_of(node)
                if function is not None and _SECRETS.search(source.code(function)):
                    yield (Edit(source.end(module), source.end(node), ".md5"),)


def _match_start(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.Attribute):
        if isinstance(node, ast.Attribute) and node.attr == "fullmatch" and isinstance(source.parents[node], ast.Call):
            yield (Edit(source.end(node.value), source.end(node), ".match"),)


def _unanchor(source: PythonSource) -> Iterator[Rewrite]:
    """Of patterns that a guard wants to match."""
    tests = [
        node.test
        for _, node, _ in guards(source)
        if any(isinstance(item, ast.Not | ast.Is) for item in ast.walk(node.test))
    ]
    used = names(tests)
    inside = {id(item) for test in tests for item in ast.walk(test)}
    for node in _calls(source):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr="compile" | "match"),
                args=[ast.Constant(value=str()) as pattern, *_],
            ):
                parent = source.parents[node]
                named = isinstance(parent, ast.Assign) and bool(names(parent.targets) & used)
                edit = _without_anchor(source, pattern) if named or id(node) in inside else None
                if edit is not None:
                    yield (edit,)


def _without_anchor(source: PythonSource, pattern: ast.Constant) -> Edit | None:
    found = re.search(r"(?:\\Z|(?<!\\)\$)(?=['\"]+$)", source.code(pattern))
    start = source.start(pattern)
    return Edit(start + found.start(), start + found.end(), "") if found else None


def _unsafe_loader(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.Attribute, ast.Name):
        if isinstance(node, ast.Attribute) and source.code(node) == "yaml.safe_load":
            yield (source.replace(node, "yaml.unsafe_load"),)
        elif isinstance(node, ast.Attribute) and source.code(node) == "yaml.SafeLoader":
            yield (source.replace(node, "yaml.UnsafeLoader"),)
        elif source.code(node) in ("ast.literal_eval", "literal_eval") and isinstance(source.parents[node], ast.Call):
            yield (source.replace(node, "eval"),)


OPERATORS = (
    degrading("drop-escape", "A value goes out without the escaping it had.", _drop_escape),
    degrading(
        "drop-neutralising", "A replacement that neutralised dangerous characters is removed.", _drop_neutralising
    ),
    degrading("drop-realpath", "A path is held against a folder without being resolved.", _drop_realpath),
    degrading("plain-compare", "A constant-time comparison becomes `==`.", _plain_compare),
    degrading("weak-random", "Random values come from a predictable generator.", _weak_random),
    degrading("weak-hash", "A strong digest becomes md5.", _weak_hash),
    degrading("fullmatch-to-match", "A pattern need only match the start.", _match_start),
    degrading("unanchor-pattern", "A pattern loses the anchor at its end.", _unanchor),
    degrading("unsafe-loader", "Data is loaded by a loader that can run code.", _unsafe_loader),
)
