"""What it costs to name mistakes, to be sure of the names, and to look at small inputs."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from app.catalog import load
from app.expectations import Cache, compute
from app.expectations.author_files import Author
from app.expectations.composing import Composer
from app.expectations.modes import mode_of
from app.expectations.pairs import on_shown, pairs
from app.expectations.triples import proved, triples
from app.grading import judge
from app.grading.diagnosis import fitting
from app.grading.sets import named_set
from app.model import Exercise, Expectations, Lane, Outcome
from app.ports import Jails
from app.sandbox.pool import LocalSandbox
from app.service.expecting import AT_ONCE, most_work_first
from app.service.judging import judge_run, judge_submission
from app.service.small_inputs import first_off, with_report_words
from app.service.telling_draws import telling_draws
from bench.figures import Figure, at_most, median, timed
from bench.serving import ROOT, SLUG, make_known
from bench.web import PAUSE_S
from tests.known import expected

TIMES = 60
SAMPLE = 200
WRONG = b"""
import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    q, k, v = (a.reshape(n, num_heads, -1).transpose(1, 0, 2) for a in (Q, K, V))
    s = q @ k.transpose(0, 2, 1) / np.sqrt(d)
    e = np.exp(s - s.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(n, d)
"""


def figures() -> Iterator[Figure]:
    """All of this room, in order; what three mistakes give takes minutes, so it comes last."""
    exercise = load(ROOT / "exercises" / SLUG)
    sandbox = LocalSandbox()
    try:
        known = compute(exercise, sandbox)
        yield from _look_up(exercise, known, sandbox)
        yield from _latency(exercise, known, sandbox)
        yield from _small_inputs(exercise, known, sandbox)
        yield from _built(sandbox)
    finally:
        sandbox.close()


def _look_up(exercise: Exercise, known: Expectations, sandbox: LocalSandbox) -> Iterator[Figure]:
    """Over a sample of pairs, of which no single mistake gives the same; and of three proved."""
    assert known.pairs is not None  # noqa: S101 - it has helpers
    rows = range(0, len(known.pairs), max(1, len(known.pairs) // SAMPLE))
    chains = [tuple(int(n) for n in known.pairs.members[row]) for row in rows]
    modes = [mode_of(one) for one in known.misconceptions]
    about = (known.helpers, known.parameters, modes, known.calls)
    seen = [s for s in Composer(Author(exercise, sandbox), *about).outcomes(chains) if s]
    unexplained = [s for s in seen if not fitting(known, s, exercise.tolerance)]
    spent = [timed(_looking(exercise, known, one)) for one in unexplained]
    yield at_most("look-up of two mistakes, median", median(spent) * 1e3, "ms", 0.3)
    suspects = [(*chain, (chain[0] + 1) % len(modes)) for chain in chains[:TIMES]]
    spent = [timed(_proving(exercise, known, sandbox, one)) for one in suspects]
    yield at_most("proof of three suspected mistakes, median", median(spent) * 1e3, "ms", 30)


def _looking(
    exercise: Exercise, known: Expectations, seen: tuple[Outcome, ...]
) -> Callable[[], object]:
    return lambda: named_set(known, seen, exercise.tolerance)


def _proving(
    exercise: Exercise, known: Expectations, sandbox: LocalSandbox, chain: tuple[int, ...]
) -> Callable[[], object]:
    return lambda: proved(exercise, known, sandbox, [chain])


def _latency(exercise: Exercise, known: Expectations, sandbox: LocalSandbox) -> Iterator[Figure]:
    """From source to report, with the confirming draws and without, by turns."""
    bare = replace(known, confirming=())
    for name, source in (("right", exercise.files["reference.py"]), ("wrong", WRONG)):
        spent: dict[bool, list[float]] = {True: [], False: []}
        for turn in range(2 * TIMES):
            time.sleep(PAUSE_S)
            expectations = known if turn % 2 else bare
            spent[bool(turn % 2)].append(timed(_judging(exercise, expectations, sandbox, source)))
        ratio = median(spent[True]) / median(spent[False])
        note = f"{median(spent[True]) * 1e3:.1f} ms"
        yield at_most(f"report of a {name} one, draws : no draws", ratio, "×", 1.05, note)


def _judging(
    exercise: Exercise, known: Expectations, sandbox: LocalSandbox, source: bytes
) -> Callable[[], object]:
    return lambda: judge_submission(Jails.one(sandbox), exercise, known, source, lane=Lane.FAST)


def _small_inputs(
    exercise: Exercise, known: Expectations, sandbox: LocalSandbox
) -> Iterator[Figure]:
    """A second look at the reference, and the smallest input a wrong one is off on."""
    order = judge.order(
        exercise, known, exercise.files["reference.py"], telling_draws(exercise, known), Lane.SLOW
    )
    spent = [sandbox.run(order).cpu_ms for _ in range(TIMES // 4)]
    yield at_most("second look at the reference, CPU, median", median(spent), "ms", 15)

    def shown() -> None:
        draw = first_off(sandbox, exercise, known, WRONG, known.draws, Lane.AUTHOR)
        if draw is not None:
            judge_run(sandbox, exercise, known, WRONG, (with_report_words(draw),), lane=Lane.AUTHOR)

    spent = [timed(shown) for _ in range(TIMES // 4)]
    yield at_most("a small input where it goes wrong, median", median(spent) * 1e3, "ms", 150)


def _built(sandbox: LocalSandbox) -> Iterator[Figure]:
    """Pairs of all exercises, as a start builds them, and the disk that pairs and triples take."""
    make_known()
    exercises = most_work_first(load(path) for path in sorted((ROOT / "exercises").iterdir()))
    known = [expected(exercise, sandbox) for exercise in exercises]
    every = [_pairing(*about, sandbox) for about in zip(exercises, known, strict=True)]

    def build() -> None:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(lambda pairing: pairing(), every))

    yield at_most("pairs of all exercises, built", timed(build), "s", 20)
    rows = 0
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(Path(folder))
        for exercise, one in zip(exercises, known, strict=True):
            cache.save(one)
            found = triples(exercise, one, sandbox, lambda: None)
            rows += len(found)
            cache.save_triples(exercise.digest, found)
        size = sum(file.stat().st_size for file in Path(folder).glob("*.npy"))
    yield at_most("pairs and triples on disk", size / 2**20, "MiB", 40, f"{rows:,} triples")


def _pairing(
    exercise: Exercise, known: Expectations, sandbox: LocalSandbox
) -> Callable[[], object]:
    about = (Author(exercise, sandbox), known.helpers, known.parameters, known.misconceptions)

    def built() -> None:
        kept, *_ = pairs(*about, known.outcomes, known.calls)
        on_shown(*about, kept, known.confirming_draws)

    return built
