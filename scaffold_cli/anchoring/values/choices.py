"""Choices the field calls weak that take the place of others: protocols, ciphers, digests, modes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scaffold_cli.anchoring.catalogue import Catalogue
from scaffold_cli.anchoring.predicates import names_the_bad
from scaffold_cli.anchoring.values.edits import plain
from scaffold_cli.anchoring.values.shifts import Shift, Versions, shift
from scaffold_cli.anchoring.values.wrapping import is_told
from scaffold_cli.anchoring.words import WordPatterns
from scaffold_cli.syntax.outline import Expr, ExprKind

_PIECES = re.compile(r"[/:+, ]|(?<=\d)with|with(?=[A-Z])")
_PREFIX = re.compile(r"^(?:PROTOCOL|MODE|ALG|OP|HASH|CIPHER)_")
_SOURCES = frozenset({ExprKind.CALL, ExprKind.NAME, ExprKind.ATTRIBUTE})
_UNGUESSED = WordPatterns(
    (word, "secret")
    for word in (
        "salt*", "secret*", "confidential*", "nonce*", "entropy", "random*", "urandom", "private key", "token bytes",
        "token hex", "token urlsafe", "secure random",
    )
)  # fmt: skip
"""Words by which a value says that nobody can guess it."""
_MOST = 60
"""Longer texts (in characters) are prose."""


def weaker_choices(versions: Versions) -> Iterator[Shift]:
    """A weak choice where another one, or the library's own, stood."""
    for edit in versions.edits.edits:
        if edit.new is None or is_told(edit):
            continue
        if edit.old is not None and _is_plain_http(edit.old, edit.new):
            how = f"now {edit.new.text[:_MOST]}"
            yield shift(repr(edit.old.text), edit.old.line, "it is reached by TLS", how, entry="transport")
            continue
        entry = weak(edit.new, versions.catalogue)
        if any(names_the_bad(target.text) for target in edit.statement.exprs[1:]):
            continue  # named in order to be left out
        if entry is None or (edit.old is not None and not _is_choice(edit.old, versions.catalogue)):
            continue
        was = "none of them" if edit.old is None else edit.old.text
        yield shift(
            f"choice of {was}", edit.statement.line, "it leaves out weak choices", f"now {edit.new.text}", entry=entry
        )


def newly_weak(versions: Versions) -> Iterator[Shift]:
    """A setting that was left alone, which is safe, and is now given its weakest value."""
    if versions.before.unit.function is None:
        return
    known = {fact.name for fact in versions.before.facts}
    given = {edit.new.line for edit in versions.edits.edits if edit.old is None and edit.new is not None}
    for fact in versions.after.facts:
        if not fact.name.startswith("=") or fact.rank != 0 or (fact.name in known and fact.line not in given):
            continue
        setting = versions.catalogue.setting(fact.condition.partition(" = ")[0])
        if setting is not None and setting.absent == "strong" and len(setting.order) > 1:
            because, how = "leaving it alone is safe", f"now {fact.condition}"
            line = versions.before.unit.line
            yield shift(f"no {fact.condition}", line, because, how, entry=setting.entry)


def _is_plain_http(old: Expr, new: Expr) -> bool:
    """``https://host`` to ``http://host``."""
    both_texts = old.kind is ExprKind.STRING and new.kind is ExprKind.STRING
    return both_texts and old.text.startswith("https://") and new.text == f"http{old.text[5:]}"


