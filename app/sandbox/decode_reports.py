"""Makes the nouns of `model` from what a jail said of a file or an exception, believing nothing.

Every field has its type and every text its bound; anything else is a `FrameError`.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar

from app.jail.wire import FrameError
from app.model import FunctionInfo, Mutant, Parameter, Problem, Raised, SourceFrame

T = TypeVar("T")

MAX_TEXT = 8000
MAX_MANY = 500
MAX_COUNT = 2**31


def problems(said: Any) -> tuple[Problem, ...]:
    """The problems of a file; at least one, or it would have been loaded."""
    found = tuple(_problem(item) for item in many(said, "problems"))
    if not found:
        raise FrameError("refused without a problem")
    return found


def texts(said: Any, key: str) -> tuple[str, ...]:
    """A tuple of texts."""
    return tuple(instance(str, item)[:MAX_TEXT] for item in many(said, key))


def functions(said: Any) -> tuple[FunctionInfo, ...]:
    """The functions that the loaded files define."""
    return tuple(
        FunctionInfo(
            name=text(item, "name"),
            parameters=tuple(_parameter(each) for each in many(item, "parameters")),
            docstring=text(item, "docstring"),
            line=count(item, "line") or 1,
        )
        for item in many(said, "functions")
    )


def raised(said: Any) -> Raised:
    """An exception as `explain` told it."""
    return Raised(
        type=text(said, "type"),
        message=text(said, "message"),
        frames=tuple(_frame(item) for item in many(said, "frames")),
        own=instance(bool, get(said, "own", False)),
        help=text(said, "help"),
        gist=text(said, "gist"),
        note=text(said, "note"),
        facts=tuple(flat_shape(item) for item in many(said, "facts")),
    )


_LAST_WORDS = re.compile(
    rb"(\d{1,6})(?: (\d[\d.]{0,7} (?:[KMGTPE]iB|bytes)) (\(\d[\d, ]{0,50}\)))?"
)


def out_of_memory(said: bytes) -> Raised | None:
    """Where memory ran out, and for which array, from the last words of a child; b"" is None."""
    if not said:
        return None
    match = _LAST_WORDS.fullmatch(said)
    if match is None:
        raise FrameError("last words that are none")
    text = ""
    if match[2]:
        text = f"Unable to allocate {match[2].decode()} for an array with shape {match[3].decode()}"
    return Raised("MemoryError", text, frames=(SourceFrame(int(match[1]), ""),))


_LIMIT = re.compile(rb"(results|stdout)(?: (\d{1,6}))?")


def limit(said: bytes) -> tuple[str, Raised | None]:
    """Which limit a child reached, "stdout" or "results", and at which line, if it told one."""
    match = _LIMIT.fullmatch(said)
    if match is None:
        raise FrameError("a limit that does not exist")
    at = None if match[2] is None else SourceFrame(int(match[2]), "")
    return match[1].decode(), None if at is None else Raised("OutputLimit", "", frames=(at,))


def mutants(said: Any) -> tuple[Mutant, ...]:
    """The mutants of a file: line, change and source of each."""
    found = []
    for item in instance(tuple, said):
        line, change, source = instance(tuple, item)
        program = instance(str, source).encode()
        found.append(Mutant(instance(int, line), instance(str, change), program))
    return tuple(found)


def _problem(said: Any) -> Problem:
    kind = get(said, "kind", None)
    if kind not in ("syntax", "policy"):
        raise FrameError("a problem of no kind")
    return Problem(
        kind=kind,
        line=count(said, "line"),
        column=count(said, "column"),
        end_column=count(said, "end_column"),
        message=text(said, "message"),
        instead=text(said, "instead"),
        about="indentation" if get(said, "about", None) == "indentation" else "",
    )


def _parameter(said: Any) -> Parameter:
    default = get(said, "default", None)
    return Parameter(
        name=text(said, "name"),
        kind=text(said, "kind"),
        default=None if default is None else instance(str, default)[:MAX_TEXT],
    )


def _frame(said: Any) -> SourceFrame:
    return SourceFrame(
        line=count(said, "line") or 1,
        function=text(said, "function"),
        column=count(said, "column"),
        end_column=count(said, "end_column"),
        file=text(said, "file") or "solution.py",
    )


def flat_shape(said: Any) -> tuple[int, ...]:
    """A tuple of sizes."""
    return tuple(instance(int, size) for size in instance(tuple, said))


def get(said: Any, key: str, default: Any) -> Any:
    """An entry of a dict, or the default."""
    return instance(dict, said).get(key, default)


def text(said: Any, key: str) -> str:
    """A text, "" where there is none, cut at MAX_TEXT."""
    return instance(str, get(said, key, ""))[:MAX_TEXT]


def many(said: Any, key: str) -> tuple[Any, ...]:
    """A tuple, () where there is none, cut at MAX_MANY."""
    return instance(tuple, get(said, key, ()))[:MAX_MANY]


def count(said: Any, key: str) -> int | None:
    """A number from 0 to MAX_COUNT, or None where there is none."""
    number = get(said, key, None)
    if number is None:
        return None
    if not 0 <= instance(int, number) <= MAX_COUNT:
        raise FrameError(f"{key} {number}")
    return int(number)


def instance(kind: type[T], value: Any) -> T:
    """The value, if its type is exactly this one."""
    if type(value) is not kind:
        raise FrameError(f"{type(value).__name__} where {kind.__name__} belongs")
    return value
