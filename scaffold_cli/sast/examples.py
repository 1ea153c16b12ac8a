"""The examples beside the rules, run as tests: bad code fires, good code does not, a fix does what it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scaffold_cli.model.change import FileVersion
from scaffold_cli.model.errors import UsageError
from scaffold_cli.model.finding import Finding
from scaffold_cli.sast.fingerprint import findings
from scaffold_cli.sast.inspection import SUFFIXES
from scaffold_cli.sast.rule_files import RuleFile
from scaffold_cli.sast.rules import RuleSet, spoken
from scaffold_cli.sast.scan import Scanned, Target, scan
from scaffold_cli.sast.source import Source
from scaffold_cli.syntax.outline import Language


@dataclass(frozen=True, slots=True)
class Examples:
    """Whole files of code for one rule. `fixed` goes with `bad`, one for one, or is empty for a rule without a fix."""

    rule: str
    suffix: str
    bad: tuple[str, ...]
    good: tuple[str, ...]
    fixed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Snippet:
    examples: Examples
    kind: str
    number: int
    code: str

    @property
    def name(self) -> str:
        language = " (as TypeScript)" if self.examples.suffix == ".ts" else ""
        return f"{self.examples.rule}, {self.kind} example {self.number}{language}"

    @property
    def version(self) -> FileVersion:
        return FileVersion(f"{self.examples.rule}-{self.kind}-{self.number}{self.examples.suffix}", self.code.encode())


def read(files: Iterable[RuleFile], rules: RuleSet) -> tuple[Examples, ...]:
    """All examples of some files, once for each language their rule speaks of.

    Raises UsageError for a file of another shape, or one that speaks of a rule there is not.
    """
    languages = {str(rule["id"]): sorted(spoken(rule)) for rule in rules.rules}
    return tuple(entry for file in files for entry in _examples(file, languages))


def _examples(file: RuleFile, languages: Mapping[str, Sequence[Language]]) -> Iterator[Examples]:
    import yaml

    try:
        document = yaml.safe_load(file.data)
    except yaml.YAMLError as error:
        raise UsageError(f"{file.name} is not valid YAML.", "Mend the file of examples.") from error
    if not isinstance(document, dict) or not all(isinstance(groups, dict) for groups in document.values()):
        raise UsageError(f"{file.name} is no mapping from rule ids to examples.", "Mend the file of examples.")
    for rule, groups in document.items():
        if rule not in languages:
            raise UsageError(f"{file.name} has examples of {rule!r}, which is no rule.", "Mend the file of examples.")
        codes = [tuple(map(str, groups.get(kind) or ())) for kind in ("bad", "good", "fixed")]
        yield from (Examples(rule, SUFFIXES[language], *codes) for language in languages[rule])


def failures(examples: Iterable[Examples], rules: RuleSet, *, engine: str = "semgrep") -> list[str]:
    """One sentence for each example that does not hold; empty when all do. One engine run for all of them."""
    snippets = [snippet for entry in examples for snippet in _snippets(entry)]
    targets = [Target(snippet.version.path, snippet.examples.suffix, snippet.code.encode()) for snippet in snippets]
    result = scan(targets, rules, engine=engine, timeout=300)
    fixable = {str(rule["id"]) for rule in rules.rules if {"fix", "fix-regex"} & rule.keys()}
    pairs = zip(snippets, result.files, strict=True)
    return [sentence for snippet, scanned in pairs for sentence in _judge(snippet, scanned, fixable)]


def _snippets(entry: Examples) -> Iterator[_Snippet]:
    groups: Mapping[str, Sequence[str]] = {"bad": entry.bad, "good": entry.good, "fixed": entry.fixed}
    for kind, codes in groups.items():
        yield from (_Snippet(entry, kind, number, code) for number, code in enumerate(codes, 1))


def _judge(snippet: _Snippet, scanned: Scanned, fixable: set[str]) -> Iterator[str]:
    rule = snippet.examples.rule
    source = Source.of(snippet.version, snippet.version.path)
    if source.outline.problem:
        yield f"{snippet.name} does not parse: {source.outline.problem}"
    if scanned.problem:
        yield f"{snippet.name} was not scanned: {scanned.problem}"
    mine = [finding for finding in findings(source, scanned.matches) if finding.rule == rule]
    if snippet.kind == "bad" and not mine:
        yield f"{snippet.name} is not found"
    if snippet.kind != "bad" and mine:
        yield f"{snippet.name} is found on line {mine[0].place.line}"
    if snippet.kind == "bad" and rule in fixable and mine:
        wanted = dict(enumerate(snippet.examples.fixed, 1)).get(snippet.number)
        made = _repaired(source, mine)
        if made != wanted:
            yield f"{snippet.name} is repaired to something else than its fixed text:\n{made}"


def _repaired(source: Source, found: Iterable[Finding]) -> str:
    data = source.encoded
    for fix in sorted((finding.fix for finding in found if finding.fix), key=lambda fix: fix.start, reverse=True):
        data = data[: fix.start] + fix.replacement.encode() + data[fix.end :]
    return data.decode()
