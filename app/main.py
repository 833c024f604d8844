"""The composition root: the only place that picks real parts and joins them by plain calls.

The rooms that pull in much (database, jail, web) are imported where they are joined, so that a
command pays only for what it uses.
"""

from __future__ import annotations

import functools
import os
import secrets
import tempfile
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.catalog import Catalog, FolderComplaint
from app.config import Settings
from app.places import place
from app.queue_parts import build_judge, build_queued_store, shares_queue
from app.runner_parts import build_learners_sandbox, build_operations

if TYPE_CHECKING:
    from fastapi import FastAPI

    from app.jobs.embedded import EmbeddedLine
    from app.model import Exercise, Expectations, Sets
    from app.ports import AuthorSandbox, Sandbox
    from app.ports.campuses import Campus
    from app.service import Service
    from app.service.threes import Compute
    from app.storage.store import SqlStore
    from app.verify import Means
    from app.verify.proof_cache import ProofCache

SECRET_BYTES = 32
FRESH_S = 0.5
"""Seconds in which a server looks once at an exercise's folder, and not for each request."""


@dataclass(frozen=True)
class App:
    """A joined ML Grind that is not started yet; `secret` also signs cookies."""

    settings: Settings
    service: Service
    secret: bytes
    proofs: ProofCache


@dataclass(frozen=True)
class AuthorAccess:
    """Who may open the author's pages: a browser with the token; None: this machine itself."""

    token: str | None


def build(settings: Settings, fresh_s: float = FRESH_S) -> App:
    """Join the real parts: the database is migrated and the keeper started when this returns.

    What an author saves is seen `fresh_s` seconds later at most.

    Raises SandboxFault where the jail does not start, NoDatabase, and OSError for the data
    directory.
    """
    with ThreadPoolExecutor(max_workers=1) as aside:
        starting = aside.submit(build_sandbox)  # another process's start, while this one loads
        from app.sandbox.offered_names import offered_names
        from app.service import Parts, Service
        from app.service.expecting import Expecting
        from app.verify.proof_cache import ProofCache

        secret = load_secret(settings.data, settings.secret_file)
        store = build_store(settings)
        house = starting.result()

    catalog = build_catalog(settings, log_broken, fresh_s)
    learners = build_learners_sandbox(settings, house)
    service = Service(
        Parts(
            catalog=catalog,
            expecting=Expecting(build_expectations(settings, house)),
            triples=build_triples(settings, house) if settings.triples else None,
            store=store,
            line=build_line(settings),
            judge=build_judge(settings, store, secret),
            sandbox=learners,
            house=house,
            operations=build_operations(settings, learners),
            secret=secret,
            data=settings.data,
            allowance=settings.allowance,
            school=store.school,
            campus=build_campus(settings, secret),
            names=offered_names,
            anonymous_days=settings.anonymous_days,
        )
    )
    return App(settings, service, secret, ProofCache(catalog.folders, means(house)))


def create_app(app: App | None = None, author: AuthorAccess | None = None) -> FastAPI:
    """The web side over joined parts, which it starts and closes with itself.

    Without an argument the environment decides: `uvicorn --factory app.main:create_app`. The
    author's pages are there only with `author`.
    """
    from app.web.site import create

    joined = app or build(Settings())

    @asynccontextmanager
    async def life(_site: FastAPI) -> AsyncIterator[None]:
        joined.service.start()
        yield
        joined.service.close()

    site = create(joined.service, joined.settings, joined.secret)
    site.router.lifespan_context = life
    if author is not None:
        from app.web.pages.author import install

        install(site, joined.proofs, author.token)
    return site


def build_store(settings: Settings) -> SqlStore:
    """The database of the settings, brought up to date; on PostgreSQL the queue in it as well.

    Raises NoDatabase, and ValueError where the queue does not fit.
    """
    from app.storage.store import SqlStore

    data_directory(settings.data)
    return (
        build_queued_store(settings) if shares_queue(settings) else SqlStore(settings.database_url)
    )


