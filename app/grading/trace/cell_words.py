"""What a labelled probe shows, in words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Counts:
    """What became of the cells: "in_place", "scaled", "moved", "mixed" or "shape", and how many.

    Of the `mixed` ones, which hold no single labelled cell, `nan` are not finite and `unfilled` 0.
    """

    state: str
    moved: int
    mixed: int
    size: int
    nan: int = 0
    unfilled: int = 0


def words(
    counts: Counts, mine: tuple[int, ...], right: tuple[int, ...], factor: float | None
) -> tuple[str, str]:
    """What the picture shows, in a headline and a sentence or two."""
    if counts.state in ("in_place", "scaled"):
        times = "" if counts.state == "in_place" else f", times {factor:.3g}"
        return (
            f"Every cell is in its place{times}.",
            "So the layout is right; what is wrong is the numbers or their type.",
        )
    if counts.state == "shape":
        return (
            f"The output has {mine[0]} × {mine[1]} cells; a right one has {right[0]} × {right[1]}.",
            "The labels show which cells of which tokens it holds.",
        )
    of = f" of {counts.size} cells"
    blended = counts.mixed - counts.nan - counts.unfilled
    said = [
        (counts.moved, f"{counts.moved} of {counts.size} values ended up in the wrong place."),
        (counts.nan, f"{counts.nan}{of} are nan or inf."),
        (counts.unfilled, f"{counts.unfilled}{of} hold 0: they were never filled."),
        (blended, f"{blended}{of} mix several cells."),
    ]
    told = [sentence for number, sentence in said if number]
    return told[0], " ".join(told[1:])
