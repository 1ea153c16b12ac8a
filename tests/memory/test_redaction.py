"""Secrets do not get into memory."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scaffold_cli.memory.redaction import MASK, redact
from scaffold_cli.memory.writer import remember
from scaffold_cli.model.errors import InternalFaultError
from tests.memory.stores import case, store

SECRETS = {
    "aws": ("key = 'AKIA" + "ABCDEFGHIJKLMNOP'", "ABCDEFGHIJKLMNOP"),
    "github": ("gh" + "p_" + "a1B2" * 9, "a1B2a1B2"),
    "model": ("client = Client('sk-" + "proj-abcDEF123456789012345')", "abcDEF123456"),
    "jwt": ("eyJ" + "hbGciOiJI.eyJ" + "zdWIiOiIx.abcDEF_12", "zdWIiOiIx"),
    "pem": ("-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----", "MIIEpAIB"),
    "pem cut off": ("-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA", "MIIEpAIB"),
    "url": ("postgres://app:hunter22@db/prod", "hunter22"),
    "assigned": ("DB_PASSWORD = 'hunter22'", "hunter22"),
    "in a dict": ('{"api_key": "hunter22x"}', "hunter22x"),
    "keyword": ("connect(host, password='hunter22')", "hunter22"),
    "java": ('String clientSecret = "hunter22";', "hunter22"),
    "yaml-like": ('secret_token: "hunter22"', "hunter22"),
    "header": ("Authorization: Bearer abcDEF1234567890ghiJKL", "abcDEF1234567890"),
    "signs of a placeholder": ("DB_PASSWORD = 'Pa$$w<rd%2024{'", "w<rd%2024"),
    "three quotes": ('password = """hunter22"""', "hunter22"),
    "environment": ("export API_KEY=hunter22hunter22", "hunter22"),
}


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_is_masked_and_the_rest_stays(name: str) -> None:
    text, secret = SECRETS[name]
    told = redact(f"first line\n{text}\nlast line")
    assert secret not in told
    assert MASK in told
    assert told.startswith("first line\n")


@pytest.mark.parametrize(
    "text",
    [
        "if token == expected_token: return True",
        "password = getpass()",
        "password = request.form['password']",
        "raise ValueError('the password is too short')",
        "secret = os.environ['APP_SECRET']",
        'token = "{{ csrf_token }}"',
        'password = "${DB_PASSWORD}"',
        'password = "<password>"',
        "password = '%(password)s'",
        "hashlib.sha256(b'abc').hexdigest()",
    ],
)
def test_code_without_a_secret_stays_as_it_is(text: str) -> None:
    assert redact(text) == text


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from([text for text, _ in SECRETS.values()] + ["\n", "x = 1", "'", '"', " = "]), max_size=6))
def test_doing_it_twice_changes_nothing(parts: list[str]) -> None:
    once = redact("".join(parts))
    assert redact(once) == once


def test_what_is_stored_holds_no_secret(tmp_path: Path) -> None:
    with store(tmp_path) as opened:
        assert remember(opened, case("login(password='hunter22')"), accepted=True)
        assert all("hunter22" not in str(found) for found in opened.cases())
    assert all(b"hunter22" not in file.read_bytes() for file in tmp_path.iterdir())


def test_nothing_is_stored_as_verified_that_the_gate_did_not_accept(tmp_path: Path) -> None:
    with store(tmp_path) as opened:
        with pytest.raises(InternalFaultError):
            remember(opened, case("x = 1"), accepted=False)
        assert len(opened) == 0


def test_a_secret_that_reaches_over_the_end_of_what_is_kept_is_masked_whole(tmp_path: Path) -> None:
    secret = "gh" + "p_" + "a1B2" * 9
    with store(tmp_path) as opened:
        remember(opened, case("x" * 19_979 + " " + secret), accepted=True)
        assert all("a1B2" not in found.query for found in opened.cases())


@pytest.mark.parametrize("part", ["\n", "token", "eyJ"])
def test_what_repeats_is_read_once(part: str) -> None:
    text = part * 10_000  # minutes, if every place were tried with every length
    assert redact(text) == text
