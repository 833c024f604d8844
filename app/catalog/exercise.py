"""One folder to one `Exercise`, or all that is off about it."""

from __future__ import annotations

import re
from pathlib import Path

from app.catalog import exercise_toml, texts, toml_text
from app.catalog import folder as folders
from app.catalog.errors import ExerciseError, ExerciseErrors
from app.model import Exercise, Slug

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_PYTHON = re.compile(r"[A-Za-z][A-Za-z0-9_]*\.py")
_KNOWN = ("accepted", "mistakes")
_HEADINGS = re.compile(r"^#+ .*$", re.MULTILINE)
_SENTENCE = re.compile(r".{1,300}?[.!?](?=\s|$)|.{1,300}")


def is_slug(name: str) -> bool:
    """Whether a folder's name can be a slug: lower-case words and numbers joined by dashes."""
    return len(name) <= 80 and _SLUG.fullmatch(name) is not None


def load(folder: Path) -> Exercise:
    """The exercise in a folder; its name is the slug.

    Raises ExerciseErrors with every complaint at once, each naming file and key. No Python file is
    looked into: that is done in the jail, by `app.expectations` and `mlgrind check`.
    """
    exercise, errors = as_far_as_possible(folder)
    if exercise is None or errors:
        raise ExerciseErrors(errors)
    return exercise


def as_far_as_possible(folder: Path) -> tuple[Exercise | None, list[ExerciseError]]:
    """The exercise of a folder, and all complaints; None where its settings or files don't do.

    With complaints it is good for being checked further, and for nothing else. Raises
    ExerciseErrors where the folder can't be read.
    """
    try:
        files, errors = folders.read(folder)
    except OSError as error:
        raise ExerciseErrors([_unreadable(error)]) from error
    if not is_slug(folder.name):
        errors.append(
            ExerciseError(
                ".", "", "has a name that is not a slug: lower-case words joined by dashes."
            )
        )
    entries, unread = (
        toml_text.parse(files["exercise.toml"]) if "exercise.toml" in files else ({}, [])
    )
    errors += unread
    found = exercise_toml.fields(entries, errors) if entries else {}
    statement = texts.statement(files["statement.md"], errors) if "statement.md" in files else ""
    hints = texts.hints(files["hints.md"], errors) if "hints.md" in files else ()
    errors += _python_names(files)
    if not found or any(name not in files for name in folders.REQUIRED):
        return None, errors
    found["summary"] = found["summary"] or _first_sentence(statement)
    exercise = Exercise(
        slug=Slug(folder.name),
        statement=statement,
        hints=hints,
        files=files,
        digest=folders.digest(files),
        folder=str(folder),
        **found,
    )
    return exercise, errors


def _first_sentence(statement: str) -> str:
    """Of the text under the first heading, on one line: what stands in lists without a summary."""
    text = _HEADINGS.sub("", statement).strip().split("\n\n")[0]
    first = _SENTENCE.match(" ".join(text.split()))
    return first[0].replace("`", "").replace("*", "") if first else ""


def _unreadable(error: OSError) -> ExerciseError:
    reason = error.strerror or type(error).__name__
    return ExerciseError(
        ".", "", f"can't be read: {reason}. Check that it is a folder we may read."
    )


def _python_names(files: dict[str, bytes]) -> list[ExerciseError]:
    """Files in accepted/ and mistakes/ are Python files; their names stand in reports."""
    errors = []
    for path in files:
        sub, _, name = path.rpartition("/")
        if sub in _KNOWN and not _PYTHON.fullmatch(name):
            errors.append(
                ExerciseError(
                    path, "", f"is not a Python file; {sub}/ holds only files like loop.py."
                )
            )
    return errors
