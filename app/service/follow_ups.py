"""Follow-up questions: a formula is compared in the jail, own words are kept before the answer.

A learner's formula is source text and runs in the jail only, in another child than the author's.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from collections.abc import Sequence as Points
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from app.expectations import formula
from app.expectations.formula import POINTS
from app.futures import settled, then
from app.model import FollowUp, Lane, LearnerId, Order, Ran, Slug
from app.ports import Jails, Job, Kind, LadderStore, SandboxFault
from app.records import FollowUpAnswer
from app.service.door import Door
from app.service.errors import NoSuchQuestion
from app.service.exercises import Exercises
from app.service.flow import Flow
from app.service.tokens import Sequence

TEXT_BYTES = 4 * 1024
RTOL = 1e-9
SIGNS = {
    "^": "**",
    "×": "*",
    "·": "*",
    "⋅": "*",
    "−": "-",
    "–": "-",
    "÷": "/",
    "²": "**2",
    "³": "**3",
}
"""How people write formulas, in Python's signs."""

_PARTS = re.compile(r"\d+\.?\d*(?:[eE][+-]?\d+)?|[^\W\d]\w*|\s+|.")


@dataclass(frozen=True)
class FollowUpResult:
    """What became of an answer. `answer` and `explanation` are the author's, shown afterwards.

    right, off: a formula that gives or does not give the author's values. unreadable: text that
    is no formula of the question's names; the answer stays hidden. kept: own words.
    """

    outcome: Literal["right", "off", "unreadable", "kept"]
    message: str
    answer: str = ""
    explanation: str = ""


@dataclass(frozen=True)
class FollowUps:
    """Compares and keeps answers to follow-up questions."""

    exercises: Exercises
    door: Door
    flow: Flow
    jails: Jails
    ladder: LadderStore
    ids: Sequence
    now: Callable[[], datetime]

    def answer(
        self, learner: LearnerId, slug: Slug, number: int, text: str, *, address: str = ""
    ) -> Future[FollowUpResult]:
        """Take an answer to a question, counted from 1, and keep it; the future tells how it was.

        It fails with SandboxFault and Refused("line_full"). Raises NoSuchQuestion and Refused.
        """
        who = self.door.learner(learner)
        exercise = self.exercises.get_for(who.id, slug)
        self.exercises.check_helps(who.id, slug)
        if not 1 <= number <= len(exercise.follow_ups):
            raise NoSuchQuestion(f"{slug} has {len(exercise.follow_ups)} questions")
        question = exercise.follow_ups[number - 1]
        self.door.admit(who, address, "run")

        def keep(result: FollowUpResult) -> FollowUpResult:
            answer = FollowUpAnswer(slug, number, text, result.outcome, self.now())
            self.ladder.answer(who.id, answer)
            return result

        early = _without_the_jail(question, text)
        if early is not None:
            return settled(early if early.outcome == "unreadable" else keep(early))
        turn = self.door.open_run(who, address)
        result = then(self._formula(question, text, turn), lambda done: keep(done.result()))
        self.door.closes_with(turn, address, result)
        return result

    def answers(self, learner: LearnerId, slug: Slug) -> tuple[FollowUpAnswer, ...]:
        """The learner's last answer to each question, by number."""
        return self.ladder.answers(learner, slug)

    def _formula(self, question: FollowUp, text: str, turn: str) -> Future[FollowUpResult]:
        points = _points(len(question.variables))

        def work(lane: Lane) -> FollowUpResult | None:
            theirs = self.jails.learners.run(_order(question, text, points, lane))
            if theirs.left_fast_lane:
                return None
            ours = self.jails.house.run(_order(question, question.answer, points, Lane.AUTHOR))
            return _formula_result(question, _compare(theirs, ours))

        return self.flow.put(Job(self.ids.next(), turn, Kind.RUN, work))


def _without_the_jail(question: FollowUp, text: str) -> FollowUpResult | None:
    """The result where nothing has to be run; None for a formula that has to."""
    if not text.strip():
        return FollowUpResult("unreadable", "Answer first, then we show ours.")
    if len(text.encode("utf-8", "surrogatepass")) > TEXT_BYTES:
        return FollowUpResult("unreadable", f"An answer has up to {TEXT_BYTES:,} bytes.")
    if question.kind == "text":
        message = "Compare yours with this one."
        return FollowUpResult("kept", message, question.answer, question.explanation)
    return None


def _formula_result(question: FollowUp, outcome: str) -> FollowUpResult:
    names = ", ".join(question.variables)
    if outcome == "right":
        message = f"Right at {POINTS} random values of {names}."
        return FollowUpResult("right", message, question.answer, question.explanation)
    if outcome == "off":
        return FollowUpResult(
            "off", f"Not quite: for some values of {names} it gives a different number."
        )
    message = (
        f"This can't be read as a formula. Use {names}, numbers, + - * / ^, exp, log and sqrt."
    )
    return FollowUpResult("unreadable", message)


def python_formula(text: str, names: Points[str] = ()) -> str:
    """The formula with the signs people write replaced by Python's.

    Factors side by side are multiplied; one of `names` before a bracket is a factor, too.

    >>> python_formula("4 n^2(n + 1)", ["n"])
    '4 * n**2*(n + 1)'
    """
    for sign, python in SIGNS.items():
        text = text.replace(sign, python)
    parts: list[str] = []
    before = ""
    for part in _PARTS.findall(text):
        if _is_product(before, part, names):
            parts.append("* " if parts[-1].isspace() else "*")
        parts.append(part)
        before = before if part.isspace() else part
    return "".join(parts)


def _is_product(before: str, part: str, names: Points[str]) -> bool:
    """Whether nothing but a product can be meant between two parts of a formula."""
    ends = before == ")" or _is_term(before)
    if part == "(":
        return before == ")" or before in names or before[:1].isdigit()
    return ends and _is_term(part)


def _is_term(part: str) -> bool:
    return part[:1].isalnum() or part[:1] == "_"


def _points(variables: int) -> tuple[tuple[int, ...], ...]:
    """Eight points of even numbers, so that halves and heads come out whole."""
    chance = random.SystemRandom()
    return tuple(tuple(2 * chance.randint(1, 40) for _ in range(variables)) for _ in range(POINTS))


def _order(question: FollowUp, text: str, points: Points[formula.Point], lane: Lane) -> Order:
    return formula.order(python_formula(text, question.variables), question.variables, points, lane)


def _compare(theirs: Ran, ours: Ran) -> Literal["right", "off", "unreadable"]:
    """Compare two formulas by their values; the author's must have some. Raises SandboxFault."""
    expected, got = formula.numbers(ours), formula.numbers(theirs)
    if expected is None:
        raise SandboxFault("the author's formula gives no numbers")
    if got is None:
        return "unreadable"
    near = all(
        math.isclose(mine, right, rel_tol=RTOL, abs_tol=RTOL)
        for mine, right in zip(got, expected, strict=True)
    )
    return "right" if near else "off"
