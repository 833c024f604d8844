"""The outbox of scores for campuses: one row a learner and assignment."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Row, func, select, update

from app.model.campuses import Score, ScoreState
from app.model.classes import AssignmentId, ClassId, EnrolmentId
from app.storage import database as kept
from app.storage.database import Database
from app.storage.schema_classes import assignments
from app.storage.schema_lti import lti_scores


class SqlScores:
    """The port `Scores` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, score: Score) -> None:
        """Keep a score in place of the one before."""
        values = _values(score)
        with self._database.write() as connection:
            row = kept.insert(connection, lti_scores).values(
                assignment=score.assignment, enrolment=score.enrolment, **values
            )
            key = [lti_scores.c.assignment, lti_scores.c.enrolment]
            connection.execute(row.on_conflict_do_update(index_elements=key, set_=values))

    def of_class(self, class_id: ClassId) -> tuple[Score, ...]:
        """The scores of a class."""
        query = (
            select(lti_scores)
            .join(assignments, assignments.c.id == lti_scores.c.assignment)
            .where(assignments.c["class"] == class_id)
            .order_by(assignments.c.position, lti_scores.c.enrolment)
        )
        with self._database.read() as connection:
            return tuple(_score(row) for row in connection.execute(query))

    def get(self, assignment: AssignmentId, enrolment: EnrolmentId) -> Score | None:
        """One score."""
        query = select(lti_scores).where(
            lti_scores.c.assignment == assignment, lti_scores.c.enrolment == enrolment
        )
        with self._database.read() as connection:
            row = connection.execute(query).first()
        return None if row is None else _score(row)

    def due(self, now: datetime, most: int = 50) -> tuple[Score, ...]:
        """Scores that wait and whose time has come, longest waiting first."""
        query = (
            select(lti_scores)
            .where(lti_scores.c.state == "waiting", lti_scores.c.next_at <= now)
            .order_by(lti_scores.c.next_at, lti_scores.c.enrolment)
            .limit(most)
        )
        with self._database.read() as connection:
            return tuple(_score(row) for row in connection.execute(query))

    def claim(self, score: Score, until: datetime) -> bool:
        """Keep a due score from other senders until a moment; false where another has it."""
        return self._change(score, score.next_at, {"next_at": until})

    def settle(self, score: Score, until: datetime) -> bool:
        """Keep what became of a score claimed `until` then; false where it changed meanwhile."""
        return self._change(score, until, _values(score))

    def _change(self, score: Score, next_at: datetime, values: Mapping[str, object]) -> bool:
        """Change a score that waits until a moment; false where none does any more."""
        with self._database.write() as connection:
            changed = connection.execute(
                update(lti_scores)
                .where(
                    lti_scores.c.assignment == score.assignment,
                    lti_scores.c.enrolment == score.enrolment,
                    lti_scores.c.state == "waiting",
                    lti_scores.c.next_at == next_at,
                )
                .values(**values)
                .execution_options(preserve_rowcount=True)
            )
        return changed.rowcount == 1

    def counts(self) -> Mapping[ScoreState, int]:
        """How many there are of each state."""
        query = select(lti_scores.c.state, func.count().label("many")).group_by(lti_scores.c.state)
        with self._database.read() as connection:
            return {row.state: row.many for row in connection.execute(query)}

    def oldest_waiting(self) -> datetime | None:
        """Since when the longest waiting score waits."""
        query = (
            select(lti_scores.c.as_of)
            .where(lti_scores.c.state == "waiting")
            .order_by(lti_scores.c.as_of)
            .limit(1)
        )
        with self._database.read() as connection:
            return connection.execute(query).scalar()

    def again(self, class_id: ClassId, now: datetime) -> int:
        """Let all that failed or wait be tried now; how many."""
        of_class = select(assignments.c.id).where(assignments.c["class"] == class_id)
        with self._database.write() as connection:
            changed = connection.execute(
                update(lti_scores)
                .where(
                    lti_scores.c.state.in_(("failed", "waiting")),
                    lti_scores.c.assignment.in_(of_class),
                )
                .values(state="waiting", tries=0, next_at=now, lineitem="", error="")
                .execution_options(preserve_rowcount=True)
            )
        return changed.rowcount


def _values(score: Score) -> dict[str, object]:
    return {
        "lineitem": score.lineitem,
        "points": score.points,
        "max": score.max,
        "submitted_at": score.submitted_at,
        "as_of": score.as_of,
        "state": score.state,
        "tries": score.tries,
        "next_at": score.next_at,
        "sent_as_of": score.sent_as_of,
        "error": score.error,
    }


def _score(row: Row[Any]) -> Score:
    return Score(
        AssignmentId(row.assignment),
        EnrolmentId(row.enrolment),
        row.points,
        row.max,
        row.as_of,
        row.next_at,
        row.lineitem,
        row.submitted_at,
        row.state,
        row.tries,
        row.sent_as_of,
        row.error,
    )
