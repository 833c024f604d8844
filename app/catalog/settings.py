"""exercise.toml as the fields of an `Exercise`; design.md section 4 says what each key means."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from app.catalog.errors import ExerciseError
from app.catalog.legal import legal
from app.catalog.table import FILE, Table
from app.model import (
    Axes,
    AxisNames,
    EquivalentMutant,
    ExampleText,
    FollowUp,
    Heads,
    Limits,
    NumberClaim,
    Probe,
    Slug,
    SourceNote,
    Tolerance,
)

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_AXIS = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_ +*/().-]*|\.\.\.")
_EXPRESSION = re.compile(r"[A-Za-z0-9_ +*/()-]{1,200}")
_MIB = 1024 * 1024
_TOML_LINE = re.compile(r"\(at line (\d+), column \d+\)")
"""How `tomllib` says where it is; it has no field for it before Python 3.14."""


def parse(text: bytes) -> tuple[Mapping[str, object], list[ExerciseError]]:
    """The file as TOML; an empty mapping and one complaint where it is none."""
    try:
        return tomllib.loads(text.decode("utf-8")), []
    except UnicodeDecodeError as error:
        return {}, [
            ExerciseError(FILE, "", f"is not UTF-8 (byte {error.start}). Save it as UTF-8.")
        ]
    except tomllib.TOMLDecodeError as error:
        at = _TOML_LINE.search(str(error))
        line = int(at[1]) if at else None
        return {}, [ExerciseError(FILE, "", f"is not TOML: {error}.", line, line_told=True)]


def fields(entries: Mapping[str, object], errors: list[ExerciseError]) -> dict[str, Any]:
    """Keyword arguments of `Exercise` from the table; complaints go to `errors`."""
    top = Table(entries, errors)
    found: dict[str, Any] = {
        "title": top.text("title"),
        "section": top.text("section"),
        "order": top.whole("order", least=1),
        "after": tuple(map(Slug, top.texts("after", ()))),
        "difficulty": top.text("difficulty", choices=("easy", "medium", "hard")),
        "summary": top.text("summary"),
        "entry_point": top.text("entry_point"),
        "visible": top.texts("visible"),
        "trace": top.text("trace"),
        "arguments_unchanged": top.flag("arguments_unchanged", True),
        "axes": _axes(top),
        "sizes": _sizes(top),
        "stage_axes": _stage_axes(top),
        "heads": _heads(top),
        "probe": _probe(top),
        "tolerance": _tolerance(top),
        "limits": _limits(top),
        "examples": _examples(top),
        "follow_ups": tuple(_follow_up(table) for table in top.tables("follow_up")),
        "sources": tuple(_source(table) for table in top.tables("source")),
        "numbers": tuple(_number(table) for table in top.tables("number")),
        "legal": legal(top.raw("legal"), top.complain),
        "equivalent_mutants": tuple(_mutant(table) for table in top.tables("equivalent_mutant")),
    }
    if found["entry_point"] and not _IDENTIFIER.fullmatch(found["entry_point"]):
        top.complain("entry_point", "must be the name of a Python function.")
    top.done()
    return found


# ------------------------------------------------------------------ axes and sizes


def _axes(top: Table) -> Axes:
    table = top.table("axes")
    if table is None:
        return {}
    axes: Axes = {}
    for name in table.entries:
        value = table.raw(name)
        read = _axis_value(value)
        if read is None:
            table.complain(name, 'must be a list of axis names, as in ["seq_len", "d_model"].')
        else:
            axes[name] = read
    return axes


def _axis_value(
    value: object,
) -> AxisNames | tuple[AxisNames, ...] | dict[str, AxisNames] | None:
    if isinstance(value, dict):
        read = {key: _names(names) for key, names in value.items()}
        known = {key: names for key, names in read.items() if names is not None}
        return known if len(known) == len(read) else None
    if isinstance(value, list) and value and all(isinstance(v, list) for v in value):
        parts = [_names(part) for part in value]
        whole = tuple(part for part in parts if part is not None)
        return whole if len(whole) == len(parts) else None
    return _names(value)


def _names(value: object) -> AxisNames | None:
    if not isinstance(value, list):
        return None
    names = tuple(v for v in value if isinstance(v, str) and _AXIS.fullmatch(v))
    return names if len(names) == len(value) else None


def _sizes(top: Table) -> dict[str, str]:
    table = top.table("sizes")
    if table is None:
        return {}
    sizes = {}
    for name in table.entries:
        expression = table.text(name)
        if not _EXPRESSION.fullmatch(expression):
            table.complain(name, "may hold names, whole numbers, + - * // and brackets only.")
        else:
            sizes[name] = expression
    return sizes


def _stage_axes(top: Table) -> dict[str, AxisNames]:
    table = top.table("stage_axes")
    return {} if table is None else {name: table.texts(name) for name in table.entries}


def _probe(top: Table) -> Probe | None:
    table = top.table("probe")
    if table is None:
        return None
    probe = Probe(cases=table.texts("cases"), labels=table.texts("labels"))
    table.done()
    return probe


def _heads(top: Table) -> Heads | None:
    table = top.table("heads")
    if table is None:
        return None
    heads = Heads(axis=table.text("axis"), count=table.text("count"))
    table.done()
    return heads


# ------------------------------------------------------------------ numbers


def _tolerance(top: Table) -> Tolerance:
    table, usual = top.table("tolerance"), Tolerance()
    if table is None:
        return usual
    read = Tolerance(
        rtol=table.number("rtol", usual.rtol, 0.0, 0.1),
        atol=table.number("atol", usual.atol, 0.0, 1.0),
    )
    table.done()
    return read


def _limits(top: Table) -> Limits:
    table, usual = top.table("limits"), Limits()
    if table is None:
        return usual
    memory_mib = table.number("memory_mib", usual.memory_bytes / _MIB, 64, 8192)
    read = Limits(
        cpu_s=table.number("cpu_s", usual.cpu_s, 0.1, 60),
        sleep_s=table.number("sleep_s", usual.sleep_s, 0.1, 60),
        budget_cpu_s=table.number("budget_cpu_s", usual.budget_cpu_s, 0.1, 300),
        budget_wall_s=table.number("budget_wall_s", usual.budget_wall_s, 1, 600),
        memory_bytes=int(memory_mib) * _MIB,
        stdout_bytes=table.whole("stdout_kib", usual.stdout_bytes // 1024, 1) * 1024,
        result_bytes=table.whole("result_kib", usual.result_bytes // 1024, 1) * 1024,
    )
    table.done()
    return read


# ------------------------------------------------------------------ lists of tables


def _examples(top: Table) -> tuple[ExampleText, ...]:
    read = []
    for table in top.tables("example"):
        show = table.text("show", "values", ("values", "shapes"))
        text = ExampleText(
            case=table.text("case"),
            text=table.text("text"),
            show="shapes" if show == "shapes" else "values",
        )
        read.append(text)
        table.done()
    return tuple(read)


def _follow_up(table: Table) -> FollowUp:
    kind = table.text("kind", choices=("formula", "text"))
    read = FollowUp(
        kind="formula" if kind == "formula" else "text",
        question=table.text("question"),
        answer=table.text("answer"),
        variables=table.texts("variables", ()),
        explanation=table.text("explanation", ""),
    )
    table.done()
    return read


def _source(table: Table) -> SourceNote:
    read = SourceNote(text=table.text("text"), url=table.text("url", ""))
    if read.url and not read.url.startswith(("https://", "http://")):
        table.complain("url", "must begin with https:// or http://.")
    table.done()
    return read


def _number(table: Table) -> NumberClaim:
    read = NumberClaim(text=table.text("text"), value=table.text("value"))
    table.done()
    return read


def _mutant(table: Table) -> EquivalentMutant:
    read = EquivalentMutant(
        line=table.whole("line", least=1), change=table.text("change"), why=table.text("why")
    )
    table.done()
    return read
