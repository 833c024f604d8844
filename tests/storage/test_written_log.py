"""A submission is judged at once and answered for once the disk has it; who waits shares a sync."""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.model import LearnerId, Slug, SubmissionId
from app.records import NewSubmission
from app.storage.store import SqlStore
from app.storage.written_log import WrittenLog
from tests.databases import sqlite

NOW = datetime(2026, 11, 30, tzinfo=UTC)
PATIENCE_S = 60


class Disk:
    """Stands for `os.fdatasync`: says what was synced, and may keep callers waiting."""

    def __init__(self) -> None:
        self.synced: list[bytes] = []
        self.begun = threading.Semaphore(0)
        self.let = threading.Event()
        self.let.set()

    def __call__(self, log: int) -> None:
        content = Path(f"/proc/self/fd/{log}").read_bytes()
        self.begun.release()
        assert self.let.wait(PATIENCE_S)
        self.synced.append(content)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    made = Disk()
    monkeypatch.setattr(os, "fdatasync", made)
    return made


def new(name: str) -> NewSubmission:
    return NewSubmission(SubmissionId(name), LearnerId("ann"), Slug("stable-softmax"), b"x", NOW)


def test_what_was_added_is_on_the_disk_when_settle_returns(tmp_path: Path, disk: Disk) -> None:
    store = SqlStore(sqlite(tmp_path / "mlgrind.db"))
    store.submissions.add(new("a-name-that-is-found-again"))
    assert not any(b"a-name-that-is-found-again" in log for log in disk.synced)
    store.submissions.settle()
    assert b"a-name-that-is-found-again" in disk.synced[-1]
    store.close()


def test_others_read_it_at_once(tmp_path: Path, disk: Disk) -> None:
    disk.let.clear()
    store = SqlStore(sqlite(tmp_path / "mlgrind.db"))
    store.submissions.add(new("one"))
    assert store.submissions.unreported() == ("one",)
    with closing(sqlite3.connect(tmp_path / "mlgrind.db")) as another_process:
        rows = another_process.execute("SELECT id FROM submissions").fetchall()
    assert rows == [("one",)]
    disk.let.set()
    store.close()


def test_the_next_writer_does_not_wait_for_the_disk(tmp_path: Path, disk: Disk) -> None:
    store = SqlStore(sqlite(tmp_path / "mlgrind.db"))
    store.submissions.add(new("one"))
    disk.let.clear()
    waiting = threading.Thread(target=store.submissions.settle)
    waiting.start()
    assert disk.begun.acquire(timeout=PATIENCE_S)
    store.submissions.add(new("two"))
    assert store.submissions.unreported() == ("one", "two")
    disk.let.set()
    waiting.join()
    store.close()


class Turn:
    """A lock that says who came for it."""

    def __init__(self) -> None:
        self.came = threading.Semaphore(0)
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        self.came.release()
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def test_those_who_come_during_a_sync_share_the_next(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that began before a caller came may have missed what the caller wrote."""
    path = tmp_path / "a-wal"
    path.write_bytes(b"first")
    log = WrittenLog(path)
    turn = Turn()
    monkeypatch.setattr(log, "_at_work", turn)
    disk.let.clear()
    first = threading.Thread(target=log.settle)
    first.start()
    assert disk.begun.acquire(timeout=PATIENCE_S)
    path.write_bytes(b"first, second")
    others = [threading.Thread(target=log.settle) for _ in range(5)]
    for thread in others:
        thread.start()
    for _ in (first, *others):
        assert turn.came.acquire(timeout=PATIENCE_S)
    disk.let.set()
    for thread in (first, *others):
        thread.join()
    assert disk.synced == [b"first", b"first, second"]


def test_a_log_that_was_folded_into_its_database_needs_nothing(tmp_path: Path, disk: Disk) -> None:
    WrittenLog(tmp_path / "no-wal").settle()
    assert disk.synced == []


def test_a_disk_that_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a-wal").write_bytes(b"x")

    def fails(_: int) -> None:
        raise OSError(5, os.strerror(5))

    monkeypatch.setattr(os, "fdatasync", fails)
    log = WrittenLog(tmp_path / "a-wal")
    for _ in range(2):  # and no later caller is told that all is well
        with pytest.raises(OSError, match="Input/output error"):
            log.settle()
