"""Makes old reports small while the server serves: a few at a time, behind everybody else.

Where servers of an earlier release may use the same database, which cannot read small ones,
`mlgrind shrink` does it instead.
"""

from __future__ import annotations

import threading

import structlog

from app.ports import Store

log = structlog.get_logger()

STEP = 10
PAUSE_S = 0.1


class Shrinking:
    """A thread that ends with its work, or when it is closed."""

    def __init__(self, store: Store) -> None:
        self._submissions = store.submissions
        self._step = 0 if store.shared else STEP
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._work, name="shrinking", daemon=True)

    def start(self) -> None:
        """Begin, or go on where an earlier start ended."""
        self._thread.start()

    def close(self) -> None:
        """End after the step it is at."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join()

    def _work(self) -> None:
        try:
            while self._submissions.shrink(self._step):
                if self._closed.wait(PAUSE_S):
                    return
        except Exception as error:
            log.error("not_shrunk", exc_info=error)
