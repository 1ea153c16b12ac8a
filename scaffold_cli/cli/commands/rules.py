"""`scaffold rules`: the scanner rules in force, what each one is for, and whether their examples hold."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scaffold_cli.cli import options
from scaffold_cli.cli.streams import terminal, write
from scaffold_cli.model.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from scaffold_cli.sast.examples import Examples
    from scaffold_cli.sast.rules import RuleSet

Rule = Mapping[str, Any]


class Action(StrEnum):
    """What is done with the rules."""

    LIST = "list"
    SHOW = "show"
    TEST = "test"


class RulesFormat(StrEnum):
    """How rules are written."""

    TEXT = "text"
    JSON = "json"


def rules(
    action: Annotated[Action, typer.Argument(help="What to do with them.")] = Action.LIST,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME...]", help="Only these: ids, patterns (java-*) or CWE-89.")
    ] = None,
    *,
    form: Annotated[RulesFormat, typer.Option("--format", help="How they are written.")] = RulesFormat.TEXT,
    config: options.Config = None,
    no_color: options.NoColor = False,
) -> int:
    """List, show or test the scanner's rules, yours among them.

    `test` runs the examples beside the rules: exit code 1 when one does not hold. Rules of the repository are read
    as they are now; a check uses those of the before side.
    """
    known, examples = _load(config)
    chosen = _chosen(known.rules, names or ())
    if action is Action.TEST:
        return _test(known, chosen, examples)
    if form is RulesFormat.JSON:
        write(json.dumps([_plain(rule, known, action) for rule in chosen], indent=2) + "\n", sys.stdout)
        return ExitCode.ACCEPTED
    from scaffold_cli.report.page import show

    here = terminal(sys.stdout, no_color=no_color)
    parts = _listed(chosen) if action is Action.LIST else _shown(chosen, known, examples)
    write(show(parts, here.width, here.color), sys.stdout)
    return ExitCode.ACCEPTED


def _load(config: Path | None) -> tuple[RuleSet, tuple[Examples, ...]]:
    """The rules in force in the current folder, and all their examples."""
    from scaffold_cli.cli.selection import relative_path
    from scaffold_cli.cli.settings import overrides
    from scaffold_cli.config.folder import FolderTree
    from scaffold_cli.config.loading import load_policy
    from scaffold_cli.sast import examples, rule_files
    from scaffold_cli.sast.rules import load
    from scaffold_cli.vcs.repository import Repository

    try:
        repo = Repository.discover(Path.cwd())
    except UsageError:  # outside a repository there are the rules of this package and of --config
        tree, here = None, ""
    else:
        tree, here = FolderTree(repo.root), relative_path(repo, Path.cwd())
    path = f"{here}/x" if here else "x"
    policy = load_policy(tree, [path], overrides(config))
    folder, names = policy.folder_of(path), policy.for_path(path).sast.rules
    known = load(rule_files.users_rules(names, folder, tree))
    files = (*rule_files.built_in_examples(), *rule_files.users_examples(names, folder, tree))
    return known, examples.read(files, known)


def _chosen(known: Sequence[Rule], names: Sequence[str]) -> list[Rule]:
    for name in names:
        if not any(_answers(rule, name) for rule in known):
            raise UsageError(f"No rule is called {name!r}.", "See `scaffold rules list`.")
    return [rule for rule in known if not names or any(_answers(rule, name) for name in names)]


def _answers(rule: Rule, name: str) -> bool:
    return fnmatchcase(str(rule["id"]), name) or name.upper() == _cwe(rule)


def _cwe(rule: Rule) -> str:
    return str(_metadata(rule).get("cwe", "")).partition(":")[0]


def _metadata(rule: Rule) -> Mapping[str, Any]:
    metadata = rule.get("metadata")
    return metadata if isinstance(metadata, Mapping) else {}


def _mends(rule: Rule) -> str:
    """How a finding is mended without a person: by the rule's own text, by a structural repair, or not."""
    if {"fix", "fix-regex"} & rule.keys():
        return "fix"
    return str(_metadata(rule).get("repair", ""))


def _listed(chosen: Sequence[Rule]) -> Iterable[RenderableType]:
    from scaffold_cli.report.page import table

    rows = [
        (str(rule["id"]), str(rule["severity"]).lower(), _cwe(rule), _mends(rule), ", ".join(rule["languages"]))
        for rule in chosen
    ]
    yield table(("rule", "severity", "cwe", "repair", "languages"), rows, wrap=4)
    yield ""
    yield f"{len(rows)} rules, {sum(bool(_mends(rule)) for rule in chosen)} with a repair"


def _shown(chosen: Sequence[Rule], known: RuleSet, examples: Iterable[Examples]) -> Iterable[RenderableType]:
    from scaffold_cli.report.page import labelled, line, unbroken
    from scaffold_cli.sast.output import sentences

    first = {entry.rule: entry for entry in reversed(tuple(examples))}
    for rule in chosen:
        name, metadata = str(rule["id"]), _metadata(rule)
        why, keep = sentences(str(rule["message"]))
        yield line((name, "bold"), (f"  {str(rule['severity']).lower()}", ""))
        rows = [("why", why), ("keep", keep)]
        rows += [(key, str(metadata.get(key, ""))) for key in ("cwe", "owasp", "confidence", "repair")]
        yield labelled([*rows, ("from", known.origins[name]), *(("see", str(url)) for url in _references(metadata))])
        entry = first.get(name)
        for kind, codes in (("bad", entry.bad), ("fixed", entry.fixed), ("good", entry.good)) if entry else ():
            for number, code in enumerate(codes, 1):
                yield line((f"  {kind} {number}", "dim"))
                yield from (unbroken(f"    {text}", "") for text in code.rstrip("\n").split("\n"))
        yield ""


def _references(metadata: Mapping[str, Any]) -> Sequence[object]:
    references = metadata.get("references", ())
    return references if isinstance(references, list) else [references]


def _plain(rule: Rule, known: RuleSet, action: Action) -> dict[str, object]:
    told = {"id": rule["id"], "severity": rule["severity"], "languages": rule["languages"], "message": rule["message"]}
    metadata = {"metadata": _metadata(rule), "repair": _mends(rule) or None, "origin": known.origins[str(rule["id"])]}
    return {**told, **metadata, **({"rule": rule} if action is Action.SHOW else {})}


def _test(known: RuleSet, chosen: Sequence[Rule], examples: Iterable[Examples]) -> int:
    from scaffold_cli.sast.examples import failures

    names = {str(rule["id"]) for rule in chosen}
    entries = [entry for entry in examples if entry.rule in names]
    lacking = sorted(names - {entry.rule for entry in entries})
    failed = failures(entries, known)
    for sentence in failed:
        write(f"{sentence}\n", sys.stdout)
    for name in lacking:
        write(f"{name} has no examples\n", sys.stdout)
    count = sum(len(entry.bad) + len(entry.good) + len(entry.fixed) for entry in entries)
    verdict = f"{len(failed)} do not hold" if failed else "all hold"
    write(f"{count} examples of {len(names) - len(lacking)} rules: {verdict}.\n", sys.stdout)
    return ExitCode.REJECTED if failed else ExitCode.ACCEPTED
