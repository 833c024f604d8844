"""Over HTTP: what sets and draws cost wrong ones, and what second looks cost right ones."""

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
    """Each kind of wrong one, by turns on a server with all that is known, and on one without."""
    with tempfile.TemporaryDirectory(prefix="mlgrind-bench-") as made:
        _prepare(Path(made) / "bare", Path(made) / "once")
        yield from _wrong_ones(Path(made), "bare", "sets : no sets", 1.1)
        yield from _wrong_ones(Path(made), "once", "draws : none", 1.05)
        yield from _right_ones(Path(made))


def _wrong_ones(folder: Path, less: str, what: str, most: float) -> Iterator[Figure]:
    with contextlib.ExitStack() as stack:
        servers = {
            True: stack.enter_context(serving(folder / less / "with", SERVE, cache=BY_THE_JAIL)),
            False: stack.enter_context(serving(folder / less / "not", SERVE, cache=folder / less)),
        }
        learners = {whole: Learner(server.port) for whole, server in servers.items()}
        for name, source in WRONG.items():
            ratio, note = _compared(learners, source)
            yield at_most(f"report of {name} over HTTP, {what}", ratio, "×", most, note)


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


def _compared(learners: dict[bool, Learner], source: str) -> tuple[float, str]:
    spent: dict[bool, list[float]] = {True: [], False: []}
    for turn in range(2 * TIMES + 8):
        time.sleep(PAUSE_S)
        learner = learners[bool(turn % 2)]
        took = timed(lambda: _wrong(learner, source))  # noqa: B023 - called at once
        if turn >= 8:
            spent[bool(turn % 2)].append(took)
    ratio = median(spent[True]) / median(spent[False])
    return ratio, f"{median(spent[True]) * 1e3:.1f} ms"


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
