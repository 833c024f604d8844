"""The text of `exercise.toml` as tables, or what keeps it from being read.

It is parsed in the server's own process, so it is bounded first: no text of an author takes long.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping

from app.catalog.errors import ExerciseError
from app.model.bounds import TOML_BYTES, TOML_DOTS

FILE = "exercise.toml"
_TOML_LINE = re.compile(r"\(at line (\d+), column \d+\)")
"""How `tomllib` says where it is; it has no field for it before Python 3.14."""


def parse(text: bytes) -> tuple[Mapping[str, object], list[ExerciseError]]:
    """The file as TOML; an empty mapping and one complaint where it is none."""
    if complaint := _too_much(text):
        return {}, [complaint]
    try:
        return tomllib.loads(text.decode("utf-8")), []
    except UnicodeDecodeError as error:
        return {}, [
            ExerciseError(FILE, "", f"is not UTF-8 (byte {error.start}). Save it as UTF-8.")
        ]
    except tomllib.TOMLDecodeError as error:
        at = _TOML_LINE.search(str(error))
        line = int(at[1]) if at else None
        return {}, [ExerciseError(FILE, "", f"is not TOML: {error}.", line, line_named=True)]
    except ValueError:  # Python reads no whole number of more than 4,300 digits
        return {}, [ExerciseError(FILE, "", "holds a number that is too long to be read.")]
    except RecursionError:
        return {}, [ExerciseError(FILE, "", "is nested too deeply to be read.")]


def _too_much(text: bytes) -> ExerciseError | None:
    """What is said of a file that would take long to read: time grows as the square of dots."""
    if len(text) > TOML_BYTES:
        words = f"is {len(text):,} bytes long; {TOML_BYTES:,} is the most. Make it shorter."
        return ExerciseError(FILE, "", words)
    for number, line in enumerate(text.split(b"\n"), 1):
        if line.count(b".") > TOML_DOTS:
            words = f"holds {line.count(b'.'):,} dots in one line; {TOML_DOTS} is the most."
            return ExerciseError(FILE, "", words, number)
    return None
