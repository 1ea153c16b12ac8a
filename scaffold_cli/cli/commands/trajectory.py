"""`scaffold trajectory`: hold a reply to the grammar of ReflexiCoder, and score it."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scaffold_cli.cli import options
from scaffold_cli.cli.streams import terminal, write
from scaffold_cli.model.errors import ExitCode, UsageError
from scaffold_cli.training.rewards import Form, Reward

if TYPE_CHECKING:
    from scaffold_cli.reflection.trajectory import Trajectory


class Action(StrEnum):
    """What is done with it."""

    CHECK = "check"
    REPORT = "report"


class TrajectoryFormat(StrEnum):
    """How the result is written."""

    TEXT = "text"
    JSON = "json"


def trajectory(
    action: Annotated[Action, typer.Argument(help="What to do with it.")],
    file: Annotated[Path, typer.Argument(help="The reply of a model (- reads it from stdin), or a log.")],
    *,
    scores: Annotated[
        str | None, typer.Option("--scores", metavar="R0,R1,…", help="The share of tests each answer passes, 0 to 1.")
    ] = None,
    tests: Annotated[
        Path | None, typer.Option("--tests", metavar="JSON", help="Score each answer by running these tests.")
    ] = None,
    fractional: Annotated[
        bool, typer.Option("--fractional", help="The share of tests passed, not only whether all are.")
    ] = False,
    log: Annotated[Path | None, typer.Option("--log", metavar="JSONL", help="Add a record to this file.")] = None,
    reward_form: Annotated[
        Form, typer.Option("--reward", help="The formulas of the authors' code, or the paper's.")
    ] = Form.CODE,
    language: Annotated[str, typer.Option("--language", help="The tag of the answers' code fences.")] = "python",
    lenient: Annotated[bool, typer.Option("--lenient", help="Read as the authors' scan does.")] = False,
    form: Annotated[TrajectoryFormat, typer.Option("--format", help="How it is written.")] = TrajectoryFormat.TEXT,
    no_color: options.NoColor = False,
) -> int:
    """Hold a reply to the grammar of ReflexiCoder, and score it.

    Exit code 0 for a valid trajectory, 1 for any other text. With --scores or --tests its reward is computed; tests run
    Python, confined. `report` sums up a log that --log wrote.
    """
    if action is Action.REPORT:
        return _report(file)
    from scaffold_cli.reflection.trajectory_parser import parse, parse_leniently
    from scaffold_cli.training.rewards import reward

    text = _text(file)
    read = (parse_leniently if lenient else parse)(text, language)
    found = _found(scores, tests, read, language, fractional=fractional)
    earned = reward(read.valid, found, reward_form) if found is not None else None
    if log is not None:
        _log(log, text, _document(read, earned), found)
    if form is TrajectoryFormat.JSON:
        write(json.dumps(_document(read, earned), indent=2) + "\n", sys.stdout)
    else:
        from scaffold_cli.report.page import line, show

        here = terminal(sys.stdout, no_color=no_color)
        write(show([line((row, "")) for row in _rows(read, earned)], here.width, here.color), sys.stdout)
    return ExitCode.ACCEPTED if read.valid else ExitCode.REJECTED


def _text(file: Path) -> str:
    if str(file) == "-":
        return sys.stdin.read()
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from error


def _found(
    given: str | None, tests: Path | None, read: Trajectory, language: str, *, fractional: bool
) -> tuple[float, ...] | None:
    """The scores as they are given, or by the tests; None without either."""
    if tests is None:
        return _scores(given, read) if given is not None else None
    if given is not None:
        raise UsageError("Scores are either given or found by tests.", "Leave out --scores or --tests.")
    if language not in ("python", "py", "python3"):
        raise UsageError(f"Tests run Python, not {language}.", "Score other languages yourself: --scores.")
    from scaffold_cli.training.scoring import read_tests, scores

    return scores(read.answers, read_tests(_text(tests)), fractional=fractional)


def _log(log: Path, text: str, document: dict[str, object], scores: tuple[float, ...] | None) -> None:
    from scaffold_cli.model.plain import to_plain
    from scaffold_cli.models.interface import estimated_tokens
    from scaffold_cli.reflection.dialogue import text_digest
    from scaffold_cli.training import trajectory_log

    more = {"reply": text_digest(text), "tokens": estimated_tokens(text), "scores": scores}
    trajectory_log.append(log, to_plain({**document, **more}))


def _report(log: Path) -> int:
    from scaffold_cli.training import trajectory_log

    write(json.dumps(trajectory_log.summed_up(trajectory_log.read(log)), indent=2) + "\n", sys.stdout)
    return ExitCode.ACCEPTED


def _scores(given: str, read: Trajectory) -> tuple[float, ...]:
    try:
        scores = tuple(float(word) for word in given.split(","))
    except ValueError as error:
        raise UsageError(f"{given!r} is no list of scores.", "Write numbers from 0 to 1: --scores 0,1.") from error
    if read.valid and len(scores) != len(read.answers):
        raise UsageError(f"There are {len(read.answers)} answers, but {len(scores)} scores.", "Give one for each.")
    return scores


def _document(read: Trajectory, earned: Reward | None) -> dict[str, object]:
    from scaffold_cli.model.plain import to_plain

    return {
        "valid": read.valid,
        "reasons": to_plain(read.reasons),
        "answers": len(read.answers),
        "statuses": [item.status.value if item.status else None for item in read.reflections],
        "stop": read.stop.value if read.stop else None,
        "reward": to_plain(earned) if earned else None,
    }


def _rows(read: Trajectory, earned: Reward | None) -> list[str]:
    if not read.valid:
        rows = [f"not valid: {', '.join(reason.value for reason in read.reasons)}"]
    else:
        stop = f", stopped: {read.stop.value}" if read.stop else ""
        rows = [f"valid: {len(read.answers)} answers, {read.n} reflections{stop}"]
    if earned is not None:
        rows += [
            f"reward {earned.total:.4f} ({earned.form.value} form), last answer {earned.final:g}",
            f"format {earned.format:g}, cycle {earned.cycle:.4f}, trajectory {earned.trajectory:.4f}, "
            f"efficiency {earned.efficiency:.4f}",
        ]
    return rows
