"""`mlgrind doctor`: what this machine offers, what is missing, and what to do about it."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.checked import Checked
from app.cli.common import NOT_ACCEPTED, Database, Exercises, printable, settings_with

if TYPE_CHECKING:
    from app.config import Settings
    from app.model import Layer

EXAMPLE = "Example: mlgrind doctor --json"


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
    database: Database = None,
    exercises: Exercises = None,
) -> None:
    """Report on each layer of the sandbox, the data and the exercises.

    Exit status: 0 when this machine may grade, 1 when something required is missing.
    """
    from app.cli.doctor_machines import machines

    settings = settings_with(database=database, exercises=exercises)
    findings = (
        *_sandbox(),
        _data(settings),
        _free_disk(settings),
        _database(settings),
        *_exercises(settings),
        *_classes(settings),
        *_server(settings),
        *machines(settings),
    )
    good = all(finding.ok for finding in findings if finding.required)
    if as_json:
        print(json.dumps({"grades": good, "findings": [asdict(f) for f in findings]}))
    else:
        print(printable("\n".join(_line(finding) for finding in findings)))
        print("This machine may grade." if good else "This machine must not grade yet.")
    raise SystemExit(0 if good else NOT_ACCEPTED)


def _line(finding: Checked) -> str:
    mark = "✓" if finding.ok else ("✗" if finding.required else "·")
    kind = "required" if finding.required else "optional"
    text = f"{mark} {finding.name} ({kind})"
    if finding.detail:
        text += f": {finding.detail}"
    if not finding.ok and finding.advice:
        text += f"\n    {finding.advice}"
    return text


def _sandbox() -> tuple[Checked, ...]:
    """Every layer of the wall; where the jail does not even start, that."""
    from app.main import build_sandbox
    from app.ports import SandboxFault

    try:
        sandbox = build_sandbox()
    except (SandboxFault, OSError) as error:
        advice = "Without it nothing is graded. docs/security.md lists what the sandbox needs."
        return (Checked("sandbox", True, False, str(error), advice),)
    try:
        return tuple(map(_layer, sandbox.layers()))
    finally:
        sandbox.close()


def _layer(layer: Layer) -> Checked:
    return Checked(layer.name, layer.required, layer.present, layer.detail, layer.advice)


def _data(settings: Settings) -> Checked:
    from app.main import data_directory

    where = str(settings.data.absolute())
    try:
        data_directory(settings.data)
    except OSError as error:
        advice = "Set MLGRIND_DATA to a directory this user may write to."
        return Checked("data directory", True, False, f"{where}: {error.strerror}", advice)
    writable = os.access(settings.data, os.W_OK | os.X_OK)
    advice = "Give this user the right to write there, or set MLGRIND_DATA."
    return Checked("data directory", True, writable, where, advice)


def _free_disk(settings: Settings) -> Checked:
    from app.model.bounds import LEAST_FREE_BYTES

    try:
        free = shutil.disk_usage(settings.data).free
    except OSError as error:
        return Checked("free disk", True, False, str(error.strerror))
    enough = free >= LEAST_FREE_BYTES
    advice = "Below 500 MiB new submissions are refused; make room."
    return Checked("free disk", False, enough, f"{free / 2**30:.1f} GiB", advice)


def _database(settings: Settings) -> Checked:
    """Whether the database can be read; nothing is made or migrated."""
    from app.storage.database import NoDatabase, shown
    from app.storage.migrate import look
    from app.storage.schema import HEAD

    where = shown(settings.database_url)
    try:
        found = look(settings.database_url)
    except NoDatabase as error:
        advice = "Check its address, and that this user may read and write it."
        return Checked("database", True, False, f"{where}: {error}", advice)
    if found is None:
        return Checked("database", True, True, f"{where}: made at the first start")
    return Checked("database", True, True, f"{where}: version {found}, newest {HEAD}")


def _exercises(settings: Settings) -> tuple[Checked, ...]:
    from app.main import build_catalog

    catalog = build_catalog(settings)
    found = catalog.all()
    advice = "Set MLGRIND_EXERCISES to a directory of exercise folders."
    broken = tuple(
        Checked("exercise", False, False, str(complaint), "The others are served meanwhile.")
        for complaint in catalog.complaints()
    )
    return (Checked("exercises", True, bool(found), f"{len(found)} load", advice), *broken)


def _classes(settings: Settings) -> tuple[Checked, ...]:
    """What a class needs: time zones, an address for its link, and somebody who teaches it."""
    from app.classroom.dates import zone_names
    from app.cli.school import school
    from app.storage.database import NoDatabase
    from app.storage.migrate import look
    from app.storage.schema import HEAD

    zones = Checked("time zones", False, len(zone_names()) > 100, f"{len(zone_names())} known")
    address = settings.public_url or f"http://{settings.host}:{settings.port}"
    https = Checked("public address", False, address.startswith("https://"), address, NO_HTTPS)
    try:
        if look(settings.database_url) != HEAD:
            return zones, https
    except NoDatabase:
        return zones, https
    with school(settings.database_url) as found:
        without = found.classes.without_instructor()
        oldest = found.campus.oldest_waiting()
    advice = "`mlgrind account add LOGIN` makes one; the host adds them under People."
    missing = tuple(
        Checked("class", False, False, f"{made.title}: no instructor can sign in", advice)
        for made in without
    )
    return zones, https, *missing, *_unsent(oldest)


def _unsent(oldest: datetime | None) -> tuple[Checked, ...]:
    """Since when the oldest score waits that a campus has not taken."""
    if oldest is None:
        return ()
    waits = datetime.now(UTC) - oldest
    said = f"waits since {oldest:%Y-%m-%d %H:%M} UTC"
    advice = "The campus page of its class says why; the campus may be down."
    return (Checked("oldest unsent score", False, waits < UNSENT, said, advice),)


UNSENT = timedelta(hours=1)
"""How long a score may wait before doctor says so."""


NO_HTTPS = "Fine on a local network; a campus course needs https, see docs/hosting.md."


def _server(settings: Settings) -> tuple[Checked, ...]:
    """The server that runs on these data, if one does, in its own words."""
    from app.cli.serving import readiness, running

    note = running(settings.data)
    if note is None:
        return ()
    found = readiness(note)
    if found is None:
        advice = f"Process {note.pid} holds the data directory but does not answer."
        return (Checked("server", False, False, note.url, advice),)
    advice = "Its log says why; a restart may help."
    server = Checked("server", False, found.get("ready") is True, note.url, advice)
    return (server, ONE_ADDRESS) if found.get("one_address") is True else (server,)


ONE_ADDRESS = Checked(
    "addresses",
    False,
    False,
    "every request has the same address",
    "If a proxy stands before the server, name it in MLGRIND_TRUSTED_PROXIES: until then all "
    "learners share one address's limits.",
)
"""A server behind a proxy it does not know takes all learners for one address."""
