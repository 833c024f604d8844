"""The hostile programs against the whole product: language policy and operating-system layers."""

from __future__ import annotations

import pytest

from tests.hostile import promises
from tests.hostile.attack import Attack
from tests.hostile.corpus import Case
from tests.hostile.passes import configurations, in_every_configuration

pytestmark = pytest.mark.parametrize("attack", configurations(policy=True), indirect=True, ids=str)


@pytest.mark.parametrize("case", in_every_configuration(), ids=lambda case: case.name)
def test_attack_ends_as_it_must(attack: Attack, case: Case) -> None:
    promises.ends_as_it_must(attack, case)


def test_keeper_has_not_grown(attack: Attack) -> None:
    promises.keeper_has_not_grown(attack)
