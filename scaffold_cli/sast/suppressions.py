"""Marks that silence a scanner. The scan ignores them; a change that adds one is told so.

A mark counts where the scanner it speaks to would see it: in a comment, in an annotation, and for those that look at
lines rather than comments (semgrep, flake8) in any text. Marks for style alone (``noqa: E402``,
``@SuppressWarnings("unchecked")``) do not count.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Callable, Collection, Iterable, Iterator

from scaffold_cli.model.finding import Finding, Fingerprint
from scaffold_cli.model.verdict import Severity
from scaffold_cli.sast.fingerprint import number, place
from scaffold_cli.sast.lexer import PieceKind, pieces
from scaffold_cli.sast.source import Source
from scaffold_cli.syntax.outline import Language

RULE = "suppression"

_HINT = re.compile(
    r"nosem|nosec|noqa|NOSONAR|codeql|lgtm|Suppress|nolint|gosec|eslint|oxlint|jshint|biome-ignore|deepcode|bearer"
    r"|gitleaks|trufflehog|allowlist|skipcq|checkov|tfsec|trivy|kics-scan|ruff|pylint",
    re.IGNORECASE,
)
"""Most files hold none of these words, and need no reading of comments."""
_WORDS = _HINT.pattern.lower().split("|")
_ANY_LANGUAGE = re.compile(r"\b(nosem(?:grep)?|NOSONAR)\b|\b(codeql|lgtm)\s*\[|^\W*(lgtm)\W*$", re.IGNORECASE)
_NOSEM_IN_TEXT = re.compile(r"(?:^\W*|\s)nosem(?:grep\w*|\b)", re.IGNORECASE)
"""Semgrep looks for it in the whole line: a string or a name hides as much as a comment does."""
# Snyk Code, Bearer, gitleaks, trufflehog, detect-secrets, Checkov, Terrascan, tfsec, Trivy, KICS.
_SENTENCE = re.compile(
    r"\b(deepcode\s+ignore|bearer:disable|gitleaks:allow|trufflehog:ignore|allowlist\s+(?:nextline\s+)?secret"
    r"|(?:checkov|terrascan):skip|(?:tfsec|trivy):ignore|kics-scan\s+ignore)\b",
    re.IGNORECASE,
)
_NOSEC = re.compile(r"\bnosec\b", re.IGNORECASE)
# flake8 and ruff read "noqa" with or without codes, for a line or ("flake8: noqa") for the whole file.
_NOQA = re.compile(
    r"#\s*((?:flake8|ruff)\s*:\s*)?noqa(?:\s*:\s*(?P<codes>[A-Z]+\d*(?:[,\s]+[A-Z]+\d+)*))?", re.IGNORECASE
)
# The same without "noqa": ``ruff: ignore[S101]``, ``ruff: disable[S101]``, ``ruff: file-ignore[S101]``.
_RUFF = re.compile(r"#\s*ruff\s*:\s*(?:file-)?(?:ignore|disable)\s*\[(?P<codes>[^\]]*)", re.IGNORECASE)
_PYLINT = re.compile(r"#\s*pylint\s*:\s*(?:disable(?:-next)?\s*=\s*(?P<names>[\w\s,-]+)|(?P<file>skip-file))")
_PYLINT_SECURITY = {"all", "eval-used", "W0123", "exec-used", "W0122", "missing-timeout", "W3101"}
_PYLINT_SECURITY |= {"subprocess-popen-preexec-fn", "W1509"}
_SKIPCQ = re.compile(r"\bskipcq\b(?:\s*:\s*(?P<codes>[\w-]+(?:\s*,\s*[\w-]+)*))?", re.IGNORECASE)
"""DeepSource; without codes it silences every check."""
_SKIPCQ_SECURITY = re.compile(r"(?:BAN|GSC|SCT|SH-S|[A-Z]+-[AS]\d).*", re.IGNORECASE)
_SECURITY_CODE = re.compile(r"(?:S|DUO)\d*", re.IGNORECASE)
"""flake8-bandit (also in ruff) and dlint."""
_NOLINT = re.compile(r"\bnolint\b(?:\s*:\s*(?P<names>\w+(?:\s*,\s*\w+)*))?")
"""golangci-lint; without names it silences every linter."""
_GOSEC = re.compile(r"\bgosec\s*:\s*disable\b")
_ESLINT = re.compile(r"\b(?:es|ox)lint-disable(?:-next-line|-line)?\b(?P<names>[^*\n]*?)(?:--|\*/|$)", re.MULTILINE)
_ESLINT_SECURITY = re.compile(
    r"(?:(?:@[\w-]+/)?(?:[\w-]*security[\w-]*|no-unsanitized|no-secrets|sonarjs)/[\w-]+"
    r"|no-eval|no-implied-eval|no-new-func|no-script-url|react/no-danger[\w-]*)"
)
# A file's own settings: ``eslint no-eval: "off"``, and JSHint's permission to evaluate text.
_ESLINT_OFF = re.compile(r"\beslint\s[^*]*?(?P<name>[@\w/-]+)[\"']?\s*:\s*\[?\s*[\"']?(?:off\b|0)")
_JSHINT = re.compile(r"\bjshint\b.*\bevil\s*:\s*true")
_BIOME = re.compile(r"\bbiome-ignore\s+(lint/security/\w+)")
_ANNOTATIONS = {"SuppressWarnings", "SuppressFBWarnings", "SuppressFindBugs"}
_SECURITY_VALUE = re.compile(
    r"all|(?:java|javasecurity|squid|findsecbugs|find-sec-bugs)\b.*|S\d{3,}|.*security.*", re.IGNORECASE
)


def suppressions(source: Source) -> tuple[Finding, ...]:
    """Every mark in one file, as findings of the rule `RULE` that can be compared like any other."""
    if not _may_hold_any(source.text):
        return ()
    marks = [(line, mark) for line, text in _comments(source) for mark in _in_comment(text, source.language)]
    marks += _in_any_text(source, marks)
    if source.language is Language.JAVA:
        marks += _annotations(source)
    return number(_finding(source, line, mark) for line, mark in sorted(marks))


def _may_hold_any(text: str) -> bool:
    if not text.isascii():  # where letters have more than two forms
        return _HINT.search(text) is not None
    lowered = text.lower()
    return any(word in lowered for word in _WORDS)


def _finding(source: Source, line: int, mark: str) -> Finding:
    where = place(source, line, line)
    return Finding(Fingerprint(RULE, source.path, where.symbol, (mark,)), Severity.HIGH, where)


def _comments(source: Source) -> Iterator[tuple[int, str]]:
    """(line, text) of every comment."""
    if source.language is Language.PYTHON:
        try:
            found = list(tokenize.generate_tokens(io.StringIO(source.text).readline))
            yield from ((token.start[0], token.string) for token in found if token.type == tokenize.COMMENT)
        except (tokenize.TokenError, SyntaxError):
            pass  # unfinished or newer syntax: the lexer below reads anything
        else:
            return
    for piece in pieces(source.text, source.language):
        if piece.kind is PieceKind.COMMENT:
            first = source.text.count("\n", 0, piece.start) + 1
            yield from enumerate(piece.text.split("\n"), first)


def _in_any_text(source: Source, told: Collection[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Marks outside comments that their scanner heeds all the same; `told` are those in comments."""
    for line, text in enumerate(source.lines, 1):
        if _NOSEM_IN_TEXT.search(text) and (line, "nosem") not in told:
            yield line, "nosem"
        if source.language is Language.PYTHON:
            yield from ((line, mark) for mark in _noqa(text) if (line, mark) not in told)


