"""The model over a real connection, with everything a server may do."""

from __future__ import annotations

import pytest

from scaffold_cli import clock
from scaffold_cli.model.errors import BudgetSpentError, ScaffoldError, UsageError
from scaffold_cli.models.address import Address, from_environment
from scaffold_cli.models.interface import Ended, Message, ModelFailedError, Reply, Role, estimated_tokens
from scaffold_cli.models.openai_model import OpenAiModel
from scaffold_cli.models.spending import Caps, Meter, Price
from scaffold_cli.reflection.dialogue import Asker
from tests.models.server import Handler, Server, chunk, comments, fails, never_stops, says, sends, serving, silent

ASKED = [Message(Role.SYSTEM, "be brief"), Message(Role.USER, "hello")]


def ask(server: Server, *, max_tokens: int = 100, time_limit: float = 30.0, retries: int = 2) -> Reply:
    model = OpenAiModel(Address("m", server.url, "secret-key"), retries=retries)
    return model.complete(ASKED, max_tokens=max_tokens, time_limit=time_limit)


def test_an_answer_is_streamed_and_counted() -> None:
    heard: list[int] = []
    with serving(says("good morning to you")) as server:
        model = OpenAiModel(Address("m", server.url, "secret-key"))
        reply = model.complete(ASKED, max_tokens=100, time_limit=30, heard=heard.append)
    assert (reply.text, reply.ended, reply.estimated) == ("good morning to you", Ended.COMPLETE, False)
    assert (reply.prompt_tokens, reply.completion_tokens) == (50, 20)
    assert heard == [1, 2, 3]
    assert server.asked[0]["messages"] == [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "hello"},
    ]
    assert (server.asked[0]["model"], server.asked[0]["max_tokens"]) == ("m", 100)
    assert server.keys == ["Bearer secret-key"]


def test_without_counts_from_the_server_they_are_estimated_and_it_is_said() -> None:
    with serving(says("good morning", usage=False)) as server:
        reply = ask(server)
    assert reply.estimated
    assert reply.completion_tokens == estimated_tokens("good morning") > 0
    assert reply.prompt_tokens > 0


def test_an_answer_that_was_cut_off_says_so() -> None:
    with serving(says("good mor", reason="length")) as server:
        assert ask(server).ended is Ended.LENGTH


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_may_pass_is_tried_again(status: int) -> None:
    with serving(fails(status), says("here I am")) as server:
        assert ask(server).text == "here I am"
        assert len(server.asked) == 2


@pytest.mark.parametrize(
    ("handler", "kind", "said"),
    [
        (fails(429), ModelFailedError, "limits the rate"),
        (fails(500), ModelFailedError, "failed"),
        (fails(401), UsageError, "refuses the key"),
        (fails(404), UsageError, "There is no model 'm'"),
        (fails(405), UsageError, "serves no models"),
        (fails(501), UsageError, "serves no models"),
        (fails(400, "maximum context length is 10"), ModelFailedError, "too long"),
        (fails(400, "bad"), ModelFailedError, "bad"),
        (says("  \n"), ModelFailedError, "empty answer"),
        (sends(chunk("half an ")), ModelFailedError, "broke off"),
        (sends(b"data: {not json}\n\n"), ModelFailedError, "the model"),
        (sends(b'data: {"choices": 7}\n\n'), ModelFailedError, "the model"),
        (sends(b"<html>hello</html>"), ModelFailedError, "broke off"),
        (never_stops, ModelFailedError, "does not stop"),
    ],
)
def test_what_goes_wrong_is_one_clear_error(handler: Handler, kind: type[ScaffoldError], said: str) -> None:
    with serving(handler) as server, pytest.raises(kind, match=said) as raised:
        ask(server, retries=1)
    assert "secret-key" not in str(raised.value) + raised.value.hint


def test_nobody_listening_is_told_with_the_address() -> None:
    with serving(says("x")) as server:
        pass
    with pytest.raises(UsageError, match="Nobody answers at http://127"):
        ask(server, retries=0)


def test_a_time_limit_holds_while_an_answer_streams() -> None:
    with serving(never_stops) as server, pytest.raises(ModelFailedError, match="in time"):
        ask(server, max_tokens=10**9, time_limit=0.3)


def test_signs_of_life_do_not_keep_a_call_going() -> None:
    with serving(comments) as server, pytest.raises(ModelFailedError, match="in time"):
        ask(server, time_limit=0.5)


def test_the_time_limit_is_for_all_tries_together() -> None:
    with serving(silent) as server, pytest.raises(ModelFailedError, match="in time"):
        ask(server, time_limit=0.5, retries=3)
    assert len(server.asked) == 1


def test_after_a_call_that_was_given_up_the_next_one_is_answered() -> None:
    with serving(comments, says("here I am")) as server:
        model = OpenAiModel(Address("m", server.url), retries=0)
        with pytest.raises(ModelFailedError):
            model.complete(ASKED, max_tokens=100, time_limit=0.5)
        assert model.complete(ASKED, max_tokens=100, time_limit=30).text == "here I am"


@pytest.mark.parametrize("url", ["http://x.test/v1", "http://10.1.2.3:8080/v1", "http://127.0.0.1.x.test/v1"])
def test_code_and_key_go_over_plain_http_to_this_machine_only(url: str) -> None:
    values = {"SCAFFOLD_MODEL": "m", "SCAFFOLD_BASE_URL": url, "SCAFFOLD_API_KEY": "k"}
    with pytest.raises(UsageError, match="anyone on the way can read"):
        from_environment("", values)
    assert from_environment("", {**values, "SCAFFOLD_ALLOW_PLAIN_HTTP": "1"}).base_url == url


