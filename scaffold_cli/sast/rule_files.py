"""Where rules and their examples lie: in this package, in the tree a change is judged by, or on disk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from scaffold_cli.model.errors import UsageError
from scaffold_cli.model.tree import Tree
from scaffold_cli.resources import data_folder

EXAMPLES_SUFFIX = ".examples.yml"
"""Files of examples lie beside the rules and hold none themselves."""
_RULE_SUFFIXES = (".yml", ".yaml", ".json")


@dataclass(frozen=True, slots=True)
class RuleFile:
    """One file of rules, or of examples; `name` is how messages call it."""

    name: str
    data: bytes

    @property
    def is_examples(self) -> bool:
        """Whether it holds examples rather than rules."""
        return self.name.endswith(EXAMPLES_SUFFIX)


def built_in() -> tuple[RuleFile, ...]:
    """The files of rules this package ships."""
    return _shipped(examples=False)


def built_in_examples() -> tuple[RuleFile, ...]:
    """The files of examples this package ships."""
    return _shipped(examples=True)


def users_rules(names: Iterable[str], folder: str, tree: Tree | None) -> tuple[RuleFile, ...]:
    """The user's own rule files, by the values of sast.rules in a folder.

    Relative names are read from `tree`, the before side: a change cannot rewrite its judge.
    Raises UsageError naming the value that leads to no rule file.
    """
    return tuple(file for file in _users_files(names, folder, tree) if not file.is_examples)


def users_examples(names: Iterable[str], folder: str, tree: Tree | None) -> tuple[RuleFile, ...]:
    """The files of examples beside the user's own rule files; raises what `users_rules` raises."""
    return tuple(file for file in _users_files(names, folder, tree) if file.is_examples)


def _shipped(*, examples: bool) -> tuple[RuleFile, ...]:
    folder = data_folder("rulesets")
    paths = sorted(path for path in folder.rglob("*.yml") if path.name.endswith(EXAMPLES_SUFFIX) is examples)
    return tuple(RuleFile(f"rulesets/{path.relative_to(folder).as_posix()}", path.read_bytes()) for path in paths)


def _users_files(names: Iterable[str], folder: str, tree: Tree | None) -> list[RuleFile]:
    return [file for name in names for file in _named(name, folder, tree)]


def _named(name: str, folder: str, tree: Tree | None) -> Sequence[RuleFile]:
    found = _on_disk(Path(name)) if Path(name).is_absolute() else _in_tree(str(PurePosixPath(folder, name)), tree)
    if all(file.is_examples for file in found):
        raise UsageError(
            f"sast.rules names {name!r}, where there is no rule file.",
            "Name a YAML or JSON file, or a folder that holds some, in the tree before the change.",
        )
    return found


def _in_tree(root: str, tree: Tree | None) -> list[RuleFile]:
    if tree is None:
        return []
    beside = f"{root.removesuffix('.yml')}{EXAMPLES_SUFFIX}"
    paths = [path for path in tree.paths() if _is_below(path, root) or path == beside]
    read = [(path, tree.read(path)) for path in paths if path.endswith(_RULE_SUFFIXES)]
    return [RuleFile(path, data) for path, data in read if data is not None]


def _on_disk(root: Path) -> list[RuleFile]:
    beside = root.with_name(f"{root.stem}{EXAMPLES_SUFFIX}")
    try:
        inside = root.rglob("*") if root.is_dir() else [root, beside]
        paths = sorted(path for path in inside if path.is_file())
        return [RuleFile(str(path), path.read_bytes()) for path in paths if path.name.endswith(_RULE_SUFFIXES)]
    except OSError as error:
        raise UsageError(f"The rules in {root} cannot be read: {error.strerror}.", "Mend sast.rules.") from error


def _is_below(path: str, root: str) -> bool:
    return root in (path, ".") or path.startswith(f"{root}/")
