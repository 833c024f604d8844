"""What `doctor` finds of other machines: each runner by itself, the database's clock, the queue."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from app.cli.checked import Checked

if TYPE_CHECKING:
    import ssl

    from app.config import Settings
    from app.sandbox.peer import RunnerAt

OFF_S = 2.0
"""A clock that is further off than this is told."""

ALONE = Checked("runners", False, True, "none: learners' code runs on this machine")


def machines(settings: Settings) -> tuple[Checked, ...]:
    """Every runner of the settings, how far this clock is from the database's, and the queue."""
    from app.cli.doctor_queue import queue

    return (*_runners(settings), *_clock(settings), *queue(settings))


def _runners(settings: Settings) -> tuple[Checked, ...]:
    if not settings.runners:
        return (ALONE,)
    from app.ports import SandboxFault
    from app.sandbox.callers import entries, trust
    from app.sandbox.runner_addresses import places

    try:
        named, trusted = entries(settings), trust(settings)
    except SandboxFault as fault:
        return (Checked("runners", True, False, str(fault)),)
    found = places(named)
    unknown = [entry.name for entry in named if all(at.name != entry.name for at in found)]
    advice = "Its name leads to no machine, or to a public one without https."
    missing = tuple(Checked("runner", False, False, name, advice) for name in unknown)
    asked = tuple(_runner(at, token, trusted) for at, token in found.items())
    some = any(one.ok for one in asked)
    words = f"{sum(one.ok for one in asked)} of {len(asked)} take orders"
    whole = Checked("runners", True, some, words, "Nothing is judged without one.")
    return (whole, *asked, *missing)


def _runner(at: RunnerAt, token: str, trusted: ssl.SSLContext) -> Checked:
    from app.sandbox.peer import Peer, Unanswered
    from app.sandbox.software import software
    from app.sandbox.standing import WORDS

    peer = Peer(at, token, trusted if at.scheme == "https" else None)
    where = f"{at.name} ({at.address})"
    try:
        said = peer.ready()
    except Unanswered as failed:
        return Checked("runner", False, False, f"{where} {WORDS[failed.reason]}", str(failed))
    finally:
        peer.close()
    if said.get("software") != software():
        advice = "Install the release on it that runs here."
        return Checked("runner", False, False, f"{where} {WORDS['version']}", advice)
    ready = said.get("ready") is True
    advice = "A layer of its wall is missing: `mlgrind doctor` on that machine says which."
    places = json.dumps([said.get("fast"), said.get("slow")])
    return Checked("runner", False, ready, f"{where}, places {places}", advice)


def _clock(settings: Settings) -> tuple[Checked, ...]:
    """How far apart they are; deadlines and retries go by the database's."""
    from app.queue_parts import shares_queue
    from app.storage.clock import clock_off
    from app.storage.database import NoDatabase

    if not shares_queue(settings):
        return ()
    try:
        off_s = clock_off(settings.database_url)
    except NoDatabase:
        return ()  # the finding of the database says so
    advice = "Set the clocks by a time server: logs and cookies of this machine are off."
    said = f"{abs(off_s):.1f} s {'ahead of' if off_s > 0 else 'behind'} the database's"
    return (Checked("clock", False, abs(off_s) <= OFF_S, said, advice),)
