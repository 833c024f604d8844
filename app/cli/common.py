"""What all commands share: settings with their options, and how they say no."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from app.config import Settings
    from app.storage.store import SqlStore

NOT_ACCEPTED = 1
USAGE = 2
"""Exit statuses: 0 all is well, 1 something was not accepted, 2 a usage error or our own fault."""

Exercises = Annotated[
    list[Path] | None,
    typer.Option("--exercises", help="One more directory of exercise folders.", metavar="DIR"),
]
Database = Annotated[
    str | None,
    typer.Option("--database", help="Database URL, in place of the one in $MLGRIND_DATA."),
]


def settings_with(**given: object) -> Settings:
    """The environment's settings with the options that were given in their place.

    Exits with status 2, naming the variable, where one cannot be read.
    """
    from pydantic import ValidationError

    from app.config import Settings

    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    except ValidationError as error:
        for problem in error.errors():
            name = "MLGRIND_" + "_".join(map(str, problem["loc"])).upper()
            print(f"{name}: {problem['msg']}", file=sys.stderr)
        raise SystemExit(USAGE) from error


def open_store(settings: Settings) -> SqlStore:
    """The database of the settings. Exits with status 2 and a sentence where it cannot be used."""
    from app.main import build_store
    from app.storage.database import NoDatabase

    try:
        return build_store(settings)
    except (NoDatabase, ValueError) as error:
        stop(str(error))


def stop(message: str) -> NoReturn:
    """End with status 2 and a sentence."""
    print(printable(message), file=sys.stderr)
    raise SystemExit(USAGE)


def stop_where_the_database_is_away(error: Exception) -> None:
    """End with status 2 and a sentence where the database does not answer or has no room."""
    from app.ports import StoreAway

    if isinstance(error, StoreAway):
        what = "The disk of the database is full" if error.disk_full else "The database is away"
        stop(f"{what}: {error}\nNothing was changed by the step that failed; run it again.")


def printable(text: str) -> str:
    """Text a terminal may be given: control, bidi and other unseen characters as escapes."""
    return "".join(
        letter if letter.isprintable() or letter == "\n" else repr(letter)[1:-1] for letter in text
    )


@contextmanager
def our_faults() -> Iterator[None]:
    """Turn what can go wrong with our own parts into a sentence and status 2."""
    from app.ports import SandboxFault

    try:
        yield
    except SandboxFault as fault:
        stop(f"The sandbox does not work here: {fault}\n`mlgrind doctor` says what is missing.")
    except OSError as error:
        stop(f"{error.filename or 'The system'}: {error.strerror or error}")
