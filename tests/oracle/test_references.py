"""Every reference gives what torch, ONNX and others give, in plain Python and in the jail."""

from __future__ import annotations

import runpy
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.main import shipped_exercises
from app.model import Array, Call, Lane, Limits, Order, Source, Value
from app.ports import Sandbox
from app.sandbox.pool import LocalSandbox
from tests.oracle.pairs import Pair, distance, read, slugs

PAIRS = {slug: read(slug) for slug in slugs()}
ROOMY = Limits(cpu_s=20.0, budget_cpu_s=60.0, budget_wall_s=100.0, result_bytes=32 * 1024 * 1024)


def reference_of(slug: str) -> Path:
    return shipped_exercises() / slug / "reference.py"


def entry_point(slug: str) -> str:
    settings = (shipped_exercises() / slug / "exercise.toml").read_text("utf-8")
    return str(tomllib.loads(settings)["entry_point"])


def parameters(slug: str) -> list[str]:
    function = runpy.run_path(str(reference_of(slug)))[entry_point(slug)]
    return list(function.__code__.co_varnames[: function.__code__.co_argcount])


def parts(value: Value) -> tuple[Array, ...]:
    """The arrays of an output, which is one or a tuple of them."""
    return tuple(np.asarray(part) for part in (value if isinstance(value, tuple) else (value,)))


def off(found: tuple[Array, ...], expected: tuple[Array, ...], tolerance: float) -> str:
    """In words how far an output is from what it should be; "" where it is near enough."""
    if [part.shape for part in found] != [part.shape for part in expected]:
        return f"shapes {[p.shape for p in found]} for {[p.shape for p in expected]}"
    apart = max(distance(a, b) for a, b in zip(found, expected, strict=True))
    return "" if apart <= tolerance else f"{apart:.1e} apart, {tolerance:.1e} allowed"


def complaints(pair: Pair, found: tuple[Array, ...]) -> Iterator[str]:
    """What an output is off of: torch's numbers, and those of every other software by its error."""
    if said := off(found, pair.expected, pair.tolerance):
        yield f"{pair.name}: {said}"
    for other in pair.others:
        if said := off(found, other.outputs, pair.tolerance + 1.01 * other.distance):
            yield f"{pair.name}, {other.software}: {said}"


@pytest.fixture(scope="module")
def jail() -> Iterator[Sandbox]:
    sandbox = LocalSandbox(spares=1)
    yield sandbox
    sandbox.close()


@pytest.mark.parametrize("slug", slugs())
def test_a_reference_agrees_with_every_software(slug: str) -> None:
    function: Callable[..., Any] = runpy.run_path(str(reference_of(slug)))[entry_point(slug)]
    said = [
        line for pair in PAIRS[slug] for line in complaints(pair, parts(function(**pair.arguments)))
    ]
    assert said == []


@pytest.mark.parametrize("slug", slugs())
def test_a_reference_gives_the_same_inside_the_jail(slug: str, jail: Sandbox) -> None:
    names, called = parameters(slug), entry_point(slug)
    calls = []
    for pair in PAIRS[slug]:
        assert set(pair.arguments) <= set(names)
        given = [name for name in names if name in pair.arguments]
        assert given == names[: len(given)]
        calls.append(Call(called, tuple(pair.arguments[name] for name in given)))
    source = Source("reference.py", reference_of(slug).read_bytes())
    ran = jail.run(Order((source,), tuple(calls), ROOMY, Lane.AUTHOR))
    assert [execution.ended for execution in ran.executions] == ["returned"] * len(calls)
    said = [
        line
        for pair, execution in zip(PAIRS[slug], ran.executions, strict=True)
        for line in complaints(pair, parts(execution.value))
    ]
    assert said == []


def test_every_exercise_has_pairs_and_every_pair_another_mind() -> None:
    assert slugs() == sorted(f.name for f in shipped_exercises().iterdir() if f.is_dir())
    assert sum(len(pairs) for pairs in PAIRS.values()) >= 190
    assert all(pair.expected for pairs in PAIRS.values() for pair in pairs)


@pytest.mark.parametrize("slug", slugs())
def test_a_reference_that_is_off_a_little_is_seen(slug: str) -> None:
    for pair in PAIRS[slug]:
        step = 4 * pair.tolerance
        rights = [part.astype(np.float64) for part in pair.expected]
        nudged = tuple(part + step * np.maximum(1.0, np.abs(part)) for part in rights)
        assert any(complaints(pair, nudged))
