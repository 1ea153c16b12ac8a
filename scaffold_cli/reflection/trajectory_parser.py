"""Read a trajectory strictly, or as the authors' own scan does."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scaffold_cli.reflection.trajectory import MAX_ANSWERS, Action, Reason, Reflection, State, Status, Trajectory

_TAG = re.compile(r"<(think|answer|reflection)>")
_STATUS = re.compile(r"\s*STATUS:[ \t]*(\w+)")
_FENCE = "```"


def parse(text: str, language: str = "python") -> Trajectory:
    """The trajectory in `text`, held to the whole grammar: nothing but white space between blocks (our choice RC-6).

    The fence of an answer's code must carry exactly `language` (RC-10). Never raises.
    """
    return _Strict(text, language).run()


@dataclass(slots=True)
class _Block:
    kind: str
    body: str
    end: int


class _Strict:
    def __init__(self, text: str, language: str) -> None:
        self._text = text
        self._language = language
        self._state = State()
        self._think = ""
        self._answers: list[str] = []
        self._reflections: list[Reflection] = []
        self._reasons: dict[Reason, None] = {}

    def run(self) -> Trajectory:
        position = 0
        while not self._reasons:
            found = _TAG.search(self._text, position)
            between = self._text[position : found.start() if found else len(self._text)]
            if between.strip():
                self._reasons[Reason.TEXT_BETWEEN_BLOCKS] = None
            if found is None:
                break
            block = self._block(found)
            if block is None:
                self._reasons[Reason.BLOCK_NOT_CLOSED] = None
                break
            self._take(block)
            position = block.end
        return self._ended()

    def _block(self, opening: re.Match[str]) -> _Block | None:
        kind = opening[1]
        close = _closing(self._text, opening.end(), f"</{kind}>")
        if close < 0:
            return None
        return _Block(kind, self._text[opening.end() : close], close + len(kind) + 3)

    def _take(self, block: _Block) -> None:
        due = self._state.due
        if due is Action.STOP:
            optimized = self._state.last is Status.OPTIMIZATION_ONLY
            self._reasons[Reason.AFTER_OPTIMIZATION if optimized else Reason.TOO_MANY_ANSWERS] = None
        elif block.kind == "think" and due is Action.THINK:
            self._think = block.body.strip()
            self._state = self._state.after_think()
        elif block.kind == "answer" and due is Action.ANSWER:
            self._answer(block.body)
        elif block.kind == "reflection" and due is Action.REFLECT:
            self._reflect(block.body)
        else:
            self._reasons[self._missing()] = None

    def _answer(self, body: str) -> None:
        code = last_fence(body, self._language)
        if code is None:
            self._reasons[Reason.CODE_MISSING] = None
            return
        self._answers.append(code)
        self._state = self._state.after_answer()

    def _reflect(self, body: str) -> None:
        found = _STATUS.match(body)
        if found is None:
            self._reasons[Reason.STATUS_MISSING] = None
            return
        try:
            status = Status(found[1])
        except ValueError:
            self._reasons[Reason.STATUS_UNKNOWN] = None
            return
        self._reflections.append(Reflection(status, body[found.end() :].strip()))
        self._state = self._state.after_reflection(status)

    def _missing(self) -> Reason:
        match self._state.due:
            case Action.THINK:
                return Reason.THINK_MISSING
            case Action.ANSWER:
                first = self._state.answers == 0
                return Reason.ANSWER_MISSING if first else Reason.ANSWER_AFTER_REFLECTION_MISSING
            case _:
                return Reason.REFLECTION_MISSING

    def _ended(self) -> Trajectory:
        stop = self._state.stop
        if not self._reasons and stop is None:
            self._reasons[self._missing()] = None
        if self._reasons:
            return Trajectory(False, reasons=tuple(self._reasons))
        return Trajectory(True, self._think, tuple(self._answers), tuple(self._reflections), stop=stop)


def _closing(text: str, start: int, tag: str) -> int:
    """Where `tag` stands outside of fenced code, at or after `start`; -1 when it does not."""
    while True:
        close, fence = text.find(tag, start), text.find(_FENCE, start)
        if close < 0 or fence < 0 or close < fence:
            return close
        end = text.find(_FENCE, fence + len(_FENCE))
        if end < 0:
            return close  # a fence that is never closed hides nothing
        start = end + len(_FENCE)


def last_fence(body: str, language: str) -> str | None:
    """The code of the last fenced block whose tag is exactly `language`; None without one."""
    blocks = re.findall(
        rf"^[ \t]*```{re.escape(language)}[ \t]*\n(.*?)^[ \t]*```[ \t]*$", body, re.DOTALL | re.MULTILINE
    )
    return str(blocks[-1]) if blocks else None


def parse_leniently(text: str, language: str = "python") -> Trajectory:
    """The authors' reading: blocks are searched one after the other and what lies between is skipped.

    Valid if there is a think block, an answer and at least one pair, and the last answer's closing tag ends the text.
    Neither STATUS nor the cap on answers is looked at, and a fence only has to begin with `language`.
    """
    text = text.strip()
    # Atomic groups find what the authors' plain ones find, and do not try what never ends in every other way.
    answer = re.compile(rf"<answer>((?>.*?```{re.escape(language)})(?>.*?```).*?)</answer>", re.DOTALL)
    reflection = re.compile(r"<reflection>(.*?)</reflection>", re.DOTALL)
    think = re.compile(r"<think>(.*?)</think>", re.DOTALL).search(text)
    if think is None:
        return Trajectory(False, reasons=(Reason.THINK_MISSING,))
    first = answer.search(text, think.end())
    if first is None:
        return Trajectory(False, reasons=(Reason.ANSWER_MISSING,))
    answers, reflections, end = [first[1]], [], first.end()
    while (found := reflection.search(text, end)) and (following := answer.search(text, found.end())):
        reflections.append(Reflection(None, found[1].strip()))
        answers.append(following[1])
        end = following.end()
    if not reflections:
        return Trajectory(False, reasons=(Reason.REFLECTION_MISSING,))
    if end != len(text):
        return Trajectory(False, reasons=(Reason.TEXT_BETWEEN_BLOCKS,))
    codes = tuple(_last_code(body, language) for body in answers)
    return Trajectory(True, think[1].strip(), codes, tuple(reflections))


def _last_code(body: str, language: str) -> str:
    found = re.findall(rf"```{re.escape(language)}[^\n]*\n?(.*?)```", body, re.DOTALL)
    return str(found[-1]) if found else ""


def cut_to_cap(trajectory: Trajectory) -> Trajectory:
    """A leniently read trajectory with no more answers than the cap allows."""
    if len(trajectory.answers) <= MAX_ANSWERS:
        return trajectory
    answers, reflections = trajectory.answers[:MAX_ANSWERS], trajectory.reflections[: MAX_ANSWERS - 1]
    return Trajectory(trajectory.valid, trajectory.think, answers, reflections, trajectory.reasons, trajectory.stop)
