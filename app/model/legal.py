"""Which inputs an exercise allows, as its author wrote them down once, in `[legal]`."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Span:
    """Every whole number from `least` to `greatest`; draws go up to `drawn_to`, or all the way."""

    least: int
    greatest: int
    drawn_to: int | None = None

    @property
    def drawn(self) -> int:
        """The greatest number that draws have to reach."""
        return self.greatest if self.drawn_to is None else self.drawn_to


Option = str | int | float | bool | None
"""A value of an option; the words of WORDS stand for what TOML cannot write."""

LEFT_OUT, NONE, ARRAY, NUMBER = "left out", "None", "array", "number"
WORDS = (LEFT_OUT, NONE, ARRAY, NUMBER)


@dataclass(frozen=True)
class Legal:
    """What the statement allows.

    `sizes`: the names of [axes] and [sizes] with their spans. `ranks`: least and greatest number of
    axes of each argument whose axes begin with "...". `dtypes`: by argument; an array that is not
    named is float64 only. `options`: the values of each optional argument. `minus_infinity`: the
    arguments that may hold -inf. `relations`: what holds between sizes, as in
    "d_model % num_heads == 0". `largest`: no finite number is larger in size, None for no bound.
    """

    sizes: dict[str, Span] = field(default_factory=dict)
    ranks: dict[str, Span] = field(default_factory=dict)
    dtypes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    options: dict[str, tuple[Option, ...]] = field(default_factory=dict)
    minus_infinity: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    largest: float | None = None
