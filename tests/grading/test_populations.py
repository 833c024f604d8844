"""Golden populations: programs with two or three known mistakes, and never a wrong name."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from app.catalog import load
from app.model import Lane
from app.ports import Jails, Sandbox
from app.service.judging import judge_submission
from tests.grading.conftest import ROOT
from tests.grading.graded_exercise import Graded
from tests.grading.populations import PLANS, STYLES, Plan
from tests.known import with_triples

SAMPLE = 24
SAMPLE_OF_THREE = 12
"""Programs an exercise, drawn by a fixed seed: each costs a child."""


@pytest.fixture(scope="module", params=PLANS, ids=lambda plan: plan.slug)
def work(request: pytest.FixtureRequest, jail: Sandbox) -> tuple[Plan, Graded]:
    exercise = load(ROOT / "exercises" / request.param.slug)
    return request.param, Graded(exercise, with_triples(exercise, jail), jail)


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
    assert found["both"] + found["some"] >= 0.95 * found.total(), found


def named_by(plan: Plan, on: Graded, slugs: tuple[str, ...], program: str) -> set[str]:
    """What the page would name; two that are one other mistake count as themselves."""
    source = ("import numpy as np\n" + program).encode()
    seen = (Jails.one(on.sandbox), on.exercise, on.expectations, source)
    report = judge_submission(*seen, lane=Lane.SLOW)
    if report is None or report.diagnosis is None:
        return set()
    found = {m.misconception.replace("-", "_") for m in report.diagnosis.mistakes}
    for two, one in plan.one.items():
        if one in found and two <= set(slugs):
            found = found - {one} | two
    return found


def test_three_mistakes_are_told_all_and_none_is_misnamed(work: tuple[Plan, Graded]) -> None:
    plan, on = work
    chance = random.Random(11)
    every = list(plan.triples())
    found: Counter[str] = Counter()
    for slugs in chance.sample(every, min(SAMPLE_OF_THREE, len(every))):
        style = chance.choice(STYLES)
        named = named_by(plan, on, slugs, style(plan, plan.with_slips(*slugs)))
        found["all" if named == set(slugs) else "some" if named else "none"] += 1
        assert named <= set(slugs), (slugs, named, style.__name__)
    assert found["all"] >= 0.65 * found.total(), found
