"""Sentences for NumPy's shape errors: what the shapes are, and what keeps them apart."""

from __future__ import annotations

import re
from collections.abc import Sequence

from app.jail.explain import one_array
from app.jail.explain.clash import SHORT, Clash, Operand, Words, capital, known, shape_in, shapes_of
from app.jail.explain.plain_words import PlainWords, Shape


def _shapes(text: str) -> tuple[Shape, ...]:
    """Shapes as NumPy prints them, "(2,3) (4,)"; of "(2,3)->(2,newaxis)" the first."""
    return tuple(shape_in(found) for found in re.findall(r"\(([\d,]*)\)(?:->\S*)?", text))


def do_not_fit(operands: Sequence[Operand], shapes: Sequence[Shape] = ()) -> str:
    """ "the shapes of `q` and `k` don't fit", or the shapes themselves where names are long."""
    if len(operands) == 2 and all(len(one.text) <= SHORT for one in operands):
        return f"the shapes of {operands[0].text} and {operands[1].text} don't fit"
    if len(shapes) == 2:
        return f"{shapes[0]} and {shapes[1]} don't fit"
    return "the shapes don't fit"


def _broadcasting(clash: Clash) -> PlainWords:
    said, _, requested = clash.match[1].partition("and requested shape")
    shapes = _shapes(said)
    gist = do_not_fit(clash.operands, shapes)
    if len(shapes) == 1 and requested:
        wanted = shape_in(requested)
        gist = f"{shapes[0]} can't be broadcast to {wanted}"
        return PlainWords(gist, "", "", (shapes[0], wanted))
    if len(shapes) != 2:
        return PlainWords(gist, f"{clash.start}{_and(shapes)} don't fit together.", "", shapes)
    left, right = shapes
    if "->" in clash.match[1]:
        left, right = left[:-2], right[:-2]
    pairs = zip(reversed(left), reversed(right), strict=False)
    met = next(((a, b) for a, b in pairs if a != b and 1 not in (a, b)), None)
    why = f": {met[0]} and {met[1]} must be equal, or one of them 1" if met else ""
    stacked = "->" in clash.match[1]
    where = "before the last two axes" if stacked else "lined up at the right"
    note = f"{clash.start}{where}, {shapes[0]} and {shapes[1]} don't fit{why}."
    longer, shorter = (left, right) if len(left) > len(right) else (right, left)
    keeps = "With keepdims=True, a mean, max or sum keeps the last axis as 1."
    return PlainWords(gist, capital(note), keeps if longer[:-1] == shorter else "", shapes)


def _and(shapes: Sequence[Shape]) -> str:
    texts = [str(shape) for shape in shapes]
    return " and ".join([", ".join(texts[:-1]), texts[-1]]) if len(texts) > 1 else "".join(texts)


def _matmul(clash: Clash) -> PlainWords:
    named = known(clash.operands)
    rows, columns = clash.match[1], clash.match[2]
    if len(clash.operands) != 2 or len(named) != 2:
        note = (
            f"{clash.start}the left one's last axis has {columns} entries, the right one's second "
            f"to last {rows}; they must be equal."
        )
        return PlainWords("the shapes don't fit", capital(note), "", shapes_of(named))
    left, right = shapes_of(named)
    return _product(clash, left, right, right[-2] if len(right) > 1 else right[0])


def _product(clash: Clash, left: Shape, right: Shape, inner: int) -> PlainWords:
    note = (
        f"{clash.start}{left} can't be multiplied with {right}: {left[-1]} and {inner} must be "
        "equal."
    )
    swapped = len(right) > 1 and left[-1] == right[-1] and len(clash.operands) == 2
    tip = f"{clash.operands[1].text} would fit with its last two axes swapped." if swapped else ""
    return PlainWords(do_not_fit(clash.operands, (left, right)), note, tip, (left, right))


def _no_axes(clash: Clash) -> PlainWords:
    """A product with a single number, or with the None of a helper that lacks its return."""
    number = int(clash.match[1])
    if number >= len(clash.operands):
        return PlainWords("one side of the product has no axes")
    one = clash.operands[number]
    if one.shape == ():
        return PlainWords(f"{one.text} is a single number", "", "To multiply by it, write *.")
    why = "It is a single number, or None from a function without return."
    return PlainWords(f"{one.text} has no axes", "", why)


