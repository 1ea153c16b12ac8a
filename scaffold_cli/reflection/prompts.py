"""Prompts from the templates beside this module. Equal input gives equal text."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Template

from scaffold_cli.memory.redaction import redact
from scaffold_cli.memory.retrieval import Evidence, Source
from scaffold_cli.model.protection import Anchor, Strength
from scaffold_cli.model.verdict import Effect, Violation
from scaffold_cli.reflection.assimilator import Lesson
from scaffold_cli.reflection.trajectory import MAX_ANSWERS

_FOLDER = Path(__file__).parent / "templates"
_BEGIN, _END = "BEGIN DATA", "END DATA"
_MARK = re.compile(r"\b(BEGIN|END)[^\S\n]+(DATA)\b")
"""Either mark, with any space inside it: a model reads them alike."""
_NONE = "- none"
WHOLE_FILE_LINES = 80
"""Up to so many lines a file alone is asked for whole."""
ANCHORS = 40
"""Anchors named in a prompt at most, those of the highest priority."""
_CASE_CHARACTERS = 2000
_DIFF_CHARACTERS = 4000


@cache
def _template(name: str) -> Template:
    return Template((_FOLDER / f"{name}.md").read_text(encoding="utf-8"))


def templates_digest() -> str:
    """SHA-256 over all prompt templates."""
    digest = hashlib.sha256()
    for path in sorted(_FOLDER.glob("*.md")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def fill(name: str, **values: str) -> str:
    """The template `name` with its places filled."""
    return _template(name).substitute(values)


def fenced(title: str, text: str) -> str:
    """Text that is data, never instructions: its own marks are broken, its secrets taken out."""
    body, name = _broken(redact(text)), _broken(" ".join(title.split()))
    return f"{_BEGIN} {name}\n{body.rstrip()}\n{_END} {name}\n"


def _broken(text: str) -> str:
    return _MARK.sub(r"\1-\2", text)


def implementer() -> str:
    """The system prompt of the Implementer."""
    return fill("implementer")


def answer_form(files: Mapping[str, str]) -> str:
    """How to write the edits of `files`: a small file alone is asked for whole, else search and replace will do too.

    Small models copy a file more surely than they find lines in it, and the path of an example as it stands.
    """
    path = min(files, default="path/of/the/file")
    small = len(files) == 1 and len(files[path].splitlines()) <= WHOLE_FILE_LINES
    text = fill("whole_file", path=path, language=fence_tag(path)) if small else fill("edits", path=path)
    return text.rstrip()


def fence_tag(path: str) -> str:
    """The word after a fence that says which language the code is in."""
    tags = {"py": "python", "java": "java", "js": "javascript", "ts": "typescript", "go": "go", "c": "c", "cpp": "cpp"}
    return tags.get(path.rpartition(".")[2], "text")


def trajectory(language: str) -> str:
    """The system prompt of ReflexiCoder's loop, in its seven parts (fact sheet 2.3), in our words."""
    return fill("trajectory", language=language, most=str(MAX_ANSWERS))


def request(
    goal: str,
    files: Mapping[str, str],
    anchors: Sequence[Anchor],
    lessons: Iterable[Lesson] = (),
    evidence: Evidence | None = None,
    rejected: Sequence[tuple[str, Sequence[Violation], str]] = (),
    *,
    form: str,
) -> str:
    """What the Implementer is asked.

    Goal, code, anchors, lessons, evidence, rejected candidates (diff, violations, reason), the form of the answer.
    """
    hard = [anchor for anchor in anchors if anchor.strength is Strength.HARD]
    soft = [anchor for anchor in anchors if anchor.strength is Strength.SOFT]
    return fill(
        "request",
        goal=goal,
        obligations=_anchors(hard),
        advice=_anchors(soft),
        lessons="\n".join(f"- {_line(lesson.text)}" for lesson in lessons) or _NONE,
        evidence=evidence_text(evidence, files) if evidence else "",
        counterexamples="".join(_rejected(*item) for item in rejected),
        files="".join(fenced(path, text) for path, text in sorted(files.items())),
        form=form,
    )


def evidence_text(evidence: Evidence, paths: Iterable[str]) -> str:
    """Retrieved cases and guidance, as data: guidance with its examples in the languages of the files at these paths.

    On fallback a case is no more than the nearest there is: it is shown if it is about a weakness the guidance is of.
    """
    languages = {fence_tag(path) for path in paths}
    about = {hit.guidance.cwe for hit in evidence.documents}
    cases = [hit for hit in evidence.cases if evidence.source is Source.DYNAMIC or about & set(hit.case.cwe)]
    parts = [
        fenced(
            f"example {number}",
            f"{hit.case.title}\n{hit.case.lesson}\n--- before\n{hit.case.before[:_CASE_CHARACTERS]}\n"
            f"--- after (accepted)\n{hit.case.after[:_CASE_CHARACTERS]}",
        )
        for number, hit in enumerate(cases, 1)
    ]
    parts += [
        fenced(f"guidance {hit.guidance.cwe}", hit.guidance.for_languages(languages)) for hit in evidence.documents
    ]
    return "\n".join(parts)


def _anchors(anchors: Sequence[Anchor]) -> str:
    lines = [
        f"- {_line(anchor.protection.place.path)}:{anchor.protection.place.line} {_line(anchor.protection.action)}"
        f" when {_line(anchor.protection.condition) or 'always'}"
        for anchor in anchors[:ANCHORS]
    ]
    if len(anchors) > ANCHORS:
        lines.append(f"- and {len(anchors) - ANCHORS} more")
    return "\n".join(lines) or _NONE


def _rejected(diff: str, violations: Sequence[Violation], reason: str) -> str:
    told = [f"- {_line(found.what)} {_line(found.keep)}" for found in violations if found.effect is Effect.BLOCKS]
    head = f"A candidate that was not accepted. {_line(reason)}\n" + "".join(f"{line}\n" for line in told)
    return head + fenced("rejected candidate", diff[:_DIFF_CHARACTERS]) + "\n"


def _line(text: str) -> str:
    return _broken(redact(" ".join(text.split())))[:400]
