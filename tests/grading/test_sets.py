"""Two mistakes at once are named where they alone give everything, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from app.catalog import load
from app.expectations.pairs import sets
from app.grading import judge
from app.grading.outcomes import equal_outcomes
from app.grading.sentences.named import set_headline
from app.grading.sets import fitting_sets, settle, signed
from app.model import Lane, Outcome, Report, Tolerance
from app.service.judging import visible_cases
from tests.fakes import FakeSandbox
from tests.grading.graded_exercise import Graded
from tests.known import expected

SHARES = Path(__file__).parents[1] / "exercises" / "shares"
TOLERANCE = Tolerance(1e-5, 1e-6)
PROGRAM = """
import numpy as np
def weighted_mean(x, w):
    {body}
"""


@pytest.fixture(scope="module")
def shares() -> Graded:
    exercise, sandbox = load(SHARES), FakeSandbox()
    return Graded(exercise, expected(exercise, sandbox), sandbox)


def graded(work: Graded, body: str) -> Report:
    return work.grade(PROGRAM.format(body=body))


def test_two_mistakes_are_both_named_in_the_order_of_the_computation(
    shares: Graded,
) -> None:
    report = graded(shares, "return np.round((w / w.sum()) ** 2 @ x)")
    assert report.diagnosis is not None
    assert [m.misconception for m in report.diagnosis.mistakes] == ["squared", "rounded"]
    assert report.diagnosis.complete
    assert report.message == "Two things are wrong."
    assert report.help == "1. Every share squared. 2. Rounded to whole numbers."
    assert report.diagnosis.evidence == (
        "Together, squared and rounded give exactly your numbers in all six failing tests. No "
        "other one or two known mistakes do."
    )
    assert report.hint == report.diagnosis.mistakes[0].hint


def test_one_mistake_alone_is_still_told_as_one(shares: Graded) -> None:
    report = graded(shares, "return w @ x")
    assert report.diagnosis is not None
    assert [m.misconception for m in report.diagnosis.mistakes] == ["not-shared-out"]
    assert report.message == "The result grows with the weights."


def test_what_no_two_mistakes_give_names_nothing(shares: Graded) -> None:
    assert graded(shares, "return np.round((w / w.sum()) ** 3 @ x)").diagnosis is None


def test_an_accepted_program_is_not_looked_up(
    shares: Graded, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("app.grading.diagnosis.named_set", never)
    assert graded(shares, "return w / w.sum() @ x").passed == 6


def outcome(*numbers: float, kind: str = "array") -> Outcome:
    return Outcome("array" if kind == "array" else "right", np.array(numbers))


def test_patterns_of_nan_and_infinity_must_be_equal() -> None:
    kept = (outcome(1.0, np.nan), outcome(2.0, np.inf))
    sign = signed(kept, TOLERANCE)
    assert sign is not None
    one = sets([(sign, (0, 1))], (0, 1), 2)
    assert fitting_sets(one, kept, TOLERANCE) == ((0, 1),)
    for other in (
        (outcome(1.0, np.inf), outcome(2.0, np.inf)),
        (outcome(1.0, np.nan), outcome(2.0, -np.inf)),
        (outcome(np.nan, 1.0), outcome(2.0, np.inf)),
        (outcome(1.0, np.nan), Outcome("right")),
    ):
        assert fitting_sets(one, other, TOLERANCE) == ()


@pytest.mark.parametrize(("factor", "fits"), [(1 + 0.9e-5, True), (1 + 3e-5, False)])
def test_numbers_within_the_tolerance_are_equal(factor: float, fits: bool) -> None:
    numbers = np.linspace(100.0, 900.0, 50)
    kept = (Outcome("array", numbers),)
    sign = signed(kept, TOLERANCE)
    assert sign is not None
    one = sets([(sign, (0, 1))], (0,), 2)
    seen = (Outcome("array", numbers * factor),)
    assert bool(fitting_sets(one, seen, TOLERANCE)) is fits


def test_moved_numbers_are_other_numbers() -> None:
    """One sum for all orders of the numbers would take one for the other."""
    numbers = np.arange(20.0)
    sign = signed((Outcome("array", numbers),), TOLERANCE)
    assert sign is not None
    one = sets([(sign, (0, 1))], (0,), 2)
    assert fitting_sets(one, (Outcome("array", numbers[::-1].copy()),), TOLERANCE) == ()


def test_the_look_up_finds_what_comparing_all_pairs_finds(quick: Graded) -> None:
    pairs = quick.expectations.pairs
    assert pairs is not None
    assert len(pairs) > 1_000
    tolerance = quick.exercise.tolerance
    rows = np.random.default_rng(3).choice(len(pairs), 60, replace=False)
    for row in rows:
        seen = _row(quick, int(row))
        by_hand = {
            tuple(int(n) for n in pairs.members[at])
            for at in range(len(pairs))
            if pairs.key[at] == pairs.key[row]
            and len(_numbers(quick, at)) == len(_numbers(quick, int(row)))
            and _close(quick, at, int(row))
        }
        assert set(fitting_sets(pairs, seen, tolerance)) == by_hand


def _numbers(work: Graded, row: int) -> np.ndarray:
    pairs = work.expectations.pairs
    assert pairs is not None
    return np.asarray(pairs.values[pairs.at[row] : pairs.at[row + 1]])


def _close(work: Graded, at: int, row: int) -> bool:
    a, b = Outcome("array", _numbers(work, row)), Outcome("array", _numbers(work, at))
    return equal_outcomes(a, [b], work.exercise.tolerance)[0]


def _row(work: Graded, row: int) -> tuple[Outcome, ...]:
    """What a kept pair gives, run once more."""
    from app.expectations.author_files import Author
    from app.expectations.composing import Composer
    from app.expectations.modes import mode_of

    pairs, known = work.expectations.pairs, work.expectations
    assert pairs is not None
    chain = tuple(int(n) for n in pairs.members[row])
    modes = [mode_of(m) for m in known.misconceptions]
    author = Author(work.exercise, work.sandbox)
    composer = Composer(author, known.helpers, known.parameters, modes, known.calls)
    (found,) = composer.outcomes([chain])
    assert found is not None
    return found


def test_of_three_that_fit_in_several_ways_the_common_part_is_said() -> None:
    assert set_headline(3, 3) == "Three things are wrong."
    assert set_headline(2, 3) == "Three things are wrong, and two are certain."
    assert set_headline(1, 3) == "Three things are wrong, and one is certain."
    assert set_headline(1, 2) == "Two things are wrong, and one is certain."


def test_of_several_sets_only_the_common_part_is_named(shares: Graded) -> None:
    known = shares.expectations
    numbers = range(len(known.misconceptions))
    one, other, third = numbers
    found = settle(known, [(one, other), (one, third)])
    assert found is not None
    assert [m.slug for m in found.mistakes] == [known.misconceptions[one].slug]
    assert found.size == 2
    disjoint = replace(known, misconceptions=(*known.misconceptions, *known.misconceptions))
    assert settle(disjoint, list(combinations(numbers, 2))) is None
    assert settle(known, []) is None


def run_of(work: Graded, body: str) -> Report:
    """What a run says on all that a run is tried on."""
    expectations = work.expectations
    cases = visible_cases(work.exercise, expectations)
    source = PROGRAM.format(body=body).encode()
    ran = work.sandbox.run(judge.order(work.exercise, expectations, source, cases, Lane.FAST))
    return judge.judge_run(work.exercise, expectations, ran, cases, source=source)


def test_a_run_names_one_mistake_where_no_two_give_the_same(shares: Graded) -> None:
    report = run_of(shares, "return w @ x")
    assert report.diagnosis is not None
    assert report.diagnosis.misconception == "not-shared-out"


def test_a_run_names_no_two_and_breaks_on_none(shares: Graded) -> None:
    assert run_of(shares, "return np.round((w / w.sum()) ** 2 @ x)").diagnosis is None


def test_a_run_names_nothing_that_a_pair_without_it_gives_as_well(shares: Graded) -> None:
    """The pair's sums on the shown cases are made equal to those of the single mistake."""
    known = shares.expectations
    assert known.shown is not None
    number = next(n for n, m in enumerate(known.misconceptions) if m.slug == "not-shared-out")
    every = (*known.calls, *known.examples)
    at = [n for n, case in enumerate(every) if case.visible]
    found = (*known.outcomes["not-shared-out"], *known.on_examples["not-shared-out"])
    signs = [signed((found[n],), shares.exercise.tolerance) for n in at]
    row = next(n for n, pair in enumerate(known.shown.members) if number not in pair)
    total, key = known.shown.total.copy(), known.shown.key.copy()
    for column, sign in enumerate(signs):
        assert sign is not None
        total[row, column], key[row, column] = sign.total, sign.key
    alike = replace(known, shown=replace(known.shown, total=total, key=key))
    report = run_of(replace(shares, expectations=alike), "return w @ x")
    assert report.diagnosis is None
    assert "submit to be sure" in report.help
