"""Which functions answer a value in another form, rather than build, fetch, convert or store something."""

from __future__ import annotations

from scaffold_cli.anchoring.words import WordPatterns, words

CONVERSIONS = frozenset(
    {"list", "tuple", "str", "bool", "iter", "set", "dict", "sorted", "reversed", "copy", "deepcopy", "float", "bytes",
     "toString", "valueOf", "get", "encode", "decode", "to_bytes", "to_text", "to_native", "text_type", "unicode",
     "cast", "super", "len", "partial", "of", "ofNullable", "asList", "toArray", "stream", "iterator", "keys", "items",
     "values", "next", "type", "repr", "print", "format", "join", "strip", "intern", "build", "await", "then", "lower",
     "upper", "getBytes", "append", "add", "gettext", "_", "u", "b", "utf8", "native_str", "to_unicode", "frozenset",
     "as_posix", "open", "getClass", "clone", "collect", "wrap", "unwrap", "mark", "entrySet", "orElse", "range",
     "enumerate", "zip", "map", "filter", "ensure_future", "create_task", "gather", "asdict", "closing", "property",
     "divmod", "copyOf", "copyOfRange", "slice", "abs", "round", "sum", "pow", "floor", "ceil", "sqrt", "hexlify",
     "unhexlify", "b64encode", "b64decode"}
)  # fmt: skip
"""Conversions every program does by the way; dropping one loses nothing."""
_ACCESSING = frozenset(
    {"get", "set", "load", "read", "find", "compute", "fetch", "lookup", "create", "new", "make", "put", "add", "write",
     "on", "with", "register", "self", "this", "digest", "update", "resolve", "query", "select", "call", "run",
     "invoke", "convert", "loads", "from", "to", "as"}
)  # fmt: skip
"""First words of functions that build, fetch, store or convert."""
_UNDOING = WordPatterns(
    (word, "undoes") for word in ("^unescape*", "^unquote*", "^unmask*", "^decode*", "^decrypt*", "^url decode*", "^un")
)
"""What takes another form back: nothing is lost without it."""
_MARKS = WordPatterns((word, "mark") for word in ("safe", "unsafe", "escaped", "quoted", "sanitized", "untrusted"))
"""Words by which a constructor says that it marks or neutralises a value."""


def transforms(name: str) -> bool:
    """False for what builds, fetches or stores something rather than answering the value in another form."""
    parts = words(name)
    if not parts or parts[0] in _ACCESSING:
        return False
    if _UNDOING.find(name) is not None:
        return False
    return not name[:1].isupper() or _MARKS.find(name) is not None
