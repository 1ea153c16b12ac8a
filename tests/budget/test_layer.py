"""The budget layer, judged through the engine."""

from __future__ import annotations

import pytest

from scaffold_cli.config.policy import Policy
from scaffold_cli.config.schema import BudgetEffect, BudgetSettings, Settings
from scaffold_cli.gate.engine import judge
from scaffold_cli.gate.layer import JudgeContext, Mode
from scaffold_cli.gate.layers.budget import BudgetLayer
from scaffold_cli.model.change import Change, FileChange, FileMode, FileVersion, Omitted
from scaffold_cli.model.verdict import Decision, Effect, Verdict

Side = str | bytes | None


def pair(path: str, before: Side, after: Side, old_path: str = "") -> FileChange:
    sides = [side.encode() if isinstance(side, str) else side for side in (before, after)]
    old = FileVersion(old_path or path, sides[0]) if sides[0] is not None else None
    return FileChange(old, FileVersion(path, sides[1]) if sides[1] is not None else None)


def run(*pairs: FileChange, mode: Mode = Mode.RUN, policy: Policy | None = None) -> Verdict:
    return judge(Change.of(pairs), JudgeContext(policy or Policy(), mode), [BudgetLayer()])


def codes(verdict: Verdict) -> list[str]:
    return [violation.code for violation in verdict.violations]


def numbered(word: str, count: int) -> str:
    return "".join(f"{word}{number} = {number}\n" for number in range(count))


@pytest.mark.parametrize(
    ("added", "deleted", "files", "expected"),
    [
        (80, 40, 3, []),
        (81, 40, 3, ["budget-changed-lines"]),
        (0, 40, 1, []),
        (0, 41, 1, ["budget-deleted-lines"]),
        (10, 50, 2, []),
        (10, 51, 2, ["budget-deleted-lines"]),
        (5, 5, 4, ["budget-files"]),
    ],
)
def test_the_checks_of_the_fact_sheet(added: int, deleted: int, files: int, expected: list[str]) -> None:
    others = [pair(f"b{number}.py", "", "x = 1\n") for number in range(files - 1)]
    first = pair("a.py", "keep = 1\n" + numbered("old", deleted), numbered("new", added - len(others)) + "keep = 1\n")
    verdict = run(first, *others)
    assert codes(verdict) == expected
    assert verdict.decision is (Decision.REJECT if expected else Decision.ACCEPT)
    facts = dict(verdict.layers[0].facts)
    assert facts["changed lines"] == added + deleted
    assert facts["net deleted lines"] == max(0, deleted - added)
    assert facts["files"] == files


def test_signatures_have_a_limit_of_their_own_and_name_what_is_lost() -> None:
    before = "".join(f"def f{number}(a): ...\n" for number in range(5))
    after = "".join(f"def f{number}(b): ...\n" for number in range(5))
    verdict = run(pair("a.py", before, after))
    assert codes(verdict) == ["budget-signatures"]
    assert "5 public signatures, 3 are allowed: f0(a) became f0(b) (a.py:1)" in verdict.violations[0].what
    assert "and 2 more" in verdict.violations[0].what
    assert run(pair("a.py", before, before.replace("f0(a)", "f0(b)"))).decision is Decision.ACCEPT


def test_a_renamed_file_and_a_renamed_test_lose_no_signatures() -> None:
    source = "".join(f"def f{number}(a): ...\n" for number in range(9))
    renamed = run(pair("new.py", source, source, "old.py"))
    assert renamed.decision is Decision.ACCEPT
    assert dict(renamed.layers[0].facts)["files"] == 1
    tests = run(pair("tests/test_a.py", source, source.replace(" f", " g")))
    assert "budget-signatures" not in codes(tests)


def test_java_signatures_count_too() -> None:
    before = "public class A {\n" + "".join(f"public void f{n}() {{ }}\n" for n in range(5)) + "}\n"
    assert codes(run(pair("A.java", before, before.replace("public void", "private void")))) == ["budget-signatures"]


