"""What each exercise expects, computed once a folder digest; other exercises never wait for it.

A submission waits for its own exercise only; the rest are computed meanwhile, two at a time.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor

import structlog

from app.catalog import ExerciseErrors
from app.model import Exercise, Expectations, Slug
from app.ports import SandboxFault

log = structlog.get_logger()

AT_ONCE = 2
"""Exercises warmed at a time: what one's jail gives is compared while the other's jail works."""
HEAD_START_S = 0.5
"""The first page comes before them: they would take the CPU from it."""


class Expecting:
    """The expectations of all exercises as futures; safe to use from several threads."""

    def __init__(self, load: Callable[[Exercise], Expectations]) -> None:
        """`load` gives an exercise's expectations, computing them where need be."""
        self._load = load
        self._known: dict[Slug, tuple[str, Future[Expectations]]] = {}
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(AT_ONCE + 1, thread_name_prefix="expectations")
        self._closed = False
        self._closing = threading.Event()
        self._tell: Callable[[Exercise], None] = lambda _: None

    def tell(self, hears: Callable[[Exercise], None]) -> None:
        """Have every exercise told whose expectations are there from now on."""
        self._tell = hears

    def put(self, exercise: Exercise, richer: Expectations) -> None:
        """Give these from now on, unless the exercise has changed meanwhile."""
        future: Future[Expectations] = Future()
        future.set_result(richer)
        with self._lock:
            known = self._known.get(exercise.slug)
            if known is not None and known[0] == exercise.digest:
                self._known[exercise.slug] = exercise.digest, future

    def get(self, exercise: Exercise) -> Future[Expectations]:
        """Those of the exercise as it is now.

        The future fails with ExerciseErrors for as long as the folder is as it is, and with
        SandboxFault this time only; it is cancelled once this is closed.
        """
        with self._lock:
            if self._closed:
                return _given_up()
            known = self._known.get(exercise.slug)
            if known is not None and known[0] == exercise.digest and not _is_fault(known[1]):
                return known[1]
            future = self._pool.submit(self._logged, exercise)
            self._known[exercise.slug] = exercise.digest, future
        future.add_done_callback(lambda _: self._tell(exercise))
        return future

    def known(self, exercise: Exercise) -> Expectations | None:
        """Those of the exercise where they are there already."""
        with self._lock:
            known = self._known.get(exercise.slug)
        if known is None or known[0] != exercise.digest or not known[1].done():
            return None
        failed = known[1].cancelled() or known[1].exception() is not None
        return None if failed else known[1].result()

    def complaints(self, slug: Slug) -> tuple[str, ...]:
        """What an author's files did wrong when they were last run, one line each."""
        with self._lock:
            known = self._known.get(slug)
        if known is None or not known[1].done() or known[1].cancelled():
            return ()
        error = known[1].exception()
        return lines(error) if isinstance(error, ExerciseErrors) else ()

    def warm(self, exercises: Iterable[Exercise]) -> None:
        """Compute all of them in the background, soon; what is asked for meanwhile comes first.

        One worker stays free for what is asked for then.
        """
        due = queue.SimpleQueue[Exercise]()
        for exercise in most_work_first(exercises):
            due.put(exercise)
        for _ in range(AT_ONCE):
            threading.Thread(target=self._warm, args=(due,), name="warm", daemon=True).start()

    def close(self) -> None:
        """Start no more of them."""
        with self._lock:
            self._closed = True
        self._closing.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _warm(self, due: queue.SimpleQueue[Exercise]) -> None:
        self._closing.wait(HEAD_START_S)
        with contextlib.suppress(queue.Empty, CancelledError):
            while True:
                self.get(due.get_nowait()).exception()  # waits

    def _logged(self, exercise: Exercise) -> Expectations:
        try:
            return self._load(exercise)
        except ExerciseErrors as errors:
            log.error("exercise_broken", exercise=exercise.slug, complaints=lines(errors))
            raise
        except SandboxFault as fault:
            if not self._closed:
                log.error("expectations_failed", exercise=exercise.slug, fault=str(fault))
            raise


def most_work_first(exercises: Iterable[Exercise]) -> list[Exercise]:
    """So that no core stands idle while the longest is computed last: pairs grow by the square."""
    return sorted(exercises, key=_size_of_mistakes, reverse=True)


def _size_of_mistakes(exercise: Exercise) -> int:
    return sum(len(exercise.files[path]) for path in exercise.python_files("mistakes"))


def lines(errors: ExerciseErrors) -> tuple[str, ...]:
    """An author's mistakes, one line each."""
    return tuple(f"{error.file}: {error.key}: {error.message}" for error in errors.errors)


def _given_up() -> Future[Expectations]:
    future: Future[Expectations] = Future()
    future.cancel()
    return future


def _is_fault(future: Future[Expectations]) -> bool:
    if not future.done():
        return False
    return future.cancelled() or isinstance(future.exception(), SandboxFault)
