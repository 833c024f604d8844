"""The author's fault: what is off in an exercise folder, by file and key, all at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class ExerciseError:
    """One complaint: the file in the folder, the key or function in it ("" for the whole file).

    `line`, where it is known, counts from 1; `line_named` says that the message names it already.
    """

    file: str
    key: str
    message: str
    line: int | None = None
    line_named: bool = False

    def __str__(self) -> str:
        where = f"{self.file}: {self.key}" if self.key else self.file
        line = "" if self.line is None or self.line_named else f"line {self.line}: "
        return f"{where}: {line}{self.message}"


class ExerciseErrors(Exception):
    """All complaints about one exercise folder, in the order they were found."""

    def __init__(self, errors: Iterable[ExerciseError]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(map(str, self.errors)))