@pytest.mark.parametrize(
    ("effect", "mode", "expected"),
    [
        (BudgetEffect.AUTO, Mode.RUN, Decision.REJECT),
        (BudgetEffect.AUTO, Mode.CHECK, Decision.ACCEPT),
        (BudgetEffect.BLOCK, Mode.CHECK, Decision.REJECT),
        (BudgetEffect.WARN, Mode.RUN, Decision.ACCEPT),
    ],
)
def test_going_over_blocks_in_run_and_warns_in_check_unless_configured(
    effect: BudgetEffect, mode: Mode, expected: Decision
) -> None:
    policy = Policy(Settings(budget=BudgetSettings(changed_lines=1, effect=effect)))
    verdict = run(pair("a.py", None, "a = 1\nb = 2\n"), mode=mode, policy=policy)
    assert verdict.decision is expected
    assert codes(verdict) == ["budget-changed-lines"]


def test_the_largest_contributors_are_named_first() -> None:
    pairs = [pair(f"f{number}.py", None, numbered("a", number * 20)) for number in range(1, 6)]
    what = run(*pairs).violations[0].what
    assert what == (
        "The step changes 300 lines of code, 120 are allowed: "
        "f5.py (+100 -0), f4.py (+80 -0), f3.py (+60 -0) and 2 more."
    )


def test_folders_with_settings_of_their_own_are_counted_apart() -> None:
    strict = Settings(budget=BudgetSettings(changed_lines=1))
    policy = Policy(folders={"lib/safe": strict})
    change = [pair("lib/safe/a.py", None, "a = 1\nb = 2\n"), pair("lib/b.py", None, numbered("a", 100))]
    verdict = run(*change, policy=policy)
    assert codes(verdict) == ["budget-changed-lines"]
    assert verdict.violations[0].because == "over budget.changed-lines of lib/safe/"
    assert run(change[1], policy=policy).decision is Decision.ACCEPT


def test_two_folders_over_the_same_limit_give_two_violations_with_ids_of_their_own() -> None:
    strict = Settings(budget=BudgetSettings(changed_lines=1))
    verdict = run(
        pair("a/x.py", None, "a = 1\nb = 2\n"),
        pair("b/x.py", None, "a = 1\nb = 2\n"),
        policy=Policy(folders={"a": strict, "b": strict}),
    )
    assert len({violation.id for violation in verdict.violations}) == 2


def test_files_whose_comments_and_line_ends_change_are_not_counted() -> None:
    pairs = [pair(f"a{n}.py", "# old\na = 1\n", "# new\r\na = 1\r\n") for n in range(9)]
    verdict = run(*pairs)
    assert verdict.decision is Decision.ACCEPT
    assert dict(verdict.layers[0].facts)["files"] == 0


def test_binary_files_links_submodules_and_modes_count_as_files_only() -> None:
    link = FileVersion("link", b"target", FileMode.SYMLINK)
    module = [FileVersion("sub", b"", FileMode.SUBMODULE, omitted=Omitted.SUBMODULE, oid=name) for name in "ab"]
    script = FileVersion("run.sh", b"true\n", FileMode.EXECUTABLE)
    verdict = run(
        pair("a.bin", b"\0" * 900, b"\0\1" * 900),
        FileChange(None, link),
        FileChange(module[0], module[1]),
        FileChange(FileVersion("run.sh", b"true\n"), script),
    )
    facts = dict(verdict.layers[0].facts)
    assert (facts["files"], facts["changed lines"]) == (4, 0)
    assert codes(verdict) == ["budget-files"]


def test_what_cannot_be_counted_is_undecided_where_it_could_block() -> None:
    large = FileVersion("a.py", b"", size=2_000_000, omitted=Omitted.TOO_LARGE, oid="1")
    change = FileChange(FileVersion("a.py", b"a = 1\n"), large)
    verdict = run(change)
    assert verdict.decision is Decision.UNDECIDED
    assert verdict.violations[0].what == "The size of the change to a.py is not known: the file is over the size limit."
    warned = run(change, mode=Mode.CHECK)
    assert [violation.effect for violation in warned.violations] == [Effect.WARNS]


def test_lines_of_a_file_that_does_not_parse_are_counted_and_its_signatures_left_undecided() -> None:
    verdict = run(pair("a.py", "def f(: pass\n", "def f(): pass\n"))
    assert verdict.decision is Decision.UNDECIDED
    assert dict(verdict.layers[0].facts)["changed lines"] == 2
    assert codes(verdict) == ["budget-not-counted"]


def test_a_deleted_file_places_the_violation_before_the_change() -> None:
    violation = run(pair("a.py", numbered("a", 50), None)).violations[0]
    assert violation.code == "budget-deleted-lines"
    assert violation.after is None
    assert violation.before is not None
    assert violation.before.path == "a.py"