def _in_comment(text: str, language: Language) -> Iterator[str]:
    for found in _ANY_LANGUAGE.finditer(text):
        yield (found[1] or found[2] or found[3]).lower().replace("nosemgrep", "nosem")
    yield from (" ".join(found[1].lower().split()) for found in _SENTENCE.finditer(text))
    for found in _SKIPCQ.finditer(text):
        codes = re.split(r"\s*,\s*", found["codes"] or "")
        yield from ("skipcq" if not code else f"skipcq: {code}" for code in codes if _is_skipped_security(code))
    if language in (Language.PYTHON, Language.GO):
        yield from ("nosec" for _ in _NOSEC.finditer(text))
    yield from _LINTERS.get(language, _no_linter)(text)


def _is_skipped_security(code: str) -> bool:
    return not code or _SKIPCQ_SECURITY.fullmatch(code) is not None


def _no_linter(text: str) -> Iterator[str]:
    yield from ()


def _go_linters(text: str) -> Iterator[str]:
    yield from ("gosec:disable" for _ in _GOSEC.finditer(text))
    for found in _NOLINT.finditer(text):
        names = [name.strip() for name in (found["names"] or "").split(",")]
        if names == [""] or "all" in names:
            yield "nolint"
        elif "gosec" in names:
            yield "nolint: gosec"


