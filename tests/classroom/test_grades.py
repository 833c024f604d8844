"""Points, worked out by hand: every policy at every boundary.

Ten points, six tests, due Friday 4 December 2026, 23:59 in Berlin, closing a week later.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from app.classroom.grades import grade, half_up
from app.model import LearnerId, SubmissionId
from app.model.classes import Extension, Override, Policy, Try
from tests.classroom.class_world import (
    BERLIN,
    DUE,
    PLAIN,
    SOFTMAX,
    assignment,
    berlin,
    extension,
    override,
    tried,
)

PER_DAY = replace(PLAIN, late="per_day", late_share=1000)
REFUSE = replace(PLAIN, late="refuse", closes_at=DUE)
ALL = replace(PLAIN, scoring="all")
LAST = replace(PLAIN, counts="last")
HINTS = replace(PLAIN, hint_share=500)
BOTH = replace(PER_DAY, hint_share=500)
TWO = replace(PLAIN, attempts=2)
# The clocks go back in the night to 25 October 2026 (3:00 becomes 2:00) and forward in the night
# to 29 March 2026 (2:00 becomes 3:00).
AUTUMN = replace(
    PER_DAY,
    opens_at=berlin("2026-10-01T00:00:00"),
    due_at=berlin("2026-10-24T12:00:00"),
    closes_at=berlin("2026-11-30T12:00:00"),
)
SPRING = replace(
    PER_DAY,
    opens_at=berlin("2026-03-01T00:00:00"),
    due_at=berlin("2026-03-28T12:00:00"),
    closes_at=berlin("2026-04-30T12:00:00"),
)
GAP = replace(SPRING, due_at=berlin("2026-03-28T02:30:00"))
TWICE = replace(AUTUMN, due_at=berlin("2026-10-24T02:30:00"))

CASES: list[tuple[str, Policy, list[Try], Extension | None, Override | None, int | None]] = [
    # --- nothing, and what never counts
    ("no try", PLAIN, [], None, None, None),
    ("in line", PLAIN, [tried("1", "2026-12-01T10:00:00", verdict=None)], None, None, None),
    ("our fault", PLAIN, [tried("1", "2026-12-01T10:00:00", 0, "grader_error")], None, None, None),
    ("none right", PLAIN, [tried("1", "2026-12-01T10:00:00", 0)], None, None, 0),
    (
        "does not parse",
        PLAIN,
        [tried("1", "2026-12-01T10:00:00", 0, "syntax_error")],
        None,
        None,
        0,
    ),
    ("before it opens", PLAIN, [tried("1", "2026-10-31T23:59:59")], None, None, None),
    ("as it opens", PLAIN, [tried("1", "2026-11-01T00:00:00")], None, None, 1000),
    # --- share of the tests, one rounding
    ("one of six", PLAIN, [tried("1", "2026-12-01T10:00:00", 1)], None, None, 167),
    ("two of six", PLAIN, [tried("1", "2026-12-01T10:00:00", 2)], None, None, 333),
    ("three of six", PLAIN, [tried("1", "2026-12-01T10:00:00", 3)], None, None, 500),
    ("four of six", PLAIN, [tried("1", "2026-12-01T10:00:00", 4)], None, None, 667),
    ("five of six", PLAIN, [tried("1", "2026-12-01T10:00:00", 5)], None, None, 833),
    ("all", PLAIN, [tried("1", "2026-12-01T10:00:00")], None, None, 1000),
    # 0.03 points x 3/6 = 0.015: half a hundredth goes up
    ("half up", replace(PLAIN, points=3), [tried("1", "2026-12-01T10:00:00", 3)], None, None, 2),
    # 0.01 x 3/6 = 0.005
    (
        "half of one",
        replace(PLAIN, points=1),
        [tried("1", "2026-12-01T10:00:00", 3)],
        None,
        None,
        1,
    ),
    # 0.25 x 3/6 x 0.9 = 0.1125
    (
        "a quarter of a hundredth goes down",
        replace(PER_DAY, points=25),
        [tried("1", "2026-12-05T10:00:00", 3)],
        None,
        None,
        11,
    ),
    # --- all or nothing
    ("all: five", ALL, [tried("1", "2026-12-01T10:00:00", 5)], None, None, 0),
    ("all: six", ALL, [tried("1", "2026-12-01T10:00:00")], None, None, 1000),
    (
        "all: six right but too slow",
        ALL,
        [tried("1", "2026-12-01T10:00:00", 6, "time_limit")],
        None,
        None,
        0,
    ),
    # --- due, with a minute's grace: a day's cost
    ("1 s before due", PER_DAY, [tried("1", "2026-12-04T23:58:59")], None, None, 1000),
    ("at due", PER_DAY, [tried("1", "2026-12-04T23:59:00")], None, None, 1000),
    ("60 s after due", PER_DAY, [tried("1", "2026-12-05T00:00:00")], None, None, 1000),
    ("61 s after due", PER_DAY, [tried("1", "2026-12-05T00:00:01")], None, None, 900),
    ("a day and 60 s", PER_DAY, [tried("1", "2026-12-06T00:00:00")], None, None, 900),
    ("a day and 61 s", PER_DAY, [tried("1", "2026-12-06T00:00:01")], None, None, 800),
    ("a week, at closing", PER_DAY, [tried("1", "2026-12-11T23:59:00")], None, None, 300),
    ("60 s after closing", PER_DAY, [tried("1", "2026-12-12T00:00:00")], None, None, 300),
    ("61 s after closing", PER_DAY, [tried("1", "2026-12-12T00:00:01")], None, None, None),
    (
        "never below nothing",
        replace(PER_DAY, late_share=4000),
        [tried("1", "2026-12-08T10:00:00")],
        None,
        None,
        0,
    ),
    # --- accept and refuse
    ("accept: late in full", PLAIN, [tried("1", "2026-12-11T10:00:00")], None, None, 1000),
    ("accept: after closing", PLAIN, [tried("1", "2026-12-12T10:00:00")], None, None, None),
    ("refuse: at due", REFUSE, [tried("1", "2026-12-04T23:59:00")], None, None, 1000),
    ("refuse: 60 s", REFUSE, [tried("1", "2026-12-05T00:00:00")], None, None, 1000),
    ("refuse: 61 s", REFUSE, [tried("1", "2026-12-05T00:00:01")], None, None, None),
    # --- hints open when it was sent
    ("one hint", HINTS, [tried("1", "2026-12-01T10:00:00", hints=1)], None, None, 950),
    ("three hints", HINTS, [tried("1", "2026-12-01T10:00:00", hints=3)], None, None, 850),
    (
        "more hints than points",
        replace(HINTS, hint_share=5000),
        [tried("1", "2026-12-01T10:00:00", hints=3)],
        None,
        None,
        0,
    ),
    (
        "before the hint counts more",
        HINTS,
        [tried("1", "2026-12-01T10:00:00"), tried("2", "2026-12-01T11:00:00", hints=2)],
        None,
        None,
        1000,
    ),
    # 10 x 4/6 x 0.95 x 0.8 = 5.0666
    (
        "four of six, a hint, 26 hours late",
        BOTH,
        [tried("1", "2026-12-06T01:59:00", 4, hints=1)],
        None,
        None,
        507,
    ),
    # --- best and last
    (
        "best: a worse one later",
        PLAIN,
        [tried("1", "2026-12-01T10:00:00", 5), tried("2", "2026-12-02T10:00:00", 2)],
        None,
        None,
        833,
    ),
    (
        "best: late in full is worth less than on time in part",
        PER_DAY,
        [tried("1", "2026-12-04T10:00:00", 5), tried("2", "2026-12-07T10:00:00")],
        None,
        None,
        833,
    ),
    (
        "best: late in full is worth more",
        PER_DAY,
        [tried("1", "2026-12-04T10:00:00", 3), tried("2", "2026-12-07T10:00:00")],
        None,
        None,
        700,
    ),
    (
        "last: a worse one later",
        LAST,
        [tried("1", "2026-12-01T10:00:00", 5), tried("2", "2026-12-02T10:00:00", 2)],
        None,
        None,
        333,
    ),
    (
        "last: one in line does not count yet",
        LAST,
        [tried("1", "2026-12-01T10:00:00", 5), tried("2", "2026-12-02T10:00:00", verdict=None)],
        None,
        None,
        833,
    ),
    (
        "last: our fault is no try",
        LAST,
        [
            tried("1", "2026-12-01T10:00:00", 5),
            tried("2", "2026-12-02T10:00:00", 0, "grader_error"),
        ],
        None,
        None,
        833,
    ),
    (
        "last: one after closing is practice",
        LAST,
        [tried("1", "2026-12-01T10:00:00", 5), tried("2", "2026-12-20T10:00:00", 0)],
        None,
        None,
        833,
    ),
    # --- tries
    (
        "the third of two does not count",
        TWO,
        [
            tried("1", "2026-12-01T10:00:00", 1),
            tried("2", "2026-12-01T11:00:00", 2),
            tried("3", "2026-12-01T12:00:00"),
        ],
        None,
        None,
        333,
    ),
    (
        "what did not parse uses up no try",
        TWO,
        [
            tried("1", "2026-12-01T10:00:00", 0, "syntax_error"),
            tried("2", "2026-12-01T11:00:00", 0, "policy_error"),
            tried("3", "2026-12-01T12:00:00", 2),
            tried("4", "2026-12-01T13:00:00"),
        ],
        None,
        None,
        1000,
    ),
    (
        "a third by extension",
        TWO,
        [
            tried("1", "2026-12-01T10:00:00", 1),
            tried("2", "2026-12-01T11:00:00", 2),
            tried("3", "2026-12-01T12:00:00"),
        ],
        extension(attempts=3),
        None,
        1000,
    ),
    # --- extensions
    (
        "extended: on time",
        PER_DAY,
        [tried("1", "2026-12-07T10:00:00")],
        extension(due_at=berlin("2026-12-07T12:00:00")),
        None,
        1000,
    ),
    (
        "extended: late from the new date",
        PER_DAY,
        [tried("1", "2026-12-07T12:01:01")],
        extension(due_at=berlin("2026-12-07T12:00:00")),
        None,
        900,
    ),
    (
        "extended beyond closing",
        PER_DAY,
        [tried("1", "2026-12-20T11:00:00")],
        extension(due_at=berlin("2026-12-20T12:00:00")),
        None,
        1000,
    ),
    (
        "extended where nothing late counts",
        REFUSE,
        [tried("1", "2026-12-07T12:00:30")],
        extension(due_at=berlin("2026-12-07T12:00:00")),
        None,
        1000,
    ),
    (
        "extended where nothing late counts, and late",
        REFUSE,
        [tried("1", "2026-12-07T12:01:01")],
        extension(due_at=berlin("2026-12-07T12:00:00")),
        None,
        None,
    ),
    (
        "only the closing is extended",
        PER_DAY,
        [tried("1", "2026-12-12T23:59:00")],
        extension(closes_at=berlin("2026-12-13T23:59:00")),
        None,
        200,
    ),
    ("excused", PLAIN, [], extension(excused=True), None, None),
    (
        "excused although tried",
        PLAIN,
        [tried("1", "2026-12-01T10:00:00")],
        extension(excused=True),
        None,
        None,
    ),
    # --- overrides
    (
        "override instead of points",
        PLAIN,
        [tried("1", "2026-12-01T10:00:00", 4)],
        None,
        override(points=750),
        750,
    ),
    ("override without a try", PLAIN, [], None, override(points=0), 0),
    (
        "override before excused",
        PLAIN,
        [],
        extension(excused=True),
        override(points=500),
        500,
    ),
    (
        "held, not set",
        PLAIN,
        [tried("1", "2026-12-01T10:00:00", 4)],
        None,
        override(held=True),
        667,
    ),
    # --- the night of 25 hours: noon is a day later all the same
    ("25 hours: noon", AUTUMN, [tried("1", "2026-10-25T12:01:00")], None, None, 900),
    ("25 hours: 61 s past", AUTUMN, [tried("1", "2026-10-25T12:01:01")], None, None, 800),
    # due 2:30, which comes twice the next night: the later one ends the day
    (
        "the second half past two",
        TWICE,
        [tried("1", "2026-10-25T02:30:00")],
        None,
        None,
        900,
    ),
    ("after it", TWICE, [tried("1", "2026-10-25T02:31:01")], None, None, 800),
    # --- the night of 23 hours
    ("23 hours: noon", SPRING, [tried("1", "2026-03-29T12:01:00")], None, None, 900),
    ("23 hours: 61 s past", SPRING, [tried("1", "2026-03-29T12:01:01")], None, None, 800),
    # half past two is skipped that night: half past three ends the day
    ("skipped: half past three", GAP, [tried("1", "2026-03-29T03:31:00")], None, None, 900),
    ("skipped: 61 s past", GAP, [tried("1", "2026-03-29T03:31:01")], None, None, 800),
]


def test_the_table_has_its_sixty_cases() -> None:
    names = [case[0] for case in CASES]
    assert len(names) >= 60
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("policy", "tries", "extended", "overridden", "points"),
    [pytest.param(*case[1:], id=case[0]) for case in CASES],
)
def test_a_grade_is_what_it_is_by_hand(
    policy: Policy,
    tries: list[Try],
    extended: Extension | None,
    overridden: Override | None,
    points: int | None,
) -> None:
    found = grade(assignment(policy), reversed(tries), BERLIN, extended, overridden)
    assert found.points == points


def test_of_equal_tries_the_earliest_counts() -> None:
    tries = [
        tried("2", "2026-12-02T10:00:00", 4),
        tried("1", "2026-12-01T10:00:00", 4),
        tried("3", "2026-12-03T10:00:00", 4),
    ]
    found = grade(assignment(), tries, BERLIN)
    assert found.computed is not None
    assert found.computed.tried.id == "1"


def test_the_receipt_shows_each_step() -> None:
    tries = [tried("1", "2026-12-06T01:59:00", 4, hints=1)]
    found = grade(assignment(BOTH), tries, BERLIN).computed
    assert found is not None
    assert (found.share, found.days_late) == (Fraction(2, 3), 2)
    assert half_up(found.after_tests) == 667
    assert half_up(found.after_hints) == 633
    assert found.points == 507


def test_an_excused_grade_says_so_and_has_no_number() -> None:
    found = grade(
        assignment(), [tried("1", "2026-12-01T10:00:00")], BERLIN, extension(excused=True)
    )
    assert (found.kind, found.points) == ("excused", None)


def test_tries_left_count_those_in_line_and_not_those_that_never_ran() -> None:
    tries = [
        tried("1", "2026-12-01T10:00:00", 0, "syntax_error"),
        tried("2", "2026-12-01T11:00:00", 0, "grader_error"),
        tried("3", "2026-12-01T12:00:00", 3),
        tried("4", "2026-12-01T13:00:00", verdict=None),
        tried("5", "2026-10-01T13:00:00", 3),
    ]
    found = grade(assignment(replace(PLAIN, attempts=3)), tries, BERLIN)
    assert (found.tries, found.waiting, found.attempts_left) == (2, 1, 1)


VERDICTS = st.sampled_from(
    ["accepted", "wrong_answer", "syntax_error", "policy_error", "time_limit", "grader_error", None]
)


@st.composite
def a_try(draw: st.DrawFn) -> Try:
    verdict = draw(VERDICTS)
    passed = 6 if verdict == "accepted" else draw(st.integers(0, 5))
    if verdict in ("syntax_error", "policy_error", "grader_error"):
        passed = 0
    seconds = draw(st.integers(-3_000_000, 900_000))
    return Try(
        SubmissionId(str(draw(st.uuids()))),
        LearnerId("ann"),
        SOFTMAX,
        DUE + timedelta(seconds=seconds),
        verdict,
        passed,
        6,
        draw(st.integers(0, 5)),
    )


POLICIES = st.builds(
    replace,
    st.sampled_from([PLAIN, PER_DAY, REFUSE, ALL, HINTS, BOTH]),
    points=st.integers(1, 1_000_000),
    counts=st.sampled_from(["best", "last"]),
    late_share=st.integers(0, 10_000),
)


@drawn(POLICIES, st.lists(a_try(), max_size=12), st.randoms())
def test_working_it_out_again_gives_the_same(
    policy: Policy, tries: list[Try], chance: object
) -> None:
    """Whatever order the tries are read in."""
    shuffled = list(tries)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    first = grade(assignment(policy), tries, BERLIN)
    assert grade(assignment(policy), shuffled, BERLIN) == first
    assert first.points is None or 0 <= first.points <= policy.points


@drawn(POLICIES, st.lists(a_try(), max_size=12), a_try())
def test_best_never_falls_by_another_submission(
    policy: Policy, tries: list[Try], more: Try
) -> None:
    best = replace(policy, counts="best")
    before = grade(assignment(best), tries, BERLIN).points
    after = grade(assignment(best), [*tries, more], BERLIN).points
    assert (after or 0) >= (before or 0)
