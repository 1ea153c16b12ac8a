"""Where security is at stake, told by the field's own words and by what a guarded value flows to.

Independent of the tool's catalogue on purpose: these lists say where an operator may claim to take a protection away.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from benchmarks.operators.python.names import names
from benchmarks.operators.python.preserve_branches import plain_ifs
from benchmarks.operators.python.source import Function, PythonSource

_SENSITIVE_CALLS = """
open remove unlink rmtree rmdir rename symlink link makedirs mkdir mknod mkfifo chmod chown utime system popen
Popen execv execve execvp spawnv check_call check_output eval exec loads load find_class import_module
__import__ connect create_connection sendall sendto send urlopen putheader putrequest send_header set_cookie
putcmd docmd extract extractall copyfile copyfileobj move login wrap_socket load_cert_chain execute
executescript
"""

SENSITIVE = frozenset(_SENSITIVE_CALLS.split())
"""Calls that act on the outside world: files, processes, code, network, credentials."""

DANGER = re.compile(
    r"invalid (?:url|name|path|host|header|method|cert|char|cookie|origin|label|domain|address|input|port|user)"
    r"|invalid (?:request|member|entry)"
    r"|illegal|forbid|permission|denied|unsafe|outside|exceed|too (?:long|large|many|big|deep)|untrusted|insecure"
    r"|verif|mismatch|doesn't match|control char|traversal|absolute|not allowed|unauthor|authent|certificate|signature"
    r"|credential|password|csrf|nonce|symlink|sanit|malicious|tamper|expired|limit|security"
)
"""Words by which code says that it refuses something dangerous."""

VERIFIER = re.compile(
    r"^_*(?!.*exists)(is_|has_)?(verify|check|validate|authenticate|authorize|allow|permit|safe|valid|trusted|ensure|secure|require)"
)
"""How functions are named whose work is to refuse."""

_PLUMBING = frozenset({"self", "cls", "mode", "zip_mode", "encoding", "errors", "timeout", "flags", "buffering"})
"""Names of values that say how to do a thing, not what to."""

_MISUSE = frozenset(
    {
        "TypeError",
        "NotImplementedError",
        "FileNotFoundError",
        "EOFError",
        "AttributeError",
        "ImportError",
        "StopIteration",
    }
)
"""Errors that say that code was misused or that nothing is there."""

SWITCH = re.compile(
    r"(?:^|_)(verify|verified|check|strict|safe|secure|validate|validation|escape|quote|sanitize)(?:_|$)"
)
"""How parameters are named that switch a protection on."""


def called(node: ast.Call) -> str:
    """The last part of the name that is called."""
    return (
        node.func.attr
        if isinstance(node.func, ast.Attribute)
        else node.func.id
        if isinstance(node.func, ast.Name)
        else ""
    )


def says_danger(source: PythonSource, node: ast.If) -> bool:
    """True when the condition or the refusal speaks of danger."""
    return bool(DANGER.search(_spaced(source.code(node.test))) or DANGER.search(_spaced(source.code(node.body[-1]))))


def _spaced(text: str) -> str:
    """``CertificateError`` and ``path_is_absolute`` as lower-case words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", text).lower()


def sinks_behind(function: Function, node: ast.stmt) -> Iterator[ast.Call]:
    """Sensitive calls behind a statement that are handed a value its condition looks at."""
    tested = names([node.test]) if isinstance(node, ast.If) else names([node])
    for call in (item for item in ast.walk(function) if isinstance(item, ast.Call)):
        if call.lineno > (node.end_lineno or 0) and called(call) in SENSITIVE:
            handed = names([*call.args, *(item.value for item in call.keywords)])
            if tested & handed - _PLUMBING:
                yield call


def asks_presence(test: ast.expr) -> bool:
    """True for a test of nothing but whether something was given: to leave it out is misuse, no attack."""
    match test:
        case ast.BoolOp(values=values):
            return all(map(asks_presence, values))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return asks_presence(operand)
        case ast.Compare(comparators=[ast.Constant(value=None)]):
            return True
    return isinstance(test, ast.Name)


def guards(source: PythonSource) -> Iterator[tuple[Function, ast.If, list[ast.stmt]]]:
    """Guards that protect: an if that only raises, and either says what danger it refuses or stands before a sink."""
    for node, rest in plain_ifs(source):
        function = source.function_of(node)
        raises = (
            len(node.body) == 1
            and not node.orelse
            and isinstance(node.body[0], ast.Raise)
            and node.body[0].exc is not None
        )
        if function is not None and raises and source.owns_lines(node, node) and not asks_presence(node.test):
            misuse = bool(names(node.body) & _MISUSE)
            if not misuse and (says_danger(source, node) or any(sinks_behind(function, node))):
                yield function, node, rest


def verifiers(source: PythonSource) -> Iterator[tuple[Function, bool]]:
    """Functions whose work is to refuse, with True when they answer True or False and False when they raise."""
    for function in source.functions:
        if not VERIFIER.search(function.name.lower()) or source.function_of(function) is not None:
            continue
        own = [node for node in ast.walk(function) if isinstance(node, ast.Return | ast.Raise)]
        answers = [
            node.value.value for node in own if isinstance(node, ast.Return) and isinstance(node.value, ast.Constant)
        ]
        generator = any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function))
        if generator:
            continue
        if False in answers and not function.name.strip("_").startswith("check"):  # that may only sniff a format
            yield function, True
        elif any(isinstance(node, ast.Raise) for node in own) and all(
            node.value is None for node in own if isinstance(node, ast.Return)
        ):
            yield function, False
