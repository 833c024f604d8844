"""Reports are kept small and read back equal to the last bit, those of before as well."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, Table, insert, select, update

from app.model import LearnerId, Slug, SubmissionId
from app.model.bounds import STORED_REPORT_BYTES
from app.records import Json, NewSubmission
from app.report import from_json
from app.report.shared_values import spell
from app.storage import database, report_bodies
from app.storage.report_bodies import PACKED, applied, difference, put_together, take_apart
from app.storage.report_columns import columns_of
from app.storage.schema import report_parts, report_shrinking, reports
from app.storage.schema_classes import past_reports, regraded, regrades
from app.storage.store import SqlStore
from app.storage.unreported import BEHIND
from tests.databases import sqlite

REGRADE = {
    **{
        "id": "r",
        "exercise": "multi-head-attention",
        "digest": "d",
        "reason": "",
        "state": "ready",
    },
    **{"rule": "replace", "at": datetime(2026, 11, 30, tzinfo=UTC)},
}
GOLDEN = Path(__file__).parents[1] / "golden"
GOLDENS = sorted(folder.name for folder in GOLDEN.iterdir() if (folder / "report.json").exists())
NOW = datetime(2026, 11, 30, tzinfo=UTC)
SLUG = Slug("multi-head-attention")


def golden(name: str) -> Json:
    report: Json = json.loads((GOLDEN / name / "report.json").read_text("utf-8"))
    return {**report, "digest": report.get("digest") or "d"}


@pytest.fixture
def store(tmp_path: Path) -> SqlStore:
    return SqlStore(sqlite(tmp_path / "mlgrind.db"))


def submit(store: SqlStore, name: str, source: bytes = b"x = 1") -> SubmissionId:
    new = NewSubmission(SubmissionId(name), LearnerId("ann"), SLUG, source, NOW)
    return store.submissions.add(new)[0].id


def kept(store: SqlStore, submission: str) -> str:
    with store.database.read() as connection:
        query = select(reports.c.body).where(reports.c.submission == submission)
        return str(connection.execute(query).scalar_one())


def report_of(store: SqlStore, submission: str) -> Json:
    found = store.submissions.get(SubmissionId(submission))
    assert found is not None
    assert found.report is not None
    return found.report


def test_a_report_is_read_back_as_it_was(store: SqlStore) -> None:
    """Its keys in their order, too: the page and the API see no other report."""
    for name in GOLDENS:
        submit(store, name)
        store.submissions.record(SubmissionId(name), golden(name), NOW)
        assert spell(report_of(store, name)) == spell(golden(name)), name


def test_an_accepted_report_keeps_two_kilobytes_and_a_wrong_one_eight(store: SqlStore) -> None:
    for name in GOLDENS:
        submit(store, name)
        store.submissions.record(SubmissionId(name), golden(name), NOW)
    assert len(kept(store, "accepted")) <= 2_000
    sizes = sorted(len(kept(store, name)) for name in GOLDENS if name != "accepted")
    assert sizes[len(sizes) // 2] <= 8_000


def test_what_is_the_same_for_everybody_is_kept_once(store: SqlStore) -> None:
    for number in range(3):
        submit(store, f"s{number}", b"x = %d" % number)
        store.submissions.record(SubmissionId(f"s{number}"), golden("accepted"), NOW)
    with store.database.read() as connection:
        texts = connection.execute(select(report_parts.c.hash)).all()
    visible = [t for t in golden("accepted")["tests"] if t["visible"]]  # type: ignore[attr-defined]
    assert len(texts) == 2 * len(visible)


def test_an_old_report_is_whole_after_the_exercise_changed(store: SqlStore) -> None:
    """Its arrays stand in the database, under their hash: no folder is asked."""
    submit(store, "s")
    store.submissions.record(SubmissionId("s"), golden("accepted"), NOW)
    before = report_of(store, "s")
    changed = json.loads(json.dumps(golden("accepted")).replace("0.2167", "0.9999"))
    submit(store, "later", b"y = 1")
    store.submissions.record(SubmissionId("later"), changed, NOW)
    assert report_of(store, "s") == before == golden("accepted")
    assert report_of(store, "later") == changed


NUMBERS = st.floats(allow_nan=False, allow_infinity=False).map(repr)
DATA = st.lists(st.one_of(NUMBERS, st.sampled_from(["nan", "inf", "True", "text"])), max_size=8)


def array(data: list[str]) -> dict[str, object]:
    return {"kind": "array", "dtype": "float64", "shape": [len(data)], "data": data}


@given(DATA, DATA)
def test_a_difference_gives_the_value_back(one: list[str], other: list[str]) -> None:
    for got, expected in (
        (array(one), array(other)),
        ([array(one), array(other)], [array(other), array(one)]),
    ):
        found = difference(got, expected)
        assert found is None or spell(applied(found, expected)) == spell(got)


def test_neighbouring_floats_are_told_by_their_steps() -> None:
    expected = array(["1.0", "0.1", "-2.5", "0.0"] * 10)
    got = array(["1.0000000000000002", "0.09999999999999999", "-2.5", "-0.0"] * 10)
    found = difference(got, expected)
    assert found == {"steps": [1, -1, 0, ["-0.0"]] * 10}
    assert applied(found, expected) == got


@given(
    st.dictionaries(
        st.sampled_from(["tests", "verdict", "parts", "report"]),
        st.lists(st.dictionaries(st.sampled_from(["got", "expected", "name"]), DATA), max_size=3),
    )
)
def test_any_report_is_put_together_again(report: dict[str, object]) -> None:
    small, parts = take_apart(report)
    again = put_together(json.loads(spell(small)), parts.__getitem__)
    assert spell(again) == spell(report)


def store_as_before(store: SqlStore, count: int) -> list[str]:
    """Rows as a release before this one wrote them, and the mark that its migration sets."""
    names = []
    for number in range(count):
        name = GOLDENS[number % len(GOLDENS)]
        submission = f"old-{number:04}"
        submit(store, submission, b"x = %d" % number)
        told = golden(name)
        body = {"submission": submission, "body": spell(told), "recorded_at": NOW}
        values = {**body, **columns_of(told)}
        with store.database.write() as connection:
            connection.execute(insert(reports).values(**values))
        names.append(name)
    with store.database.write() as connection:
        mark = report_shrinking.c.name == "reports"
        connection.execute(
            update(report_shrinking).where(mark).values(up_to="", until=f"old-{count - 1:04}")
        )
    return names


def test_reports_of_before_shrink_while_others_write(store: SqlStore) -> None:
    """Nothing is lost, everything is equal, and what is new is small from the start."""
    names = store_as_before(store, 2 * len(GOLDENS))

    def write() -> None:
        for number in range(20):
            submit(store, f"new-{number}", b"y = %d" % number)
            store.submissions.record(SubmissionId(f"new-{number}"), golden("accepted"), NOW)

    writer = threading.Thread(target=write)
    writer.start()
    while store.submissions.shrink(3):
        pass
    writer.join()
    for number, name in enumerate(names):
        assert spell(report_of(store, f"old-{number:04}")) == spell(golden(name)), name
    accepted = names.index("accepted")
    assert kept(store, f"old-{accepted:04}").startswith(PACKED)
    assert all(report_of(store, f"new-{n}") == golden("accepted") for n in range(20))
    assert not store.submissions.shrink(3), "it is done once"


def test_nobody_waits_while_reports_are_packed(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report replaced meanwhile stays what it became."""
    store_as_before(store, 2)
    plain = report_bodies.pack

    def pack(report: Mapping[str, Any]) -> report_bodies.Packed:
        with store.database.write() as connection:
            mine = reports.c.submission == "old-0000"
            connection.execute(update(reports).where(mine).values(body='{"verdict":"new"}'))
        return plain(report)

    monkeypatch.setattr(report_bodies, "pack", pack)
    while store.submissions.shrink(2):
        pass
    assert kept(store, "old-0000") == '{"verdict":"new"}'
    assert kept(store, "old-0001").startswith(PACKED)


