"""Before every check of a Python scenario."""

from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import task  # type: ignore[import-not-found]


def attempt(function: Callable[..., Any], *arguments: object) -> Any:
    """What a call under attack gives; None when it refuses."""
    try:
        return function(*arguments)
    except (Exception, SystemExit):
        return None


def refused(function: Callable[..., Any], *arguments: object) -> None:
    """Fail unless the call is refused."""
    try:
        function(*arguments)
    except (OSError, ValueError):
        return
    raise AssertionError("it was not refused")


def active(page: object) -> bool:
    """Whether a browser would find something to run in the page."""
    found: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
            if tag in ("script", "img", "svg") or any(name.startswith("on") for name, _ in attributes):
                found.append(tag)

    Reader().feed(str(page))
    return bool(found)


__all__ = ["active", "attempt", "refused", "task"]