def build_sandbox() -> AuthorSandbox:
    """A jail on this machine. Raises SandboxFault where it does not start."""
    from app.sandbox.pool import LocalSandbox

    return LocalSandbox()


def build_campus(settings: Settings, secret: bytes) -> Callable[[], Campus]:
    """What speaks to campus systems; made when it is first asked for: most servers never do."""

    @functools.cache
    def made() -> Campus:
        from app.campus import Fetcher, HttpsCampus

        return HttpsCampus(secret, Fetcher(settings.campus_networks).fetch)

    return made


def build_line(settings: Settings) -> EmbeddedLine:
    """A line of jobs in this process, not started yet."""
    from app.jobs.embedded import EmbeddedLine

    return EmbeddedLine(
        fast=settings.fast_workers,
        slow=settings.slow_workers,
        places=settings.slow_places,
        capacity=settings.limit_line,
    )


def build_expectations(settings: Settings, sandbox: Sandbox) -> Callable[[Exercise], Expectations]:
    """Gives what an exercise expects, from the settings' cache where it is kept there."""
    from app.expectations import Cache, compute, load_or_compute

    with suppress(OSError):  # then nothing is kept, and everything is still judged
        data_directory(settings.data)
    cache = Cache(settings.cache_directory)
    return lambda exercise: load_or_compute(exercise, lambda one: compute(one, sandbox), cache)


def build_triples(settings: Settings, sandbox: Sandbox) -> Compute:
    """Computes what three mistakes at once give, and keeps it in the settings' cache."""
    from app.expectations import Cache
    from app.expectations.triples import triples

    save = Cache(settings.cache_directory).save_triples

    def compute(exercise: Exercise, expectations: Expectations, pause: Callable[[], None]) -> Sets:
        found = triples(exercise, expectations, sandbox, pause)
        with suppress(OSError):  # then they are computed again after the next start
            save(exercise.digest, found)
        return found

    return compute


def build_catalog(
    settings: Settings, tell: Callable[[FolderComplaint], None] | None = None, fresh_s: float = 0.0
) -> Catalog:
    """The shipped exercises and those of the settings' directories; `tell` hears of broken ones."""
    return Catalog((shipped_exercises(), *settings.exercises), tell, fresh_s)


def means(sandbox: AuthorSandbox) -> Means:
    """What exercise folders are proved with."""
    from app.verify import Means

    drawings = place("templates") / "drawings"
    names = frozenset(drawing.stem for drawing in drawings.glob("*.svg"))
    return Means(sandbox, names)


def log_broken(complaint: FolderComplaint) -> None:
    """A broken folder is its author's business: it is left out, and the log says why."""
    import structlog

    lines = [str(error) for error in complaint.errors]
    structlog.get_logger().error("exercise_broken", folder=complaint.folder, complaints=lines)


def shipped_exercises() -> Path:
    """The exercises that come along: beside `app/` in a checkout, inside it in a wheel."""
    return place("exercises")


def data_directory(path: Path) -> Path:
    """The data directory, made where it is not there; what is in it is the host's alone."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def load_secret(data: Path, file: Path | None = None) -> bytes:
    """The server's secret, made at the first start and readable by no other user (mode 600).

    It lies in the data directory unless `file` says where.

    Raises ValueError where the file was cut short: a weak secret would let cookies be forged.
    """
    path = file or data_directory(data) / "secret"
    if not path.exists():
        _make_secret(path)
    secret = path.read_bytes()
    if len(secret) < SECRET_BYTES:
        raise ValueError(f"{path} is too short to be a secret; remove it and all cookies end")
    return secret


def _make_secret(path: Path) -> None:
    """Whole or not at all: of two first starts at once, one's secret becomes both's."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".secret-")  # mode 600
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(SECRET_BYTES))
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(name, path)
    finally:
        os.unlink(name)
