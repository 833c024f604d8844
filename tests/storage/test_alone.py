"""Of several web processes on PostgreSQL, one does what is to be done once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from app.storage.alone import CHORES
from app.storage.store import SqlStore
from tests.databases import sqlite


@pytest.fixture
def two(postgres_url: str) -> Iterator[tuple[SqlStore, SqlStore]]:
    made = SqlStore(postgres_url), SqlStore(postgres_url)
    yield made
    for store in made:
        store.close()


def test_one_of_two_does_the_chores_until_it_ends(two: tuple[SqlStore, SqlStore]) -> None:
    first, second = two
    assert first.does_chores()
    assert not second.does_chores()
    assert first.does_chores()
    first.close()
    assert second.does_chores()


def test_another_takes_over_where_the_connection_of_the_one_was_cut(
    two: tuple[SqlStore, SqlStore], postgres_url: str
) -> None:
    first, second = two
    assert first.does_chores()
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'"
            " AND objid = %s",
            (CHORES,),
        )
    assert second.does_chores()
    assert not first.does_chores()


def test_on_sqlite_the_one_server_does_them(tmp_path: Path) -> None:
    store = SqlStore(sqlite(tmp_path / "db"))
    assert store.does_chores()
    store.close()
