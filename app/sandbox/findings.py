"""Makes the nouns of `model` from what a jail said of a file or an exception, believing nothing.

Every field has its type and every text its bound; anything else is a `FrameError`.
"""

from __future__ import annotations

from typing import Any, TypeVar

from app.jail.wire import FrameError
from app.model import FunctionInfo, Mutant, Parameter, Problem, Raised, SourceFrame

T = TypeVar("T")

MAX_TEXT = 8000
MAX_MANY = 500
MAX_COUNT = 2**31


def problems(said: Any) -> tuple[Problem, ...]:
    """The problems of a file; at least one, or it would have been loaded."""
    found = tuple(_problem(item) for item in _many(said, "problems"))
    if not found:
        raise FrameError("refused without a problem")
    return found


def texts(said: Any, key: str) -> tuple[str, ...]:
    """A tuple of texts."""
    return tuple(_is(str, item)[:MAX_TEXT] for item in _many(said, key))


def functions(said: Any) -> tuple[FunctionInfo, ...]:
    """The functions that the loaded files define."""
    return tuple(
        FunctionInfo(
            name=_text(item, "name"),
            parameters=tuple(_parameter(each) for each in _many(item, "parameters")),
            docstring=_text(item, "docstring"),
            line=_count(item, "line") or 1,
        )
        for item in _many(said, "functions")
    )


def raised(said: Any) -> Raised:
    """An exception as `explain` told it."""
    return Raised(
        type=_text(said, "type"),
        message=_text(said, "message"),
        frames=tuple(_frame(item) for item in _many(said, "frames")),
        own=_is(bool, _get(said, "own", False)),
        help=_text(said, "help"),
        facts=tuple(_shape(item) for item in _many(said, "facts")),
    )


def mutants(said: Any) -> tuple[Mutant, ...]:
    """The mutants of a file: line, change and source of each."""
    found = []
    for item in _is(tuple, said):
        line, change, source = _is(tuple, item)
        found.append(Mutant(_is(int, line), _is(str, change), _is(str, source).encode()))
    return tuple(found)


def _problem(said: Any) -> Problem:
    kind = _get(said, "kind", None)
    if kind not in ("syntax", "policy"):
        raise FrameError("a problem of no kind")
    return Problem(
        kind=kind,
        line=_count(said, "line"),
        column=_count(said, "column"),
        end_column=_count(said, "end_column"),
        message=_text(said, "message"),
        instead=_text(said, "instead"),
    )


def _parameter(said: Any) -> Parameter:
    default = _get(said, "default", None)
    return Parameter(
        name=_text(said, "name"),
        kind=_text(said, "kind"),
        default=None if default is None else _is(str, default)[:MAX_TEXT],
    )


def _frame(said: Any) -> SourceFrame:
    return SourceFrame(
        line=_count(said, "line") or 1,
        function=_text(said, "function"),
        column=_count(said, "column"),
        end_column=_count(said, "end_column"),
        file=_text(said, "file") or "solution.py",
    )


def _shape(said: Any) -> tuple[int, ...]:
    return tuple(_is(int, size) for size in _is(tuple, said))


def _get(said: Any, key: str, default: Any) -> Any:
    return _is(dict, said).get(key, default)


def _text(said: Any, key: str) -> str:
    return _is(str, _get(said, key, ""))[:MAX_TEXT]


def _many(said: Any, key: str) -> tuple[Any, ...]:
    return _is(tuple, _get(said, key, ()))[:MAX_MANY]


def _count(said: Any, key: str) -> int | None:
    number = _get(said, key, None)
    if number is None:
        return None
    if not 0 <= _is(int, number) <= MAX_COUNT:
        raise FrameError(f"{key} {number}")
    return int(number)


def _is(kind: type[T], value: Any) -> T:
    if type(value) is not kind:
        raise FrameError(f"{type(value).__name__} where {kind.__name__} belongs")
    return value
