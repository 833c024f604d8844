"""Sentences for NumPy's shape errors: what the shapes are, and what keeps them apart."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

Shape = tuple[int, ...]


class Operand(NamedTuple):
    """One operand as it is written, and its shape where that is known."""

    text: str
    shape: Shape | None


class Clash(NamedTuple):
    """What a sentence is made of: the match in NumPy's message, and the operands."""

    match: re.Match[str]
    operands: list[Operand]


Words = Callable[[Clash], tuple[str, list[Shape]]]


def _shape(text: str) -> Shape:
    return tuple(int(n) for n in re.findall(r"\d+", text))


def _shapes(text: str) -> list[Shape]:
    """Shapes as NumPy prints them, "(2,3) (4,)"; of "(2,3)->(2,newaxis)" the first."""
    return [_shape(found) for found in re.findall(r"\(([\d,]*)\)(?:->\S*)?", text)]


def _named(operands: Sequence[Operand], shapes: Sequence[Shape]) -> str:
    """`q` has shape (2, 3), `k` has shape (4, 5)."""
    if len(operands) != len(shapes):
        return f"The shapes are {' and '.join(map(str, shapes))}."
    parts = [f"{one.text} has shape {shape}" for one, shape in zip(operands, shapes, strict=True)]
    return f"{', '.join(parts)}."


def _known(operands: Sequence[Operand]) -> list[Operand]:
    return [one for one in operands if one.shape is not None]


def _broadcasting(clash: Clash) -> tuple[str, list[Shape]]:
    shapes = _shapes(clash.match[1])
    named = _named(clash.operands, shapes)
    if len(shapes) != 2:
        return named, shapes
    left, right = shapes
    if "->" in clash.match[1]:
        return named, shapes
    for a, b in zip(reversed(left), reversed(right), strict=False):
        if a != b and 1 not in (a, b):
            named += f" From the right, sizes must be equal or 1; here {a} meets {b}."
            break
    longer, shorter = (left, right) if len(left) > len(right) else (right, left)
    if longer[:-1] == shorter:
        named += " A mean, max or sum with keepdims=True would keep the last axis as 1."
    return named, shapes


def _matmul(clash: Clash) -> tuple[str, list[Shape]]:
    known = _known(clash.operands)
    if len(clash.operands) != 2 or len(known) != 2:
        sizes = f"{clash.match[2]} and {clash.match[1]}"
        text = f"The last axis of the left must equal the second to last of the right: {sizes}."
        return text, [one.shape for one in known if one.shape is not None]
    left, right = (one.shape or () for one in known)
    inner = right[-2] if len(right) > 1 else right[0]
    named = _named(known, [left, right])
    named += f" The last axis of the left ({left[-1]}) must equal the second to last of the right"
    return f"{named} ({inner}).", [left, right]


def _no_axes(clash: Clash) -> tuple[str, list[Shape]]:
    """A product with a single number, or with the None of a helper that lacks its return."""
    number = int(clash.match[1])
    if number >= len(clash.operands):
        return "", []
    one = clash.operands[number]
    if one.shape == ():
        return f"{one.text} is a single number: * multiplies by it.", []
    why = "a single number, or None from a function without return"
    return f"{one.text} has no axes: it is {why}.", []


def _dot(clash: Clash) -> tuple[str, list[Shape]]:
    shapes = _shapes(clash.match[1])
    sizes = clash.match[2], clash.match[3]
    return f"{_named(clash.operands, shapes)} {sizes[0]} must equal {sizes[1]}.", shapes


def _reshape(clash: Clash) -> tuple[str, list[Shape]]:
    size, wanted = int(clash.match[1]), clash.match[2]
    # NumPy writes an axis it is to find out itself as "newaxis".
    asked = tuple(int(n) for n in re.findall(r"-?\d+", wanted.replace("newaxis", "-1")))
    known = _known(clash.operands[:1])
    shapes = [one.shape for one in known if one.shape is not None]
    start = f"{_named(known, shapes)} " if known else ""
    holds = math.prod(n for n in asked if n >= 0)
    if -1 in asked:
        return f"{start}Its {size} values do not divide by {holds}.", shapes
    return f"{start}It has {size} values; {asked} holds {holds}.", shapes


def _joining(clash: Clash) -> tuple[str, list[Shape]]:
    known = _known(clash.operands)
    shapes = [one.shape for one in known if one.shape is not None]
    if not shapes:
        return "", []
    return (
        f"{_named(known, shapes)} All axes but the one they are joined along must be equal.",
        shapes,
    )


def _one_array(
    sentence: Callable[[Shape, re.Match[str]], str],
) -> Callable[[Clash], tuple[str, list[Shape]]]:
    """Words for errors about one array, the first operand."""

    def words(clash: Clash) -> tuple[str, list[Shape]]:
        known = _known(clash.operands[:1])
        if not known or known[0].shape is None:
            return "", []
        shape = known[0].shape
        return f"{_named(known, [shape])} {sentence(shape, clash.match)}".rstrip(), [shape]

    return words


def _axes(shape: Shape, _match: re.Match[str]) -> str:
    if not shape:
        return "It has no axis."
    return f"Its axes are 0 to {len(shape) - 1}, or -{len(shape)} to -1."


def _permutation(shape: Shape, _match: re.Match[str]) -> str:
    return f"transpose needs each of its {len(shape)} axes once."


def _store(clash: Clash) -> tuple[str, list[Shape]]:
    shapes = [_shape(clash.match[1]), _shape(clash.match[2])]
    return f"The value has shape {shapes[0]}, the place it goes to {shapes[1]}.", shapes


def _in_place(clash: Clash) -> tuple[str, list[Shape]]:
    shapes = [_shape(clash.match[1]), _shape(clash.match[2])]
    text = f"The result has shape {shapes[1]} and does not fit in place into {shapes[0]}."
    return f"{text} Write x = x + y instead of x += y.", shapes


WORDS: tuple[tuple[re.Pattern[str], Words], ...] = tuple(
    (re.compile(pattern, re.S), words)
    for pattern, words in (
        (r"could not be broadcast together with (?:remapped )?shapes (.*)", _broadcasting),
        (r"shape mismatch: objects cannot be broadcast to a single shape(.*)", _broadcasting),
        (r"matmul: Input operand (\d) does not have enough dimensions", _no_axes),
        (r"matmul: .*\(size (\d+) is different from (\d+)\)", _matmul),
        (r"shapes (.*) not aligned: (\d+) \(dim \d+\) != (\d+)", _dot),
        (r"cannot reshape array of size (\d+) into shape (.*)", _reshape),
        (r"non-broadcastable output operand with shape (\S+) doesn't match the .* shape (\S+)",
         _in_place),
        (r"could not broadcast input array from shape (\S+) into shape (\S+)", _store),
        (r"all (?:the )?input array", _joining),
        (r"axis -?\d+ is out of bounds for array of dimension", _one_array(_axes)),
        (r"axes don't match array|repeated axis in transpose", _one_array(_permutation)),
        (r"too many indices for array|is out of bounds for axis", _one_array(lambda s, m: "")),
        (r"array split does not result in an equal division",
         _one_array(lambda s, m: "The axis does not divide into equal parts.")),
        (r"truth value of an array",
         _one_array(lambda s, m: "Use .any(), .all(), or compare one value.")),
    )
)  # fmt: skip
"""A pattern in NumPy's message, and what to say of it with the operands."""
