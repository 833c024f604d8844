"""What the code does, as the page shows it: the shape trace as a table, the probe as cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.grading.sentences.phrases import shape

Json = Mapping[str, Any]

_AGAINST = {"equal": "equal", "differs": "differs"}
_COLOURS = 4


@dataclass(frozen=True)
class TraceRow:
    """One line of a trace: names, what they held, and how it stands against the reference."""

    line: int
    function: str
    names: str
    values: tuple[str, ...]
    axes: str
    dtype: str
    passes: int
    state: str
    against: str


@dataclass(frozen=True)
class TraceView:
    """The table of a trace; `message` tells the first difference, "" where none is certain."""

    case: str
    purpose: str
    rows: tuple[TraceRow, ...]
    cut: str
    raised: bool
    message: str
    first_difference: int | None


@dataclass(frozen=True)
class ProbeCell:
    """One labelled cell: its text and its classes; `gap` opens a head."""

    text: str
    classes: str
    moved: bool
    gap: bool


@dataclass(frozen=True)
class ProbeTable:
    """Cells as a table; `heads` are braces over the columns: a label and how many."""

    name: str
    caption: str
    heads: tuple[tuple[str, int], ...]
    rows: tuple[tuple[ProbeCell, ...], ...]


@dataclass(frozen=True)
class ProbeView:
    """The probe: what came of it in words, right and yours, and the last array still in place."""

    headline: str
    purpose: str
    message: str
    tables: tuple[ProbeTable, ...]
    earlier_line: int | None
    earlier: tuple[ProbeTable, ...]


def trace_view(trace: Json | None) -> TraceView | None:
    """The table of a report's trace."""
    if not trace:
        return None
    divergence = trace.get("divergence")
    return TraceView(
        case=str(trace["case"]),
        purpose=_sentence(str(trace["purpose"])),
        rows=tuple(_row(line) for line in trace["lines"]),
        cut=str(trace["cut"]),
        raised=trace["ended"] == "raised",
        message=str(divergence["message"]) if divergence else "",
        first_difference=trace.get("first_difference"),
    )


def _row(line: Json) -> TraceRow:
    first, last = line["first"], line["last"]
    values = [_values(first)]
    if line["passes"] > 1 and _values(last) != values[0]:
        values.append(_values(last))
    axes = [", ".join(one["axes"]) for one in first if one.get("axes")]
    dtypes = dict.fromkeys(str(one["dtype"] or one["type_name"]) for one in first)
    stage = f" to {line['stage']}" if line.get("stage") else ""
    state = str(line.get("state") or "")
    return TraceRow(
        line=int(line["line"]),
        function=str(line["function"]),
        names=", ".join(str(one["name"]) for one in first),
        values=tuple(values),
        axes="; ".join(dict.fromkeys(axes)),
        dtype=", ".join(dtypes),
        passes=int(line["passes"]),
        state=state,
        against=_AGAINST.get(state, "") + (stage if state == "equal" else ""),
    )


def _values(assigned: Sequence[Json]) -> str:
    """Shapes or values, once where all names have the same shape."""
    told = [
        shape(tuple(one["shape"]))
        if one["shape"] is not None
        else str(one["text"] or one["type_name"])
        for one in assigned
    ]
    same = len(set(told)) == 1 and assigned[0]["shape"] is not None
    return told[0] if same else ", ".join(told)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def probe_view(probe: Json | None) -> ProbeView | None:
    """The probe of a report."""
    if not probe:
        return None
    heads = probe.get("heads")
    earlier = probe.get("earlier")
    return ProbeView(
        headline=str(probe["headline"]),
        purpose=_sentence(str(probe["purpose"])),
        message=str(probe["message"]),
        tables=(
            _table("Right", "where each cell belongs", probe["right"], heads),
            _table("Yours", "dashed with a corner = moved", probe["yours"], heads),
        ),
        earlier_line=int(earlier["line"]) if earlier else None,
        earlier=tuple(
            _table(f"{earlier['name']}[{n}]", "", rows, None)
            for n, rows in enumerate(earlier["slices"])
        )
        if earlier
        else (),
    )


def _table(
    name: str, caption: str, rows: Sequence[Sequence[Json]], heads: int | None
) -> ProbeTable:
    columns = len(rows[0]) if rows else 0
    width = columns // heads if heads and columns % heads == 0 else 0
    made = tuple(
        tuple(_cell(cell, bool(width and at and at % width == 0)) for at, cell in enumerate(row))
        for row in rows
    )
    braces = tuple((f"head {n}", width) for n in range(columns // width)) if width else ()
    return ProbeTable(name, caption, braces, made)


def _cell(cell: Json, gap: bool) -> ProbeCell:
    token = cell["token"]
    colour = "tok-none" if token is None else f"tok-{int(token) % _COLOURS}"
    moved = bool(cell["moved"])
    return ProbeCell(str(cell["text"]), f"{colour} moved" if moved else colour, moved, gap)
