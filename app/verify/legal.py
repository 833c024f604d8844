"""Proof that the draws reach every corner of `[legal]`, and nothing outside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from app.expectations.draws import INPUTS, number_of
from app.grading.arithmetic import SizeExpressionError, holds
from app.grading.axes import ELLIPSIS, named_sizes
from app.model import Legal, Option, TestCase, Value
from app.model.legal import ARRAY, LEFT_OUT, NONE, NUMBER
from app.verify.proof import Complaint
from app.verify.trial import SETTINGS, Trial

LEAST_TIMES = 8
"""Each option is drawn at least so often."""


def reached(trial: Trial) -> Iterator[Complaint]:
    """What draws leave out of `[legal]`, and what they draw outside; nothing without both."""
    legal, draws = trial.exercise.legal, trial.expectations.draws
    if legal is None or not draws:
        return
    yield from _sizes(trial, legal)
    yield from _ranks(trial, legal)
    yield from _arrays(trial, legal)
    yield from _options(trial, legal)


def _draw(trial: Trial, message: str) -> Complaint:
    return trial.complaint(INPUTS, "draw", message)


# ------------------------------------------------------------------ sizes


def _sizes(trial: Trial, legal: Legal) -> Iterator[Complaint]:
    drawn = [(draw, _named(trial, draw)) for draw in trial.expectations.draws]
    for name, span in legal.sizes.items():
        own = {sizes[name] for _, sizes in drawn if name in sizes}
        if not own:
            message = f"names {name}, which is no size of [axes] or [sizes]."
            yield trial.complaint(SETTINGS, f"legal.sizes.{name}", message)
            continue
        if min(own) > span.least or max(own) < span.drawn:
            yield _draw(
                trial,
                f"draws {name} from {min(own)} to {max(own)}; [legal] says {span.least} to"
                f" {span.drawn}. Reach both ends.",
            )
        outside = [
            draw for draw, s in drawn if not span.least <= s.get(name, span.least) <= span.greatest
        ]
        if outside:
            yield _draw(trial, f"{_which(outside)} has a {name} that [legal] does not allow.")
    for relation in legal.relations:
        yield from _relation(trial, relation, drawn)


def _named(trial: Trial, draw: TestCase) -> Mapping[str, int]:
    return named_sizes(trial.exercise, trial.expectations.parameters, draw.arguments)


def _relation(
    trial: Trial, relation: str, drawn: Iterable[tuple[TestCase, Mapping[str, int]]]
) -> Iterator[Complaint]:
    try:
        against = [draw for draw, sizes in drawn if not holds(relation, sizes)]
    except SizeExpressionError as error:
        yield trial.complaint(SETTINGS, "legal.relations", f"{relation!r}: {error}.")
        return
    if against:
        yield _draw(trial, f"{_which(against)} breaks {relation} of [legal].")


def _which(draws: list[TestCase]) -> str:
    return f"Draw {number_of(draws[0])}"


# ------------------------------------------------------------------ arrays


def _ranks(trial: Trial, legal: Legal) -> Iterator[Complaint]:
    for name, span in legal.ranks.items():
        axes = trial.exercise.axes.get(name, ())
        if ELLIPSIS not in axes:
            message = f'names {name}, whose axes in [axes] do not begin with "...".'
            yield trial.complaint(SETTINGS, f"legal.ranks.{name}", message)
            continue
        own = {value.ndim for value in _values(trial, name) if isinstance(value, np.ndarray)}
        wanted = set(range(span.least, span.drawn + 1))
        if own != wanted:
            yield _draw(
                trial,
                f"draws {name} with {_listed(own)} axes; [legal] says {_listed(wanted)}.",
            )


def _values(trial: Trial, name: str) -> Iterator[Value]:
    """The values of one argument in all draws that give it."""
    names = [parameter.name for parameter in trial.expectations.parameters]
    for draw in trial.expectations.draws:
        if name in names and names.index(name) < len(draw.arguments):
            yield draw.arguments[names.index(name)]


def _arrays(trial: Trial, legal: Legal) -> Iterator[Complaint]:
    """Dtypes, infinities and the largest number, argument by argument."""
    for parameter in trial.expectations.parameters:
        arrays = [array for value in _values(trial, parameter.name) for array in _parts(value)]
        if arrays:
            yield from _dtypes(trial, parameter.name, legal, arrays)
            yield from _numbers(trial, parameter.name, legal, arrays)


def _parts(value: Value) -> Iterator[np.ndarray[tuple[int, ...], np.dtype[np.generic]]]:
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _parts(part)


def _dtypes(
    trial: Trial,
    name: str,
    legal: Legal,
    arrays: list[np.ndarray[tuple[int, ...], np.dtype[np.generic]]],
) -> Iterator[Complaint]:
    own = {array.dtype.name for array in arrays}
    wanted = set(legal.dtypes.get(name, ("float64",)))
    if own != wanted:
        yield _draw(
            trial,
            f"draws {name} as {_listed(own)}; [legal] says {_listed(wanted)}. Draw it so, or name "
            f"its dtypes in [legal].",
        )


def _numbers(
    trial: Trial,
    name: str,
    legal: Legal,
    arrays: list[np.ndarray[tuple[int, ...], np.dtype[np.generic]]],
) -> Iterator[Complaint]:
    floats = [array.astype(np.float64) for array in arrays]
    if any(np.isnan(array).any() or np.isposinf(array).any() for array in floats):
        yield _draw(trial, f"draws nan or inf in {name}, which no exercise allows.")
    below = any(np.isneginf(array).any() for array in floats)
    if below != (name in legal.minus_infinity):
        is_allowed = "allows it" if name in legal.minus_infinity else "does not allow it"
        yield _draw(
            trial, f"{'draws' if below else 'never draws'} -inf in {name}; [legal] {is_allowed}."
        )
    if legal.largest is not None:
        sizes = [np.abs(array[np.isfinite(array)]).max(initial=0.0) for array in floats]
        if max(sizes) > legal.largest:
            yield _draw(
                trial,
                f"draws {max(sizes):g} in {name}; the largest of [legal] is {legal.largest:g}.",
            )


def _listed(items: Iterable[object]) -> str:
    return ", ".join(map(str, sorted(items, key=str))) or "none"


# ------------------------------------------------------------------ options


def _options(trial: Trial, legal: Legal) -> Iterator[Complaint]:
    names = [parameter.name for parameter in trial.expectations.parameters]
    for name, wanted in legal.options.items():
        if name not in names:
            message = f"names {name}, which is no parameter of the entry point."
            yield trial.complaint(SETTINGS, f"legal.options.{name}", message)
            continue
        at = names.index(name)
        drawn = Counter(_option(draw.arguments, at, wanted) for draw in trial.expectations.draws)
        for value in wanted:
            if drawn[value] < LEAST_TIMES:
                yield _draw(
                    trial,
                    f"draws {name} = {value} {drawn[value]} times of {drawn.total()}; draw each"
                    f" option at least {LEAST_TIMES} times.",
                )
        outside = set(drawn) - set(wanted)
        if outside:
            yield _draw(trial, f"draws {name} = {_listed(outside)}, which [legal] does not list.")


def _option(arguments: tuple[Value, ...], at: int, wanted: tuple[Option, ...]) -> Option:
    """Which option a draw takes: a value that is listed as it is, else the word for its kind."""
    if at >= len(arguments):
        return LEFT_OUT
    value = arguments[at]
    if value is None:
        return NONE
    if isinstance(value, np.ndarray | dict | tuple):
        return ARRAY
    is_listed = any(type(value) is type(one) and value == one for one in wanted)
    return value if is_listed or isinstance(value, str) else NUMBER  # type: ignore[return-value]
