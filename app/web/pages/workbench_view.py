"""What the workbench shows, gathered from the service."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any

from app.catalog import full_statement
from app.model import Exercise, Expectations, Hint, Slug, SubmissionId
from app.records import Attempt, Drafts, FollowUpAnswer, Revealed, Submission
from app.service import Service, Solution
from app.web.deps import Visitor
from app.web.drafts import drafts_json
from app.web.html.markdown import Markdown, Section
from app.web.html.text import as_text
from app.web.pages.changes import ChangedPlaces, changes
from app.web.pages.examples import Example, examples, tried_by_run
from app.web.report.accepted import MetMistake, TimedSolution, solution_title
from app.web.report.numpy_code import arguments_code
from app.web.report.rows import Row, titles, waiting
from app.web.report.view import ReportView, expected

Json = Mapping[str, Any]


@dataclass(frozen=True)
class HintStep:
    """A hint in its order: "open", "next" or "locked"."""

    hint: Hint
    state: str


@dataclass(frozen=True)
class RightSolution:
    """A right solution to be read: its title and its code."""

    title: str
    code: str


@dataclass(frozen=True)
class WorkbenchView:
    """The workbench of one exercise for one learner; `number` and `count` are those of its section.

    `rows` are the tests before anything was run; `report` is None until something was.
    `mistakes` are the titles of the known ones by their slugs.
    `submission` is the one whose code and report are shown, `reported` the one whose
    report stands beside the newest text, for it still is its text; `opened` the text in the
    editor and `base` the draft's version where it is one; `sent` is true for a text that a form
    carried here. `own` is what own input begins with, `arguments` what was typed there.
    """

    exercise: Exercise
    number: int
    count: int
    before: tuple[tuple[int, Exercise], ...]
    following: Exercise | None
    statement: tuple[Section, ...]
    examples: tuple[Example, ...]
    rows: tuple[Row, ...]
    names: tuple[tuple[str, str], ...]
    tried: str
    steps: tuple[HintStep, ...]
    revealed: Revealed
    solutions: tuple[RightSolution, ...]
    mistakes: Mapping[str, str]
    history: tuple[Attempt, ...]
    drafts: Drafts
    answers: Mapping[int, FollowUpAnswer]
    starter: str
    opened: str
    base: str | None = None
    report: ReportView | None = None
    submission: Submission | None = None
    reported: Submission | None = None
    ordinal: int | None = None
    place: int | None = None
    change: ChangedPlaces | None = None
    share_url: str | None = None
    second_look: Row | None = None
    met: tuple[MetMistake, ...] = ()
    timed: tuple[TimedSolution, ...] = ()
    own: str = ""
    arguments: str = ""
    complaint: str = ""
    sent: bool = False

    def named(self, attempt: Attempt) -> tuple[str, ...]:
        """The titles of the known mistakes that a try's report named, each of a set."""
        return tuple(self.mistakes[one] for one in attempt.mistakes if one in self.mistakes)

    @property
    def may_see_solution(self) -> bool:
        """Whether the reference may be opened: after the last hint, or after passing."""
        return self.revealed.passed or self.revealed.hints >= len(self.steps)

    def page_data(self, who: Visitor, now: datetime) -> Json:
        """What the page's script needs to know (static/src/page/parts.ts)."""
        return {
            "slug": self.exercise.slug,
            "title": self.exercise.title,
            "digest": self.exercise.digest,
            "starter": self.starter,
            "learner": who.alias,
            "now": int(now.timestamp() * 1000),
            "drafts": drafts_json(self.drafts),
        }


@dataclass(frozen=True)
class _OfExercise:
    """An exercise as its page is made of it; two of one slug and digest are the same."""

    slug: Slug
    digest: str
    is_known: bool
    exercise: Exercise = field(compare=False)
    expectations: Expectations | None = field(compare=False)


@dataclass(frozen=True)
class _SameForAll:
    """What the workbench shows everybody, but for the statement, which is kept where it is made."""

    examples: tuple[Example, ...]
    rows: tuple[Row, ...]
    names: tuple[tuple[str, str], ...]
    tried: str
    own: str
    mistakes: Mapping[str, str]


