"""Names that a file takes from another module of the project than before, while the old one still has them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from scaffold_cli.model.change import Change, FileVersion
from scaffold_cli.model.tree import Tree
from scaffold_cli.model.verdict import Effect, LayerName, Place, Violation
from scaffold_cli.syntax.frontends import language_of, outline
from scaffold_cli.syntax.outline import Import, Language
from scaffold_cli.syntax.roles import is_test_file

_ROOTS = ("", "src/", "lib/", "src/main/java/")
_ENDS = {
    Language.PYTHON: (".py", "/__init__.py"),
    Language.JAVA: (".java",),
    Language.JAVASCRIPT: ("", ".js", ".mjs", ".cjs", ".jsx", "/index.js"),
    Language.TYPESCRIPT: ("", ".ts", ".tsx", ".js", ".jsx", "/index.ts", "/index.js"),
}
_DEFINES = r"\b(?:def|class|function\*?|const|let|var|interface|enum|record)\s+%(name)s\b|^%(name)s\s*=|\b%(name)s\s*[:=]\s*(?:async\s+)?(?:function\b|\()"  # noqa: E501

_PROTECTS = re.compile(
    r"jwt|jsonwebtoken|jose|crypto|bcrypt|argon|scrypt|hmac|secrets|hashlib|ssl|tls|helmet|csrf|csurf|cors|passport|auth|oidc|saml|"
    r"saniti[sz]e|escape|bleach|purify|defused|valid|joi|zod|ajv|itsdangerous|nacl|subtle|html|shlex|rate.?limit|security|safe",
    re.IGNORECASE,
)
"""Libraries whose name says that they protect."""


def elsewhere(change: Change, after: Tree | None) -> Iterator[Violation]:
    """One for each such name; tests are left out, and files without a tree behind them."""
    if after is None:
        return
    known: frozenset[str] | None = None
    for pair in change.files:
        old, new = pair.before, pair.after
        if old is None or new is None or not (old.is_text and new.is_text) or is_test_file(new.path):
            continue
        language = language_of(new.path, new.data)
        swapped = list(_swapped(old, new)) if language in _ENDS else []
        if swapped and known is None:
            known = frozenset(after.paths())
        for was, now in swapped:
            first, second = (_place(item, new.path, language, known or frozenset()) for item in (was, now))
            if first and second and first != second and _has(first, was, after) and first != new.path:
                yield _violation(new, now, first, second)
            elif not first and second and _is_library(was) and _PROTECTS.search(f"{was.module}.{was.name}"):
                yield _violation(new, now, f"the library {was.module}", second)


def _swapped(old: FileVersion, new: FileVersion) -> Iterator[tuple[Import, Import]]:
    before = {item.local: item for item in outline(old).imports if item.name != "*"}
    for item in outline(new).imports:
        was = before.get(item.local)
        if was is not None and (was.module, was.name, was.level) != (item.module, item.name, item.level):
            yield was, item


def _is_library(item: Import) -> bool:
    return not item.level and not item.module.startswith(".")


def _place(item: Import, path: str, language: Language, known: frozenset[str]) -> str:
    """The file of the project that an import takes its name from; empty when it is none."""
    for start in _starts(item, path, language):
        for end in _ENDS[language]:
            if start + end in known:
                return start + end
    return ""


def _starts(item: Import, path: str, language: Language) -> Sequence[str]:
    folder = posixpath.dirname(path)
    if language in (Language.JAVASCRIPT, Language.TYPESCRIPT):
        return [posixpath.normpath(posixpath.join(folder, item.module))] if item.module.startswith(".") else []
    module = item.module.replace(".", "/")
    names = [f"{module}/{item.name}".strip("/"), module] if item.name else [module]
    if item.level:
        base = posixpath.normpath(posixpath.join(folder, *[".."] * (item.level - 1)))
        return [f"{base}/{name}".removeprefix("./") for name in names if name]
    return [root + name for root in _ROOTS for name in names if name]


def _has(path: str, item: Import, tree: Tree) -> bool:
    """True when the old place still defines the name, or is the module itself."""
    name = item.name if item.name not in ("", "default") else ""
    stem = posixpath.basename(path).partition(".")[0]
    text = (tree.read(path) or b"").decode("utf-8", "replace")
    if not name or name == stem:
        return bool(text.strip())
    return re.search(_DEFINES % {"name": re.escape(name)}, text, re.MULTILINE) is not None


def _violation(version: FileVersion, item: Import, first: str, second: str) -> Violation:
    text = version.data.decode("utf-8", "replace").split("\n")
    return Violation(
        layer=LayerName.ANCHORS,
        code="source-moved",
        effect=Effect.BLOCKS,
        what=f"{version.path} takes `{item.local}` from {second} now; {first}, where it came from, still has it.",
        why="Two things of one name need not protect alike, and the callers read as before.",
        keep="Take it from where it came from, or let the old place hand out the new one.",
        because="the name stands for another definition now",
        after=Place(version.path, item.line, item.line, text[item.line - 1] if 0 < item.line <= len(text) else ""),
        subject=f"import {item.local}",
    )
