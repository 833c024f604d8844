"""Golden populations: programs with two known mistakes are told both, and never a wrong name."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from app.catalog import load
from app.ports import Sandbox
from tests.grading.conftest import ROOT
from tests.grading.graded_exercise import Graded
from tests.grading.populations import PLANS, STYLES, Plan
from tests.known import expected

SAMPLE = 24
"""Programs an exercise, drawn by a fixed seed: each costs a child."""


@pytest.fixture(scope="module", params=PLANS, ids=lambda plan: plan.slug)
def work(request: pytest.FixtureRequest, jail: Sandbox) -> tuple[Plan, Graded]:
    exercise = load(ROOT / "exercises" / request.param.slug)
    return request.param, Graded(exercise, expected(exercise, jail), jail)


def test_the_right_programs_are_accepted_in_every_style(
    work: tuple[Plan, Graded],
) -> None:
    plan, on = work
    for style in STYLES:
        report = on.grade("import numpy as np\n" + style(plan, plan.steps))
        assert (report.passed, report.diagnosis) == (6, None), style.__name__


def test_two_mistakes_are_told_both_and_none_is_misnamed(
    work: tuple[Plan, Graded],
) -> None:
    plan, on = work
    chance = random.Random(7)
    pairs = list(plan.pairs())
    found: Counter[str] = Counter()
    for slugs in chance.sample(pairs, min(SAMPLE, len(pairs))):
        style = chance.choice(STYLES)
        report = on.grade("import numpy as np\n" + style(plan, plan.with_slips(*slugs)))
        named = set()
        if report.diagnosis is not None:
            named = {m.misconception.replace("-", "_") for m in report.diagnosis.mistakes}
        if named == {plan.one.get(frozenset(slugs))}:
            named = set(slugs)
        found["both" if named == set(slugs) else "some" if named else "none"] += 1
        assert named <= set(slugs), (slugs, named, style.__name__)
    assert found["both"] >= 0.85 * found.total(), found
