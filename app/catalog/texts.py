"""The Markdown files of a folder: the statement, and the ladder of hints."""

from __future__ import annotations

import re

from app.catalog import formulas
from app.catalog.errors import ExerciseError
from app.model import Hint
from app.model.bounds import MARKDOWN_CHARACTERS

LEAST_HINTS, MOST_HINTS = 2, 6
SECTIONS = (
    "What you'll build",
    "Background",
    "Formula",
    "Inputs",
    "Expected return format",
    "Edge cases and conventions",
    "Constraints",
)
_HEADING = re.compile(r"^## +(.+)$", re.MULTILINE)
"""A heading, with the signs that may close it; to match those here takes the square of a line."""


def text(file: str, data: bytes, errors: list[ExerciseError]) -> str:
    """A Markdown file as text with plain line ends.

    "" and a complaint where it is not UTF-8, or longer than is read any further.
    """
    try:
        read = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        errors.append(
            ExerciseError(file, "", f"is not UTF-8 (byte {error.start}). Save it as UTF-8.")
        )
        return ""
    if not read.strip():
        errors.append(ExerciseError(file, "", "is empty."))
    too_much = formulas.complaint(read)
    if too_much:
        errors.append(ExerciseError(file, "", too_much))
    if len(read) > MARKDOWN_CHARACTERS:
        return ""
    return read.replace("\r\n", "\n").replace("\r", "\n")


def statement(data: bytes, errors: list[ExerciseError]) -> str:
    """The statement; its `##` sections must all be there and in order."""
    read = text("statement.md", data, errors)
    headings = [_plain(_title(heading)) for heading in _HEADING.findall(read)]
    wanted = [_plain(section) for section in SECTIONS]
    for section, plain in zip(SECTIONS, wanted, strict=True):
        if plain not in headings and read:
            errors.append(
                ExerciseError("statement.md", section, f'has no section "## {section}". Add it.')
            )
    known = [heading for heading in headings if heading in wanted]
    if known != sorted(known, key=wanted.index):
        errors.append(
            ExerciseError(
                "statement.md",
                "",
                f"has its sections in the wrong order; they are: {', '.join(SECTIONS)}.",
            )
        )
    return read


def _title(heading: str) -> str:
    """What a heading says, without the signs that close it."""
    return heading.rstrip(" ").rstrip("#").rstrip(" ") or heading


def _plain(heading: str) -> str:
    return heading.replace("’", "'").casefold()


def hints(data: bytes, errors: list[ExerciseError]) -> tuple[Hint, ...]:
    """The hints: one `##` heading each, two to six, each with a body."""
    read = text("hints.md", data, errors)
    pieces = _HEADING.split(read)
    if pieces[0].strip():
        errors.append(
            ExerciseError(
                "hints.md", "", "holds text before the first ## heading. Move it into a hint."
            )
        )
    found = tuple(
        Hint(number, _title(title), body.strip())
        for number, (title, body) in enumerate(zip(pieces[1::2], pieces[2::2], strict=True), 1)
    )
    for hint in found:
        if not hint.body:
            errors.append(ExerciseError("hints.md", hint.title, "has no text under its heading."))
    if read and not LEAST_HINTS <= len(found) <= MOST_HINTS:
        message = f"holds {len(found)} hints; an exercise has {LEAST_HINTS} to {MOST_HINTS}."
        errors.append(ExerciseError("hints.md", "", message))
    return found
