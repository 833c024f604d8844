"""The hostile programs that never run: the policy refuses each when it compiles it, and says why.

They run against one configuration of the wall here, and traced in `tests/tracing`: where no line
is executed, no lock can matter. `make corpus` runs them in every configuration all the same.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.model import Exercise, Expectations, Verdict
from tests.hostile import attack as attacks
from tests.hostile import promises, refused
from tests.hostile.attack import HONEST, Attack
from tests.hostile.corpus import Case
from tests.hostile.passes import PAIRS

REFUSED = refused.split()[1]
EVERY = 10


@pytest.fixture(scope="module")
def attack(truth: tuple[Exercise, Expectations]) -> Iterator[Attack]:
    exercise, expectations = truth
    with attacks.attack(PAIRS[0], expectations, exercise) as laid:
        yield laid


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_no_line_of_it_runs(attack: Attack, case: Case) -> None:
    verdict, ran = attack.submit(case.source)
    assert verdict in attack.right_verdicts(case), verdict
    assert ran.problems and ran.loading.ended == "not_run"
    assert all(execution.ended == "not_run" for execution in ran.executions)
    if REFUSED.index(case) % EVERY == 0 or case is REFUSED[-1]:
        assert attack.grounds.breaches(ran) == []
        assert attack.submit(HONEST.read_bytes())[0] is Verdict.ACCEPTED


def test_keeper_has_not_grown(attack: Attack) -> None:
    promises.keeper_has_not_grown(attack)


def test_a_program_the_policy_lets_through_is_not_taken_for_refused() -> None:
    assert refused.is_refused(b"import os\n")
    assert not refused.is_refused(b"import math\n")
    assert not refused.is_refused(HONEST.read_bytes())
