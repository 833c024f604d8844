"""The sentence that helps with an exception: the jail's own, and the exercise's names for its axes.

The jail knows the learner's variables and their shapes; which of their sizes is `d_model` is known
only here, from the case's arguments.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.grading.axes import labels, named_sizes
from app.grading.sentences.phrases import listed, shape
from app.model import Exercise, Parameter, Raised, Value

_MOST = 3


def advise(
    raised: Raised,
    exercise: Exercise,
    parameters: Sequence[Parameter],
    arguments: Sequence[Value] = (),
) -> str:
    """What helps with an exception raised by a call on `arguments`; "" where nothing is known.

    Shapes of `raised.facts` are named where each of their axes fits exactly one of the exercise's
    sizes. Without the arguments no axis has a name.
    """
    named = _named_shapes(raised, named_sizes(exercise, parameters, arguments))
    sentences = [raised.help] if raised.help else []
    if named:
        sentences.append(f"In this case {listed(named)}.")
    return " ".join(sentences)


def advise_call(raised: Raised, parameters: Sequence[Parameter], n_arguments: int) -> str:
    """What helps where the call itself fails, before a line of the function runs; else "".

    That is a function that takes other arguments than a test gives: one without a default that the
    exercise has, say, which only the tests that use it call so.
    """
    if raised.frames or raised.type != "TypeError" or "argument" not in raised.message:
        return ""
    names = [f"`{parameter.name}`" for parameter in parameters[:n_arguments]]
    return f"This test calls it with {listed(names)}, by position: take all of them."


def _named_shapes(raised: Raised, sizes: dict[str, int]) -> list[str]:
    """ "(7, 15) is (seq_len, d_model)" for each shape that can be named, each once."""
    found: dict[str, str] = {}
    for fact in raised.facts:
        names = labels(fact, sizes)
        if names and any(name != "1" for name in names):
            found[shape(fact)] = f"({', '.join(names)}{',' if len(names) == 1 else ''})"
    return [f"{written} is {names}" for written, names in list(found.items())[:_MOST]]
