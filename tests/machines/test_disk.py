"""PostgreSQL's disk is full: learners are told so, and what was taken before is not lost."""

from __future__ import annotations

import os
import subprocess
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.machines.clients import RIGHT, Log, Told, send, wait_until_all_reported
from tests.machines.processes import machines, wait_for
from tests.postgres import DURABLE, Cluster, NoPostgres, left_out, programs

MIB = 2**20
SMALL = ("max_wal_size=32MB", "min_wal_size=32MB", "shared_buffers=16MB", "max_connections=60")


@contextmanager
def reachable() -> Iterator[Path]:
    """A folder that PostgreSQL's own user may enter."""
    with tempfile.TemporaryDirectory(prefix="mlgrind-disk-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A disk of 64 MiB at `folder`."""
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", folder], capture_output=True
    )
    if mounted.returncode != 0:
        pytest.skip("a small disk can be mounted by root alone")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def fill(disk: Path) -> Path:
    """A file that takes all room."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(b"\0" * 4_096):
            pass
    return filler


def new(port: int, log: Log) -> Told:
    """A submission of some length that compresses badly, told and written down."""
    text = RIGHT + b"# " + os.urandom(9_000).hex().encode() + b"\n"
    told = send(port, text, str(uuid.uuid4()))
    log.add(told)
    return told


def test_a_full_disk_is_told_and_nothing_that_was_taken_is_lost(tmp_path: Path) -> None:
    try:
        programs()
    except NoPostgres as error:
        left_out(error)
    with reachable() as folder, small_disk(folder / "disk") as disk:
        postgres = Cluster(disk, (*DURABLE, *SMALL), log_folder=folder / "wal")
        try:
            with (
                postgres.database() as url,
                machines(url, tmp_path / "machines") as made,
            ):
                web, dispatcher = made.web(), made.dispatcher()
                web.wait_ready()
                dispatcher.wait_ready()
                log, pid = Log(), web.pid
                assert new(web.port, log).status in {201, 202}
                wait_until_all_reported(url, log)
                filler = fill(disk)
                refused: list[Told] = []

                def is_refused() -> bool:
                    refused.append(new(web.port, log))
                    return refused[-1].status == 503

                wait_for(is_refused, "a refusal")
                assert "disk" in refused[-1].body
                assert int(refused[-1].retry_after) >= 1
                filler.unlink()
                wait_for(lambda: new(web.port, log).status in {201, 202}, "well again")
                wait_until_all_reported(url, log)
                assert web.pid == pid
                assert set(log.statuses) <= {201, 202, 503}
        finally:
            postgres.stop()
