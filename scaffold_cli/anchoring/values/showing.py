"""Values newly shown: in an answer to the other side, in a log that named single fields before, in a banner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.disclosing import is_secret, secrets_in
from scaffold_cli.anchoring.effects import is_logging
from scaffold_cli.anchoring.facts import Mined
from scaffold_cli.anchoring.values.edits import Edit, plain
from scaffold_cli.anchoring.values.pasting import COMMANDS, items_of_list
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.values.templates import is_value, template
from scaffold_cli.anchoring.views import callee, expressions
from scaffold_cli.anchoring.words import WordPatterns, words
from scaffold_cli.syntax.outline import Expr, ExprKind, Stmt, StmtKind

_ERRORS = ("Exception", "Error")
"""How names of errors end: one whose format is wrong shows no stack."""
_LOOKUPS = frozenset(
    {"_", "gettext", "ugettext", "lazy_gettext", "ngettext", "tr", "getMessage", "getString", "url_for"}
)
"""Functions that answer a text of the program's own."""
_STATUS = WordPatterns((word, "status") for word in ("sc", "status", "http status", "http"))
_VERSION = WordPatterns((word, "version") for word in ("version", "version info", "server info"))
_BANNER = WordPatterns((word, "banner") for word in ("server", "banner", "user agent", "powered by", "software"))
_DESTINATION = WordPatterns(
    (word, "destination")
    for word in ("redirect*", "return url", "return to", "next url", "callback url", "continue url")
)
_TO_TEXT = frozenset({"str", "repr", "toString", "valueOf", "format", "dict", "dumps", "toJson"})
_MOST_HOPS = 5


def shown_in_answers(versions: Versions) -> Iterator[Shift]:
    """A fixed text of an answer (an error page, above all) that now carries a value."""
    seen: set[int] = set()
    for edit in versions.edits.edits:
        for old, new in _answers(edit, versions.catalogue):
            if id(old) in seen:
                continue
            seen.add(id(old))
            values = list(_carried(new, versions.values_after, is_outermost=True))
            if values and not any(_carried(old, versions.values_before, is_outermost=True)):
                name = callee(new) if new.kind is ExprKind.CALL else "an error answer"
                because = "its text is fixed"
                shown = values[0].text or callee(values[0])
                yield shift(f"fixed text of {name}", old.line, because, f"it now shows {shown}", entry="disclosure")


def _answers(edit: Edit, catalogue: Catalogue) -> Iterator[tuple[Expr, Expr]]:
    """Corresponding calls (or returned texts with an error status) in which an edit lies."""
    pairs = list(zip(edit.around, edit.around_new, strict=False))
    if edit.old is not None and edit.new is not None:
        pairs.append((edit.old, edit.new))
    for old, new in pairs:
        if old.kind is ExprKind.CALL and new.kind is ExprKind.CALL:
            if is_logging(old) or is_logging(new):
                return
            if catalogue.answers.find(callee(old)) is not None and catalogue.answers.find(callee(new)) is not None:
                yield old, new
    both = (edit.statement, edit.statement_new)
    if all(item.kind is StmtKind.RETURN and _is_error_pair(item.exprs[0]) for item in both):
        yield edit.statement.exprs[0], edit.statement_new.exprs[0]


def _is_error_pair(value: Expr) -> bool:
    """``return "text", 403``."""
    if value.kind is not ExprKind.COLLECTION or len(value.parts) < 2:
        return False
    status = value.parts[1]
    return status.kind is ExprKind.NUMBER and len(status.text) == 3 and status.text[0] in "45"


def _carried(
    node: Expr, values: Mapping[str, Expr], hops: int = _MOST_HOPS, is_outermost: bool = False
) -> Iterator[Expr]:
    """What an answer carries that is not fixed; of the answering call itself only its arguments count."""
    if node.kind is ExprKind.NAME and node.text in values and hops:
        yield from _carried(values[node.text], values, hops - 1)
    elif node.kind is ExprKind.CALL:
        arguments = node.parts[1:]
        if is_outermost or callee(node) in _LOOKUPS:
            for part in arguments:
                yield from _carried(part, values, hops)
        else:
            yield node
    elif node.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE):
        if is_value(node) and _STATUS.find(node.text) is None:
            yield node
    elif node.kind is ExprKind.SUBSCRIPT:
        yield node
    elif node.kind in (ExprKind.COLLECTION, ExprKind.PAIR, ExprKind.KEYWORD, ExprKind.BINARY, ExprKind.FORMAT):
        parts = node.parts[1:] if node.kind is ExprKind.PAIR else node.parts
        for part in parts:
            yield from _carried(part, values, hops)


def shown_internals(versions: Versions) -> Iterator[Shift]:
    """A stack trace that leaves the program by another way than the log."""
    come_calls = versions.after.calls - versions.before.calls
    if not any(versions.catalogue.internals.find(name) is not None for name in come_calls):
        return
    old, new = _internals(versions.before, versions.catalogue), _internals(versions.after, versions.catalogue)
    come = new - old
    if versions.before.unit.function is not None and new.total() > old.total():
        name = min(come)
        unit = versions.before.unit
        yield shift(f"no {name}()", unit.line, "internals stay inside", f"{name}() is now shown", entry="disclosure")


