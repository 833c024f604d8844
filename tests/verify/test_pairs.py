"""Pairs of mistakes prove themselves, and a pair that is told as another is a complaint."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from app.catalog import load
from app.expectations import compute
from app.model import Diagnosis, Mutant, NamedMistake, Outcome, Source
from app.verify import pairs
from app.verify.trial import Trial
from tests.fakes import FakeSandbox

SHARES = Path(__file__).parents[1] / "exercises" / "shares"


class OwnSandbox(FakeSandbox):
    """A fake that makes no mutants: none is asked for."""

    def mutants(self, source: Source) -> tuple[Mutant, ...]:
        return ()


@pytest.fixture
def trial() -> Iterator[Trial]:
    exercise, jailed = load(SHARES), OwnSandbox()
    with ThreadPoolExecutor(1) as executor:
        yield Trial(exercise, compute(exercise, jailed), jailed, executor)


def test_every_pair_is_told_as_itself(trial: Trial) -> None:
    assert trial.expectations.pairs is not None
    assert len(trial.expectations.pairs) == 3
    assert list(pairs.named(trial)) == []


def test_a_pair_that_is_told_as_another_is_a_complaint(
    trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Diagnosis("other", "", "", None, mistakes=(NamedMistake("other", "", None),))
    monkeypatch.setattr(pairs, "diagnose", lambda *_: other)
    found = [str(complaint) for complaint in pairs.named(trial)]
    assert "mistakes/: rounded and squared together are told as other." in found
    assert len(found) == 3


def test_all_pairs_are_put_together_where_that_is_asked(
    trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Diagnosis("other", "", "", None, mistakes=(NamedMistake("other", "", None),))
    monkeypatch.setattr(pairs, "diagnose", lambda *_: other)
    monkeypatch.setattr(pairs, "SAMPLE", 1)
    assert len(list(pairs.named(trial))) == 1
    assert len(list(pairs.named(replace(trial, all_sets=True)))) == 3


def test_an_author_is_told_what_looks_alike_and_what_the_trace_example_hides(
    trial: Trial,
) -> None:
    assert list(pairs.notes(trial)) == [
        "two mistakes together: 3 pairs; 0 give the same as another."
    ]
    known = trial.expectations
    right = {slug: (Outcome("right"),) for slug in known.on_examples if slug == "squared"}
    hidden = replace(known, on_examples=known.on_examples | right)
    assert list(pairs.notes(replace(trial, expectations=hidden)))[1:] == [
        "the trace example is right with squared: it shows no line at fault."
    ]


def test_a_pair_that_passes_the_tests_and_fails_a_draw_is_a_complaint(trial: Trial) -> None:
    """As if the six tests let the first two mistakes through; the draw tells them."""
    draw = replace(trial.expectations.tests[0], name="draw_7")
    known = replace(trial.expectations, passing=((0, 1),), draws=(draw,))
    first, second = (one.slug for one in known.misconceptions[:2])
    (told,) = map(str, pairs.caught(replace(trial, expectations=known)))
    assert f"{first} and {second} together pass all six tests, and a draw tells them." in told
    assert "def draw_7():" in told


def test_a_pair_that_is_right_on_every_draw_is_none(trial: Trial) -> None:
    known = replace(trial.expectations, passing=((0, 1),), draws=())
    assert trial.expectations.passing == ()
    assert list(pairs.caught(replace(trial, expectations=known))) == []
    assert list(pairs.caught(trial)) == []
