"""Verifiers, handlers, wrappers and settings that protect less."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchmarks.operators.java.declare import degrading
from benchmarks.operators.java.security import speaks_of_danger, verifiers
from benchmarks.operators.java.source import JavaSource, field, statements, walk
from benchmarks.operators.operator import Edit, Rewrite

_ESCAPES = re.compile(r"^(escape\w*|encode(For)?(Html|Xml|JavaScript|Css|Uri)\w*|sanitize\w*|quote)$", re.IGNORECASE)
_FLAGS = frozenset(
    {"setSecure", "setHttpOnly", "setFeature", "setExpandEntityReferences", "setHostnameVerification", "setValidating"}
)
_ANNOTATIONS = re.compile(
    r"^@(PreAuthorize|PostAuthorize|Secured|RolesAllowed|DenyAll|RequirePOST|RequiresPermissions|CsrfProtected|Valid|NotNull|Pattern|Size|Restricted)\b"
)


def _early_return(source: JavaSource) -> Iterator[Rewrite]:
    for method, answers in verifiers(source):
        body = field(method, "body")
        if body is not None and statements(body):
            first = statements(body)[0]
            leave = (
                "if (true) { return true; }" if answers else "if (true) { return; }"
            )  # javac refuses unreachable code
            yield (source.insert_before(first, f"{leave}\n{source.indent(first)}"),)


def _empty(source: JavaSource) -> Iterator[Rewrite]:
    for method, answers in verifiers(source):
        body = field(method, "body")
        if body is not None:
            yield (source.replace(body, "{ return true; }" if answers else "{ }"),)


def _answer_true(source: JavaSource) -> Iterator[Rewrite]:
    for method, answers in verifiers(source):
        for node in walk(method):
            if answers and node.type == "return_statement" and source.code(node) == "return false;":
                yield (source.replace(node, "return true;"),)


def _drop_check_call(source: JavaSource) -> Iterator[Rewrite]:
    raising = {
        source.code(name)
        for method, answers in verifiers(source)
        if not answers and (name := field(method, "name")) is not None
    }
    for node in source.of("expression_statement"):
        call = node.named_children[0]
        name = field(call, "name")
        if call.type == "method_invocation" and name is not None and source.code(name) in raising:
            yield (source.replace(node, ";"),)


def _swallow_error(source: JavaSource) -> Iterator[Rewrite]:
    for node in source.of("catch_clause"):
        body = field(node, "body")
        inside = statements(body) if body is not None else []
        method = source.method_of(node)
        kind = field(method, "type")
        void = kind is not None and source.code(kind) == "void"
        if (
            void
            and len(inside) == 1
            and inside[0].type == "throw_statement"
            and speaks_of_danger(source.code(inside[0]))
        ):
            yield (source.replace(inside[0], ""),)


def _drop_annotation(source: JavaSource) -> Iterator[Rewrite]:
    for node in source.of("marker_annotation", "annotation"):
        if _ANNOTATIONS.search(source.code(node)):
            yield (source.replace(node, ""),)


def _plain_compare(source: JavaSource) -> Iterator[Rewrite]:
    for node in source.of("method_invocation"):
        owner, given = field(node, "object"), field(node, "arguments")
        if owner is not None and given is not None and source.code(node).startswith("MessageDigest.isEqual("):
            yield (Edit(source.start(owner), source.start(given), "java.util.Arrays.equals"),)


def _drop_escape(source: JavaSource) -> Iterator[Rewrite]:
    for node in source.of("method_invocation"):
        name, given = field(node, "name"), field(node, "arguments")
        if name is None or given is None or given.named_child_count != 1 or not _ESCAPES.search(source.code(name)):
            continue
        method = source.method_of(node)
        if method is not None and node.parent is not None and node.parent.type != "expression_statement":
            yield (source.replace(node, f"({source.code(given.named_children[0])})"),)


def _weak_random(source: JavaSource) -> Iterator[Rewrite]:
    for node in source.of("object_creation_expression"):
        kind = field(node, "type")
        if kind is not None and source.code(node) == "new SecureRandom()" and _is_not_typed(source, node.parent):
            yield (source.replace(kind, "java.util.Random"),)


def _is_not_typed(source: JavaSource, parent: object) -> bool:
    """True where a plain Random may stand as well: not the value of a variable of the stronger type."""
    from tree_sitter import Node

    declaration = parent.parent if isinstance(parent, Node) and parent.type == "variable_declarator" else None
    kind = field(declaration, "type")
    return kind is None or source.code(kind) != "SecureRandom"


def _flag_off(source: JavaSource) -> Iterator[Rewrite]:
    for node in source.of("method_invocation"):
        name, given = field(node, "name"), field(node, "arguments")
        if name is not None and given is not None and source.code(name) in _FLAGS and given.named_children:
            last = given.named_children[-1]
            if last.type == "true" and "external" not in source.code(given):
                yield (source.replace(last, "false"),)


def _drop_canonical(source: JavaSource) -> Iterator[Rewrite]:
    """Where the method holds the path against a folder."""
    for node in source.of("method_invocation"):
        name, method = field(node, "name"), source.method_of(node)
        if name is None or method is None or "startsWith" not in source.code(method):
            continue
        if source.code(name) == "getCanonicalPath":
            yield (source.replace(name, "getPath"),)
        elif source.code(name) == "normalize" and field(node, "object") is not None:
            owner = field(node, "object")
            assert owner is not None
            yield (Edit(source.end(owner), source.end(node), ""),)


OPERATORS = (
    degrading("early-return", "A verifier returns before it looks.", _early_return),
    degrading("empty-verifier", "A verifier's body is emptied.", _empty),
    degrading("answer-true", "A verifier answers true where it answered false.", _answer_true),
    degrading("drop-check-call", "A call of a method that refuses is removed.", _drop_check_call),
    degrading("swallow-error", "A handler drops the error it turned into a refusal.", _swallow_error),
    degrading("drop-annotation", "An annotation that protects a method is removed.", _drop_annotation),
    degrading("plain-compare", "A constant-time comparison becomes a plain one.", _plain_compare),
    degrading("drop-escape", "A value goes out without the escaping it had.", _drop_escape),
    degrading("weak-random", "Random values come from a predictable generator.", _weak_random),
    degrading("flag-off", "A protective flag is switched off.", _flag_off),
    degrading("drop-canonical", "A path is held against a folder without being resolved.", _drop_canonical),
)