def _internals(item: Mined, catalogue: Catalogue) -> Counter[str]:
    found: Counter[str] = Counter()
    for expression in expressions(item.unit.block):
        stack = [expression]
        while stack:
            node = stack.pop()
            if node.kind is ExprKind.CALL and is_logging(node):
                continue
            name = callee(node) if node.kind is ExprKind.CALL else ""
            if name and not name.endswith(_ERRORS) and catalogue.internals.find(name) is not None:
                found[name] += 1
            stack.extend(node.parts)
    return found


def whole_objects_logged(versions: Versions) -> Iterator[Shift]:
    """A log line that named what it shows and now shows all of a request, message or answer."""
    for edit in versions.edits.edits:
        if edit.new is None or not any(_is_log(node) for node in (*edit.around_new, edit.new)):
            continue
        known = set() if edit.old is None else {plain(value) for value in _logged(edit.old)}
        for value in _logged(edit.new):
            last = words(value.text)[-1:]
            if last and versions.catalogue.wholes.find(last[0]) is not None and plain(value) not in known:
                line = edit.statement.line
                yield shift(
                    f"log without {value.text}", line, "the log names single fields", f"all of {value.text} is logged",
                    entry="disclosure",
                )  # fmt: skip
                break


def _is_log(node: Expr) -> bool:
    return node.kind is ExprKind.CALL and (is_logging(node) or "log" in words(callee(node)))


def _logged(node: Expr) -> Iterator[Expr]:
    found = template(node)
    for value in (node,) if found is None else found.holes:
        inner = value
        while inner.kind is ExprKind.CALL and callee(inner) in _TO_TEXT:
            inner = inner.parts[1] if len(inner.parts) > 1 else inner.parts[0].parts[0]
        if inner.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE):
            yield inner


def shown_secrets(versions: Versions) -> Iterator[Shift]:
    """A secret newly put into an error's text, an answer, or the arguments of a program (which others can list)."""
    if versions.before.unit.function is None:
        return
    known = versions.before.names | versions.before.defined
    if not any(is_secret(name) for name in versions.after.names):
        return
    for channel, find in (("error or answer", _told), ("argument list", _listed)):
        come = set(find(versions.after, versions.catalogue)) - set(find(versions.before, versions.catalogue))
        for name in sorted(come & known):
            line = versions.before.unit.line
            yield shift(
                f"{channel} without {name}", line, f"`{name}` names a secret", f"{name} is now in an {channel}",
                entry="disclosure",
            )  # fmt: skip


def _told(item: Mined, catalogue: Catalogue) -> Iterator[str]:
    for statement in item.reading.statements:
        for expression in statement.exprs:
            if statement.kind is StmtKind.RAISE:
                yield from secrets_in(expression)
                continue
            for node in expression.walk():
                if node.kind is ExprKind.CALL and catalogue.answers.find(callee(node)) is not None:
                    for part in node.parts[1:]:
                        yield from secrets_in(part) if template(part) is not None else ()


def _listed(item: Mined, catalogue: Catalogue) -> Iterator[str]:
    for statement in item.reading.statements:
        for expression in statement.exprs:
            for node in expression.walk():
                if _is_command(node, statement):
                    for part in items_of_list(node):
                        yield from secrets_in(part)


def _is_command(node: Expr, statement: Stmt) -> bool:
    """True for a list that is given to a program, by the names around it."""
    owner = node.parts[0].parts[:1] if node.kind is ExprKind.CALL else statement.exprs[1:]
    called = [callee(part) for part in statement.exprs[:1] if part.kind is ExprKind.CALL]
    return any(COMMANDS.find(text) is not None for text in (*(part.text for part in owner), *called))


def version_in_banner(versions: Versions) -> Iterator[Shift]:
    """A fixed name the program gives itself towards others that now tells its version."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or edit.old.kind is not ExprKind.STRING:
            continue
        targets = edit.statement.exprs[1:] if edit.statement.kind is StmtKind.ASSIGN else ()
        named = (*targets, *(part for node in edit.around for part in node.parts))
        if not any(_BANNER.find(part.text) is not None for part in named):
            continue
        found = template(edit.new)
        if found is not None and any(
            _VERSION.find(part.text) is not None for hole in found.holes for part in hole.walk()
        ):
            because, how = "it does not tell the version", "it now tells the version"
            yield shift(repr(edit.old.text), edit.old.line, because, how, entry="disclosure")


def redirected_errors(versions: Versions) -> Iterator[Shift]:
    """An error that now carries where the request wants it sent, in front of whatever checks that place."""
    for edit in versions.edits.edits:
        given = edit.new
        if edit.old is not None or given is None or given.kind is not ExprKind.KEYWORD:
            continue
        asked = any(versions.catalogue.requested.find(node.text) for node in given.walk() if node is not given)
        if edit.statement.kind is StmtKind.RAISE and asked and _DESTINATION.find(given.text) is not None:
            because, how = "the error is not sent anywhere", f"it is now sent to {plain(given.parts[0])}"
            yield shift(plain(edit.around[0]), edit.statement.line, because, how, entry="destination-check")