def _script_linters(text: str) -> Iterator[str]:
    for found in _ESLINT.finditer(text):
        names = [name.strip() for name in found["names"].split(",")]
        if names == [""]:
            yield "eslint-disable"
        yield from (f"eslint-disable {name}" for name in names if _is_secure(name))
    yield from (f"eslint off {found['name']}" for found in _ESLINT_OFF.finditer(text) if _is_secure(found["name"]))
    yield from ("jshint evil" for _ in _JSHINT.finditer(text))
    yield from (f"biome-ignore {found[1]}" for found in _BIOME.finditer(text))


def _is_secure(name: str) -> bool:
    return _ESLINT_SECURITY.fullmatch(name) is not None


def _python_linters(text: str) -> Iterator[str]:
    yield from _noqa(text)
    for found in _RUFF.finditer(text):
        yield from (f"ruff: ignore {code}" for code in _security_codes(found["codes"]))
    for found in _PYLINT.finditer(text):
        names = [name.strip() for name in (found["names"] or "").split(",")]
        yield from (f"pylint: disable {name}" for name in names if name in _PYLINT_SECURITY)
        if found["file"]:
            yield "pylint: skip-file"


def _security_codes(codes: str) -> list[str]:
    return sorted(code.upper() for code in re.split(r"[,\s]+", codes) if _SECURITY_CODE.fullmatch(code))


def _noqa(text: str) -> Iterator[str]:
    for found in _NOQA.finditer(text):
        codes = found["codes"]
        if codes is None:
            yield "noqa"
            continue
        yield from (f"noqa: {code}" for code in _security_codes(codes))


_LINTERS: dict[Language, Callable[[str], Iterator[str]]] = {
    Language.PYTHON: _python_linters,
    Language.GO: _go_linters,
    Language.JAVASCRIPT: _script_linters,
    Language.TYPESCRIPT: _script_linters,
}


def _annotations(source: Source) -> Iterable[tuple[int, str]]:
    found = [piece for piece in pieces(source.text, source.language) if piece.kind is not PieceKind.COMMENT]
    for index, piece in enumerate(found):
        opens = index + 1 < len(found) and found[index + 1].text == "("
        if piece.text not in _ANNOTATIONS or not index or found[index - 1].text not in ("@", ".") or not opens:
            continue
        line = source.text.count("\n", 0, piece.start) + 1
        for argument in found[index + 2 :]:
            if argument.text == ")":
                break
            value = argument.text.strip('"')
            counts = piece.text != "SuppressWarnings" or _SECURITY_VALUE.fullmatch(value)
            if argument.kind is PieceKind.STRING and counts:
                yield line, f"@{piece.text}({value})"
