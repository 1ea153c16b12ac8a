"""The rules: ours and the user's, merged into one JSON file (many small files make the engine slow)."""

from __future__ import annotations

import fnmatch
import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from scaffold_cli.model.errors import UsageError
from scaffold_cli.resources import compiled
from scaffold_cli.sast.cache import ResultCache
from scaffold_cli.sast.output import SEVERITIES
from scaffold_cli.sast.rule_files import RuleFile, built_in
from scaffold_cli.syntax.outline import Language

_LANGUAGES = {
    "python": Language.PYTHON,
    "python3": Language.PYTHON,
    "py": Language.PYTHON,
    "java": Language.JAVA,
    "javascript": Language.JAVASCRIPT,
    "js": Language.JAVASCRIPT,
    "typescript": Language.TYPESCRIPT,
    "ts": Language.TYPESCRIPT,
    "go": Language.GO,
    "golang": Language.GO,
}
"""The languages rules are used for: those whose files we can parse ourselves."""
_SHIPPED = "rulesets"
_REQUIRED = ("id", "languages", "severity", "message")


@dataclass(frozen=True)
class RuleSet:
    """Merged rules. `origins` maps each rule id to its file; `unused` counts rules for other languages."""

    rules: Sequence[Mapping[str, Any]]
    origins: Mapping[str, str]
    unused: int = 0
    paths: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    """Path filters ("include", "exclude") of the rules that have them; applied by us, not by the engine."""
    packs: tuple[str, ...] = ()
    """Names of further rules that the engine itself fetches over the user's network."""

    @cached_property
    def data(self) -> bytes:
        """All rules as the JSON an engine reads."""
        return _json(self.rules)

    def data_for(self, languages: Collection[Language]) -> bytes:
        """The same without the rules that speak of none of `languages`: reading a rule costs the engine time."""
        return _json([rule for rule in self.rules if not spoken(rule).isdisjoint(languages)])

    def digest_for(self, language: Language) -> str:
        """SHA-256 (hex) of the rules that speak of one language: what a result for such a file depends on."""
        return hashlib.sha256(self.data_for({language})).hexdigest()

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) of all rules as the engine is given them."""
        return hashlib.sha256(self.data).hexdigest()

    @cached_property
    def languages(self) -> frozenset[Language]:
        """The languages the rules speak of; a pack may speak of all."""
        if self.packs:
            return frozenset(_LANGUAGES.values())
        return frozenset(language for rule in self.rules for language in spoken(rule))

    def applies(self, rule: str, path: str) -> bool:
        """Whether a rule's own path filters let it speak about `path`."""
        filters = self.paths.get(rule)
        if filters is None:
            return True
        included = filters.get("include", ())
        wanted = not included or any(_matches(pattern, path) for pattern in included)
        return wanted and not any(_matches(pattern, path) for pattern in filters.get("exclude", ()))


def spoken(rule: Mapping[str, Any]) -> frozenset[Language]:
    """The languages one rule speaks of, as far as we parse them."""
    return frozenset(_LANGUAGES[name] for name in rule["languages"] if name in _LANGUAGES)


def _json(rules: Sequence[Mapping[str, Any]]) -> bytes:
    return json.dumps({"rules": rules}, sort_keys=True).encode()


def load(
    further: Iterable[RuleFile] = (), cache: Path | None = None, languages: Collection[Language] | None = None
) -> RuleSet:
    """Our rules and `further` ones as one set, read once for equal bytes when there is a cache folder.

    Of ours only those for `languages` are read, unless that is None: reading YAML takes time.

    Raises UsageError naming the file that is no rule file, or the rule that lacks a field, has an unknown
    severity, or an id that is taken.
    """
    ours = [file for file in built_in() if languages is None or _concerns(file, languages)]
    files = (*ours, *further)
    if len(files) == len(ours) and all(compiled(_SHIPPED, file.data) for file in ours):
        return _merge(files)
    hasher = hashlib.sha256()
    for file in files:
        hasher.update(file.name.encode() + b"\0" + hashlib.sha256(file.data).digest())
    key = f"rules-{hasher.hexdigest()}"
    store = ResultCache(cache)
    known = store.read(key)
    if known is not None:
        return RuleSet(**known)
    merged = _merge(files)
    store.write(key, {"rules": merged.rules, "origins": merged.origins, "unused": merged.unused, "paths": merged.paths})
    return merged