def replaced_secrets(versions: Versions) -> Iterator[Shift]:
    """A value that names a secret or chance as its source gave way to one that does not."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or is_told(edit) or edit.old.kind not in _SOURCES:
            continue
        if edit.new.kind not in _SOURCES and edit.new.kind not in (ExprKind.STRING, ExprKind.NUMBER):
            continue
        source = next((name for name in _names(edit.old) if _UNGUESSED.find(name) is not None), None)
        if source is None or any(_UNGUESSED.find(name) is not None for name in _names(edit.new)):
            continue
        because, how = f"`{source}` cannot be guessed", f"now {plain(edit.new)}"
        yield shift(plain(edit.old), edit.old.line, because, how, entry="randomness")


def _names(node: Expr) -> Iterator[str]:
    return (part.text for part in node.walk() if part.kind in (ExprKind.NAME, ExprKind.ATTRIBUTE))


def weak(node: Expr, catalogue: Catalogue) -> str | None:
    """The entry that calls this choice weak, or None."""
    if node.kind not in (ExprKind.STRING, ExprKind.NAME, ExprKind.ATTRIBUTE) or len(node.text) > _MOST:
        return None
    if node.kind is not ExprKind.STRING and not _PREFIX.match(node.text) and not node.text.isupper():
        return None
    pieces = [_PREFIX.sub("", node.text), *_PIECES.split(node.text)]
    return next((found for piece in pieces if (found := catalogue.weak.get(spelled(piece))) is not None), None)


def spelled(text: str) -> str:
    """A choice as the catalogue spells it: lower case, without signs; ``*`` stays."""
    return text if text == "*" else "".join(letter for letter in text if letter.isalnum()).lower()


def _is_choice(node: Expr, catalogue: Catalogue) -> bool:
    """True for a fixed choice, or none, that is not weak itself."""
    if node.kind is ExprKind.CONSTANT:
        return node.text == "null"
    named = node.kind in (ExprKind.STRING, ExprKind.NAME, ExprKind.ATTRIBUTE)
    return named and bool(node.text) and weak(node, catalogue) is None


_EXCLUDED = re.compile(r"(?:^|[:, ])[!-]([A-Za-z0-9]+)")
_OWN_MACHINE = frozenset({"127.0.0.1", "localhost", "::1"})
_ANY_MACHINE = frozenset({"0.0.0.0", "::", "*", ""})  # noqa: S104 - what is looked for
_ANY_ORIGIN = frozenset({"access-control-allow-origin", "x-frame-options", "access-control-allow-credentials"})


def fewer_exclusions(versions: Versions) -> Iterator[Shift]:
    """A list of ciphers that leaves out fewer of the weak ones: ``HIGH:!aNULL`` to ``HIGH``."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or not edit.is_of(ExprKind.STRING):
            continue
        old, new = (set(_EXCLUDED.findall(node.text)) for node in (edit.old, edit.new))
        if old - new and ":" in edit.old.text and "//" not in edit.old.text:
            because, how = f"it leaves out {min(old - new)}", f"now {edit.new.text[:_MOST]}"
            yield shift(repr(edit.old.text), edit.old.line, because, how, entry="transport")


def open_to_the_net(versions: Versions) -> Iterator[Shift]:
    """What listened on the own machine only now listens to all: in a call, a constant or a default."""
    pairs = [(edit.old, edit.new) for edit in versions.edits.edits] + list(_defaults(versions))
    for old, new in pairs:
        texts = old is not None and new is not None and old.kind is ExprKind.STRING is new.kind
        if texts and old.text in _OWN_MACHINE and new.text in _ANY_MACHINE:  # type: ignore[union-attr]
            because, how = "it is reached from the own machine only", f"now {new.text!r}"  # type: ignore[union-attr]
            yield shift(repr(old.text), old.line, because, how, entry="transport")  # type: ignore[union-attr]


def _defaults(versions: Versions) -> Iterator[tuple[Expr | None, Expr | None]]:
    old, new = versions.before.unit.function, versions.after.unit.function
    if old is not None and new is not None:
        known = {param.name: param.default for param in new.params}
        yield from ((param.default, known.get(param.name)) for param in old.params)


def any_origin(versions: Versions) -> Iterator[Shift]:
    """A header that named who may read the answer now names everybody."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or edit.new.text != "*" or edit.new.kind is not ExprKind.STRING:
            continue
        texts = (node.text.lower() for part in edit.statement_new.exprs for node in part.walk())
        if edit.old.text != "*" and any(text in _ANY_ORIGIN for text in texts):
            because, how = "it names who may read the answer", "now everybody"
            yield shift(plain(edit.old), edit.old.line, because, how, entry="security-headers")


def everything_named(versions: Versions) -> Iterator[Shift]:
    """A list of names gave way to a word for all of them: ``fields = ["id"]`` to ``fields = "__all__"``."""
    for edit in versions.edits.edits:
        if edit.old is None or edit.new is None or edit.old.kind is not ExprKind.COLLECTION or not edit.old.parts:
            continue
        if edit.new.kind is ExprKind.STRING and edit.new.text in ("__all__", "*", "all"):
            because, how = "only what is named is taken", f"now {edit.new.text!r}"
            yield shift(plain(edit.old), edit.old.line, because, how, entry="disclosure")
