"""Over HTTP: wrong ones beside a server without sets, right ones beside one without looks."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from app.catalog import load
from app.expectations import Cache
from app.sandbox.pool import LocalSandbox
from bench.figures import Figure, at_least, at_most, median, timed
from bench.serving import ROOT, SERVE, SLUG, Learner, Server, serving
from bench.web import LEARNERS, PAUSE_S, ROUND_S, ROUNDS, at_once
from tests.known import BY_THE_JAIL, expected, with_triples

TIMES = 60
ONE = """
import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    n, d = Q.shape
    q, k, v = (a.reshape(n, num_heads, -1).transpose(1, 0, 2) for a in (Q, K, V))
    s = q @ k.transpose(0, 2, 1) / np.sqrt(d)
    e = np.exp(s - s.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(n, d)
"""
WRONG = {
    "one mistake": ONE,
    "two mistakes": ONE.replace("(-1, k", "(1, k"),
    "what nothing explains": ONE.replace("(d)", "(d + 0.37)"),
}


def figures() -> Iterator[Figure]:
    """Each kind of wrong one, by turns on a server with sets of two and three, and without."""
    with tempfile.TemporaryDirectory(prefix="mlgrind-bench-") as made:
        _prepare(Path(made) / "bare", Path(made) / "once")
        yield from _wrong_ones(Path(made))
        yield from _right_ones(Path(made))


def _wrong_ones(folder: Path) -> Iterator[Figure]:
    with contextlib.ExitStack() as stack:
        servers = {
            True: stack.enter_context(serving(folder / "with", SERVE, cache=BY_THE_JAIL)),
            False: stack.enter_context(serving(folder / "without", SERVE, cache=folder / "bare")),
        }
        learners = {sets: Learner(server.port) for sets, server in servers.items()}
        for name, source in WRONG.items():
            yield _compared(learners, name, source)


def _right_ones(folder: Path) -> Iterator[Figure]:
    with contextlib.ExitStack() as stack:
        servers = {
            True: stack.enter_context(serving(folder / "looks", SERVE, cache=BY_THE_JAIL)),
            False: stack.enter_context(serving(folder / "no-looks", SERVE, cache=folder / "once")),
        }
        yield _throughput(servers)


def _prepare(bare: Path, once: Path) -> None:
    """What is known of every exercise: kept with all, without sets, and without draws."""
    sandbox = LocalSandbox()
    try:
        for folder in sorted((ROOT / "exercises").glob("*/exercise.toml")):
            exercise = load(folder.parent)
            known = expected(exercise, sandbox)
            without = replace(known, pairs=None, shown=None, pairs_on_draws=None, triples=None)
            Cache(bare).save(without)
            Cache(once).save(replace(known, draws=(), confirming=(), pairs_on_draws=None))
            if exercise.slug == SLUG:
                with_triples(exercise, sandbox)
    finally:
        sandbox.close()


def _compared(learners: dict[bool, Learner], name: str, source: str) -> Figure:
    spent: dict[bool, list[float]] = {True: [], False: []}
    for turn in range(2 * TIMES + 8):
        time.sleep(PAUSE_S)
        learner = learners[bool(turn % 2)]
        took = timed(lambda: _wrong(learner, source))  # noqa: B023 - called at once
        if turn >= 8:
            spent[bool(turn % 2)].append(took)
    ratio = median(spent[True]) / median(spent[False])
    note = f"{median(spent[True]) * 1e3:.1f} ms"
    return at_most(f"report of {name} over HTTP, sets : no sets", ratio, "×", 1.1, note)


def _throughput(servers: dict[bool, Server]) -> Figure:
    """Four learners at once, by turns on a server with second looks and on one without."""
    rates: dict[bool, list[float]] = {True: [], False: []}
    learners = {
        looks: [Learner(server.port) for _ in range(LEARNERS)] for looks, server in servers.items()
    }
    for some in learners.values():
        at_once([learner.accepted for learner in some])
    for turn in range(4 * ROUNDS):
        looks = bool(turn % 2)
        spent = at_once([learner.accepted for learner in learners[looks]])
        rates[looks].append(len(spent) / ROUND_S)
        time.sleep(ROUND_S)  # what was put off is done now, and not beside the other server
    ratio = median(rates[True]) / median(rates[False])
    note = f"{median(rates[True]):.0f}/s"
    return at_least("four at once, second looks : none", ratio, "×", 0.95, note)


def _wrong(learner: Learner, source: str) -> None:
    if (verdict := learner.submit(source)) != "wrong_answer":
        raise RuntimeError(f"a wrong program came to {verdict}")
