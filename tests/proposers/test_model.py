"""Chains with a model behind a real connection: what it says, what the gate makes of it, what is learned."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import entries, scaffold
from tests.models.server import Handler, fails, says, serving
from tests.proposers.model_chain import LONG, RUN, SOURCE, TIDY, WITHOUT, audits, run, whole
from tests.support.repos import commit, git


def test_a_safe_step_is_kept_recorded_and_learned(repo: Path) -> None:
    with serving(says(whole(TIDY)), says("SAFE")) as server:
        ended = run(repo, server.url, "--steps", "1")
    assert ended.code == 0, ended.out + ended.err
    assert (repo / "files.py").read_text() == TIDY
    asked = server.asked[0]["messages"][1]["content"]
    assert "Goal: tidy" in asked
    assert "files.py:5" in asked  # the anchor, as an obligation
    (told,) = audits(repo)
    audit = told["audit"]
    assert isinstance(audit, dict)
    assert [call["stage"] for call in audit["calls"]] == ["draft", "self-check"]
    assert all(call["asked_text"] == "" for call in audit["calls"])
    assert (told["decision"], audit["tokens"]) == ("accept", 140)
    cases = scaffold("memory", "list", "--format", "json", cwd=repo).json
    assert [(case["id"], case["kind"]) for case in cases] == [(told["stored"], "safe")]
    assert scaffold("verify", cwd=repo).code == 0


def test_a_rejected_step_teaches_the_next_and_the_repair_is_learned(repo: Path) -> None:
    handlers: list[Handler] = [says(whole(WITHOUT)), says(whole(TIDY))]
    with serving(*handlers) as server:
        ended = run(repo, server.url, "--steps", "1", "--reflection-rounds", "0", "--record-prompts")
    assert ended.code == 0, ended.out + ended.err
    assert (repo / "files.py").read_text() == TIDY
    second = server.asked[1]["messages"][1]["content"]
    assert "A candidate that was not accepted" in second
    assert "guidance CWE-22" in second
    first, last = audits(repo)
    assert (first["decision"], last["decision"]) == ("reject", "accept")
    assert first["stored"] is None
    audit = last["audit"]
    assert isinstance(audit, dict)
    assert audit["retrieved"][0]["source"] == "fallback"
    assert audit["flagged"]
    assert "Goal: tidy" in audit["calls"][0]["asked_text"]
    (case,) = scaffold("memory", "list", "--format", "json", cwd=repo).json
    assert (case["kind"], case["id"]) == ("repair", last["stored"])


def test_an_unsafe_draft_is_reflected_on_before_it_is_handed_in(repo: Path) -> None:
    stages = ['{"problem": "the check is gone"}', '{"root_cause": "removed"}', '{"strategy": "put it back"}']
    with serving(says(whole(WITHOUT)), says("SAFE"), *map(says, stages), says(whole(TIDY))) as server:
        ended = run(repo, server.url, "--steps", "1")
    assert ended.code == 0, ended.out + ended.err
    assert (repo / "files.py").read_text() == TIDY
    (told,) = audits(repo)
    audit = told["audit"]
    assert isinstance(audit, dict)
    assert audit["rounds"] == 1
    assert [item["stage"] for item in audit["records"]] == ["problem", "root_cause", "strategy"]
    assert (audit["checks"][0]["model"], audit["checks"][0]["layers"]) == ("SAFE", "UNSAFE")
    assert audit["retrieved"][0]["guidance"][0] == [audit["checks"][0]["cwe"][0], 1.0]  # what was flagged, by number


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("no idea", "no edit"),
        ("FILE: other.py\n```\nx = 2\n```\n", "which the goal is not about"),
        (whole(TIDY) + "```\nagain\n```\n", "2 code blocks"),
        ("Das verstehe ich nicht.", "no edit"),
    ],
)
def test_an_answer_that_cannot_be_applied_is_a_counterexample(repo: Path, answer: str, said: str) -> None:
    before = entries(repo)
    with serving(says(answer)) as server:
        ended = run(repo, server.url, "--retries", "1")
    assert ended.code == 3
    assert said in ended.told
    assert len(server.asked) == 2
    for told in audits(repo):
        audit = told["audit"]
        assert isinstance(audit, dict)
        assert [call["stage"] for call in audit["calls"]] == ["draft"]
    assert scaffold("verify", cwd=repo).code == 0
    assert said.split(maxsplit=1)[0] in server.asked[1]["messages"][1]["content"]
    assert (repo / "files.py").read_text() == SOURCE
    assert {name: data for name, data in entries(repo).items() if not name.startswith(".git/")} == {
        name: data for name, data in before.items() if not name.startswith(".git/")
    }


def test_an_answer_that_was_cut_off_or_never_came_leaves_its_audit_too(repo: Path) -> None:
    with serving(says(whole(TIDY), reason="length"), says(" ")) as server:
        ended = run(repo, server.url, "--retries", "1")
    assert ended.code == 3
    first, last = (told["audit"] for told in audits(repo))
    assert isinstance(first, dict)
    assert isinstance(last, dict)
    assert "cut off at the limit" in ended.told
    assert [call["failed"] for call in first["calls"]] == [""]
    assert ["empty answer" in call["failed"] for call in last["calls"]] == [True]
    assert last["tokens"] > first["tokens"] > 0


def test_an_answer_in_another_programming_language_is_not_accepted(repo: Path) -> None:
    java = "class Files { String read(String name) { return name; } }\n"
    with serving(says(whole(java))) as server:
        ended = run(repo, server.url, "--retries", "0", "--reflection-rounds", "0")
    assert ended.code in (1, 3)
    assert (repo / "files.py").read_text() == SOURCE


def test_a_reflection_that_leads_nowhere_leaves_the_draft_to_the_gate(repo: Path) -> None:
    with serving(says(whole(TIDY)), says("UNSAFE"), says("It is fine.")) as server:
        ended = run(repo, server.url, "--steps", "1")
    assert ended.code == 0, ended.out + ended.err
    assert (repo / "files.py").read_text() == TIDY
    audit = audits(repo)[0]["audit"]
    assert isinstance(audit, dict)
    assert "cannot be used" in audit["flagged"][-1]
    assert "It is fine." not in json.dumps(audit)


def test_a_model_words_the_lesson_of_a_rejection(repo: Path) -> None:
    advice = "Rename the variable only."
    answers = [whole(WITHOUT), "SAFE", *["prose"] * 5, advice, whole(TIDY), "SAFE"]
    with serving(*map(says, answers)) as server:
        ended = run(repo, server.url, "--steps", "1")
    assert ended.code == 0, ended.out + ended.err
    assert advice in server.asked[8]["messages"][1]["content"]
    audit = audits(repo)[-1]["audit"]
    assert isinstance(audit, dict)
    assert [call["stage"] for call in audit["calls"]] == ["lesson", "draft", "self-check"]


def test_a_model_nobody_answers_for_ends_the_chain_with_its_own_reason(repo: Path) -> None:
    with serving(says(whole(TIDY))) as server:
        url = server.url
    ended = run(repo, url, "--steps", "1")
    assert ended.code == 2
    (chain,) = scaffold("log", "--format", "json", cwd=repo).json
    assert chain["reason"] == "proposer-unusable"
    assert "Nobody answers" in chain["message"]
    assert (repo / "files.py").read_text() == SOURCE


def test_a_cap_on_tokens_ends_the_chain_before_the_call(repo: Path) -> None:
    with serving(says(whole(TIDY))) as server:
        ended = run(repo, server.url, "--max-tokens", "1000")
        assert server.asked == []
    assert ended.code == 5
    assert "may take" in ended.told + ended.err


def test_what_was_asked_before_the_cap_is_kept(repo: Path) -> None:
    """The draft takes nearly all there is, so the question that would follow is not asked."""
    with serving(says(whole(TIDY + "# word\n" * 8_000), usage=False)) as server:
        ended = run(repo, server.url, "--max-tokens", "22000", "--answer-tokens", "20000")
        assert len(server.asked) == 1
    assert ended.code == 5, ended.out + ended.err
    (told,) = audits(repo)
    audit = told["audit"]
    assert isinstance(audit, dict)
    assert [call["stage"] for call in audit["calls"]] == ["draft"]
    assert scaffold("verify", cwd=repo).code == 0


def test_money_without_a_price_is_refused(repo: Path) -> None:
    with serving(says(whole(TIDY))) as server:
        assert run(repo, server.url, "--max-money", "1").code == 2
        assert run(repo, server.url, "--max-money", "1", "--price", "cheap").code == 2
        ended = run(repo, server.url, "--max-money", "0.001", "--price", "1,1")
    assert ended.code == 5


def test_a_dry_run_shows_what_would_be_sent_and_sends_nothing(repo: Path) -> None:
    commit(repo, {"files.py": SOURCE + "# \x1b[2J\n"})
    with serving(says(whole(TIDY))) as server:
        ended = run(repo, server.url, "--dry-run")
        assert server.asked == []
    assert ended.code == 0
    assert "[system]" in ended.told
    assert "Goal: tidy" in ended.told
    assert 'if ".." in name' in ended.out
    assert "# \\x1b[2J" in ended.told


def test_what_only_the_user_can_mend_ends_the_chain_with_a_hint(repo: Path) -> None:
    with serving(fails(401)) as server:
        ended = run(repo, server.url)
    assert ended.code == 2
    assert "SCAFFOLD_API_KEY" in ended.told + ended.err
    env = {"SCAFFOLD_BASE_URL": "", "SCAFFOLD_API_KEY": "", "OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""}
    ended = scaffold(*RUN, "--with", "model:m", cwd=repo, env=env)
    assert ended.code == 2
    assert "key" in ended.warned


def test_a_repository_cannot_say_where_its_code_is_sent(repo: Path) -> None:
    commit(repo, {"scaffold.toml": '[model]\nbase-url = "https://elsewhere.test/v1"\n'})
    with serving(says(whole(TIDY))) as server:
        ended = run(repo, server.url)
        assert server.asked == []
    assert ended.code == 2
    assert "model" in ended.warned


def block(text: str) -> str:
    return f"<answer>\n```python\n{text}```\n</answer>\n"


def reflected(status: str) -> str:
    return f"<reflection>\nSTATUS: {status}\nbecause\n</reflection>\n"


THINK = "<think>\nt\n</think>\n"


def test_the_best_answer_of_a_trajectory_is_the_last_that_passed(repo: Path) -> None:
    reply = THINK + block(TIDY) + reflected("OPTIMIZATION_ONLY") + block(WITHOUT)
    with serving(says(reply)) as server:
        ended = run(repo, server.url, "--reflection-rounds", "0", with_="trajectory:m")
        assert len(server.asked) == 1
    assert (repo / "files.py").read_text() == TIDY
    assert ended.code == 1  # the optimisation was rejected as any other candidate would be
    log = scaffold("log", "--format", "json", cwd=repo).json[0]
    assert [item["outcome"] for item in log["attempts"]] == ["accepted", "rejected", "no-change"]


def test_a_bug_found_in_a_trajectory_leads_to_the_next_answer(repo: Path) -> None:
    reply = THINK + block(WITHOUT) + reflected("BUG_DETECTED") + block(TIDY)
    with serving(says(reply), says("SAFE")) as server:
        assert run(repo, server.url, with_="trajectory:m").code == 0
    assert (repo / "files.py").read_text() == TIDY
    audit = audits(repo)[-1]["audit"]
    assert isinstance(audit, dict)
    assert [(check["model"], check["layers"]) for check in audit["checks"]] == [("SAFE", "SAFE")]


def test_a_trajectory_of_which_nothing_passed_is_followed_by_one_with_lessons_and_evidence(repo: Path) -> None:
    lost = (
        THINK + block(WITHOUT) + reflected("OPTIMIZATION_ONLY") + block(WITHOUT.replace("root, name", "root, name, ''"))
    )
    kept = THINK + block(TIDY) + reflected("OPTIMIZATION_ONLY") + block(TIDY)
    answers = [lost, "UNSAFE", *["prose"] * 3, *["no edit"] * 2, "Keep the check.", kept, "SAFE"]
    with serving(*map(says, answers)) as server:
        ended = run(repo, server.url, "--steps", "1", with_="trajectory:m")
    assert ended.code == 0, ended.out + ended.err
    assert (repo / "files.py").read_text() == TIDY
    second = server.asked[-1]["messages"][1]["content"]
    assert "A candidate that was not accepted" in second
    assert "guidance CWE-22" in second
    audit = audits(repo)[-1]["audit"]
    assert isinstance(audit, dict)
    assert audit["retrieved"]
    assert [case["kind"] for case in scaffold("memory", "list", "--format", "json", cwd=repo).json] == ["repair"]


def test_the_last_answer_of_a_trajectory_is_reflected_on_like_any_draft(repo: Path) -> None:
    reply = THINK + block(WITHOUT) + reflected("BUG_DETECTED") + block(WITHOUT)
    with serving(says(reply), says("SAFE"), *map(says, ["p", "q", "r"]), says(whole(TIDY))) as server:
        ended = run(repo, server.url, "--steps", "1", with_="trajectory:m")
    assert ended.code == 0, ended.out + ended.err
    assert (repo / "files.py").read_text() == TIDY
    assert server.asked[-1]["messages"][0]["content"].startswith("You are an expert in python")


def test_a_reply_that_is_no_trajectory_is_a_failed_attempt_with_its_reasons(repo: Path) -> None:
    with serving(says("I would tidy it.")) as server:
        ended = run(repo, server.url, "--retries", "0", with_="trajectory:m")
    assert ended.code == 3
    assert "no trajectory: text-between-blocks" in ended.told


def test_memory_can_be_left_out_and_a_damaged_one_does_not_stop_a_chain(repo: Path) -> None:
    with serving(says(whole(TIDY)), says("SAFE"), says(whole(SOURCE)), says("SAFE")) as server:
        assert run(repo, server.url, "--steps", "1", "--no-memory").code == 0
        memory = repo / ".git/scaffold/memory"
        assert not memory.exists()
        memory.mkdir(parents=True)
        (memory / "cases.sqlite").write_bytes(b"broken" * 1000)
        ended = run(repo, server.url, "--steps", "1")
    assert ended.code == 0
    assert "the memory is left out" in ended.warned
    assert json.dumps(audits(repo))


def test_a_mask_is_not_written_in_the_place_of_the_secret_it_hides(repo: Path) -> None:
    source = "PASSWORD = 'hunter22'\n" + SOURCE
    commit(repo, {"files.py": source})
    masked = "PASSWORD = '[REDACTED]'\n" + TIDY
    trajectory = THINK + block(masked) + reflected("OPTIMIZATION_ONLY") + block(masked)
    for with_, answer in (("model:m", whole(masked)), ("trajectory:m", trajectory)):
        with serving(says(answer), says("SAFE")) as server:
            ended = run(repo, server.url, "--retries", "0", "--reflection-rounds", "0", with_=with_)
            assert "hunter22" not in json.dumps(server.asked)
        assert ended.code == 3
        assert "a secret was kept from the model" in ended.told
        assert (repo / "files.py").read_text() == source


def test_a_file_that_is_no_utf_8_is_told_and_is_no_crash(repo: Path) -> None:
    (repo / "files.py").write_bytes(b"# caf\xe9\n" + SOURCE.encode())
    git(repo, "commit", "-qam", "latin")
    with serving(says(whole(TIDY))) as server:
        ended = run(repo, server.url, "--retries", "0")
        assert server.asked == []
    assert ended.code == 3
    assert "UTF-8" in ended.told


def test_a_damaged_memory_of_the_user_does_not_cost_that_of_the_repository(repo: Path) -> None:
    mine = repo.parent / "mine"
    mine.mkdir()
    (mine / "cases.sqlite").write_bytes(b"broken" * 1000)
    with serving(says(whole(TIDY)), says("SAFE")) as server:
        ended = run(repo, server.url, "--steps", "1")
    assert ended.code == 0
    assert "the memory is left out" in ended.warned
    assert len(scaffold("memory", "list", "--format", "json", cwd=repo).json) == 1


def test_a_cap_that_is_no_number_caps_nothing_and_is_refused(repo: Path) -> None:
    with serving(says(whole(TIDY))) as server:
        for cap, price in (("nan", "1,1"), ("1", "inf,1"), ("1", "nan,1")):
            assert run(repo, server.url, "--max-money", cap, "--price", price).code == 2
        assert server.asked == []


def test_a_memory_that_is_damaged_meanwhile_costs_neither_step_nor_chain(repo: Path) -> None:
    def damages(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        for file in (repo / ".git/scaffold/memory").iterdir():
            file.write_bytes(b"broken" * 10_000)
        says(whole(WITHOUT))(handler, body)

    with serving(damages, says(whole(TIDY))) as server:
        ended = run(repo, server.url, "--steps", "1", "--reflection-rounds", "0")
    assert ended.code == 0, ended.out + ended.err
    assert (repo / "files.py").read_text() == TIDY
    audit = audits(repo)[-1]["audit"]
    assert isinstance(audit, dict)
    assert "failed: The memory" in audit["retrieved"][0]["source"]


def test_a_part_of_a_file_with_carriage_returns_is_replaced_and_they_stay(repo: Path) -> None:
    (repo / "files.py").write_bytes(SOURCE.replace("\n", "\r\n").encode())
    git(repo, "-c", "core.autocrlf=false", "commit", "-qam", "crlf")
    part = f"FILE: files.py\n<<<<<<< SEARCH\n{LONG}\n=======\n    return open(os.path.join(root, name)).read()\n"
    with serving(says(part + ">>>>>>> REPLACE\n"), says("SAFE")) as server:
        ended = run(repo, server.url, "--steps", "1")
    assert ended.code == 0, ended.out + ended.err
    assert (repo / "files.py").read_bytes() == TIDY.replace("\n", "\r\n").encode()
