"""Draws: random legal inputs by the author's `draw(rng)`, with what the reference gives on them.

Draws are cases like the visible ones, but in no six: they prove the tests (`mlgrind check`),
look again at what was accepted, and give a learner a small input to hold. An exercise whose draws
have a fault is served without them; only its author hears of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

import numpy as np

from app.expectations.author_files import REFERENCE, Author, ended
from app.expectations.identical import identical
from app.expectations.plain_values import (
    ARGUMENTS,
    is_arguments,
    is_output,
    n_bytes,
    n_numbers,
    odd_part,
)
from app.model import Call, Cause, DrawFault, Execution, Expectations, Source, TestCase, Value
from app.model.bounds import DRAWS_CPU_S

INPUTS = "inputs.py"
DRAWS = 256
REPEATED = 32
"""So many draws are made twice, to see that the same number gives the same input."""
CONFIRMING = 4
CONFIRMED_NUMBERS = 600
"""An input and its output of more numbers would cost every submission too much."""

MOST_BYTES = 4 * 1024 * 1024
"""All draws of an exercise, inputs and outputs."""

_ADAPTER = "draws_inside.py"
_SMALLER = "Draw smaller arrays."


def draws(author: Author) -> tuple[tuple[TestCase, ...], tuple[DrawFault, ...]]:
    """The 256 draws from small to large, or what is wrong with them; nothing without inputs.py.

    Never raises for a fault of the author's: it is in the second part, and then there is no draw.
    """
    if INPUTS not in author.exercise.files:
        return (), ()
    before = len(author.errors)
    made = _draws(author)
    faults = tuple(DrawFault(e.file, e.key, e.message, e.line) for e in author.errors[before:])
    del author.errors[before:]
    return ((), faults) if faults else (made, ())


def order_source() -> Source:
    """The file that makes draws by number, to be loaded after inputs.py."""
    return Source(_ADAPTER, files(__package__).joinpath(_ADAPTER).read_bytes())


def _draws(author: Author) -> tuple[TestCase, ...]:
    own = author.functions(INPUTS)
    if author.errors:
        return ()
    if all(function.name != "draw" for function in own):
        author.complain(INPUTS, "draw", "is not there; inputs.py must define draw(rng).")
        return ()
    _made(author, _run(author, range(1)))  # what is wrong with all need not be made 256 times
    if author.errors:
        return ()
    executions = _run(author, range(DRAWS))
    made = _made(author, executions)
    if author.errors or _is_large(author, [one.value for one in executions]):
        return ()
    again = _run(author, range(REPEATED))
    if any(not identical(a.value, b.value) for a, b in zip(executions, again, strict=False)):
        message = "gives something else for the same random numbers. Take all randomness from rng."
        author.complain(INPUTS, "draw", message)
        return ()
    return _answered(author, made)


def _run(author: Author, numbers: range) -> tuple[Execution, ...]:
    calls = [Call("drawn", (number,)) for number in numbers]
    return author.run((INPUTS, order_source()), calls, DRAWS_CPU_S)


def _made(author: Author, executions: Sequence[Execution]) -> list[tuple[int, tuple[Value, ...]]]:
    arguments = [_arguments(author, number, one) for number, one in enumerate(executions)]
    return [(number, found) for number, found in enumerate(arguments) if found is not None]


def _arguments(author: Author, number: int, execution: Execution) -> tuple[Value, ...] | None:
    if author.errors:
        return None  # one complaint about draw is enough: the others would be the same
    if execution.ended != "returned":
        message = f"gives no arguments in draw {number}: {ended(execution)}."
        if execution.cause is Cause.SHARED:
            message = f"takes longer than {DRAWS_CPU_S:g} s for all draws. {_SMALLER}"
        author.complain(INPUTS, "draw", message, ran=execution)
        return None
    if not is_arguments(execution.value):
        author.complain(INPUTS, "draw", "must return the arguments as a tuple.")
        return None
    odd = odd_part(execution.value)
    if odd:
        author.complain(INPUTS, "draw", f"gives {odd} in draw {number}; {ARGUMENTS}")
    return execution.value if isinstance(execution.value, tuple) else None


def _answered(
    author: Author, made: Sequence[tuple[int, tuple[Value, ...]]]
) -> tuple[TestCase, ...]:
    entry_point = author.exercise.entry_point
    calls = [Call(entry_point, arguments) for _, arguments in made]
    answers = author.run((REFERENCE,), calls, DRAWS_CPU_S)
    for (number, _), answer in zip(made, answers, strict=False):
        message = _off(number, answer)
        if message:
            author.complain(INPUTS, "draw", message)
            return ()
    found = [
        case(number, arguments, answer.value)
        for (number, arguments), answer in zip(made, answers, strict=False)
    ]
    _is_large(author, [value for one in found for value in (one.arguments, one.expected)])
    return tuple(sorted(found, key=lambda one: n_numbers(one.arguments)))


def _off(number: int, answer: Execution) -> str:
    """What is off about a draw, by what the reference gives on it; "" where nothing is."""
    if answer.cause is Cause.SHARED:
        return f"the reference takes longer than {DRAWS_CPU_S:g} s on all draws. {_SMALLER}"
    if answer.ended != "returned":
        return f"draw {number} is no legal input: the reference ends in {ended(answer)}."
    if not is_output(answer.value):
        return f"draw {number} is no legal input: the reference gives no array, number or tuple."
    return ""


def _is_large(author: Author, values: Sequence[Value]) -> bool:
    """Whether all draws together are too large, which is told."""
    size = sum(map(n_bytes, values))
    if size > MOST_BYTES:
        message = (
            f"all {DRAWS} draws take {size / 2**20:.1f} MiB; with their outputs they may take"
            f" {MOST_BYTES // 2**20} MiB. {_SMALLER}"
        )
        author.complain(INPUTS, "draw", message)
    return size > MOST_BYTES


def confirming(made: Sequence[TestCase]) -> tuple[int, ...]:
    """Places of a few small draws, on which names of mistakes are confirmed.

    Half of them are of unlike sizes, half hold the largest numbers, where unlike programs differ.
    """
    small = [at for at, one in enumerate(made) if _weight(one) <= CONFIRMED_NUMBERS]
    half = CONFIRMING // 2
    step = max(1, len(small) // half)
    sizes = small[step - 1 :: step][:half]
    left = sorted(set(small) - set(sizes), key=lambda at: (-_largest(made[at].arguments), at))
    return (*sizes, *left[:half])


def _largest(value: Value) -> float:
    """The largest finite number of an input, by its size; 0.0 where it holds none."""
    if isinstance(value, tuple):
        return max(map(_largest, value), default=0.0)
    if isinstance(value, dict):
        return _largest(tuple(value.values()))
    if not isinstance(value, np.ndarray | int | float):
        return 0.0
    numbers = np.abs(np.asarray(value, np.float64))
    return float(np.max(numbers, where=np.isfinite(numbers), initial=0.0))


def _weight(one: TestCase) -> int:
    return n_numbers(one.arguments) + n_numbers(one.expected)


def case(number: int, arguments: tuple[Value, ...], expected: Value) -> TestCase:
    """A draw as a case that may be shown."""
    return TestCase(f"draw_{number}", "A random legal input.", True, arguments, expected)


def number_of(draw: TestCase) -> int:
    """The number a draw is repeated by."""
    return int(draw.name.removeprefix("draw_"))


def named(expectations: Expectations, number: int) -> TestCase | None:
    """The draw of a number, where there is one."""
    return next((d for d in expectations.draws if d.name == f"draw_{number}"), None)
