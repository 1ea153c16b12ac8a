import pytest

from notes.accounts import Accounts, new_session_token
from notes.errors import Forbidden, Invalid


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def accounts(clock):
    accounts = Accounts(clock)
    accounts.register("ada", "correct horse")
    return accounts


def test_logging_in_starts_a_session(accounts):
    assert accounts.who(accounts.log_in("ada", "correct horse")) == "ada"


def test_a_wrong_password_is_refused(accounts):
    with pytest.raises(Forbidden):
        accounts.log_in("ada", "wrong horse")


def test_a_session_expires(accounts, clock):
    token = accounts.log_in("ada", "correct horse")
    clock.now += 3600
    with pytest.raises(Forbidden):
        accounts.who(token)


def test_tokens_have_the_length_asked_for_and_differ():
    assert len(new_session_token(20)) == 20
    assert new_session_token() != new_session_token()


def test_a_short_password_is_refused():
    with pytest.raises(Invalid):
        Accounts().register("bob", "short")
