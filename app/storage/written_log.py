"""SQLite's log file, brought to the disk by one call for all who wait at the same time.

    commit ─▶ the log holds it ─┬─▶ other work goes on
                                └─▶ settle ─▶ the disk has the log: no power cut undoes it

A commit that syncs by itself keeps all other writers waiting for the disk, and its own caller too.
What is folded into the database meanwhile was brought to the disk by that.
"""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path
from threading import Lock


class WrittenLog:
    """The log beside one database file; safe to use from several threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._moments = count()
        self._began = -1
        self._at_work = Lock()

    def settle(self) -> None:
        """Return once a sync has ended that began after this call. Raises OSError."""
        came = next(self._moments)
        with self._at_work:
            if self._began > came:
                return  # the one before us began when our commit was there
            began = next(self._moments)
            self._sync()
            self._began = began

    def _sync(self) -> None:
        try:
            log = os.open(self._path, os.O_RDONLY)
        except FileNotFoundError:
            return  # folded into the database, all of it
        try:
            os.fdatasync(log)
        finally:
            os.close(log)
