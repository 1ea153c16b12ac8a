"""A Policy: the settings in force for each folder of a change (the nearest configuration wins)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from scaffold_cli.config.schema import Settings


@dataclass(frozen=True, slots=True)
class Policy:
    """`root` holds for the whole change; `folders` maps POSIX folders to the settings in force below them.

    `digests` maps each configuration file that was read to its SHA-256. `commands` and `scanners` map a
    folder to the folder whose file gave its `tests.command` and its `sast.command`: an inherited command still runs
    where it was written. `refused` holds (setting, folder, words) of commands that nobody approved (see `trust`).
    """

    root: Settings = field(default_factory=Settings)
    folders: Mapping[str, Settings] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)
    commands: Mapping[str, str] = field(default_factory=dict)
    scanners: Mapping[str, str] = field(default_factory=dict)
    refused: frozenset[tuple[str, str, str]] = frozenset()

    def folder_of(self, path: str) -> str:
        """The folder whose configuration governs `path`; empty for the root."""
        for parent in PurePosixPath(path).parents:
            if str(parent) in self.folders:
                return str(parent)
        return ""

    def folders_of(self, paths: Iterable[str]) -> tuple[str, ...]:
        """The folders that govern any of these paths, each once: a file that moves is judged by both."""
        return tuple(dict.fromkeys(map(self.folder_of, paths)))

    def for_path(self, path: str) -> Settings:
        """The settings in force for the file at `path`."""
        return self.folders.get(self.folder_of(path), self.root)

    def for_folder(self, folder: str) -> Settings:
        """The settings of a folder that `folder_of` returned."""
        return self.folders.get(folder, self.root)

    def tests_folder(self, path: str) -> str:
        """The folder in which the test command for the file at `path` runs; empty for the root."""
        folder = self.folder_of(path)
        return self.commands.get(folder, folder)

    def scanner_folder(self, path: str) -> str:
        """The folder in which the scanner command for the file at `path` runs; empty for the root."""
        folder = self.folder_of(path)
        return self.scanners.get(folder, folder)
