"""What the code does, as the page shows it: the shape trace as a table, the probe as cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.grading.sentences.phrases import shape
from app.model import (
    CellRows,
    EarlierCells,
    LabelledCell,
    NamedShape,
    ProbeResult,
    ShapeLine,
    ShapeTrace,
)

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
    """The table of a trace; `message` tells the first difference, "" where it is told already.

    `case` is the name of the case, `title` what it is called in words.
    """

    case: str
    title: str
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
    reread: str = ""


def trace_view(
    trace: ShapeTrace | None, titles: Mapping[str, str], headline: str
) -> TraceView | None:
    """The table of a report's trace; `titles` name the cases, `headline` is not said again."""
    if trace is None:
        return None
    message = "" if trace.divergence is None else trace.divergence.message
    if message.startswith(headline):
        message = ""
    return TraceView(
        case=trace.case,
        title=titles.get(trace.case) or _sentence(trace.purpose),
        rows=tuple(_row(line) for line in trace.lines),
        cut=trace.cut,
        raised=trace.ended == "raised",
        message=message,
        first_difference=trace.first_difference,
    )


def _row(line: ShapeLine) -> TraceRow:
    values = [_values(line.first)]
    if line.passes > 1 and _values(line.last) != values[0]:
        values.append(_values(line.last))
    axes = [", ".join(one.axes) for one in line.first if one.axes]
    stage = f" to {line.stage}" if line.stage else ""
    state = line.state or ""
    return TraceRow(
        line=line.line,
        function=line.function,
        names=", ".join(one.name for one in line.first),
        values=tuple(values),
        axes="; ".join(dict.fromkeys(axes)),
        dtype=", ".join(dict.fromkeys(one.dtype or one.type_name for one in line.first)),
        passes=line.passes,
        state=state,
        against=_AGAINST.get(state, "") + (stage if state == "equal" else ""),
    )


def _values(held: Sequence[NamedShape]) -> str:
    """Shapes or values, once where all names have the same shape."""
    words = [
        shape(one.shape) if one.shape is not None else one.text or one.type_name for one in held
    ]
    same = len(set(words)) == 1 and held[0].shape is not None
    return words[0] if same else ", ".join(words)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def probe_view(probe: ProbeResult | None) -> ProbeView | None:
    """The probe of a report."""
    if probe is None:
        return None
    return ProbeView(
        headline=probe.headline,
        purpose=_sentence(probe.purpose),
        message=probe.message,
        tables=(
            _table("Right", "where each cell belongs", probe.right, probe.heads),
            _table("Yours", "dashed = moved", probe.yours, probe.heads),
        ),
        earlier_line=None if probe.earlier is None else probe.earlier.line,
        earlier=() if probe.earlier is None else _slices(probe.earlier),
        reread="" if probe.earlier is None else _reread(probe.earlier, probe.yours),
    )


def _reread(earlier: EarlierCells, yours: CellRows) -> str:
    """How a reshape made the output of the earlier array's cells; "" where it did not.

    "Then a reshape to (4, 6) reads these cells row after row, all of `heads[0]` first, and lays
    them down 6 to a row. That is how a row gets cells of several tokens."
    """
    before = [cell.text for rows in earlier.slices for row in rows for cell in row]
    if not yours or before != [cell.text for row in yours for cell in row]:
        return ""
    tokens = any(len({cell.token for cell in row}) > 1 for row in yours)
    result = " That is how a row gets cells of several tokens." if tokens else ""
    return (
        f"Then a reshape to ({len(yours)}, {len(yours[0])}) reads these cells row after row, "
        f"all of `{earlier.name}[0]` first, and lays them down {len(yours[0])} to a row.{result}"
    )


def _slices(earlier: EarlierCells) -> tuple[ProbeTable, ...]:
    return tuple(
        _table(f"{earlier.name}[{n}]", "", rows, None) for n, rows in enumerate(earlier.slices)
    )


def _table(name: str, caption: str, rows: CellRows, heads: int | None) -> ProbeTable:
    columns = len(rows[0]) if rows else 0
    width = columns // heads if heads and columns % heads == 0 else 0
    made = tuple(
        tuple(_cell(cell, bool(width and at and at % width == 0)) for at, cell in enumerate(row))
        for row in rows
    )
    braces = tuple((f"head {n}", width) for n in range(columns // width)) if width else ()
    return ProbeTable(name, caption, braces, made)


def _cell(cell: LabelledCell, gap: bool) -> ProbeCell:
    colour = "tok-none" if cell.token is None else f"tok-{cell.token % _COLOURS}"
    return ProbeCell(cell.text, f"{colour} moved" if cell.moved else colour, cell.moved, gap)
