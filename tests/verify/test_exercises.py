"""Every exercise that comes along proves itself; its mistakes that show in numbers are named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.main import shipped_exercises
from app.verify import Means, prove
from tests.known import expected

SLUGS = sorted(folder.name for folder in shipped_exercises().iterdir() if folder.is_dir())


@pytest.mark.parametrize("slug", SLUGS)
def test_an_exercise_that_comes_along_is_proved(slug: str, means: Means) -> None:
    proof = prove(shipped_exercises() / slug, replace(means, compute=expected))
    assert [str(complaint) for complaint in proof.complaints] == []
    assert proof.named + proof.unnamed == len(proof.kills) > 0
    assert proof.named > 0.6 * len(proof.kills) or slug == "stable-softmax"
    assert len(proof.survivors) == proof.equivalent < proof.mutants


def test_all_thirteen_come_along() -> None:
    assert len(SLUGS) == 13
