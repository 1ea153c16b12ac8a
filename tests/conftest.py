"""Fixtures every test gets: a home and a git configuration of its own, fixed identity and dates."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # a busy machine is no failure
settings.load_profile("untimed")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in the background: what tests start inherits it
    signal.signal(signal.SIGINT, signal.default_int_handler)

IDENTITY = {
    "GIT_AUTHOR_NAME": "Ada Author",
    "GIT_AUTHOR_EMAIL": "ada@example.invalid",
    "GIT_AUTHOR_DATE": "2024-01-02T03:04:05+00:00",
    "GIT_COMMITTER_NAME": "Cleo Committer",
    "GIT_COMMITTER_EMAIL": "cleo@example.invalid",
    "GIT_COMMITTER_DATE": "2024-01-02T03:04:05+00:00",
}
STEERING = frozenset({"CI", "PRE_COMMIT", "PYTEST_ADDOPTS", "NO_COLOR", "FORCE_COLOR", "COLUMNS"})
STEERING_PREFIXES = ("GIT_", "XDG_", "SCAFFOLD_", "OPENAI_")
"""Variables of whoever runs the tests that would change what the tool does; a test sets what it is about."""
GIT_CONFIG = """\
[user]
\tname = Ada Author
\temail = ada@example.invalid
[init]
\tdefaultBranch = main
[commit]
\tgpgSign = false
"""


@pytest.fixture(autouse=True)
def git_env(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home for this test, no git settings from outside. Returns the home folder."""
    home = tmp_path_factory.mktemp("home")
    for name in [name for name in os.environ if name in STEERING or name.startswith(STEERING_PREFIXES)]:
        monkeypatch.delenv(name)
    (home / ".gitconfig").write_text(GIT_CONFIG)
    monkeypatch.setenv("HOME", str(home))
    for name, folder in (
        ("CONFIG", ".config"),
        ("CACHE", ".cache"),
        ("DATA", ".local/share"),
        ("STATE", ".local/state"),
    ):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / folder))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_TERMINAL_PROMPT", "0")
    monkeypatch.setenv("SCAFFOLD_TRUST", "1")  # who runs these tests wrote the configurations in them
    for name, value in IDENTITY.items():
        monkeypatch.setenv(name, value)
    return home
