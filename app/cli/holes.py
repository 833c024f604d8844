"""`mlgrind holes`: wrong code that the six tests accepted, found by a second look."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.common import Database, open_store, printable, settings_with

if TYPE_CHECKING:
    from app.records import Hole

EXAMPLE = "Example: mlgrind holes stable-softmax"


def holes(
    slugs: Annotated[
        list[str] | None,
        typer.Argument(help="Exercises; all there are unless given.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a hole.")] = False,
    database: Database = None,
) -> None:
    """List random inputs on which accepted code goes wrong: exercise, how many, and an example.

    Works beside a running server. `mlgrind check --from-holes` proves that they are closed.
    """

    store = open_store(settings_with(database=database))
    try:
        found = [hole for hole in store.looks.holes() if not slugs or hole.exercise in slugs]
    finally:
        store.close()
    for hole in found:
        print(json.dumps(_json(hole)) if as_json else printable(_text(hole)))
    if not found and not as_json:
        print("There are no known holes.")


def _json(hole: Hole) -> dict[str, object]:
    return {
        "exercise": hole.exercise,
        "digest": hole.digest,
        "draw": hole.draw,
        "found_at": hole.found_at.isoformat(),
        "submissions": hole.submissions,
        "source": None if hole.source is None else hole.source.decode("utf-8", "replace"),
    }


def _text(hole: Hole) -> str:
    """A hole for people: the numbers, the call that draws the input, and a source that falls in."""
    many = "1 submission" if hole.submissions == 1 else f"{hole.submissions} submissions"
    lines = [
        f"{hole.exercise}: draw {hole.draw}, {many} off on it, first on {hole.found_at:%d %b %Y}",
        f"  It is draw(np.random.default_rng([2026, {hole.draw}])) of inputs.py.",
    ]
    if hole.source is not None:
        text = hole.source.decode("utf-8", "replace")
        lines += ["  For example:", *(f"    {line}" for line in text.splitlines())]
    return "\n".join(lines)
