"""The gradebook: rows, totals, means, and whose points a new rule would change."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from app.classroom.gradebook import changes, changes_in_words, for_learner, gradebook
from app.model import Slug
from app.model.classes import AssignmentId, EnrolmentId
from tests.classroom.class_world import (
    DUE,
    PLAIN,
    assignment,
    enrolment,
    extension,
    override,
    tried,
    work,
)

ANN, BEN = enrolment("ann", sort_name="Lee, Ann"), enrolment("ben", sort_name="Abel, Ben")
SECOND = assignment(
    id=AssignmentId("a2"), exercise=Slug("norms"), position=2, policy=replace(PLAIN, points=2000)
)
TRIES = (
    tried("1", "2026-12-01T10:00:00", 3),
    tried("2", "2026-12-06T10:00:00", 6, learner="ben"),
    tried("3", "2026-12-01T10:00:00", 5, learner="ben", exercise=Slug("norms")),
)


def test_one_row_a_learner_in_roster_order_with_totals_and_means() -> None:
    book = gradebook(work((ANN, BEN), (SECOND, assignment()), TRIES))
    assert [given.id for given in book.assignments] == ["a1", "a2"]
    assert [(row.enrolment.name, [g.points for g in row.grades]) for row in book.rows] == [
        ("Ben", [1000, 1667]),
        ("Ann", [500, None]),
    ]
    assert [(row.total, row.possible) for row in book.rows] == [(2667, 3000), (500, 3000)]
    assert book.means == (750, 1667)


def test_an_excused_one_asks_for_no_points() -> None:
    book = gradebook(work((ANN,), (assignment(), SECOND), TRIES, (extension(excused=True),)))
    assert (book.rows[0].total, book.rows[0].possible) == (0, 2000)


def test_staff_s_own_seats_and_removed_learners_have_no_row() -> None:
    people = (ANN, replace(BEN, state="preview"), enrolment("cleo", state="removed"))
    assert len(gradebook(work(people, (assignment(),), TRIES)).rows) == 1


def test_a_cell_is_found_by_its_names() -> None:
    book = gradebook(work((ANN, BEN), (assignment(),), TRIES))
    found = book.grade(AssignmentId("a1"), EnrolmentId("e-ann"))
    assert found is not None
    assert found.points == 500
    assert book.grade(AssignmentId("a9"), EnrolmentId("e-ann")) is None


def test_whose_points_a_stricter_rule_changes() -> None:
    stricter = replace(PLAIN, late="per_day", late_share=1000, scoring="all")
    found = changes(work((ANN, BEN), (assignment(),), TRIES), assignment(), stricter)
    assert [(c.enrolment.name, c.old, c.new) for c in found] == [
        ("Ben", 1000, 800),
        ("Ann", 500, 0),
    ]
    assert changes_in_words(found) == "2 learners lose points."


def test_who_gains_and_who_loses_is_said_in_words() -> None:
    later = replace(PLAIN, points=800, opens_at=DUE)
    found = changes(work((ANN, BEN), (assignment(),), TRIES), assignment(), later)
    assert changes_in_words(found) == "2 learners lose points."
    gentler = replace(PLAIN, points=2000)
    found = changes(work((ANN, BEN), (assignment(),), TRIES[:1]), assignment(), gentler)
    assert changes_in_words(found) == "1 learner gains points."
    assert changes_in_words(()) == ""


def test_held_points_are_not_told_to_their_learner() -> None:
    given = assignment()
    book = gradebook(work((ANN,), (given,), TRIES, (), (override(held=True, points=900),)))
    told = for_learner(book.rows[0].grades[0], given, DUE)
    assert (told.points, told.computed, told.held) == (None, None, True)


def test_who_has_more_time_in_an_exam_is_told_no_points_before_it_is_over() -> None:
    given, later = assignment(replace(PLAIN, feedback="none")), DUE + timedelta(days=20)
    book = gradebook(work((ANN,), (given,), TRIES, (extension(due_at=later),)))
    assert for_learner(book.rows[0].grades[0], given, given.policy.closes_at).points is None
    assert for_learner(book.rows[0].grades[0], given, later).points == 500


def test_an_exam_s_points_are_told_from_its_reveal_on() -> None:
    given = assignment(replace(PLAIN, feedback="count"))
    book = gradebook(work((ANN,), (given,), TRIES))
    assert for_learner(book.rows[0].grades[0], given, DUE).points is None
    assert for_learner(book.rows[0].grades[0], given, given.policy.closes_at).points == 500
