"""The board: who needs help, and what a class gets wrong, in numbers counted by hand."""

from __future__ import annotations

from datetime import timedelta

from app.classroom.board import board, over_time
from tests.classroom.class_world import DUE, assignment, enrolment, extension, tried, work

PEOPLE = tuple(enrolment(name) for name in ("ann", "ben", "cleo", "dee", "eve"))
TRIES = (
    # Ann: four tries, the mistake of the first is gone, another one shows
    tried("a1", "2026-12-01T10:00:00", 2, learner="ann", mistakes=("no-scale",)),
    tried("a2", "2026-12-01T10:01:00", 0, "syntax_error", learner="ann"),
    tried("a3", "2026-12-01T10:02:00", 3, learner="ann", mistakes=("no-scale", "wrong-axis")),
    tried("a4", "2026-12-01T10:03:00", 4, learner="ann", mistakes=("wrong-axis",), mask=0b1111),
    # Ben: passed at the second
    tried("b1", "2026-12-01T10:00:00", 1, learner="ben", mistakes=("no-scale",)),
    tried("b2", "2026-12-01T11:00:00", 6, learner="ben", mask=0b111111),
    tried("b3", "2026-12-01T12:00:00", 1, learner="ben", mask=0b1),
    # Cleo: off in a way nobody can name; one was our fault
    tried("c1", "2026-12-01T10:00:00", 1, learner="cleo", mask=0b100000),
    tried("c2", "2026-12-01T10:00:01", 0, "grader_error", learner="cleo"),
    # Dee: before it opened
    tried("d1", "2026-10-01T10:00:00", 6, learner="dee"),
)


def test_the_numbers_of_a_column() -> None:
    (column,) = board(work(PEOPLE, (assignment(),), TRIES)).columns
    assert (column.passed, column.trying, column.new) == (1, 2, 2)
    assert column.median_tries == 3.0  # of 4, 3 and 1
    assert [(m.misconception, m.now, m.ever) for m in column.mistakes] == [
        ("wrong-axis", 1, 1),
        ("no-scale", 0, 2),
    ]
    assert column.unnamed == 1
    assert (column.cases, column.tried) == ((2, 2, 2, 2, 1, 2), 3)


def test_who_needs_help_comes_first() -> None:
    found = board(work(PEOPLE, (assignment(),), TRIES))
    assert [row.enrolment.name for row in found.rows] == ["Ann", "Cleo", "Ben", "Dee", "Eve"]
    assert found.stuck == 1
    assert found.rows[0].cells[0].stuck


def test_three_tries_are_not_stuck_and_a_pass_never_is() -> None:
    found = board(work(PEOPLE, (assignment(),), TRIES[:3]))
    assert found.stuck == 0
    many = tuple(tried(f"x{n}", f"2026-12-02T10:0{n}:00", 1, learner="ben") for n in range(5))
    assert board(work(PEOPLE, (assignment(),), (*TRIES[4:7], *many))).stuck == 0


def test_staff_who_look_and_who_was_removed_are_not_on_it() -> None:
    people = (
        PEOPLE[0],
        enrolment("staff", state="preview"),
        enrolment("gone", state="removed"),
        enrolment("later", state="invited", learner=None),
    )
    found = board(work(people, (assignment(),), TRIES))
    assert [row.enrolment.name for row in found.rows] == ["Ann"]


def test_a_section_is_shown_alone() -> None:
    people = (enrolment("ann", section="A"), enrolment("ben", section="B"))
    found = board(work(people, (assignment(),), TRIES), section="B")
    assert [row.enrolment.name for row in found.rows] == ["Ben"]
    assert found.columns[0].passed == 1


def test_who_is_excused_is_marked() -> None:
    found = board(work(PEOPLE, (assignment(),), (), (extension(excused=True),)))
    assert [row.enrolment.name for row in found.rows if row.cells[0].excused] == ["Ann"]


def test_tries_and_hints_are_counted_over_time() -> None:
    tries = [DUE, DUE + timedelta(minutes=1), DUE + timedelta(minutes=50)]
    found = over_time(tries, [DUE + timedelta(minutes=30)], DUE + timedelta(hours=1), slots=2)
    assert [(slot.tries, slot.hints) for slot in found] == [(2, 0), (1, 1)]
    assert over_time([], [], DUE) == ()
