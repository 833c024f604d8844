"""exercise.toml as the fields of an `Exercise`; docs/exercise-format.md says what each key means.

Each key has a type of `app.catalog.keys`, and each type the sentence that an author reads where a
value is none of it. pydantic reads the whole file, so that an author sees everything at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails

from app.catalog.errors import ExerciseError
from app.catalog.keys import (
    Address,
    AnyAxes,
    Expression,
    Flag,
    Function,
    Seconds,
    Text,
    TextOrNone,
    Texts,
    Visible,
    between,
    empty_as,
    one_of,
    whole,
)
from app.catalog.legal import legal
from app.catalog.toml_text import FILE
from app.model import (
    Axes,
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

LAST = 1000
"""The place of an exercise that names none: after the others, by slug."""

_MIB = 1024 * 1024
_TABLE = frozenset({"model_type", "model_attributes_type", "dict_type"})


def fields(entries: Mapping[str, object], errors: list[ExerciseError]) -> dict[str, Any]:
    """Keyword arguments of `Exercise` from the table, or none and complaints in `errors`."""
    allowed = legal(
        entries.get("legal"), lambda key, words: errors.append(ExerciseError(FILE, key, words))
    )
    try:
        found = _File.model_validate(entries)
    except ValidationError as invalid:
        told = (_complaint(each) for each in invalid.errors(include_url=False))
        errors += dict.fromkeys(told)  # each table of a list that is none says the same
        return {}
    return found.fields() | {"legal": allowed}


# ------------------------------------------------------------------ what is wrong, in words


def _complaint(error: ErrorDetails) -> ExerciseError:
    place = error["loc"]
    if error["type"] == "missing":
        words = "is missing."
    elif error["type"] == "extra_forbidden":
        words = "is not a key we know here. Is it misspelled?"
    elif error["type"] in {"list_type", "tuple_type"} or isinstance(place[-1], int):
        place = place[:-1] if isinstance(place[-1], int) else place
        words = f"must be a list of tables, each begun by [[{place[-1]}]]."
    elif error["type"] in _TABLE:
        words = f"must be a table, [{place[-1]}]."
    else:
        words = error["msg"]
    return ExerciseError(FILE, _path(place), words)


def _path(place: tuple[int | str, ...]) -> str:
    """ "example[2].case" for ("example", 1, "case"); in the file one counts from 1."""
    parts = (f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in place)
    return "".join(parts).removeprefix(".")


# ------------------------------------------------------------------ tables


class _Table(BaseModel):
    """A table of the file: only the keys named, each of its type."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class _Heads(_Table):
    axis: Text
    count: Text


class _LabelledCells(_Table):
    cases: Texts
    labels: Texts


class _Tolerance(_Table):
    rtol: Annotated[float, between(0.0, 0.1)] = Tolerance().rtol
    atol: Annotated[float, between(0.0, 1.0)] = Tolerance().atol


class _Limits(_Table):
    cpu_s: Seconds = Limits().cpu_s
    sleep_s: Seconds = Limits().sleep_s
    budget_cpu_s: Annotated[float, between(0.1, 300)] = Limits().budget_cpu_s
    budget_wall_s: Annotated[float, between(1, 600)] = Limits().budget_wall_s
    memory_mib: Annotated[float, between(64, 8192)] = Limits().memory_bytes / _MIB
    stdout_kib: Annotated[int, whole(1, 1024)] = Limits().stdout_bytes // 1024
    result_kib: Annotated[int, whole(1, 32 * 1024)] = Limits().result_bytes // 1024

    def limits(self) -> Limits:
        """The same in bytes."""
        return Limits(
            self.cpu_s,
            self.sleep_s,
            self.budget_cpu_s,
            self.budget_wall_s,
            int(self.memory_mib) * _MIB,
            self.stdout_kib * 1024,
            self.result_kib * 1024,
        )


class _Example(_Table):
    case: Text
    text: Text
    show: Annotated[Literal["values", "shapes"], one_of("values", "shapes")] = "values"


class _FollowUp(_Table):
    kind: Annotated[Literal["formula", "text"], one_of("formula", "text")]
    question: Text
    answer: Text
    variables: Texts = ()
    explanation: TextOrNone = ""


class _Source(_Table):
    text: Text
    url: Address = ""


class _Number(_Table):
    text: Text
    value: Text


class _Mutant(_Table):
    line: Annotated[int, whole(1)]
    change: Text
    why: Text


class _File(_Table):
    """The whole file; `legal` is read by `app.catalog.legal`."""

    title: Text
    section: Text
    order: Annotated[int, whole(1)] = LAST
    after: Texts = ()
    difficulty: Annotated[str, one_of("easy", "medium", "hard")]
    summary: TextOrNone = ""
    entry_point: Function
    visible: Visible
    trace: Text
    arguments_unchanged: Flag = True
    axes: dict[str, AnyAxes] = {}
    sizes: dict[str, Expression] = {}
    stage_axes: dict[str, Texts] = {}
    heads: Annotated[_Heads | None, empty_as(None)] = None
    probe: Annotated[_LabelledCells | None, empty_as(None)] = None
    tolerance: _Tolerance = _Tolerance()
    limits: _Limits = _Limits()
    example: tuple[_Example, ...] = ()
    follow_up: tuple[_FollowUp, ...] = ()
    source: tuple[_Source, ...] = ()
    number: tuple[_Number, ...] = ()
    legal: Any = None
    equivalent_mutant: tuple[_Mutant, ...] = ()

    def fields(self) -> dict[str, Any]:
        """The same under the names, and of the types, of an `Exercise`."""
        axes: Axes = self.axes
        return {
            **{name: getattr(self, name) for name in _SAME},
            "after": tuple(map(Slug, self.after)),
            "axes": axes,
            "heads": None if self.heads is None else Heads(**dict(self.heads)),
            "probe": None if self.probe is None else Probe(**dict(self.probe)),
            "tolerance": Tolerance(**dict(self.tolerance)),
            "limits": self.limits.limits(),
            "examples": tuple(ExampleText(**dict(each)) for each in self.example),
            "follow_ups": tuple(FollowUp(**dict(each)) for each in self.follow_up),
            "sources": tuple(SourceNote(**dict(each)) for each in self.source),
            "numbers": tuple(NumberClaim(**dict(each)) for each in self.number),
            "equivalent_mutants": tuple(
                EquivalentMutant(**dict(each)) for each in self.equivalent_mutant
            ),
        }


_SAME = (
    "title", "section", "order", "difficulty", "summary", "entry_point", "visible", "trace",
    "arguments_unchanged", "sizes", "stage_axes",
)  # fmt: skip