def _dot(clash: Clash) -> PlainWords:
    shapes = _shapes(clash.match[1])
    if len(shapes) != 2:
        return PlainWords("the shapes don't fit")
    return _product(clash, shapes[0], shapes[1], int(clash.match[3]))


def _joining(clash: Clash) -> PlainWords:
    named, match = known(clash.operands), clash.match
    shapes = shapes_of(named)
    gist = "the arrays can't be joined"
    listed = _and(shapes) if shapes else "their shapes"
    if match[0].startswith("all input arrays must have the same shape"):
        return PlainWords(
            "the arrays can't be stacked", f"{clash.start}{listed} must be equal.", "", shapes
        )
    numbers = [int(n) for n in re.findall(r"\d+", match[1])]
    if "dimension(s)" in match[1] and len(numbers) >= 4:
        note = f"{clash.start}one array has {numbers[1]} axes, another {numbers[3]}."
        return PlainWords(gist, capital(note), "", shapes)
    if len(numbers) < 5:
        return PlainWords(
            gist, f"{clash.start}{listed} can't be joined." if shapes else "", "", shapes
        )
    axis, sizes = numbers[0], (numbers[2], numbers[4])
    note = f"{clash.start}{listed} differ in axis {axis}: {sizes[0]} and {sizes[1]}."
    return PlainWords(gist, note, "Only the axis they are joined along may differ.", shapes)


def _store(clash: Clash) -> PlainWords:
    value, place = shape_in(clash.match[1]), shape_in(clash.match[2])
    note = f"The value has shape {value}, but its place has {place}."
    return PlainWords(f"{value} doesn't fit into {place}", note, "", (value, place))


def _in_place(clash: Clash) -> PlainWords:
    shapes = shape_in(clash.match[1]), shape_in(clash.match[2])
    note = f"The result has shape {shapes[1]} and doesn't fit in place into {shapes[0]}."
    gist = f"{shapes[1]} doesn't fit into {shapes[0]}"
    return PlainWords(gist, note, "Write x = x + y instead of x += y.", shapes)


WORDS: tuple[tuple[re.Pattern[str], Words], ...] = tuple(
    (re.compile(pattern, re.S), words)
    for pattern, words in (
        (r"could not be broadcast together with (?:remapped )?shapes (.*)", _broadcasting),
        (r"shape mismatch: objects cannot be broadcast to a single shape(.*)", _broadcasting),
        (r"shape mismatch: value array of shape (\S+?) could not be broadcast to indexing result "
         r"of shape (\S+)", _store),
        (r"matmul: Input operand (\d) does not have enough dimensions", _no_axes),
        (r"matmul: .*\(size (\d+) is different from (\d+)\)", _matmul),
        (r"shapes (.*) not aligned: (\d+) \(dim \d+\) != (\d+)", _dot),
        (r"cannot reshape array of size (\d+) into shape (.*)", one_array.reshape),
        (r"non-broadcastable output operand with shape (\S+) doesn't match the .* shape (\S+)",
         _in_place),
        (r"could not broadcast input array from shape (\S+) into shape (\S+)", _store),
        (r"all (?:the )?input array(.*)", _joining),
        (r"axis (-?\d+) is out of bounds for array of dimension (\d+)", one_array.axis),
        (r"axes don't match array|repeated axis in transpose", one_array.permutation),
        (r"too many indices for array: array is (\d+)-dimensional, but (\d+) were indexed",
         one_array.indices),
        (r"index (-?\d+) is out of bounds for axis (\d+) with size (\d+)", one_array.place),
        (r"boolean index did not match indexed array along axis (\d+); size of axis is (\d+) but "
         r"size of corresponding boolean axis is (\d+)", one_array.mask),
        (r"array split does not result in an equal division", one_array.split),
        (r"truth value of an array", one_array.truth),
        (r"cannot select an axis to squeeze out", one_array.squeeze),
    )
)  # fmt: skip
"""A pattern in NumPy's message, and what to say of it with the operands."""
