"""A second look takes 64 draws that hold every corner of all: what is wrong on one only is seen."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from app.catalog import load
from app.expectations.draws import number_of
from app.grading.axes import named_sizes
from app.main import shipped_exercises
from app.model import Exercise, Expectations, Lane, TestCase
from app.ports import Sandbox
from app.sandbox.pool import LocalSandbox
from app.service.second_looks import KEPT_BETWEEN_CALLS, look_again
from app.service.telling_draws import telling_draws
from tests.fakes import FakeSandbox
from tests.known import expected

FOLDERS = sorted(folder for folder in shipped_exercises().iterdir() if folder.is_dir())


@pytest.fixture(scope="module")
def jail() -> Iterator[Sandbox]:
    sandbox = LocalSandbox()
    yield sandbox
    sandbox.close()


def known(folder: Path, jail: Sandbox) -> tuple[Exercise, Expectations]:
    exercise = load(folder)
    return exercise, expected(exercise, jail)


def sizes_of(exercise: Exercise, expectations: Expectations, draw: TestCase) -> dict[str, int]:
    return named_sizes(exercise, expectations.parameters, draw.arguments)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_at_most_64_from_small_to_large(folder: Path, jail: Sandbox) -> None:
    exercise, expectations = known(folder, jail)
    taken = telling_draws(exercise, expectations)
    places = [[draw.name for draw in expectations.draws].index(draw.name) for draw in taken]
    assert len(taken) == 64
    assert places == sorted(set(places))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_corner_of_the_sizes_is_taken(folder: Path, jail: Sandbox) -> None:
    exercise, expectations = known(folder, jail)

    def corners(draws: tuple[TestCase, ...]) -> set[object]:
        found: set[object] = set()
        for draw in draws:
            sizes = sorted(sizes_of(exercise, expectations, draw).items())
            found |= {(name, size) for name, size in sizes if size <= 32}
            for (one, n), (other, m) in combinations(sizes, 2):
                found |= {(one, other, n == 1, m == 1), (one, other, n < m, n == m)}
            found |= {("arguments", len(draw.arguments))}
        return found

    assert corners(telling_draws(exercise, expectations)) == corners(expectations.draws)


# Each is wrong on one legal corner only, and every fourth draw misses some of them.
ONE_CORNER = {
    "multi-head-attention-layer": [
        "len(x_kv) == 1 and len(x_q) > 1",
        "len(x_kv) == 1 and x_q.shape[1] > num_heads",
        "num_heads > 8",
    ],
    "multi-head-attention": ["num_heads == 9", "num_heads == 12", "num_heads > 8", "len(Q) == 1"],
    "kv-cache-step": ["num_heads == 8", "len(k_cache) == 0", "len(q) > len(k_cache) > 0"],
    "rotary-embedding": ["x.shape[-2:] == (1, 2)", "x.ndim == 4", "base == 10000.0"],
    "sinusoidal-positional-encoding": [
        "seq_len == 1 and d_model == 1",
        "seq_len > 5001",
        "seq_len == 13",
    ],
    "scaled-dot-product-attention": ["len(Q) > len(K)", "len(K) == 1", "Q.min() < -200"],
    "causal-attention": ["len(Q) > len(K)", "len(Q) == len(K) == 1", "Q.min() < -1e9"],
    "grouped-query-attention": ["num_q_heads == num_kv_heads == 3", "num_kv_heads == 1"],
    "online-softmax-attention": ["block_size > len(K)", "block_size == len(K)", "len(K) == 1"],
    "stable-softmax": ["x.ndim == 4", "x.size == 1", "axis == -4", "x.dtype.kind == 'i'"],
    "layer-norm-rms-norm": ["x.shape[-1] == 1", "x.ndim == 1", "kind == 'rms' and x.ndim == 4"],
    "feed-forward": ["x.ndim == 1", "x.shape[-1] == 1 and W_gate is not None", "not x.any()"],
    "transformer-block": ["len(x) == 1", "num_heads == 3", "eps == 0.5", "x.shape[1] == 1"],
}


@pytest.mark.parametrize(
    ("slug", "corner"), [(slug, one) for slug, every in ONE_CORNER.items() for one in every]
)
def test_what_is_wrong_on_one_corner_only_is_seen(slug: str, corner: str, jail: Sandbox) -> None:
    exercise, expectations = known(shipped_exercises() / slug, jail)
    source = _wrong_where(exercise, expectations, corner)
    seen = look_again(FakeSandbox(), exercise, expectations, source, Lane.AUTHOR)
    assert seen is not None
    assert any(number_of(draw) == seen.draw for draw in expectations.draws)


@pytest.mark.parametrize("call", [8, 20, 60])
def test_what_is_wrong_after_many_calls_in_one_process_is_seen(call: int, jail: Sandbox) -> None:
    exercise, expectations = known(shipped_exercises() / "scaled-dot-product-attention", jail)
    program = f"calls = []\n{_wrong_where(exercise, expectations, f'len(calls) > {call}').decode()}"
    source = program.replace("    if len(calls)", "    calls.append(1)\n    if len(calls)").encode()
    seen = look_again(FakeSandbox(), exercise, expectations, source, Lane.AUTHOR)
    assert seen is not None
    assert seen.draw is not None
    assert seen.test is not None
    assert KEPT_BETWEEN_CALLS in str(seen.test["message"])


def test_what_is_wrong_alone_as_well_says_nothing_of_other_calls(jail: Sandbox) -> None:
    exercise, expectations = known(shipped_exercises() / "scaled-dot-product-attention", jail)
    source = _wrong_where(exercise, expectations, "len(Q) > len(K)")
    seen = look_again(FakeSandbox(), exercise, expectations, source, Lane.AUTHOR)
    assert seen is not None
    assert seen.test is not None
    assert KEPT_BETWEEN_CALLS not in str(seen.test["message"])


def _wrong_where(exercise: Exercise, expectations: Expectations, corner: str) -> bytes:
    """The reference, but one more than it gives where a condition on the arguments holds."""
    entry = exercise.entry_point
    text = exercise.files["reference.py"].decode().replace(f"def {entry}(", "def right(")
    names = ", ".join(parameter.name for parameter in expectations.parameters)
    head = next(line for line in text.splitlines() if line.startswith("def right("))
    head = head.replace("def right(", f"def {entry}(")
    one_more = "tuple(part + 1 for part in given) if isinstance(given, tuple) else given + 1"
    return (
        f"{text}\n\n{head}\n    given = right({names})\n"
        f"    if {corner}:\n        return {one_more}\n    return given\n"
    ).encode()
