"""An exception as plain Python would tell it, with the learner's own lines only.

Runs inside the jail. Nothing of the learner's is called here but the exception's own `__str__`,
and everything that leaves is bounded.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from types import CodeType, FrameType, TracebackType
from typing import Any

from app.jail.explain.expressions import condition_of
from app.jail.explain.operands import operands_words
from app.jail.explain.plain_words import NOTHING, PlainWords
from app.jail.explain.suggestions import known, suggestion
from app.jail.offer.refusals import Unavailable
from app.jail.policy.mending import Mended
from app.jail.policy.problems import column_of
from app.jail.policy.source_text import as_compiled

MESSAGE_CHARACTERS = 2000
FRAMES = 20
_NAME_CHARACTERS = 100


_Step = tuple[FrameType, int, int | None]
"""A frame, the offset of its instruction in bytes, and its line."""


def raised(error: BaseException, sources: Mapping[str, str]) -> dict[str, Any]:
    """The fields of `model.Raised` for an exception that left the learner's code.

    `sources` are the learner's texts by file name, as they were sent. Frames of other files are
    left out; of more than `FRAMES` (a runaway recursion) the outermost and the innermost are kept.
    """
    compiled = {name: as_compiled(text) for name, text in sources.items()}
    entries = [e for e in _traceback(error) if e[0].f_code.co_filename in compiled]
    if len(entries) > FRAMES:
        entries = entries[: FRAMES // 2] + entries[-FRAMES // 2 :]
    message = _message(error)
    own = _own(error, sources)
    found = NOTHING if own else _plainly(error, message, entries, compiled)
    return {
        "type": type(error).__name__[:_NAME_CHARACTERS],
        "message": message,
        "frames": [_frame(*entry, compiled) for entry in entries],
        "own": own,
        "gist": found.gist[:MESSAGE_CHARACTERS],
        "note": found.note[:MESSAGE_CHARACTERS],
        "help": found.help[:MESSAGE_CHARACTERS],
        "facts": list(found.facts),
    }


def _plainly(
    error: BaseException, message: str, entries: Sequence[_Step], compiled: Mapping[str, Mended]
) -> PlainWords:
    """The exception in plain words, where it is not the learner's own."""
    if not entries:
        return PlainWords(
            help=known(message)
        )  # the call itself failed: there is no line to look at
    if isinstance(error, Unavailable):
        return NOTHING
    frame, offset, _ = entries[-1]
    place = _place(frame.f_code, offset)
    source = compiled[frame.f_code.co_filename].source
    try:
        found = operands_words(error, message, frame, source, place)
    except Exception:  # noqa: BLE001 -- words must never cost an exception its report
        found = NOTHING
    return _advised(found, suggestion(error, message, frame))


def _advised(found: PlainWords, advice: str) -> PlainWords:
    """The exception with what to try, which does not say again what it is."""
    if not advice:
        return found
    said = found.gist.replace("`", "").lower()
    if said and advice.lower().startswith(said):
        rest = advice[len(said) :].lstrip(":. ")
        return found._replace(help=rest[:1].upper() + rest[1:])
    if found.gist and not found.note and advice.startswith("Did you mean"):
        return found._replace(note=f"{found.gist}. {advice}", help=advice)
    return found._replace(help=advice)


def _traceback(error: BaseException) -> Iterator[_Step]:
    """Every step on the way to the exception, outermost first."""
    step: TracebackType | None = error.__traceback__
    while step is not None:
        yield step.tb_frame, step.tb_lasti, step.tb_lineno
        step = step.tb_next


def _place(code: CodeType, offset: int) -> tuple[int | None, int | None, int | None, int | None]:
    """Line, end line, column, end column of the instruction (columns in bytes, from 0)."""
    return next(islice(code.co_positions(), offset // 2, None), (None, None, None, None))


def _frame(
    frame: FrameType, offset: int, line: int | None, sources: Mapping[str, Mended]
) -> dict[str, Any]:
    code = frame.f_code
    mended = sources[code.co_filename]
    start, end, column, end_column = condition_of(_place(code, offset), mended.source)
    lines = mended.source.split("\n")
    text = lines[line - 1] if line is not None and 0 < line <= len(lines) else ""
    if column is None or start != line:
        first = last = None
    else:
        first = column_of(text, column)
        whole = end != start or end_column is None
        last = len(text.rstrip()) + 1 if whole else column_of(text, end_column or 0)
        first, last = (
            mended.column_as_typed(start or 0, first),
            mended.column_as_typed(start or 0, last),
        )
    return {
        "line": line or code.co_firstlineno,
        "function": code.co_name[:_NAME_CHARACTERS],
        "column": first,
        "end_column": last,
        "file": code.co_filename,
    }


def _message(error: BaseException) -> str:
    """The exception's text as Python prints it, cut."""
    try:
        text = str.__str__(str(error))
    except Exception:  # noqa: BLE001 -- the edge of learner code: its `__str__` may raise anything
        return "(its text cannot be shown)"
    cut = text if len(text) <= MESSAGE_CHARACTERS else text[: MESSAGE_CHARACTERS - 1] + "…"
    return cut.encode("utf-8", "backslashreplace").decode("utf-8")


def _own(error: BaseException, sources: Mapping[str, str]) -> bool:
    """Whether the learner's code itself raised it: by `raise`, or by an assertion."""
    steps = list(_traceback(error))
    if not steps:
        return False
    frame, offset, _ = steps[-1]
    if frame.f_code.co_filename not in sources:
        return False
    return dis.opname[frame.f_code.co_code[offset]] == "RAISE_VARARGS"
