"""Whatever number the `draw` of a shipped exercise is asked for: legal, and the same again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.catalog import load
from app.expectations.author_files import Author
from app.expectations.draws import INPUTS, order_source
from app.expectations.identical import identical
from app.grading.arithmetic import holds
from app.grading.axes import named_sizes
from app.main import shipped_exercises
from app.model import Call, Exercise, Legal, Parameter, Value
from app.verify import Means
from tests.known import expected

SHIPPED = sorted(path.name for path in shipped_exercises().iterdir())
NUMBERS = st.lists(st.integers(0, 10**9 - 1), min_size=40, max_size=40, unique=True)
"""What a learner may ask for, many in one order of the jail."""


def drawn(author: Author, numbers: list[int]) -> list[tuple[Value, ...]]:
    """The arguments of each number's draw."""
    calls = [Call("drawn", (number,)) for number in numbers]
    executions = author.run((author.exercise.source(INPUTS), order_source()), calls)
    assert author.errors == []
    assert {execution.ended for execution in executions} == {"returned"}
    values = [execution.value for execution in executions]
    assert all(isinstance(value, tuple) for value in values)
    return [value for value in values if isinstance(value, tuple)]


def parts(value: Value) -> Iterator[np.ndarray]:
    """The arrays of an argument."""
    if isinstance(value, np.ndarray):
        yield value
    for part in value.values() if isinstance(value, dict) else ():
        yield from parts(part)


def is_option(value: Value, allowed: tuple[object, ...]) -> bool:
    """Whether [legal] lists an optional argument's value, or the word for its kind."""
    if value is None:
        return "None" in allowed
    if isinstance(value, np.ndarray | dict | tuple):
        return "array" in allowed
    return "number" in allowed or any(type(one) is type(value) and one == value for one in allowed)


def outside(legal: Legal, name: str, value: Value) -> Iterator[str]:
    """What of an argument [legal] does not allow."""
    if name in legal.ranks and isinstance(value, np.ndarray):
        span = legal.ranks[name]
        if not span.least <= value.ndim <= span.greatest:
            yield f"{name}: {value.ndim} axes"
    for array in parts(value):
        if array.dtype.name not in legal.dtypes.get(name, ("float64",)):
            yield f"{name}: {array.dtype}"
        numbers = array.astype(np.float64)
        if np.isnan(numbers).any() or np.isposinf(numbers).any():
            yield f"{name}: nan or inf"
        if np.isneginf(numbers).any() and name not in legal.minus_infinity:
            yield f"{name}: -inf"
        largest = np.abs(numbers[np.isfinite(numbers)]).max(initial=0.0)
        if legal.largest is not None and largest > legal.largest:
            yield f"{name}: {largest}"


def wrong_sizes(legal: Legal, sizes: Mapping[str, int]) -> Iterator[str]:
    """The sizes and relations that [legal] does not allow."""
    for name, span in legal.sizes.items():
        if not span.least <= sizes.get(name, span.least) <= span.greatest:
            yield f"{name} = {sizes[name]}"
    yield from (relation for relation in legal.relations if not holds(relation, sizes))


def illegal(
    exercise: Exercise, parameters: tuple[Parameter, ...], arguments: tuple[Value, ...]
) -> list[str]:
    """What of a draw [legal] does not allow."""
    legal = exercise.legal
    assert legal is not None
    found = list(wrong_sizes(legal, named_sizes(exercise, parameters, arguments)))
    for at, parameter in enumerate(parameters):
        allowed = legal.options.get(parameter.name)
        if at >= len(arguments):
            if allowed is not None and "left out" not in allowed:
                found.append(f"{parameter.name}: left out")
            continue
        found += outside(legal, parameter.name, arguments[at])
        if allowed is not None and not is_option(arguments[at], allowed):
            found.append(f"{parameter.name}: {arguments[at]!r}")
    return found


@pytest.mark.parametrize("slug", SHIPPED)
@settings(max_examples=2)
@given(numbers=NUMBERS)
def test_any_number_draws_a_legal_input_and_the_same_again(
    slug: str, numbers: list[int], means: Means
) -> None:
    exercise = load(shipped_exercises() / slug)
    parameters = expected(exercise, means.sandbox).parameters
    author = Author(exercise, means.sandbox)
    found, again = drawn(author, numbers), drawn(author, numbers[::-1])[::-1]
    for number, one, other in zip(numbers, found, again, strict=True):
        assert identical(one, other), f"draw {number} differs"
        assert illegal(exercise, parameters, one) == [], f"draw {number}"
    calls = [Call(exercise.entry_point, arguments) for arguments in found]
    answers = author.run((exercise.source("reference.py"),), calls)
    assert author.errors == []
    ended = [(n, a.ended) for n, a in zip(numbers, answers, strict=True) if a.ended != "returned"]
    assert ended == []


def test_what_legal_does_not_allow_is_seen(means: Means) -> None:
    """The test above can fail: each of these is one step outside of stable-softmax's [legal]."""
    exercise = load(shipped_exercises() / "stable-softmax")
    parameters = expected(exercise, means.sandbox).parameters
    wrong = {
        "nine axes": (np.zeros((1,) * 9), -1),
        "nan": (np.array([np.nan]), -1),
        "a dtype": (np.array([1.0], np.float16), -1),
        "no axis": (np.zeros(3), None),
    }
    assert [name for name in wrong if not illegal(exercise, parameters, wrong[name])] == []
    assert illegal(exercise, parameters, (np.zeros(3), -1)) == []
