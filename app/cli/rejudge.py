"""`mlgrind rejudge --faults`: what ended in our own fault, judged again beside a live server."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.common import (
    NOT_ACCEPTED,
    Database,
    Exercises,
    open_store,
    our_faults,
    settings_with,
    stop,
)

if TYPE_CHECKING:
    from app.config import Settings

EXAMPLE = "Example, after an update that fixes the fault: mlgrind rejudge --faults"


def rejudge(
    faults: Annotated[
        bool, typer.Option("--faults", help="All submissions whose report says it was our fault.")
    ] = False,
    database: Database = None,
    exercises: Exercises = None,
) -> None:
    """Judge again what ended in "this one is on us"; reports that stand are never touched.

    Works beside a running server. Exit status: 0 when none is left, 1 when some are, 2 for a usage
    error or our own fault.
    """
    if not faults:
        stop(f"Say which submissions: --faults.\n{EXAMPLE}")
    settings = settings_with(database=database, exercises=exercises)
    with our_faults():
        left = _rejudge(settings)
    raise SystemExit(NOT_ACCEPTED if left else 0)


def _rejudge(settings: Settings) -> int:
    """Judge them, a line each; how many are left as they were."""
    from app import logs
    from app.main import build_catalog, build_expectations, build_sandbox
    from app.ports import Jails
    from app.service.parts import utc_now
    from app.service.rejudging import Rejudging

    logs.configure("text")
    store, sandbox = open_store(settings), build_sandbox()
    left = done = 0
    try:
        known = build_expectations(settings, sandbox)
        catalog = build_catalog(settings)
        again = Rejudging(store.submissions, Jails.one(sandbox), catalog.get, known, utc_now)
        for one in again.faults():
            done += 1
            left += one.verdict is None
            told = f"left as it is: {one.why}" if one.verdict is None else one.verdict.value
            print(f"{one.submission} {one.exercise}: {told}", flush=True)
    finally:
        sandbox.close()
        store.close()
    print(f"{done - left} of {done} judged again.", file=sys.stderr)
    return left
