"""Proof of the pairs: put together once more, each is named as itself by the grader."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.expectations.author_files import Author
from app.expectations.composing import Chain, Composer, mode_of
from app.grading.diagnosis import diagnose, fitting
from app.verify.proof import Complaint
from app.verify.trial import Trial

SAMPLE = 100
SEED = 11


def named(trial: Trial) -> Iterator[Complaint]:
    """A sample of all kept pairs, drawn by a fixed seed: whatever is named must be of the pair.

    A single mistake that gives the same as the two is their name, and a true one.
    """
    pairs, known = trial.expectations.pairs, trial.expectations.misconceptions
    if pairs is None or not len(pairs):
        return
    chance = np.random.default_rng(SEED)
    rows = chance.choice(len(pairs), min(SAMPLE, len(pairs)), replace=False)
    chains = [tuple(int(number) for number in pairs.members[row]) for row in rows]
    for chain, named in zip(chains, _names_of(trial, chains), strict=True):
        own = {known[number].same for number in chain}
        if named is not None and not named & own:
            both, other = " and ".join(sorted(own)), " and ".join(sorted(named))
            yield Complaint("mistakes/", f"{both} together are told as {other}.")


def _names_of(trial: Trial, chains: list[Chain]) -> Iterator[set[str] | None]:
    """What is named for each chain; None where nothing is, or a single mistake gives the same."""
    expectations, exercise = trial.expectations, trial.exercise
    modes = [mode_of(one) for one in expectations.misconceptions]
    about = (expectations.helpers, expectations.parameters)
    composer = Composer(Author(exercise, trial.sandbox), *about, modes, expectations.tests)
    for outcomes in composer.outcomes(chains):
        if outcomes is None or fitting(expectations, outcomes, exercise.tolerance):
            yield None
            continue
        found = diagnose(expectations, outcomes, exercise.tolerance)
        yield None if found is None else {one.misconception for one in found.mistakes}
