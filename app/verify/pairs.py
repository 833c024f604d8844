"""Proof of the pairs: put together once more, each is named as itself by the grader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from app.expectations.author_files import Author
from app.expectations.composing import Chain, Composer
from app.expectations.modes import mode_of
from app.grading.diagnosis import diagnose, fitting
from app.grading.sentences.phrases import listed
from app.model import Outcome, TestCase
from app.verify.draws import shown
from app.verify.proof import Complaint
from app.verify.trial import CASES, Trial

SAMPLE = 100
SEED = 11
SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")


def named(trial: Trial) -> Iterator[Complaint]:
    """A sample of all kept pairs (or all): whatever is named must be of the pair.

    A single mistake that gives the same as the two is their name, and a true one.
    """
    pairs, known = trial.expectations.pairs, trial.expectations.misconceptions
    if pairs is None or not len(pairs):
        return
    chance = np.random.default_rng(SEED)
    size = len(pairs) if trial.all_sets else min(SAMPLE, len(pairs))
    rows = chance.choice(len(pairs), size, replace=False)
    chains = [tuple(int(number) for number in pairs.members[row]) for row in rows]
    for chain, named in zip(chains, _names_of(trial, chains), strict=True):
        own = {known[number].same for number in chain}
        if named is not None and not named & own:
            both, other = " and ".join(sorted(own)), " and ".join(sorted(named))
            yield Complaint("mistakes/", f"{both} together are told as {other}.")


def caught(trial: Trial) -> Iterator[Complaint]:
    """Two mistakes together that pass the six tests are right on every draw as well."""
    known, draws = trial.expectations, trial.expectations.draws
    if not known.passing or not draws:
        return
    found = _composer(trial, draws).outcomes(known.passing)
    for chain, outcomes in zip(known.passing, found, strict=True):
        off = (
            draw for draw, one in zip(draws, outcomes or (), strict=False) if one.kind != "right"
        )
        smallest = next(off, draws[0] if outcomes is None else None)
        if smallest is not None:
            both = " and ".join(known.misconceptions[number].slug for number in chain)
            message = (
                f"{both} together pass all six tests, and a draw tells them. {shown(smallest)}"
            )
            yield Complaint(CASES, message)


def notes(trial: Trial) -> Iterator[str]:
    """What an author may want to know: pairs that look alike, and what the trace example hides."""
    pairs, known = trial.expectations.pairs, trial.expectations
    if pairs is not None and len(pairs):
        alike = sum(_shares(trial, row) for row in range(len(pairs)))
        yield f"two mistakes together: {len(pairs):,} pairs; {alike:,} give the same as another."
    case = next((at for at, one in enumerate(trial.cases) if one.name == trial.exercise.trace), 0)
    hidden = [
        one.slug
        for one in known.misconceptions
        if _everywhere(trial, one.slug)[case : case + 1] == (Outcome("right"),)
    ]
    if hidden:
        yield f"the trace example is right with {listed(hidden)}: it shows no line at fault."


def _everywhere(trial: Trial, slug: str) -> tuple[Outcome, ...]:
    """What a mistake gives on the tests, then on the examples."""
    known = trial.expectations
    return (*known.outcomes.get(slug, ()), *known.on_examples.get(slug, ()))


def _shares(trial: Trial, row: int) -> bool:
    """Whether a pair gives, by kinds and sums, what another one gives."""
    pairs = trial.expectations.pairs
    if pairs is None:
        return False
    first, last = (np.searchsorted(pairs.key, pairs.key[row], side) for side in SIDES)
    near = np.abs(pairs.total[first:last] - pairs.total[row]) <= pairs.room[row]
    return int(near.sum()) > 1


def _names_of(trial: Trial, chains: list[Chain]) -> Iterator[set[str] | None]:
    """What is named for each chain; None where nothing is, or a single mistake gives the same."""
    expectations, exercise = trial.expectations, trial.exercise
    for outcomes in _composer(trial, expectations.calls).outcomes(chains):
        if outcomes is None or fitting(expectations, outcomes, exercise.tolerance):
            yield None
            continue
        found = diagnose(expectations, outcomes, exercise.tolerance)
        yield None if found is None else {one.misconception for one in found.mistakes}


def _composer(trial: Trial, cases: Sequence[TestCase]) -> Composer:
    expectations = trial.expectations
    modes = [mode_of(one) for one in expectations.misconceptions]
    about = (expectations.helpers, expectations.parameters)
    return Composer(Author(trial.exercise, trial.sandbox), *about, modes, cases)
