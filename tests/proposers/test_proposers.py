"""The proposers in real workspaces."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from scaffold_cli.model.change import FileMode
from scaffold_cli.model.errors import ExitCode, ScaffoldError, UsageError
from scaffold_cli.model.protection import Anchor, Level, Protection, ProtectionKind, Strength
from scaffold_cli.model.verdict import (
    Decision,
    Effect,
    LayerName,
    LayerResult,
    Place,
    Severity,
    Verdict,
    Violation,
)
from scaffold_cli.processes import ProgramNotFoundError
from scaffold_cli.proposers.fixes import apply_fixes, scan_fixes
from scaffold_cli.proposers.interface import Counterexample, ProposalFailedError, Proposer, Request
from scaffold_cli.proposers.request import SCHEMA_FILE, request_json
from scaffold_cli.proposers.table import FORMS, proposer
from scaffold_cli.sandbox.interface import Workspace
from scaffold_cli.sandbox.workspaces import open_workspace
from scaffold_cli.sast.output import Match
from tests.support.repos import git, make_repo
from tests.support.trees import tree_at

TOKENS = "import random\n\n\ndef token(n):\n    return ''.join(random.choice('abc') for _ in range(n))\n"
MENDED = "import secrets\n\n\ndef token(n):\n    return ''.join(secrets.choice('abc') for _ in range(n))\n"
LOADS = "import yaml\n\n\ndef settings(text):\n    return yaml.load(text, Loader=yaml.Loader)\n"
FILES = {
    "pkg/tokens.py": TOKENS,
    "pkg/loads.py": LOADS,
    "pkg/broken.py": "def (:\n",
    "tests/test_tokens.py": TOKENS,
    "readme.txt": "one\ntwo\n",
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_repo(tmp_path / "repo", FILES)


@pytest.fixture
def workspace(root: Path) -> Iterator[Workspace]:
    with tree_at(root) as tree, open_workspace(tree, root) as opened:
        yield opened


def request(**more: object) -> Request:
    known = dict.fromkeys(FILES, FileMode.REGULAR)
    return Request(goal="harden", paths=(".",), step=1, attempt=1, **{"files": known, **more})  # type: ignore[arg-type]  # fields of many types


def changed(workspace: Workspace) -> dict[str, str | None]:
    return {path: version.data.decode() if version else None for path, version in workspace.changes().items()}


# -- the table -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["", "magic", "rules:", "command", "patches", "rules,command:x", "RULES"])
def test_an_unknown_proposer_is_answered_with_the_known_ones(spec: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        proposer(spec, folder=tmp_path)
    assert all(form in caught.value.hint for form in FORMS)


@pytest.mark.parametrize("spec", ["command:", "command:  ", "command:'open quote"])
def test_a_command_that_is_none_is_refused(spec: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        proposer(spec, folder=tmp_path)


def test_a_folder_without_patches_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no folder of patches"):
        proposer("patches:nowhere", folder=tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="holds no patch"):
        proposer("patches:empty", folder=tmp_path)


# -- rules ---------------------------------------------------------------------------------------------------


def rules(tmp_path: Path) -> Proposer:
    return proposer("rules", folder=tmp_path, cache=tmp_path / "cache")


def test_rules_propose_one_repair_at_a_time_until_none_is_left(workspace: Workspace, tmp_path: Path) -> None:
    made = rules(tmp_path)
    first = made.propose(request(), workspace)
    assert changed(workspace) == {"pkg/loads.py": LOADS.replace("load(text, Loader=yaml.Loader)", "safe_load(text)")}
    assert "pkg/loads.py" in first.summary
    assert "CWE-502" in first.detail
    second = made.propose(request(), workspace)
    assert changed(workspace)["pkg/tokens.py"] == MENDED
    assert "CWE-338" in second.detail
    last = made.propose(request(), workspace)
    assert last.done
    assert sorted(changed(workspace)) == ["pkg/loads.py", "pkg/tokens.py"], "tests and broken files are left alone"


def test_a_repair_that_was_not_accepted_is_not_proposed_again(root: Path, tmp_path: Path) -> None:
    made = rules(tmp_path)
    told = []
    for _ in range(3):
        with tree_at(root) as tree, open_workspace(tree, root) as workspace:
            told.append(made.propose(request(), workspace).done)
    assert told == [False, False, True]


def test_rules_keep_the_mode_of_a_file(root: Path, tmp_path: Path) -> None:
    (root / "pkg/tokens.py").chmod(0o755)
    git(root, "commit", "-qam", "Make it a program")
    with tree_at(root) as tree, open_workspace(tree, root) as workspace:
        rules(tmp_path).propose(request(files={"pkg/tokens.py": FileMode.EXECUTABLE}), workspace)
        version = workspace.changes()["pkg/tokens.py"]
    assert version is not None
    assert version.mode is FileMode.EXECUTABLE


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        (b"\xef\xbb\xbf" + LOADS.encode(), True),
        (LOADS.replace("\n", "\r\n").encode(), True),
        (b"# coding: latin-1\n# caf\xe9\n" + LOADS.encode(), True),
        (LOADS.replace("\n", "\r\n", 2).encode(), False),
    ],
)
def test_a_fix_keeps_the_form_of_a_file_or_is_not_made(source: bytes, fixed: bool) -> None:
    (matches,) = scan_fixes([("a.py", source)], None)
    result = apply_fixes("a.py", source, matches)
    if fixed:
        assert result == source.replace(b"load(text, Loader=yaml.Loader)", b"safe_load(text)")
    else:
        assert result is None, "mixed line ends cannot be written back as they were"


def match(source: str, found: str, fix: str) -> Match:
    start = source.index(found)
    return Match("a-rule", Severity.HIGH, start, start + len(found), "why", "keep", (), fix)


def test_a_fix_brings_the_standard_module_it_needs() -> None:
    source = '"""Doc."""\n\nimport os\n\nkey = "fixed"\n'
    fixed = apply_fixes("a.py", source.encode(), [match(source, '"fixed"', "secrets.token_hex(os.SEEK_END)")])
    assert fixed == b'"""Doc."""\n\nimport os\nimport secrets\n\nkey = secrets.token_hex(os.SEEK_END)\n'


def test_a_fix_does_not_import_over_a_name_of_the_file() -> None:
    source = "secrets = ['a']\nkey = 1\n"
    assert (
        apply_fixes("a.py", source.encode(), [match(source, "1", "secrets.pop()")])
        == b"secrets = ['a']\nkey = secrets.pop()\n"
    )


def test_of_two_fixes_for_one_place_one_is_made() -> None:
    source = "x = f(g(1))\n"
    fixes = [match(source, "f(g(1))", "safe(1)"), match(source, "g(1)", "better(1)")]
    assert apply_fixes("a.py", source.encode(), fixes) == b"x = f(better(1))\n"


def test_a_fix_that_breaks_the_file_is_not_made() -> None:
    source = "x = f(1)\n"
    assert apply_fixes("a.py", source.encode(), [match(source, "f(1)", "(")]) is None


# -- command -------------------------------------------------------------------------------------------------


def python(tmp_path: Path, source: str) -> Proposer:
    script = tmp_path / "propose.py"
    script.write_text(source)
    return proposer(f'command:{sys.executable} "{script}"', folder=tmp_path)


def test_a_command_edits_the_tree_and_its_last_line_is_the_summary(workspace: Workspace, tmp_path: Path) -> None:
    source = "import os, pathlib\nassert not [n for n in os.environ if n.startswith('GIT_')]\n"
    source += "pathlib.Path('readme.txt').write_text('three\\n')\nprint('working')\nprint('made it \\x1b[31mthree')\n"
    made = python(tmp_path, source).propose(request(), workspace)
    assert made.summary == "made it [31mthree"
    assert not made.done
    assert changed(workspace) == {"readme.txt": "three\n"}


def test_a_command_is_given_the_request_outside_the_tree(workspace: Workspace, root: Path, tmp_path: Path) -> None:
    source = "import os, pathlib\nname = os.environ['SCAFFOLD_REQUEST']\n"
    source += "print(name)\npathlib.Path('copy.json').write_bytes(open(name, 'rb').read())\n"
    made = python(tmp_path, source).propose(request(), workspace)
    document = changed(workspace)["copy.json"]
    assert document is not None
    assert json.loads(document)["goal"] == "harden"
    assert not Path(made.summary).is_relative_to(root)
    assert not Path(made.summary).exists()


def test_a_silent_command_that_writes_nothing_is_no_change(workspace: Workspace, tmp_path: Path) -> None:
    made = proposer("command:true", folder=tmp_path).propose(request(), workspace)
    assert (made.summary, changed(workspace)) == ("edit by true", {})


def test_a_command_that_fails_tells_its_last_words(workspace: Workspace, tmp_path: Path) -> None:
    made = python(tmp_path, "import sys\nprint('out')\nprint('no key', file=sys.stderr)\nsys.exit(3)\n")
    with pytest.raises(ProposalFailedError, match="ended with code 3") as caught:
        made.propose(request(), workspace)
    assert caught.value.hint == "no key"


def test_a_command_that_takes_too_long_is_ended(workspace: Workspace, tmp_path: Path) -> None:
    made = python(tmp_path, "import time\nprint('thinking', flush=True)\ntime.sleep(300)\n")
    with pytest.raises(ProposalFailedError, match="ended after 1 seconds") as caught:
        made.propose(request(time_limit=1.0), workspace)
    assert caught.value.hint == "thinking"


@pytest.mark.parametrize("program", ["no-such-program-here", "./not/there", "/not/there/either"])
def test_a_command_that_does_not_exist_ends_the_chain(workspace: Workspace, tmp_path: Path, program: str) -> None:
    with pytest.raises(ScaffoldError) as caught:
        proposer(f"command:{program} --fast", folder=tmp_path).propose(request(), workspace)
    assert isinstance(caught.value, ProgramNotFoundError)
    assert caught.value.exit_code is ExitCode.UNDECIDED
    assert program in caught.value.message


# -- patches -------------------------------------------------------------------------------------------------


def patch(root: Path, content: str) -> str:
    old = (root / "readme.txt").read_text()
    (root / "readme.txt").write_text(content)
    text = git(root, "diff") + "\n"
    (root / "readme.txt").write_text(old)
    return text


def test_patches_are_applied_in_the_order_of_their_names(workspace: Workspace, root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "recorded"
    folder.mkdir()
    (folder / "b.diff").write_text(patch(root, "one\ntwo\nthree\n"))
    (folder / "a.patch").write_text("--- a/readme.txt\n+++ b/readme.txt\n@@ -1 +1 @@\n-nine\n+ten\n")
    (folder / "notes.md").write_text("not a patch\n")
    made = proposer("patches:recorded", folder=tmp_path)
    with pytest.raises(ProposalFailedError, match=r"a\.patch does not apply") as caught:
        made.propose(request(), workspace)
    assert "readme.txt" in caught.value.hint
    assert changed(workspace) == {}
    assert made.propose(request(), workspace).summary == "apply b.diff"
    assert changed(workspace) == {"readme.txt": "one\ntwo\nthree\n"}
    assert made.propose(request(), workspace).done


# -- the request ---------------------------------------------------------------------------------------------


def full_request() -> Request:
    place = Place("caf\udce9.py", 3, 4, "if x:\n    raise", "f")
    protection = Protection(ProtectionKind.GUARD, Level.FUNCTION, "open", "x", "raise", place, "rule", ("CWE-22",))
    violation = Violation(
        LayerName.ANCHORS, "guard-lost", Effect.BLOCKS, "gone", severity=Severity.HIGH, before=place, subject="id"
    )
    verdict = Verdict(Decision.REJECT, (LayerResult.judged(LayerName.ANCHORS, [violation]),), "digest", 1)
    return Request(
        goal="harden",
        paths=("src",),
        step=2,
        attempt=3,
        anchors=(Anchor("a1", protection, Strength.HARD, "it dominates open()"),),
        counterexamples=(
            Counterexample(2, 1, "diff", verdict, "gone"),
            Counterexample(2, 2, "", None, "The program crashed."),
        ),
        files={"src/caf\udce9.py": FileMode.REGULAR},
    )


@pytest.mark.parametrize("made", [full_request(), request()], ids=["full", "empty"])
def test_every_request_keeps_to_the_published_schema(made: Request) -> None:
    schema = json.loads(SCHEMA_FILE.read_text())
    Draft202012Validator.check_schema(schema)
    document = json.loads(request_json(made))
    Draft202012Validator(schema).validate(document)


def test_the_schema_is_closed() -> None:
    validator = Draft202012Validator(json.loads(SCHEMA_FILE.read_text()))
    document = json.loads(request_json(full_request()))
    assert not validator.is_valid({**document, "secret": 1})
    assert not validator.is_valid({key: value for key, value in document.items() if key != "goal"})
    document["counterexamples"][0]["violations"][0]["effect"] = "shrugs"
    assert not validator.is_valid(document)
