"""The catalogue of protections: data in ``anchors/*.yml``, read once and turned into lookups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from scaffold_cli.anchoring.words import WordPatterns, words
from scaffold_cli.model.errors import UsageError
from scaffold_cli.resources import compiled, data_folder

_LISTS = (
    "cwe", "calls", "ignore", "guards", "literals", "sinks", "strings", "collections", "decorators", "cleared", "flags",
    "careful", "arguments", "answers", "internals", "wholes", "requested", "weak", "unsafe",
    "openers", "handed", "claims",
)  # fmt: skip
"""The keys of an entry that hold words."""
_ACCESSORS = frozenset({"get", "with", "on", "put", "find"})
_THINGS = frozenset(
    {"exception", "error", "warning", "event", "listener", "builder", "factory", "config", "properties"}
)
_VERBS = frozenset({"check", "validate", "verify", "ensure", "sanitize", "escape", "encode", "authorize"})
"""What begins with one of these does it to the thing it ends with."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A named value with a security meaning.

    `names` are word patterns. `order` lists spellings (normal forms) from weak to strong; `safer` is "lower" or
    "higher" for numbers; `absent` says how strong it is to leave the setting out ("weak", "strong" or "unknown").
    """

    entry: str
    names: tuple[str, ...]
    order: tuple[str, ...] = ()
    safer: str = ""
    absent: str = "weak"


@dataclass(frozen=True, slots=True)
class Example:
    """A change of one file with what must become of it: "kept", "weakened" or "lost"."""

    language: str
    outcome: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One catalogue entry; see ``docs/anchors.md`` for the meaning of each list."""

    id: str
    title: str
    cwe: tuple[str, ...]
    why: str
    keep: str
    calls: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    guards: tuple[str, ...] = ()
    literals: tuple[str, ...] = ()
    sinks: tuple[str, ...] = ()
    strings: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    decorators: tuple[str, ...] = ()
    cleared: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    careful: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    internals: tuple[str, ...] = ()
    wholes: tuple[str, ...] = ()
    requested: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    unsafe: tuple[str, ...] = ()
    openers: tuple[str, ...] = ()
    handed: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    families: tuple[tuple[tuple[str, ...], ...], ...] = ()
    settings: tuple[Setting, ...] = ()
    examples: tuple[Example, ...] = ()