@lru_cache(maxsize=128)
def _same_for_all(of: _OfExercise) -> _SameForAll:
    """Made once for each exercise and digest."""
    exercise, expectations = of.exercise, of.expectations
    if expectations is None:
        return _SameForAll((), (), (), "", "", {})
    return _SameForAll(
        examples(exercise, expectations),
        waiting(expectations),
        _visible(expectations),
        tried_by_run(exercise, expectations),
        _own(expectations),
        {one.slug: one.title for one in expectations.misconceptions},
    )


def workbench_view(service: Service, markdown: Markdown, who: Visitor, slug: Slug) -> WorkbenchView:
    """The workbench with the newest text open. Raises NoSuchExercise."""
    exercise = service.exercises.get_for(who.learner, slug)
    expectations = expected(service, slug)
    known = expectations is not None
    same = _same_for_all(_OfExercise(slug, exercise.digest, known, exercise, expectations))
    section = service.exercises.section_of(exercise, who.learner)
    numbered = list(enumerate(section, 1))
    at = next((n for n, each in numbered if each.slug == slug), 1)
    revealed = service.hints.revealed(who.learner, slug)
    drafts = service.drafts.all(who.learner, slug)
    starter = as_text(exercise.files["starter.py"])
    answers = service.follow_ups.answers(who.learner, slug)
    return WorkbenchView(
        exercise=exercise,
        number=at,
        count=len(section),
        before=tuple((n, each) for n, each in numbered if each.slug in exercise.after),
        following=service.exercises.following(exercise, who.learner),
        statement=markdown.sections(full_statement(exercise), f"/exercises/{slug}/files/"),
        examples=same.examples,
        rows=same.rows,
        names=same.names,
        tried=same.tried,
        steps=_steps(exercise.hints, revealed.hints),
        revealed=revealed,
        solutions=_solutions(service, who, exercise, revealed),
        mistakes=same.mistakes,
        history=service.submissions.history(who.learner, slug),
        drafts=drafts,
        answers={answer.number: answer for answer in answers},
        starter=starter,
        own=same.own,
        opened=starter if drafts.opened is None else as_text(drafts.opened.source),
        base=None if drafts.opened is None else drafts.opened.version,
    )


def history_change(
    service: Service, history: Sequence[Attempt], submission: Submission
) -> tuple[int | None, ChangedPlaces | None]:
    """Which try of the learner's this is, and what it changed against the one before."""
    oldest_first = [attempt.id for attempt in reversed(history)]
    if submission.id not in oldest_first:
        return None, None
    at = oldest_first.index(submission.id)
    if at == 0:
        return 1, None
    before = service.submissions.get(SubmissionId(oldest_first[at - 1]), submission.learner)
    return at + 1, changes(as_text(before.source), as_text(submission.source), at, at + 1)


def _visible(expectations: Expectations) -> tuple[tuple[str, str], ...]:
    """The cases whose shapes may be looked at: name and title."""
    cases = (*expectations.tests, *expectations.examples)
    named = titles(expectations)
    return tuple((case.name, named[case.name]) for case in cases if case.visible)


def _own(expectations: Expectations) -> str:
    """What own input begins with: the arguments of the first visible case that are short enough."""
    names = [parameter.name for parameter in expectations.parameters]
    cases = (case for case in (*expectations.tests, *expectations.examples) if case.visible)
    return next(filter(None, (arguments_code(case, names) for case in cases)), "")


def _steps(hints: Sequence[Hint], opened: int) -> tuple[HintStep, ...]:
    def state(number: int) -> str:
        if number <= opened:
            return "open"
        return "next" if number == opened + 1 else "locked"

    return tuple(HintStep(hint, state(n)) for n, hint in enumerate(hints, 1))


def _solutions(
    service: Service, who: Visitor, exercise: Exercise, revealed: Revealed
) -> tuple[RightSolution, ...]:
    """The right solutions, once the learner chose to see them."""
    if not revealed.solution:
        return ()
    found: Solution = service.hints.reveal_solution(who.learner, exercise.slug)
    reference = RightSolution("Reference solution", as_text(found.reference))
    others = (
        RightSolution(solution_title(name), as_text(code)) for name, code in found.alternatives
    )
    return (reference, *others)
