"""The rules we ship, held to their own examples, and the rules a user brings."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from hatch_build import compile_folder
from scaffold_cli.model.errors import UndecidedError, UsageError
from scaffold_cli.model.verdict import LayerStatus
from scaffold_cli.proposers.repairs.table import candidates
from scaffold_cli.sast import examples
from scaffold_cli.sast.examples import Examples
from scaffold_cli.sast.rule_files import RuleFile, built_in_examples
from scaffold_cli.sast.rules import RuleSet, load
from scaffold_cli.syntax.outline import Language
from tests.sast.support import Files, blocking, facts, judge, one

RULES = load()
EXAMPLES = examples.read(built_in_examples(), RULES)


def _has_fix(rule: Mapping[str, Any]) -> bool:
    return "fix" in rule or "fix-regex" in rule


def _repair(rule: Mapping[str, Any]) -> str | None:
    """The structural repair a rule names for what no replacement of text can mend."""
    repair: str | None = rule["metadata"].get("repair")
    return repair


OWN_RULE = """
rules:
  - id: no-shout
    languages: [python]
    severity: HIGH
    message: Shouting is rude. Speak softly.
    pattern: shout(...)
"""


def test_every_example_holds() -> None:
    assert examples.failures(EXAMPLES, RULES) == []


def test_an_example_that_does_not_hold_is_named() -> None:
    wrong = Examples("py-weak-hash", ".py", bad=("import hashlib\n",), good=("import hashlib\nhashlib.md5(b'')\n",))
    assert examples.failures([wrong], RULES) == [
        "py-weak-hash, bad example 1 is not found",
        "py-weak-hash, good example 1 is found on line 2",
    ]


def test_a_fix_that_differs_from_its_text_is_named() -> None:
    code = "import hashlib\nhashlib.md5(b'')\n"
    (sentence,) = examples.failures([Examples("py-weak-hash", ".py", bad=(code,), good=(), fixed=("pass\n",))], RULES)
    assert "hashlib.sha256(b'')" in sentence


def test_the_set_is_as_large_as_promised_and_has_examples_for_all() -> None:
    names = {str(rule["id"]) for rule in RULES.rules}
    mended = {str(rule["id"]) for rule in RULES.rules if _has_fix(rule) or "repair" in rule["metadata"]}
    for language, rules, fixes in (("py", 70, 25), ("java", 50, 10), ("js", 25, 5), ("go", 15, 0)):
        assert sum(name.startswith(f"{language}-") for name in names) >= rules
        assert sum(name.startswith(f"{language}-") for name in mended) >= fixes
    by_rule = {entry.rule: entry for entry in EXAMPLES}
    assert by_rule.keys() == names
    assert all(len(entry.bad) >= 2 and len(entry.good) >= 3 for entry in EXAMPLES)


@pytest.mark.parametrize(
    ("name", "repair"), [(str(rule["id"]), _repair(rule)) for rule in RULES.rules if _repair(rule)]
)
def test_the_repair_a_rule_names_mends_its_bad_examples(name: str, repair: str) -> None:
    (entry,) = (entry for entry in EXAMPLES if entry.rule == name)
    mended = []
    for code in entry.bad:
        results = {about.id: result.decode() for about, result, _ in candidates(code.encode())}
        assert repair in results, code
        mended.append(results[repair])
    assert examples.failures([replace(entry, bad=(), good=tuple(mended), fixed=())], RULES) == []


@pytest.mark.parametrize("rule", RULES.rules, ids=lambda rule: str(rule["id"]))
def test_a_rule_says_what_a_reader_needs(rule: dict[str, object]) -> None:
    metadata = rule["metadata"]
    assert isinstance(metadata, dict)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", str(rule["id"]))
    assert rule["severity"] in {"CRITICAL", "HIGH", "MEDIUM", "LOW"}
    assert re.match(r"CWE-\d+: ", metadata["cwe"])
    assert re.match(r"A\d\d:20\d\d ", metadata["owasp"])
    assert metadata["confidence"] in {"HIGH", "MEDIUM", "LOW"}
    assert all(reference.startswith("https://") for reference in metadata["references"])
    assert len(re.findall(r"[.!?](?:\s|$)", str(rule["message"]))) == 2


@pytest.mark.parametrize("rule", RULES.rules, ids=lambda rule: str(rule["id"]))
def test_severity_is_a_promise(rule: dict[str, Any]) -> None:
    """What blocks can be exploited by itself: the most severe follow input to its end, none is a mere guess."""
    confidence = rule["metadata"]["confidence"]
    if rule["severity"] == "CRITICAL":
        assert confidence == "HIGH"
        # Whoever can write a token without a signature needs no input to be followed.
        assert rule.get("mode") == "taint" or rule["metadata"]["cwe"].startswith("CWE-347:")
    if rule["severity"] == "HIGH":
        assert confidence != "LOW"
    # Where nobody can see whose value it is, nothing blocks.
    assert rule["severity"] in {"MEDIUM", "LOW"} or "unchecked" not in RULES.origins[str(rule["id"])]


def test_a_fix_has_its_text_for_each_bad_example_and_leaves_nothing_to_fix_twice() -> None:
    fixable = {str(rule["id"]) for rule in RULES.rules if _has_fix(rule)}
    assert all(len(entry.fixed) == (len(entry.bad) if entry.rule in fixable else 0) for entry in EXAMPLES)
    # Fixed texts as good examples: they parse and the rule, and with it its fix, no longer finds a place.
    again = [replace(entry, bad=(), good=entry.fixed, fixed=()) for entry in EXAMPLES if entry.fixed]
    assert examples.failures(again, RULES) == []


def test_loading_twice_from_a_cache_gives_the_same_rules(tmp_path: Path) -> None:
    first, second = load(cache=tmp_path), load(cache=tmp_path)
    assert (first.digest, first.origins) == (second.digest, second.origins) == (RULES.digest, RULES.origins)


def test_only_the_rules_of_the_languages_at_hand_are_read() -> None:
    go, script = load(languages={Language.GO}), load(languages={Language.TYPESCRIPT})
    assert {str(rule["id"]).partition("-")[0] for rule in go.rules} == {"go"}
    assert {str(rule["id"]).partition("-")[0] for rule in script.rules} == {"js"}
    assert load(languages={Language.TEXT}).rules == []
    # A result for a file depends on the rules for its language alone.
    assert go.digest_for(Language.GO) == RULES.digest_for(Language.GO) != RULES.digest_for(Language.PYTHON)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"rules: [", "own.yml is not valid YAML"),
        (b"\xff\xfe\x00", "own.yml is not valid YAML"),
        (b"- 1", "own.yml holds no list of rules"),
        (b"rules: [1]", "Rule 1 of own.yml is not a mapping"),
        (b"rules: [{id: a, languages: [python], severity: HIGH}]", "The rule 'a' of own.yml (line 1) has no 'message'"),
        (b"rules: [{id: a, languages: python, severity: HIGH, message: m}]", "are not a list"),
        (b"rules: [{id: a, languages: [python], severity: BAD, message: m}]", "unknown severity 'BAD'"),
        (b"rules: [{id: py-ssrf, languages: [python], severity: LOW, message: m}]", "Two rules are called 'py-ssrf'"),
    ],
)
def test_a_bad_rule_file_is_named(data: bytes, sentence: str) -> None:
    with pytest.raises(UsageError, match=re.escape(sentence)):
        load([RuleFile("own.yml", data)])


def test_a_rule_the_engine_refuses_is_named_with_its_file() -> None:
    rule = OWN_RULE.replace("shout(...)", '"shout(("')
    with pytest.raises(UsageError, match=r"refuses the rule 'no-shout' of rules/own\.yml \(line \d\)"):
        judge(one("", "shout()\n"), before=Files({"rules/own.yml": rule}), rules=("rules",))


def test_a_users_rule_is_read_from_the_tree_before_the_change() -> None:
    before = Files({"rules/own.yml": OWN_RULE, "rules/own.examples.yml": "no-shout: {}", "rules/notes.txt": "x"})
    result = judge(one("", "shout('hi')\n"), before=before, rules=("rules",))
    (violation,) = blocking(result)
    assert (violation.code, violation.why, violation.keep) == ("no-shout", "Shouting is rude.", "Speak softly.")


def test_a_users_rule_is_read_from_an_absolute_path(tmp_path: Path) -> None:
    (tmp_path / "own.yml").write_text(OWN_RULE)
    assert judge(one("", "shout('hi')\n"), rules=(str(tmp_path),)).status is LayerStatus.FAIL
    assert judge(one("", "shout('hi')\n"), rules=(str(tmp_path / "own.yml"),)).status is LayerStatus.FAIL


def test_rules_that_are_not_there_are_an_error() -> None:
    with pytest.raises(UsageError, match="where there is no rule file"):
        judge(one("", "x = 1\n"), before=Files({}), rules=("rules",))


def test_path_filters_speak_of_the_users_paths() -> None:
    rule = OWN_RULE + "    paths:\n      include: [src/]\n      exclude: ['*_gen.py']\n"
    before = Files({"own.yml": rule})
    for path, status in (
        ("src/a.py", LayerStatus.FAIL),
        ("b.py", LayerStatus.PASS),
        ("src/a_gen.py", LayerStatus.PASS),
    ):
        assert judge(one("", "shout()\n", path), before=before, rules=("own.yml",)).status is status


def test_rules_for_other_languages_are_counted_and_not_used() -> None:
    rule = OWN_RULE.replace("[python]", "[ruby]")
    result = judge(one("", "shout()\n"), before=Files({"own.yml": rule}), rules=("own.yml",))
    assert facts(result)["rules for other languages"] == 1


def test_an_error_of_the_engine_that_is_no_rules_fault_is_undecided() -> None:
    # Without its origin a refused rule can only be our own doing.
    broken = RuleSet([{"id": "x", "languages": ["python"], "severity": "HIGH", "message": "m", "pattern": "(("}], {})
    with pytest.raises(UndecidedError, match="reported an error"):
        examples.failures([Examples("x", ".py", ("a\n",), ())], broken)


def test_examples_of_a_user_are_named_when_they_are_wrong() -> None:
    for data, sentence in (
        (b"a: [", "own.examples.yml is not valid YAML"),
        (b"- 1", "own.examples.yml is no mapping"),
        (b"py-gone: {bad: []}", "own.examples.yml has examples of 'py-gone', which is no rule"),
    ):
        with pytest.raises(UsageError, match=re.escape(sentence)):
            examples.read([RuleFile("own.examples.yml", data)], RULES)


@pytest.mark.parametrize("name", ["anchors", "rulesets"])
def test_what_is_kept_as_json_is_what_the_yaml_says(name: str, tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    (tmp_path / "scaffold_cli").mkdir()
    (tmp_path / name).symlink_to(root / name)
    kept = json.loads(compile_folder(tmp_path, name).read_bytes())
    files = [path for path in (root / name).rglob("*.yml") if not path.name.endswith(".examples.yml")]
    assert kept == {hashlib.sha256(path.read_bytes()).hexdigest(): yaml.safe_load(path.read_bytes()) for path in files}
    assert len(kept) >= 4
