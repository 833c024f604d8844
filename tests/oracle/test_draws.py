"""Every reference gives what its formula gives, number by number, on 256 random legal inputs."""

from __future__ import annotations

import runpy

import numpy as np
import pytest

from app.main import shipped_exercises
from app.model import Array
from tests.oracle import by_formula
from tests.oracle.test_references import PAIRS, entry_point, off, reference_of

DRAWS = 256
ROUNDING = 1e-9
"""What the order of sums alone may change, as a share of a number, or of one where it is less."""


def as_arrays(found: object) -> tuple[Array, ...]:
    parts = found if isinstance(found, tuple) else (found,)
    return tuple(np.asarray(part, dtype=float) for part in parts)


@pytest.mark.parametrize("slug", sorted(PAIRS))
def test_a_reference_agrees_with_its_formula_on_every_draw(slug: str) -> None:
    draw = runpy.run_path(str(shipped_exercises() / slug / "inputs.py"))["draw"]
    name = entry_point(slug)
    reference = runpy.run_path(str(reference_of(slug)))[name]
    formula = getattr(by_formula, name)
    for seed in range(DRAWS):
        arguments = draw(np.random.default_rng(seed))
        found, expected = (as_arrays(f(*arguments)) for f in (reference, formula))
        assert not off(found, expected, ROUNDING), (seed, arguments)
