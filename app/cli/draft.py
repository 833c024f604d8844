"""`mlgrind new` and `mlgrind import`: a new exercise folder, from nothing or from a bank's."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from app.cli.common import our_faults, printable, settings_with, stop

NEW_EXAMPLE = "Example: MLGRIND_EXERCISES=~/exercises mlgrind new layer-scale"
IMPORT_EXAMPLE = "Example: mlgrind import --into ~/exercises bank/94_multi-head-attention"

Into = Annotated[
    Path | None,
    typer.Option(
        "--into",
        help="Directory for the new folder; the first of MLGRIND_EXERCISES unless given.",
        metavar="DIR",
        show_default=False,
    ),
]


def new(
    slug: Annotated[str, typer.Argument(help="Its name, as in layer-scale.", show_default=False)],
    into: Into = None,
) -> None:
    """Make a folder that passes `mlgrind check` once its marked places are filled."""
    from app.verify.scaffold import CannotWrite, scaffold

    try:
        with our_faults():
            folder = scaffold(slug, _directory(into))
    except CannotWrite as reason:
        stop(str(reason))
    print(printable(f"Made {folder}. Fill the places marked FILL IN, then run:"))
    print(printable(f"{sys.argv[0]} check --watch {folder}"))


def import_(
    folder: Annotated[
        Path,
        typer.Argument(
            help="A folder with description.md, starter_code.py, solution.py and tests.json.",
            show_default=False,
        ),
    ],
    into: Into = None,
    slug: Annotated[
        str, typer.Option(help="Its name here, unless that of the folder.", show_default=False)
    ] = "",
    function: Annotated[
        str, typer.Option(help="The function learners write.", show_default=False)
    ] = "",
) -> None:
    """Make a draft exercise out of a public bank's problem folder, and say what it lacks.

    Its tests are run in the sandbox to see what they pass to the function. Nothing is guessed:
    what the folder does not say is marked FILL IN.
    """
    from app.main import build_sandbox
    from app.verify.bank import NotABank
    from app.verify.importing import import_folder
    from app.verify.scaffold import CannotWrite

    directory = _directory(into)
    with our_faults():
        sandbox = build_sandbox()
        try:
            made = import_folder(folder, directory, sandbox, slug=slug, function=function)
        except (NotABank, CannotWrite) as reason:
            stop(str(reason))
        finally:
            sandbox.close()
    print(printable(f"Made {made.folder}. It still needs:"))
    for sentence in made.missing:
        print(printable(f"  {sentence}"))
    print(printable(f"Then run: {sys.argv[0]} check --watch {made.folder}"))


def _directory(into: Path | None) -> Path:
    if into is not None:
        return into
    own = settings_with().exercises
    if not own:
        stop("Say where: --into DIR, or set MLGRIND_EXERCISES to a directory of your exercises.")
    return own[0]