def read_ahead() -> None:
    """Read the rules this package ships, so that `load` has them at hand."""
    compiled(_SHIPPED, b"")


def _concerns(file: RuleFile, languages: Collection[Language]) -> bool:
    """Whether one of our own files may speak of one of `languages`: they lie in a folder named like theirs."""
    language = _LANGUAGES.get(file.name.split("/")[1])
    return language in languages or (language is Language.JAVASCRIPT and Language.TYPESCRIPT in languages)


def _merge(files: Iterable[RuleFile]) -> RuleSet:
    rules: list[Mapping[str, Any]] = []
    origins: dict[str, str] = {}
    paths: dict[str, Mapping[str, Sequence[str]]] = {}
    unused = 0
    for file in files:
        for rule in _parse(file):
            name, where = rule["id"], _where(file, rule["id"])
            if name in origins:
                raise UsageError(
                    f"Two rules are called {name!r}: one in {origins[name]}, one in {where}.", "Rename one of them."
                )
            origins[name] = where
            if not any(language in _LANGUAGES for language in rule["languages"]):
                unused += 1
                continue
            if filters := rule.pop("paths", None):
                paths[name] = filters
            rules.append(rule)
    return RuleSet(rules, origins, unused, paths)


def _parse(file: RuleFile) -> list[dict[str, Any]]:
    document = compiled(_SHIPPED, file.data) or _from_yaml(file)
    rules = document.get("rules") if isinstance(document, dict) else None
    if not isinstance(rules, list):
        raise UsageError(f"{file.name} holds no list of rules.", "A rule file has a top-level key `rules`.")
    for number, rule in enumerate(rules, 1):
        _check(file, number, rule)
    return [dict(rule) for rule in rules]


def _from_yaml(file: RuleFile) -> Any:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return yaml.load(file.data, Loader=loader)  # noqa: S506 - both are safe loaders
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f" (line {mark.line + 1})" if mark else ""
        raise UsageError(f"{file.name} is not valid YAML{line}.", "Mend the rule file.") from error


def _where(file: RuleFile, name: object) -> str:
    """The file of a rule, and for one that is not ours the line its id is written on."""
    if compiled(_SHIPPED, file.data):
        return file.name
    found = re.search(rb"\bid[\"']?\s*:\s*[\"']?" + re.escape(str(name).encode()) + rb"(?![\w-])", file.data)
    return f"{file.name} (line {_line(file.data, found.start())})" if found else file.name


def _line(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1


def _check(file: RuleFile, number: int, rule: object) -> None:
    if not isinstance(rule, dict):
        raise UsageError(f"Rule {number} of {file.name} is not a mapping.")
    name = rule.get("id", number)
    where = _where(file, name)
    lacking = [key for key in _REQUIRED if not rule.get(key)]
    if lacking:
        raise UsageError(f"The rule {name!r} of {where} has no {lacking[0]!r}.", "Mend the rule file.")
    if not isinstance(rule["languages"], list):
        raise UsageError(f"The languages of the rule {name!r} of {where} are not a list.", "Mend the rule file.")
    if rule["severity"] not in SEVERITIES:
        raise UsageError(
            f"The rule {name!r} of {where} has the unknown severity {rule['severity']!r}.",
            f"Use one of {', '.join(SEVERITIES)}.",
        )


def _matches(pattern: str, path: str) -> bool:
    """Whether a path filter covers `path`: the pattern may name the file or a folder, at any depth."""
    core = pattern.removeprefix("/").removeprefix("**/").rstrip("/")
    return any(fnmatch.fnmatchcase(path, form) for form in (core, f"*/{core}", f"{core}/*", f"*/{core}/*"))
