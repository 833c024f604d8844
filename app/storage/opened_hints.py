"""What of an exercise's ladder a learner has opened, and what they answered afterwards."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BindParameter, bindparam, exists, func, select

from app.model import LearnerId, Slug, Verdict
from app.records import FollowUpAnswer, Revealed
from app.storage.database import Database, add_once, insert
from app.storage.learners import ensure
from app.storage.schema import (
    follow_up_answers,
    hint_reveals,
    reports,
    solution_reveals,
    submissions,
)

_WHO: BindParameter[str] = bindparam("who")
_SLUG: BindParameter[str] = bindparam("slug")

_REVEALED = select(
    select(func.max(hint_reveals.c.number))
    .where(hint_reveals.c.learner == _WHO, hint_reveals.c.exercise == _SLUG)
    .scalar_subquery()
    .label("hints"),
    exists()
    .where(solution_reveals.c.learner == _WHO, solution_reveals.c.exercise == _SLUG)
    .label("solution"),
    exists()
    .where(
        submissions.c.learner == _WHO,
        submissions.c.exercise == _SLUG,
        reports.c.submission == submissions.c.id,
        reports.c.verdict == Verdict.ACCEPTED.value,
    )
    .label("passed"),
)
"""Made once: making a statement takes longer than SQLite takes to answer it."""

_ANSWERS = (
    select(follow_up_answers)
    .where(follow_up_answers.c.learner == _WHO, follow_up_answers.c.exercise == _SLUG)
    .order_by(follow_up_answers.c.number)
)


class SqlLadder:
    """The port `Ladder` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def revealed(self, learner: LearnerId, slug: Slug) -> Revealed:
        """How far down the ladder the learner is."""
        with self._database.read() as connection:
            row = connection.execute(_REVEALED, {"who": learner, "slug": slug}).one()
            return Revealed(row.hints or 0, bool(row.solution), bool(row.passed))

    def reveal_hint(self, learner: LearnerId, slug: Slug, number: int, at: datetime) -> None:
        """Record a hint once; the first time counts."""
        with self._database.write_beside() as connection:
            ensure(connection, learner, at)
            key = {"learner": learner, "exercise": slug, "number": number}
            add_once(connection, hint_reveals, **key, revealed_at=at)

    def reveal_solution(self, learner: LearnerId, slug: Slug, at: datetime) -> None:
        """Record that the reference was shown, once."""
        with self._database.write_beside() as connection:
            ensure(connection, learner, at)
            key = {"learner": learner, "exercise": slug}
            add_once(connection, solution_reveals, **key, revealed_at=at)

    def answer(self, learner: LearnerId, answer: FollowUpAnswer) -> None:
        """Keep an answer in place of the last to the same question."""
        kept = {
            "text": answer.text.encode("utf-8", "surrogatepass"),
            "outcome": answer.outcome,
            "answered_at": answer.answered_at,
        }
        with self._database.write_beside() as connection:
            ensure(connection, learner, answer.answered_at)
            row = insert(connection, follow_up_answers).values(
                learner=learner, exercise=answer.exercise, number=answer.number, **kept
            )
            table = follow_up_answers.c
            connection.execute(
                row.on_conflict_do_update(
                    index_elements=[table.learner, table.exercise, table.number], set_=kept
                )
            )

    def answers(self, learner: LearnerId, slug: Slug) -> tuple[FollowUpAnswer, ...]:
        """The last answer to each question, by number."""
        with self._database.read() as connection:
            rows = connection.execute(_ANSWERS, {"who": learner, "slug": slug}).all()
        return tuple(
            FollowUpAnswer(
                Slug(row.exercise),
                row.number,
                row.text.decode("utf-8", "surrogatepass"),
                row.outcome,
                row.answered_at,
            )
            for row in rows
        )
