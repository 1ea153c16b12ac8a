"""Settings, flags, modes and lists that protect less."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator

from benchmarks.operators.operator import Edit, Rewrite
from benchmarks.operators.python.declare import degrading
from benchmarks.operators.python.security import called, guards
from benchmarks.operators.python.source import PythonSource

_OPENED = {"0o600": "0o666", "0o700": "0o777", "0o400": "0o444", "0o640": "0o666", "0o750": "0o777"}
_COOKIE = frozenset({"secure", "httponly", "samesite"})
_REFUSED = re.compile(r"(?i)unsafe|forbid|block|deny|denied|disallow|illegal|dangerous|banned")
_WAITS = re.compile(
    r"(urlopen|create_connection|request|communicate|check_call|check_output|subprocess\.run|Connection|Client|FTP|SMTP)$"
    r"|(requests|httpx|session|client)\.\w+$"
)
_ELEMENT = r"(?:\\x[0-9a-f]{2}|\\[rnt0]|[^\]\\^-])"
_LAST_IN_CLASS = re.compile(rf"\[(?:{_ELEMENT}(?:-{_ELEMENT})?)+?({_ELEMENT})\]")
"""The last of several single characters in a class that is not negated."""

_CREDENTIALS = re.compile(r"(?i)(?:authorization|cookies?|cookie2|passwords?|tokens?|secrets?)$")
"""How names end that are credentials; a lock of cookies is none."""


def _keywords(source: PythonSource) -> Iterator[tuple[ast.Call, ast.keyword]]:
    for node in source.of(ast.Call):
        if isinstance(node, ast.Call):
            yield from ((node, item) for item in node.keywords if item.arg is not None)


def _is_true(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _verify_off(source: PythonSource) -> Iterator[Rewrite]:
    for _, item in _keywords(source):
        if item.arg in (
            "verify",
            "check_hostname",
            "validate",
            "verify_signature",
            "autoescape",
            "strict",
        ) and _is_true(item.value):
            yield (source.replace(item.value, "False"),)
    for node in source.of(ast.Assign):
        match node:
            case ast.Assign(targets=[ast.Attribute(attr="check_hostname" | "verify")], value=value) if _is_true(value):
                yield (source.replace(value, "False"),)
    for node in source.of(ast.Name, ast.Attribute):
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if (
            name in ("CERT_REQUIRED", "PROTOCOL_TLS_CLIENT")
            and source.function_of(node) is not None
            and not isinstance(source.parents[node], ast.Compare)
        ):
            end = source.end(node)
            yield (
                Edit(end - len(name), end, {"CERT_REQUIRED": "CERT_NONE", "PROTOCOL_TLS_CLIENT": "PROTOCOL_TLS"}[name]),
            )


def _drop_keyword(source: PythonSource, node: ast.Call, item: ast.keyword) -> Rewrite | None:
    """The edit that removes one named argument with its comma."""
    before = [
        *node.args,
        *(other.value for other in node.keywords if other is not item and source.end(other) <= source.start(item)),
    ]
    if before:
        start = max(source.end(other) for other in before)
        gap = source.text[start : source.start(item)]
        return (Edit(start, source.end(item), ""),) if gap.strip() == "," else None
    return None


def _drop_timeout(source: PythonSource) -> Iterator[Rewrite]:
    """Of calls that wait for a peer or another program."""
    for node, item in _keywords(source):
        constant_none = isinstance(item.value, ast.Constant) and item.value.value is None
        if item.arg == "timeout" and not constant_none and _WAITS.search(source.code(node.func)):
            edits = _drop_keyword(source, node, item)
            if edits:
                yield edits


def _drop_cookie_flag(source: PythonSource) -> Iterator[Rewrite]:
    for node, item in _keywords(source):
        if (item.arg or "").lower() in _COOKIE and "cookie" in called(node).lower():
            edits = _drop_keyword(source, node, item)
            if edits:
                yield edits
    for block in source.blocks:
        for statement in block:
            match statement:
                case ast.Assign(targets=[ast.Subscript(slice=ast.Constant(value=str(key)))]) if (
                    key.lower() in _COOKIE and len(block) > 1
                ):
                    if source.owns_lines(statement, statement):
                        yield (source.replace_lines(statement, statement, ""),)


def _open_mode(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.Constant):
        if (
            isinstance(node, ast.Constant)
            and source.code(node) in _OPENED
            and not isinstance(source.parents[node], ast.BinOp | ast.Compare)
        ):
            yield (source.replace(node, _OPENED[source.code(node)]),)


def _drop_open_flag(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.BinOp):
        match node:
            case ast.BinOp(left=left, op=ast.BitOr(), right=ast.Attribute(attr="O_EXCL" | "O_NOFOLLOW")):
                yield (source.replace(node, source.code(left)),)
    for block in source.blocks:
        for node in block:
            match node:
                case ast.AugAssign(op=ast.BitOr(), value=ast.Attribute(attr="O_EXCL" | "O_NOFOLLOW")) if (
                    source.owns_lines(node, node)
                ):
                    yield (source.replace_lines(node, node, f"{source.indent(node)}pass\n" if len(block) == 1 else ""),)


def _shrink_denylist(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.Assign):
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items)
            ) if _REFUSED.search(name):
                yield from _without_one(source, items)
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.Call(
                    func=ast.Name(id="frozenset" | "set"),
                    args=[ast.Set(elts=items) | ast.List(elts=items) | ast.Tuple(elts=items)],
                ),
            ):
                if _REFUSED.search(name):
                    yield from _without_one(source, items)
    for _, guard, _ in guards(source):
        match guard.test:
            case ast.Compare(
                ops=[ast.In()], comparators=[ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items)]
            ):
                yield from _without_one(source, items)


def _without_one(source: PythonSource, items: list[ast.expr]) -> Iterator[Rewrite]:
    if len(items) > 2 and all(isinstance(item, ast.Constant) for item in items):
        for before, item in itertools.pairwise(items):
            yield (Edit(source.end(before), source.end(item), ""),)


def _widen_allowlist(source: PythonSource) -> Iterator[Rewrite]:
    for _, guard, _ in guards(source):
        match guard.test:
            case ast.Compare(
                ops=[ast.NotIn()], comparators=[ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items)]
            ):
                if items and all(isinstance(item, ast.Constant) and isinstance(item.value, str) for item in items):
                    end = source.end(items[-1])
                    yield (Edit(end, end, ', "*"'),)


def _narrow_pattern(source: PythonSource) -> Iterator[Rewrite]:
    """A pattern whose match makes a guard refuse loses the last character of its class."""
    used = {
        node.id
        for _, guard, _ in guards(source)
        for node in ast.walk(guard.test)
        if isinstance(node, ast.Name) and not _is_negated(guard)
    }
    for node in source.of(ast.Assign):
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Call(args=[ast.Constant(value=str()) as pattern])
            ) if name in used:
                found = _LAST_IN_CLASS.search(source.code(pattern))
                if found:
                    place = source.start(pattern) + found.start(1)
                    yield (Edit(place, place + len(found[1]), ""),)


def _is_negated(guard: ast.If) -> bool:
    return any(isinstance(node, ast.Not | ast.Is) for node in ast.walk(guard.test))


def _keep_credentials(source: PythonSource) -> Iterator[Rewrite]:
    for block in source.blocks:
        for node in block:
            match node:
                case ast.Delete(targets=[ast.Subscript(slice=ast.Constant(value=str(key)))]):
                    pass
                case ast.Expr(
                    value=ast.Call(
                        func=ast.Attribute(attr="pop" | "remove_header"), args=[ast.Constant(value=str(key)), *_]
                    )
                ):
                    pass
                case _:
                    continue
            if _CREDENTIALS.search(key) and source.owns_lines(node, node):
                yield (source.replace_lines(node, node, f"{source.indent(node)}pass\n" if len(block) == 1 else ""),)


def _drop_header(source: PythonSource) -> Iterator[Rewrite]:
    wanted = re.compile(
        r"(?i)x-content-type-options|x-frame-options|strict-transport-security|content-security-policy|referrer-policy"
    )
    for block in source.blocks:
        for node in block:
            match node:
                case ast.Assign(targets=[ast.Subscript(slice=ast.Constant(value=str(key)))]):
                    pass
                case ast.Expr(value=ast.Call(args=[ast.Constant(value=str(key)), _])):
                    pass
                case _:
                    continue
            if wanted.fullmatch(key) and len(block) > 1 and source.owns_lines(node, node):
                yield (source.replace_lines(node, node, ""),)


def _shell(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.Call):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="subprocess")), args=[ast.List() as words]) if not any(
                item.arg == "shell" for item in node.keywords
            ):
                end = source.end(words)
                yield (Edit(source.start(words), end, f'" ".join({source.code(words)}), shell=True'),)


def _paste_query(source: PythonSource) -> Iterator[Rewrite]:
    for node in source.of(ast.Call):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="execute"), args=[ast.Constant(value=str(text)) as query, ast.Tuple() as values]
            ) if "?" in text:
                pasted = source.code(query).replace("?", "'%s'" if source.code(query)[0] == '"' else '"%s"')
                yield (Edit(source.start(query), source.end(values), f"{pasted} % {source.code(values)}"),)


OPERATORS = (
    degrading("verify-off", "Verification of a peer or a value is switched off.", _verify_off),
    degrading("drop-timeout", "A call loses its time limit.", _drop_timeout),
    degrading("drop-cookie-flag", "A cookie loses a protective flag.", _drop_cookie_flag),
    degrading("open-permissions", "A file mode lets others in.", _open_mode),
    degrading("drop-open-flag", "A file is opened without exclusive creation or following links.", _drop_open_flag),
    degrading("shrink-denylist", "A list of what is refused loses an element.", _shrink_denylist),
    degrading("widen-allowlist", "A list of what is allowed gains a wildcard.", _widen_allowlist),
    degrading("narrow-pattern", "A pattern of what is refused loses a character.", _narrow_pattern),
    degrading("keep-credentials", "Credentials are no longer taken out before a request goes on.", _keep_credentials),
    degrading("drop-header", "A protective header is no longer sent.", _drop_header),
    degrading("shell-true", "A command runs through a shell.", _shell),
    degrading("paste-query", "Values are pasted into a query that were bound.", _paste_query),
)