def test_shrinking_goes_on_where_another_start_ended(store: SqlStore, tmp_path: Path) -> None:
    store_as_before(store, 6)
    assert store.submissions.shrink(4)
    store.close()
    again = SqlStore(sqlite(tmp_path / "mlgrind.db"))
    assert not again.submissions.shrink(4)
    for number in range(6):
        assert spell(report_of(again, f"old-{number:04}")) == spell(golden(GOLDENS[number]))
    again.close()


def test_a_step_stores_the_parts_of_all_its_reports_in_one_order(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else PostgreSQL may end a report that is stored meanwhile: each waits for the other's."""
    count = 8
    store_as_before(store, count)
    with store.database.write() as connection:
        for number in range(count):
            told = json.loads(spell(golden("accepted")))
            told["tests"][0]["expected"]["data"] = [f"{number}.0"] * 100
            mine = reports.c.submission == f"old-{number:04}"
            connection.execute(update(reports).where(mine).values(body=spell(told)))
    stored: list[bytes] = []

    def add_once(connection: Connection, table: Table, **values: Any) -> bool:
        if table is report_parts:
            stored.append(values["hash"])
        return database.add_once(connection, table, **values)

    monkeypatch.setattr(report_bodies, "add_once", add_once)
    store.submissions.shrink(count)
    assert len(stored) >= count, "those of each report are its own"
    assert stored == sorted(stored)


def test_reports_kept_aside_by_regrades_shrink_too(store: SqlStore) -> None:
    """The earlier report of a regraded submission, and the one that waits to be applied."""
    submit(store, "s")
    told = golden("accepted")
    kept_aside = {"submission": "s", **columns_of(told), "body": spell(told)}
    with store.database.write() as connection:
        connection.execute(insert(regrades).values(REGRADE))
        times = {"recorded_at": NOW, "replaced_at": NOW}
        for grading in range(3):
            values = {**kept_aside, "grading": grading, **times}
            connection.execute(insert(past_reports).values(values))
        connection.execute(insert(regraded).values({**kept_aside, "regrade": "r"}))
    while store.submissions.shrink(1):
        pass
    with store.database.read() as connection:
        for table in (past_reports, regraded):
            for (body,) in connection.execute(select(table.c.body)).all():
                assert body.startswith(PACKED)
                assert spell(report_bodies.read(connection, body)) == spell(golden("accepted"))


def test_a_report_that_says_no_less_than_its_packing_is_kept_plain(store: SqlStore) -> None:
    with store.database.write() as connection:
        packed = report_bodies.pack({"verdict": "x"})
        assert report_bodies.keep(connection, packed) == '{"verdict":"x"}'


def uuid7(at: datetime, end: str = "7000-8000-000000000000") -> str:
    digits = f"{int(at.timestamp() * 1000):012x}"
    return f"{digits[:8]}-{digits[8:]}-{end}"


def test_the_mark_of_what_is_judged_passes_nothing_unjudged(
    store: SqlStore, tmp_path: Path
) -> None:
    now = datetime.now(UTC)
    old, left, new = (uuid7(now - BEHIND * age) for age in (9, 5, 0.1))
    for name in (old, left, new):
        submit(store, name, name.encode())
    store.submissions.record(SubmissionId(old), golden("accepted"), NOW)
    assert not store.submissions.shrink(1)
    assert mark(tmp_path) == left
    assert store.submissions.unreported() == (left, new)
    store.submissions.record(SubmissionId(left), golden("accepted"), NOW)
    assert store.submissions.unreported() == (new,)
    assert not store.submissions.shrink(1)
    assert left < mark(tmp_path) < uuid7(now - BEHIND + timedelta(seconds=60))
    late = uuid7(now - BEHIND / 2)
    submit(store, late, b"late")
    assert store.submissions.unreported() == (late, new), "a clock that was set back"


def mark(tmp_path: Path) -> str:
    with sqlite3.connect(tmp_path / "mlgrind.db") as connection:
        query = "SELECT up_to FROM report_shrinking WHERE name = 'judged'"
        return str(connection.execute(query).fetchone()[0])


def test_a_report_of_before_there_was_a_bound_is_told_and_never_loaded(store: SqlStore) -> None:
    report = golden("returns_number")
    submission = submit(store, "s1")
    body = json.dumps({**report, "load_stdout": "x" * STORED_REPORT_BYTES})
    values = {"submission": "s1", **columns_of(report), "recorded_at": NOW, "body": body}
    with store.database.write() as connection:
        connection.execute(insert(reports).values(**values))
    store.submissions.shrink(10)
    found = store.submissions.get(submission)
    assert found is not None and found.report is not None
    told = from_json(found.report)
    assert told.message == "This report takes 4 MB, more than is loaded today."
    assert (told.verdict, told.passed, told.total) == ("wrong_answer", 0, 6)
    assert told.tests == () and told.digest == report["digest"]
    assert kept(store, "s1") == body
