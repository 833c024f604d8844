"""The corpus and its passes are what they are said to be."""

from __future__ import annotations

import itertools
from dataclasses import astuple

from tests.hostile.corpus import cases
from tests.hostile.passes import PAIRS


def test_passes_cover_every_pair_of_parts() -> None:
    rows = [astuple(configuration) for configuration in PAIRS]
    for first, second in itertools.combinations(range(4), 2):
        assert len({(row[first], row[second]) for row in rows}) == 4


def test_every_case_says_what_it_must_come_to() -> None:
    found = cases()
    assert len(found) >= 160
    assert all(case.expected for case in found)
