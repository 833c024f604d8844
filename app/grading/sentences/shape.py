"""A wrong shape in words: both shapes, the exercise's names for their axes, and what it looks like.

What is said of a shape is arithmetic on the two shapes and the case's sizes: it is always true of
the shapes, and where it is a guess about the cause it says "looks like".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from app.grading.axes import axis_name, labels
from app.grading.sentences.phrases import AXES, count, listed, shape
from app.model import AxisNames, Mismatch

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Shapes:
    """The two shapes of a mismatch with the sizes and names of its case."""

    got: Shape
    expected: Shape
    sizes: Mapping[str, int]
    names: AxisNames

    def named(self, axis: int) -> str:
        """How a message calls an axis of the expected shape: `d_model`, or "axis 1"."""
        name = axis_name(self.names, axis % len(self.expected), len(self.expected))
        return f"`{name}`" if name else f"axis {axis % len(self.expected)}"


def shapes_of(mismatch: Mismatch, sizes: Mapping[str, int], names: AxisNames) -> Shapes:
    """The shapes of a mismatch of kind "shape"."""
    return Shapes(mismatch.got_shape or (), mismatch.expected_shape or (), sizes, names)


def sentence(shapes: Shapes, subject: str = "The output") -> str:
    """ "The output has shape (3, 7, 5); it should be (7, 15)." """
    if len(shapes.got) > AXES:
        wanted = shape(shapes.expected)
        return f"{subject} has {len(shapes.got)} axes; its shape should be {wanted}."
    return f"{subject} has shape {shape(shapes.got)}; it should be {wanted_words(shapes.expected)}."


def wanted_words(expected: Shape) -> str:
    """ "(7, 15)", or "a single number" where there are no axes."""
    return shape(expected) if expected else "a single number"


def detail(shapes: Shapes) -> str:
    """ "Yours is (num_heads, seq_len, d_k), expected (seq_len, d_model)." or "" without names."""
    wanted = tuple(
        axis_name(shapes.names, axis, len(shapes.expected)) for axis in range(len(shapes.expected))
    )
    if not wanted or not all(wanted):
        return ""
    yours = labels(shapes.got, shapes.sizes)
    expected = _tuple(wanted)
    if yours is None or yours == wanted or not yours:
        return f"It should be {expected}."
    return f"Yours looks like {_tuple(yours)}; it should be {expected}."


def _tuple(names: Sequence[str]) -> str:
    return f"`({', '.join(names)}{',' if len(names) == 1 else ''})`"


def advice(shapes: Shapes) -> str:
    """What the two shapes have in common, and what to try; "" where nothing is known."""
    for look in _LOOKS:
        if said := look(shapes):
            return said
    return ""


def _scalar(s: Shapes) -> str:
    if s.got == ():
        return "All values were reduced to one number. A reduction without `axis` does that."
    return ""


def _single(s: Shapes) -> str:
    """A number is asked for, and an array came: of one value, or of many."""
    if s.expected != () or len(s.got) > AXES:
        return ""
    if prod(s.got) == 1:
        return "It is one number inside an array. Return the number itself."
    names = labels(s.got, s.sizes)
    it = "it" if len(s.got) == 1 else "them"
    of = f": {listed([f'`{name}`' for name in names])}" if names else ""
    axes = count(len(s.got), "axis", "axes")
    return f"It still has {axes}{of}. A last sum or mean over {it} is missing."


def _transposed(s: Shapes) -> str:
    if len(s.got) < 2 or s.got == s.expected:
        return ""
    if s.got == s.expected[::-1]:
        return "It is transposed: the axes are all there, in reverse order."
    if sorted(s.got) == sorted(s.expected):
        return "The axes are all there, in another order."
    return ""


def _extra_one(s: Shapes) -> str:
    if tuple(n for n in s.got if n != 1) != tuple(n for n in s.expected if n != 1):
        return ""
    extra = len(s.got) - len(s.expected)
    if extra == 0:
        return ""
    it = "it" if extra == 1 else "them"
    front, behind = s.got[extra:] == s.expected, s.got[: len(s.expected)] == s.expected
    if extra > 0 and front and not behind:
        return f"It has {_axes(extra)} of size 1 in front, as if for a batch. Drop {it}."
    if extra > 0 and behind and not front:
        return f"It has {_axes(extra)} of size 1 at the end. Drop {it}."
    if extra > 0:
        return f"It has {_axes(extra)} of size 1 too many. Drop {it}."
    return (
        "An axis of size 1 was dropped. `squeeze` and indexing with a number do that; "
        "the output keeps its axes whatever their sizes."
    )


def _axes(number: int) -> str:
    return "an extra axis" if number == 1 else count(number, "extra axis", "extra axes")


def _split_axis(s: Shapes) -> str:
    """One axis is still in two pieces: (H, n, d_k) or (n, H, d_k) for (n, H * d_k)."""
    if len(s.got) != len(s.expected) + 1 or prod(s.got) != prod(s.expected):
        return ""
    for axis, length in enumerate(s.expected):
        rest = s.expected[:axis] + s.expected[axis + 1 :]
        for first in range(len(s.got)):
            for second in range(first + 1, len(s.got)):
                left = tuple(n for i, n in enumerate(s.got) if i not in (first, second))
                if left == rest and s.got[first] * s.got[second] == length:
                    return _still_split(s, axis, first, second)
    return ""


def _still_split(s: Shapes, axis: int, first: int, second: int) -> str:
    pieces = labels((s.got[first], s.got[second]), s.sizes)
    words = f"{s.got[first]} and {s.got[second]}"
    if pieces is not None:
        words = f"`{pieces[0]}` and `{pieces[1]}`"
    joined = f"{s.named(axis)} is still split into {words}. They belong together in one axis"
    if second == first + 1 and first == axis:
        return f"{joined}: the last step that joins them is missing."
    return f"{joined}: first bring them side by side, then join them."


def _same_count(s: Shapes) -> str:
    if prod(s.got) == prod(s.expected) and prod(s.got) > 1:
        return (
            f"It holds {count(prod(s.got), 'value')} as expected, "
            "but they are arranged along other axes."
        )
    return ""


def _one_axis(s: Shapes) -> str:
    """All axes but one are right."""
    if len(s.got) != len(s.expected):
        return ""
    off = [i for i, (a, b) in enumerate(zip(s.got, s.expected, strict=True)) if a != b]
    if len(off) != 1:
        return ""
    axis = off[0]
    return _length(s, axis, s.got[axis], s.expected[axis])


def _length(s: Shapes, axis: int, got: int, expected: int) -> str:
    is_named = [name for name, value in s.sizes.items() if value == got]
    as_name = f", the size of `{is_named[0]}`" if len(is_named) == 1 else ""
    said = f"{_capital(s.named(axis))} should have length {expected}, but has {got}{as_name}."
    if got and expected and got % expected == 0 and got > expected:
        factor = got // expected
        name = [n for n, value in s.sizes.items() if value == factor]
        why = f", and `{name[0]}` is {factor}" if len(name) == 1 else ""
        return f"{said} That is {factor} times as long{why}."
    if got and expected % got == 0:
        return f"{said} That is one of {expected // got} equal pieces."
    return said


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _axis_count(s: Shapes) -> str:
    if len(s.got) == len(s.expected):
        off = sum(a != b for a, b in zip(s.got, s.expected, strict=True))
        return f"{off} of its {len(s.got)} axes have the wrong length."
    if len(s.got) > AXES:
        return ""
    more = "more" if len(s.got) > len(s.expected) else "fewer"
    return (
        f"It has {count(len(s.got), 'axis', 'axes')}, {more} than the {len(s.expected)} expected."
    )


_LOOKS: tuple[Callable[[Shapes], str], ...] = (
    _scalar,
    _single,
    _extra_one,
    _split_axis,
    _transposed,
    _same_count,
    _one_axis,
    _axis_count,
)