def test_the_key_does_not_show() -> None:
    assert "secret-key" not in repr(Address("m", None, "secret-key"))


def test_where_the_model_is_comes_from_the_environment() -> None:
    found = from_environment(
        "", {"SCAFFOLD_MODEL": "m", "SCAFFOLD_BASE_URL": "https://x.test/v1", "SCAFFOLD_API_KEY": "k"}
    )
    assert (found.model, found.base_url, found.key) == ("m", "https://x.test/v1", "k")
    assert from_environment("other", {"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}).key == "none"
    for wrong in (
        {},
        {"SCAFFOLD_MODEL": "m"},
        {"SCAFFOLD_MODEL": "m", "SCAFFOLD_BASE_URL": "https://x.test"},
        {"SCAFFOLD_MODEL": "m", "SCAFFOLD_BASE_URL": "file:///etc/passwd"},
    ):
        with pytest.raises(UsageError):
            from_environment("", wrong)


def test_caps_are_checked_before_a_call() -> None:
    reply = Reply("x", Ended.COMPLETE, 600, 300)
    meter = Meter(Caps(tokens=1000, money=1.0), Price(100.0, 200.0))
    meter.check(ASKED, 100)
    meter.count(reply)
    assert (meter.tokens, meter.calls) == (900, 1)
    assert meter.money == pytest.approx((600 * 100 + 300 * 200) / 1e6)
    with pytest.raises(BudgetSpentError, match="900 of 1000"):
        meter.check(ASKED, 100)
    with pytest.raises(BudgetSpentError, match="may cost"):
        Meter(Caps(money=0.001), Price(0.0, 200.0)).check(ASKED, 100)


def test_an_unknown_price_is_never_zero() -> None:
    with pytest.raises(UsageError, match="price of the model is not known"):
        Meter(Caps(money=1.0))
    assert Meter().money is None


def test_the_vendors_key_goes_to_no_other_address() -> None:
    values = {"SCAFFOLD_MODEL": "m", "OPENAI_API_KEY": "k"}
    assert from_environment("", values).key == "k"
    assert from_environment("", {**values, "OPENAI_BASE_URL": "https://x.test"}).key == "k"
    assert from_environment("", {**values, "SCAFFOLD_BASE_URL": "http://127.0.0.1:1/v1"}).key == "none"
    for elsewhere in ("https://x.test", "https://127.0.0.1.x.test/v1"):
        with pytest.raises(UsageError, match="no key"):
            from_environment("", {**values, "SCAFFOLD_BASE_URL": elsewhere})


def test_an_error_shows_no_secret_of_the_address() -> None:
    assert Address("m", "https://me:hunter22@x.test/v1?key=hunter33").shown == "https://x.test/v1"
    with pytest.raises(UsageError) as raised:
        from_environment("m", {"SCAFFOLD_BASE_URL": "ftp://me:hunter22@x.test"})
    assert "hunter22" not in str(raised.value)
    with serving(fails(400, "you sent secret-key")) as server, pytest.raises(ModelFailedError) as failed:
        ask(server, retries=0)
    assert "secret-key" not in str(failed.value)


def test_what_is_asked_on_this_machine_goes_through_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(says("direct")) as server, serving(says("by the proxy")) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url.removesuffix("/v1"))
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        assert ask(server).text == "direct"


def test_halves_of_a_character_in_two_pieces_are_put_together() -> None:
    done = chunk(reason="stop")
    with serving(sends(chunk("a \ud83d"), chunk("\ude00 \ud83d"), done, b"data: [DONE]\n\n")) as server:
        assert ask(server).text == "a \U0001f600 \ufffd"


@pytest.mark.parametrize("counts", [(0, 0), (-5, 20), (None, 7)])
def test_counts_that_cannot_be_are_estimated(counts: tuple[int, int]) -> None:
    usage = chunk(usage={"prompt_tokens": counts[0], "completion_tokens": counts[1], "total_tokens": 0})
    with serving(sends(chunk("good morning"), chunk(reason="stop"), usage, b"data: [DONE]\n\n")) as server:
        reply = ask(server)
    assert reply.estimated
    assert reply.prompt_tokens > 0 < reply.completion_tokens


@pytest.mark.parametrize("handler", [never_stops, sends(chunk("half an ")), says(" ")])
def test_an_answer_that_cannot_be_used_is_paid_for_all_the_same(handler: Handler) -> None:
    meter = Meter()
    with serving(handler) as server:
        asker = Asker(OpenAiModel(Address("m", server.url), retries=0), meter, deadline=clock.seconds() + 30)
        with pytest.raises(ModelFailedError):
            asker.ask("draft", ASKED, 100)
    assert meter.prompt_tokens > 0 < meter.completion_tokens
    assert meter.calls == 1


def test_what_a_server_says_of_its_failure_is_told_without_secrets() -> None:
    with serving(fails(400, "no password='hunter22'")) as server:
        asker = Asker(OpenAiModel(Address("m", server.url), retries=0), Meter(), deadline=clock.seconds() + 30)
        with pytest.raises(ModelFailedError) as raised:
            asker.ask("draft", ASKED, 100)
    assert "hunter22" not in raised.value.message
    assert "failed" in raised.value.message


def test_a_call_that_reached_nobody_costs_nothing() -> None:
    meter = Meter()
    with serving(fails(500)) as server:
        asker = Asker(OpenAiModel(Address("m", server.url), retries=0), meter, deadline=clock.seconds() + 30)
        with pytest.raises(ModelFailedError):
            asker.ask("draft", ASKED, 100)
    assert meter.tokens == 0
