"""`mlgrind dispatcher`: takes submissions from the queue of a PostgreSQL database, judges them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.common import USAGE, Database, Exercises, open_store, our_faults, settings_with, stop
from app.cli.lean import without

if TYPE_CHECKING:
    from app.config import Settings
    from app.model import Layer
    from app.ports import Jails

EXAMPLE = "Example: MLGRIND_DATABASE=postgresql://db/grind mlgrind dispatcher --port 8001"
NEEDS = (
    "A dispatcher takes submissions from a PostgreSQL database: set MLGRIND_DATABASE to one. On"
    " SQLite `mlgrind serve` judges them itself."
)


def dispatcher(
    host: Annotated[
        str, typer.Option(help="Address that answers /healthz, /readyz and /metrics.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Its port; 0 takes a free one.")] = 8001,
    database: Database = None,
    exercises: Exercises = None,
) -> None:
    """Judge what the web processes put into the queue, until told to stop.

    Run two or more on machines of their own, each under a supervisor that starts it again: it ends
    where it loses the database. Exit status: 0 told to stop, 2 a usage error or a lost database.
    """
    settings = settings_with(database=database, exercises=exercises)
    from app.queue_parts import shares_queue

    if not shares_queue(settings):
        stop(NEEDS)
    with our_faults():
        ended_well = _dispatch(settings, host, port)
    # Threads that still run a job would hold the process; the job is stalled, and taken over.
    os._exit(0 if ended_well else USAGE)


def _dispatch(settings: Settings, host: str, port: int) -> bool:
    with without("rich"):
        from app import logs
    from app.cli.serving import listen, own_url
    from app.cli.status import Status, serve_status
    from app.main import (
        FRESH_S,
        build_catalog,
        build_expectations,
        build_sandbox,
        build_triples,
        log_broken,
    )
    from app.ports import Jails
    from app.queue_parts import build_dispatcher
    from app.runner_parts import build_learners_sandbox

    logs.configure(settings.log_format)
    try:
        listening = listen(host, port)
    except OSError as error:
        stop(f"Port {port} on {host}: {error.strerror}. Try --port 0.")
    store, house = open_store(settings), build_sandbox()
    try:
        jails = Jails(build_learners_sandbox(settings, house), house)
        made = build_dispatcher(
            settings,
            store,
            jails,
            build_catalog(settings, log_broken, FRESH_S).get,
            build_expectations(settings, house),
            build_triples(settings, house) if settings.triples else None,
        )
        serve_status(listening, Status(store.answers, lambda: layers(jails)))
        print(f"Dispatching; {own_url(listening)} says how it is.", flush=True)
        return made.run()
    finally:
        house.close()
        store.close()


def layers(jails: Jails) -> tuple[Layer, ...]:
    """Those of the house, and where there are runners, whether any is there."""
    if jails.learners is jails.house:
        return jails.house.layers()
    return (*jails.house.layers(), *jails.learners.layers())
