"""The probe says how a reshape read the cells of the last array that was still in place."""

from __future__ import annotations

from app.model import EarlierCells, LabelledCell, ProbeResult
from app.web.report.trace import probe_view


def _cell(token: int, column: int, moved: bool = False) -> LabelledCell:
    return LabelledCell(token, column, f"t{token}·c{column}", moved)


HEADS = (
    ((_cell(0, 0),), (_cell(1, 0),)),
    ((_cell(0, 1),), (_cell(1, 1),)),
)
RIGHT = ((_cell(0, 0), _cell(0, 1)), (_cell(1, 0), _cell(1, 1)))
MERGED = ((_cell(0, 0), _cell(1, 0, True)), (_cell(0, 1, True), _cell(1, 1)))


def _probe(yours: tuple[tuple[LabelledCell, ...], ...]) -> ProbeResult:
    earlier = EarlierCells(9, "heads", HEADS)
    return ProbeResult("a", "p", "h", "m", "moved", 2, 0, 4, None, RIGHT, yours, earlier=earlier)


def test_a_merge_by_a_reshape_alone_is_told_step_by_step() -> None:
    shown = probe_view(_probe(MERGED))
    assert shown is not None
    assert shown.reread == (
        "Then a reshape to (2, 2) reads these cells row after row, all of `heads[0]` first, and "
        "lays them down 2 to a row. That is how a row gets cells of several tokens."
    )


def test_nothing_is_said_where_no_reshape_made_it() -> None:
    shown = probe_view(_probe(RIGHT))
    assert shown is not None and shown.reread == ""
