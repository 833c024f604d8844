"""Sentences for errors about one array: its shape, its axes, its entries."""

from __future__ import annotations

import math
import re

from app.jail.explain.clash import SHORT, Clash, capital, known, shapes_of
from app.jail.explain.plain_words import PlainWords, Shape


def axes_of(shape: Shape) -> str:
    """ "0 to 2, or -3 to -1": what an axis of this shape may be called."""
    if len(shape) == 1:
        return "0, or -1"
    return f"0 to {len(shape) - 1}, or -{len(shape)} to -1"


def reshape(clash: Clash) -> PlainWords:
    """A shape that the values don't fill."""
    size, wanted = int(clash.match[1]), clash.match[2]
    # NumPy writes an axis it is to find out itself as "newaxis".
    asked = tuple(int(n) for n in re.findall(r"-?\d+", wanted.replace("newaxis", "-1")))
    named = known(clash.operands[:1])
    name = named[0].text if named and len(named[0].text) <= SHORT else "the array"
    inside = f" in shape {named[0].shape}" if named else ""
    holds = math.prod(n for n in asked if n >= 0)
    note = f"{name} has {size} values{inside}; {asked} holds {holds}."
    if -1 in asked:
        note = f"{name} has {size} values{inside}; which is not a multiple of {holds}."
    return PlainWords(f"{name} can't take the shape {asked}", capital(note), "", shapes_of(named))


def axis(clash: Clash) -> PlainWords:
    """An axis that the array does not have."""
    axis = clash.match[1]
    named = known(clash.operands[:1])
    if not named or not named[0].shape:
        number = int(clash.match[2])
        has = f"it has {number}" if number else "it is a single number"
        return PlainWords(f"the array has no axis {axis}", f"The array has no axis {axis}: {has}.")
    one, shape = named[0], named[0].shape
    note = f"{one.text} has shape {shape}: its axes are {axes_of(shape)}."
    return PlainWords(f"{one.text} has no axis {axis}", note, "", (shape,))


def permutation(clash: Clash) -> PlainWords:
    """A transpose that does not name every axis once."""
    named = known(clash.operands[:1])
    gist = "transpose needs every axis once"
    if not named or named[0].shape is None:
        return PlainWords(gist)
    one, shape = named[0], named[0].shape
    note = f"{one.text} has shape {shape}: transpose needs each of its {len(shape)} axes once."
    return PlainWords(gist, note, "", (shape,))


def indices(clash: Clash) -> PlainWords:
    """More indices than axes."""
    named = known(clash.operands[:1])
    name = named[0].text if named else "the array"
    of_shape = f", shape {named[0].shape}" if named else ""
    note = f"{clash.start}{clash.match[2]} indices for {clash.match[1]} axes{of_shape}."
    return PlainWords(f"{name} has only {_axes(clash.match[1])}", note, "", shapes_of(named))


def _axes(number: str) -> str:
    return "one axis" if number == "1" else f"{number} axes"


def place(clash: Clash) -> PlainWords:
    """An index past the end of its axis."""
    index, axis, size = clash.match[1], clash.match[2], int(clash.match[3])
    named = known(clash.operands[:1])
    name = named[0].text if named else "the array"
    there = f"entries 0 to {size - 1}" if size > 1 else "one entry, 0" if size else "no entries"
    note = f"{clash.start}axis {axis} of {name} has {there}."
    return PlainWords(f"there is no entry {index}", capital(note), "", shapes_of(named))


def mask(clash: Clash) -> PlainWords:
    """A mask of True and False whose length is another."""
    axis, size, other = clash.match[1], clash.match[2], clash.match[3]
    note = f"{clash.start}axis {axis} of the array has {size} entries, the mask {other}."
    return PlainWords(
        "the mask doesn't fit the array", capital(note), "", shapes_of(known(clash.operands[:1]))
    )


def split(clash: Clash) -> PlainWords:
    """A split into equal parts that leaves a rest."""
    named = known(clash.operands[:1])
    note = f"{named[0].text} has shape {named[0].shape}: " if named else ""
    note += "the axis can't be split into equal parts."
    return PlainWords(
        "the axis can't be split into equal parts", capital(note), "", shapes_of(named)
    )


def truth(clash: Clash) -> PlainWords:
    """An array where one True or False is needed."""
    named = known(clash.operands[:1])
    gist = "an array is neither true nor false as a whole"
    if not named:
        return PlainWords(gist, "", "Use .any(), .all(), or compare one value.")
    note = f"{named[0].text} has shape {named[0].shape}: it is neither true nor false as a whole."
    return PlainWords(gist, note, "Use .any(), .all(), or compare one value.", shapes_of(named))


def squeeze(clash: Clash) -> PlainWords:
    """An axis to be dropped that is longer than 1."""
    named = known(clash.operands[:1])
    note = (
        f"{named[0].text} has shape {named[0].shape}; only an axis of length 1 can go."
        if named
        else ""
    )
    return PlainWords("only an axis of length 1 can be squeezed out", note, "", shapes_of(named))
