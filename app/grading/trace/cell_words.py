"""What a labelled probe shows, in words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Counts:
    """What became of the cells: "in_place", "scaled", "moved", "mixed" or "shape", and how many."""

    state: str
    moved: int
    mixed: int
    size: int


def words(
    counts: Counts, mine: tuple[int, ...], right: tuple[int, ...], factor: float | None
) -> tuple[str, str]:
    """What the picture shows, in a headline and a sentence or two."""
    if counts.state in ("in_place", "scaled"):
        times = "" if counts.state == "in_place" else f", times {factor:.3g}"
        return (
            f"Every cell is in its place{times}.",
            "So the layout is right, and what is off is in the numbers: "
            "mistakes of scale or softmax move nothing.",
        )
    if counts.state == "shape":
        return (
            f"The output has {mine[0]} × {mine[1]} cells; a right one has {right[0]} × {right[1]}.",
            "The labels show which cells of which tokens it holds.",
        )
    told = []
    if counts.moved:
        told.append(f"{counts.moved} of {counts.size} cells end up in another place.")
    if counts.mixed:
        told.append(
            f"{counts.mixed} of {counts.size} cells hold no single cell: "
            "they mix several, or were never filled."
        )
    return told[0], " ".join(told[1:])