class Catalogue:
    """All entries with the lookups mining needs. Each lookup gives the id of an entry, or None."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries: Mapping[str, Entry] = {entry.id: entry for entry in entries}
        known = self.entries.values()
        self.calls = _patterns(known, "calls")
        self._ignored = _patterns(known, "ignore")
        self._protective: dict[str, str | None] = {}
        self.guards = _patterns(known, "guards")
        self.sinks = _patterns(known, "sinks")
        self.collections = _patterns(known, "collections")
        self.decorators = _patterns(known, "decorators")
        self.cleared = _patterns(known, "cleared")
        self.flags = _patterns(known, "flags")
        self.careful = _patterns(known, "careful")
        self.arguments = _patterns(known, "arguments")
        self.answers = _patterns(known, "answers")
        self.internals = _patterns(known, "internals")
        self.wholes = _patterns(known, "wholes")
        self.requested = _patterns(known, "requested")
        self.openers = _patterns(known, "openers")
        self.claims = {text.lower(): entry.id for entry in known for text in entry.claims}
        self.handed = _patterns(known, "handed")
        self.unsafe = {text: entry.id for entry in known for text in entry.unsafe}
        self.weak = {text: entry.id for entry in known for text in entry.weak}
        self.literals = {text: entry.id for entry in known for text in entry.literals}
        self.strings = {text.lower(): entry.id for entry in known for text in entry.strings}
        settings = [setting for entry in known for setting in entry.settings]
        self._settings = dict(enumerate(settings))
        self._setting_names = WordPatterns(
            (name, str(index)) for index, setting in enumerate(settings) for name in setting.names
        )
        self.families: dict[str, tuple[str, int, int]] = {}
        for entry in known:
            for number, family in enumerate(entry.families):
                for rank, names in enumerate(family):
                    self.families.update(dict.fromkeys(names, (entry.id, number, rank)))

    def setting(self, name: str) -> Setting | None:
        """The setting a name speaks of."""
        found = self._setting_names.find(name)
        return None if found is None else self._settings[int(found)]

    def protective(self, name: str) -> str | None:
        """The entry a function of this name protects for; accessors and exceptions named after a defence are none."""
        if name not in self._protective:
            self._protective[name] = self._protects(name)
        return self._protective[name]

    def _protects(self, name: str) -> str | None:
        found = self.calls.find(name) or self.calls.find(name.rpartition(".")[2])
        if found is None or self._ignored.find(name) is not None:
            return None
        parts = words(name.rpartition(".")[2])
        if parts and (parts[0] in _ACCESSORS or (parts[-1] in _THINGS and parts[0] not in _VERBS)):
            return None
        return found

    def __getitem__(self, entry: str) -> Entry:
        return self.entries[entry]


def _patterns(entries: Iterable[Entry], field: str) -> WordPatterns:
    return WordPatterns((pattern, entry.id) for entry in entries for pattern in getattr(entry, field))


@lru_cache(maxsize=8)
def load(folders: tuple[Path, ...] = ()) -> Catalogue:
    """The shipped catalogue, merged with a user's folders: a later entry of the same id replaces an earlier one.

    Raises UsageError when a user's file cannot be read as a list of entries.
    """
    entries: dict[str, Entry] = {}
    for folder in (data_folder("anchors"), *folders):
        for path in sorted(folder.glob("*.yml")):
            entries.update((entry.id, entry) for entry in _read(path))
    return Catalogue(entries.values())


@lru_cache(maxsize=8)
def merged(texts: tuple[tuple[str, bytes], ...]) -> Catalogue:
    """The shipped catalogue merged with these files (name, content), read from the judged tree."""
    entries = dict(load().entries)
    for name, data in texts:
        entries.update((entry.id, entry) for entry in _parsed(name, data))
    return Catalogue(entries.values())


def _read(path: Path) -> list[Entry]:
    try:
        return _parsed(path.name, path.read_bytes())
    except OSError as error:
        raise UsageError(f"The catalogue file {path.name} cannot be read: {error}.") from error


def _parsed(name: str, data: bytes) -> list[Entry]:
    rows = compiled("anchors", data)
    try:
        return [_entry(row) for row in (_from_yaml(name, data) if rows is None else rows) or []]
    except (TypeError, KeyError, AttributeError) as error:
        raise _unreadable(name, error) from error


def _from_yaml(name: str, data: bytes) -> Any:
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return yaml.load(data, Loader=loader)  # noqa: S506 - a safe loader, the C one when there is one
    except yaml.YAMLError as error:
        raise _unreadable(name, error) from error


def _unreadable(name: str, error: Exception) -> UsageError:
    return UsageError(
        f"The catalogue file {name} cannot be read: {error}.", "See docs/anchors.md for the form of an entry."
    )


def _entry(row: Mapping[str, Any]) -> Entry:
    texts = {field: tuple(str(item) for item in row.get(field, ())) for field in _LISTS}
    families = tuple(tuple(tuple(names) for names in family) for family in row.get("families", ()))
    return Entry(
        id=row["id"],
        title=row["title"],
        why=row["why"],
        keep=row["keep"],
        families=families,
        settings=tuple(_setting(row["id"], setting) for setting in row.get("settings", ())),
        examples=tuple(Example(**example) for example in row.get("examples", ())),
        **texts,
    )


def _setting(entry: str, row: Mapping[str, Any]) -> Setting:
    return Setting(
        entry=entry,
        names=tuple(row["names"]),
        order=tuple(str(value) for value in row.get("order", ())),
        safer=row.get("safer", ""),
        absent=row.get("absent", "weak"),
    )
