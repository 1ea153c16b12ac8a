"""Edits in a model's answer: whole files or search and replace, never line numbers.

How a model is asked to write them stands in `prompts.answer_form`. JSON is read too: {"edits": [{"path", "search",
"replace"} or {"path", "content"}]}.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from scaffold_cli.models.interface import ModelFailedError
from scaffold_cli.reflection.fragments import completed

_FILE = re.compile(r"^[ \t#*`]*FILE:[ \t]*`?(?P<path>[^\n`]+?)`?[ \t*]*$", re.MULTILINE)
_PAIR = re.compile(
    r"^<{5,9} ?SEARCH[ \t]*\n(?>(?P<search>.*?)^={5,9}[ \t]*\n)(?>(?P<replace>.*?)^>{5,9} ?REPLACE[ \t]*$)",
    re.DOTALL | re.MULTILINE,
)  # atomic groups: what never ends is not tried in every other way
_SHOWN = re.compile(
    r"^BEGIN DATA (?P<path>[^\n]+)\n(?>(?P<content>.*?)^END DATA (?P=path)[ \t]*$)", re.DOTALL | re.MULTILINE
)
"""A file as the prompt shows it: a small model gives the whole text back in the same form."""
_PLACEHOLDERS = frozenset({"the whole text", "lines as they are now", "lines as they shall be"})
"""What stands in the example of the form (`templates/edits.md`)."""
_HALF_PAIR = re.compile(r"^(?:<{5,9} ?SEARCH|>{5,9} ?REPLACE)[ \t]*$", re.MULTILINE)
_HALF_FENCE = re.compile(r"^(?:```|~~~)", re.MULTILINE)
_FENCE = re.compile(r"^(?P<fence>```+|~~~+)[^\n`]*\n(?P<code>.*?)^(?P=fence)[ \t]*$", re.DOTALL | re.MULTILINE)


class EditError(ModelFailedError):
    """An answer whose edits cannot be read or applied: a counterexample, not a crash."""


@dataclass(frozen=True, slots=True)
class Replace:
    """Put `replace` where `search` stands, which must be in the file exactly once."""

    path: str
    search: str
    replace: str


@dataclass(frozen=True, slots=True)
class Write:
    """The whole new text of a file."""

    path: str
    content: str


Edit = Replace | Write


def read_edits(answer: str, only: str = "") -> tuple[Edit, ...]:
    """The edits of an answer, in order. `only` is the file meant where the answer names none.

    Raises EditError when there is none, or when it is not clear which file a block is for.
    """
    answer = answer.replace("\r\n", "\n")
    edits = _from_json(answer)
    if edits is None:
        edits = _from_text(answer, only)
    if not edits:
        raise EditError("The answer holds no edit.", "Ask for FILE blocks.")
    return edits


def apply(
    edits: tuple[Edit, ...], read: Callable[[str], str | None], allowed: Callable[[str], bool]
) -> Mapping[str, str]:
    """The new text of each edited file; `read` gives the old one or None, `allowed` says which paths may be written.

    Raises EditError for a path that is not allowed, a text that is not found, or is found more than once.
    """
    texts: dict[str, str] = {}
    for edit in edits:
        path = _clean(edit.path)
        if not allowed(path):
            raise EditError(f"The answer edits {path!r}, which the goal is not about.")
        old = texts.get(path, read(path))
        if isinstance(edit, Write):
            texts[path] = edit.content if old is None else completed(path, old, edit.content)
            continue
        if old is None:
            raise EditError(f"The answer changes a part of {path!r}, which does not exist.")
        texts[path] = _replaced(old, edit)
    for path, text in texts.items():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise EditError(f"The answer writes half a character into {path!r}.") from error
    return texts


def _replaced(old: str, edit: Replace) -> str:
    if not edit.search.strip():
        raise EditError(f"The answer searches {edit.path!r} for nothing.")
    # A model writes line feeds; the proposer puts the file's line ends back.
    old, search, replace = (text.replace("\r\n", "\n") for text in (old, edit.search, edit.replace))
    count = old.count(search)
    if count != 1:
        where = "is not in" if count == 0 else f"is {count} times in"
        first = edit.search.strip().splitlines()[0][:80]
        raise EditError(f"The text to replace (it begins with {first!r}) {where} {edit.path!r}.")
    return old.replace(search, replace)


def _clean(path: str) -> str:
    path = path.strip().removeprefix("./")
    if not path or path.startswith(("/", "~")) or "\\" in path or ".." in path.split("/") or "\0" in path:
        raise EditError(f"{path!r} is no path inside the tree.")
    return path


def _from_text(answer: str, only: str) -> tuple[Edit, ...]:
    heads = list(_FILE.finditer(answer))
    if not heads:
        return _shown(answer) or _blocks(answer, only, named=False)
    ends = [head.start() for head in heads[1:]] + [len(answer)]
    found: list[Edit] = []
    for head, end in zip(heads, ends, strict=True):
        found += _blocks(answer[head.end() : end], head["path"], named=True)
    return tuple(found)


def _shown(answer: str) -> tuple[Edit, ...]:
    found = dict.fromkeys(Write(shown["path"].strip(), shown["content"]) for shown in _SHOWN.finditer(answer))
    twice = next((edit.path for edit in found if sum(other.path == edit.path for other in found) > 1), None)
    if twice is not None:
        raise EditError(f"The answer writes {twice!r} more than once.")
    return tuple(found)


def _blocks(text: str, path: str, *, named: bool) -> tuple[Edit, ...]:
    pairs = [Replace(path, found["search"], found["replace"]) for found in _PAIR.finditer(text)]
    rest = _PAIR.sub("", text)
    # The same block again says nothing else: small models repeat themselves.
    fences = list(dict.fromkeys(_unmarked(found["code"], path) for found in _FENCE.finditer(rest)))
    if _HALF_PAIR.search(rest) or (not pairs and _HALF_FENCE.search(_FENCE.sub("", rest))):
        raise EditError(
            "A block of the answer has no beginning or no end.", "Put text with fences into a longer fence."
        )
    if not path and (pairs or fences):
        raise EditError("The answer does not say which file it edits.", "Ask for FILE: lines.")
    if named and not pairs and not fences:
        fences = list(dict.fromkeys(found["content"] for found in _SHOWN.finditer(rest)))
    if _PLACEHOLDERS & {text.strip() for text in (*fences, *(pair.replace for pair in pairs))}:
        raise EditError("The answer repeats the example of the form instead of code.")
    if len(fences) > 1 and not pairs:
        which = f"for {path!r}" if named else "without saying which counts"
        raise EditError(f"The answer holds {len(fences)} code blocks {which}.")
    return tuple(pairs) or tuple(Write(path, code) for code in fences)


def _unmarked(block: str, path: str) -> str:
    """Without what stands around the text of a file: a second fence, its path, the prompt's own marks.

    In a file the marks would be broken (`prompts.fenced`).
    """
    lines = block.splitlines(keepends=True)
    while lines and (lines[0].startswith(("```", "BEGIN DATA ")) or lines[0].strip(" #/*`\n") == path):
        del lines[0]
    if lines and lines[-1].startswith("END DATA "):
        del lines[-1]
    return "".join(lines)


def _from_json(answer: str) -> tuple[Edit, ...] | None:
    """The edits of a JSON answer, bare or in the only fence; None when it is none."""
    text = answer.strip()
    fenced = _FENCE.fullmatch(text)
    if fenced is not None:
        text = fenced["code"].strip()
    if not text.startswith("{"):
        return None
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    edits = document.get("edits")
    if not isinstance(edits, list):
        return None
    return tuple(_edit(item) for item in edits)


def _edit(item: object) -> Edit:
    if isinstance(item, dict) and all(isinstance(value, str) for value in item.values()):
        if {"path", "search", "replace"} <= item.keys():
            return Replace(item["path"], item["search"], item["replace"])
        if {"path", "content"} <= item.keys():
            return Write(item["path"], item["content"])
    raise EditError("An edit of the answer has neither search and replace nor content.")
