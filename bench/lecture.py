"""A lecture: 300 learners behind one address join, submit and type, while boards are open.

Everybody is held to the usual limits. Each submits every 20 s and causes a live run every 15 s;
the second half has three boards open, each asking again as soon as it was answered.
"""

from __future__ import annotations

import os
import random
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

from app.config import Settings
from app.main import build_catalog, build_store, load_secret
from app.model import Slug
from app.model.classes import ClassId
from app.service.school import School, SchoolParts
from app.web.wall import STAFF_COOKIE
from bench.figures import Figure, at_most, median, percentile, timed
from bench.serving import HERE, HOME, LIMITS, REFERENCE, SLUG, Learner, make_known, serving

LEARNERS = int(os.environ.get("MLGRIND_BENCH_LEARNERS", "300"))
HALF_S = float(os.environ.get("MLGRIND_BENCH_LECTURE_S", "60"))
SUBMIT_S, LIVE_S, BOARDS, JOINING = 20.0, 15.0, 3, 20
OFF = REFERENCE.replace("return ", "return 2 * ", 1)


@dataclass
class Told:
    """What came back: refusals and errors by status, seconds of each submission, and when."""

    refused: dict[int, int] = field(default_factory=dict)
    waited: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    shown: list[tuple[float, float]] = field(default_factory=list)
    """When a board's page was asked for, and when it was there."""


def figures() -> Iterator[Figure]:
    """Joining, then two halves of a lecture: without boards, and with three."""
    with tempfile.TemporaryDirectory(prefix="mlgrind-bench-") as folder:
        data = Path(folder)
        class_id, code, token = _class(data)
        with serving(data, rated=LIMITS) as server:
            make_known()
            pupils = [Learner(server.port, HOME) for _ in range(LEARNERS)]
            told = Told()
            with ThreadPoolExecutor(JOINING) as hall:
                spent = timed(lambda: list(hall.map(lambda p: _join(p, code, told), pupils)))
            yield at_most(f"{LEARNERS} join behind one address", spent, "s", 60)
            yield at_most("refused of them", sum(told.refused.values()), "", 0, _by_status(told))
            alone, beside = Told(), Told()
            _half(pupils, alone)
            with _boards(server.port, class_id, token, beside):
                _half(pupils, beside)
            yield from _figures(alone, beside)


def _figures(alone: Told, beside: Told) -> Iterator[Figure]:
    wrong = {s: alone.refused.get(s, 0) + beside.refused.get(s, 0)
             for s in {*alone.refused, *beside.refused}}  # fmt: skip
    many = wrong.pop(429, 0)
    yield at_most("answers 429 in a lecture", many, "", 0)
    yield at_most("errors in a lecture", sum(wrong.values()), "", 0, str(wrong or ""))
    before, after = median(alone.waited), median(beside.waited)
    name = f"times as long to submit, with {BOARDS} boards open"
    yield at_most(name, after / before, "×", 1.3, f"{before * 1e3:.0f} → {after * 1e3:.0f} ms")
    shown = sorted(beside.shown)
    behind = [
        next(there for asked, there in shown if asked >= at) - at
        for at in beside.answered
        if shown and at <= shown[-1][0]
    ]
    if behind:
        yield at_most("from answer to board, p95", percentile(behind, 0.95), "s", 2)


def _by_status(told: Told) -> str:
    return ", ".join(f"{n} × {status}" for status, n in told.refused.items())


def _class(data: Path) -> tuple[ClassId, str, str]:
    """A class with one assignment: its id, its code, and a session of its teacher."""
    settings = Settings(data=data, database=f"sqlite:///{data / 'mlgrind.db'}")
    store, catalog = build_store(settings), build_catalog(settings)
    secret = load_secret(data)
    parts = SchoolParts(store.school, store, catalog.get, lambda: tuple(catalog.all()), secret)
    school = School(parts)
    host, link = school.accounts.add("eva", "Eva", "the bench", host=True)
    made = school.classes.make("Deep Learning", "UTC", host)
    school.assignments.add(made.id, Slug(SLUG), {"points": "10", "due_at": "2099-01-01"}, host)
    token = school.accounts.set_password(link, "correct horse").token
    store.close()
    return made.id, str(made.join_code), token


def _join(pupil: Learner, code: str, told: Told) -> None:
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "X-Forwarded-For": pupil.address,
    }
    form = urlencode({"name": f"Learner {random.randrange(10**6)}"})
    pupil.connection.request("POST", f"/join/{code}", form, headers)
    answer = pupil.connection.getresponse()
    answer.read()
    if answer.status != 303:
        told.refused[answer.status] = told.refused.get(answer.status, 0) + 1
    pupil.cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]


def _half(pupils: list[Learner], told: Told) -> None:
    """Everybody submits and types for a while, each at moments of their own."""
    end = time.monotonic() + HALF_S
    people = [threading.Thread(target=_pupil, args=(pupil, told, end)) for pupil in pupils]
    for one in people:
        one.start()
    for one in people:
        one.join()


def _pupil(pupil: Learner, told: Told, end: float) -> None:
    now = time.monotonic()
    submits, live = (now + random.uniform(0, each) for each in (SUBMIT_S, LIVE_S))
    while (at := min(submits, live)) < end:
        time.sleep(max(0.0, at - time.monotonic()))
        if submits <= live:
            submits += SUBMIT_S
            started = time.monotonic()
            _asked(told, lambda: pupil.submit(OFF))
            told.answered.append(time.monotonic())
            told.waited.append(told.answered[-1] - started)
        else:
            live += LIVE_S
            body = {"source": OFF, "live": True}
            path = f"/api/exercises/{SLUG}/runs"
            _asked(told, lambda b=body, p=path: pupil.ask("POST", p, b))  # type: ignore[misc]


def _asked(told: Told, ask: Callable[[], object]) -> None:
    """Ask, and count what was refused by its status; a live run may be skipped (204, 503)."""
    try:
        ask()
    except RuntimeError as error:
        status = int(str(error).split(": ", 1)[1][:3])
        told.refused[status] = told.refused.get(status, 0) + 1


@contextmanager
def _boards(port: int, class_id: ClassId, token: str, told: Told) -> Iterator[None]:
    """Three boards, as the page's script keeps them up to date."""
    over = threading.Event()

    def watch() -> None:
        headers = {"Cookie": f"{STAFF_COOKIE}={token}"}
        connection = HTTPConnection(HERE, port, timeout=120)
        while not over.is_set():
            with suppress(OSError):
                connection.request("GET", f"/classes/{class_id}/board", headers=headers)
                asked = time.monotonic()
                page = connection.getresponse().read().decode()
                told.shown.append((asked, time.monotonic()))
                stamp = page.split('data-stamp="', 1)[1].split('"', 1)[0]
                url = f"/classes/{class_id}/board.json?since={stamp}"
                connection.request("GET", url, headers=headers)
                connection.getresponse().read()

    watchers = [threading.Thread(target=watch) for _ in range(BOARDS)]
    for one in watchers:
        one.start()
    try:
        yield
    finally:
        over.set()
        for one in watchers:
            one.join()
