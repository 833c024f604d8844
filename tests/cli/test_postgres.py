"""`mlgrind serve` on PostgreSQL, and moves between the two databases by backup and restore."""

from __future__ import annotations

import signal
import stat
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from http.client import HTTPConnection
from pathlib import Path

import pytest
from sqlalchemy import select

from app.classroom.class_files import SYSTEMS
from app.model import LearnerId
from app.model.classes import Class
from app.records import Draft
from app.report.shared_values import spell
from app.storage import copying
from app.storage.database import Database
from app.storage.report_bodies import PACKED
from app.storage.schema import reports, submissions
from app.storage.store import SqlStore
from tests.cli.test_grade import mlgrind
from tests.cli.test_serve import rows, serving, submit
from tests.machines.processes import machines
from tests.postgres import Cluster
from tests.service.school_world import NORMS, SOFTMAX, world
from tests.service.school_world import World as SchoolWorld
from tests.service.world import REFERENCE, WRONG, World
from tests.storage.test_report_bodies import golden, kept, report_of, store_as_before

SUBMISSIONS, TIMES = 300, 34
LEARNERS = 20
SECRET = b"0123456789abcdef" * 2


@pytest.fixture
def empty(postgres: Cluster) -> Iterator[str]:
    """The address of a database without any table."""
    with postgres.database() as url:
        yield url


def page(url: str, path: str) -> str:
    with closing(HTTPConnection(url.removeprefix("http://"))) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        assert answer.status == 200, path
        return answer.read().decode()


def test_a_server_on_postgresql_judges_shows_exports_and_backs_up(
    empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLGRIND_DATABASE", empty)
    with machines(empty, tmp_path / "machines") as others, serving() as (server, lines):
        others.dispatcher()
        url = lines[0].removeprefix("ML Grind is at ")
        told = submit(url, REFERENCE)
        assert told["verdict"] == "accepted"
        assert submit(url, WRONG)["verdict"] == "wrong_answer"
        assert "Stable Softmax" in page(url, "/")
        token = told["read_token"]
        assert '"verdict"' in page(url, f"/api/submissions/{told['submission']}?read_token={token}")
        assert [row["verdict"] for row in rows()] == ["accepted", "wrong_answer"]
        done = mlgrind("backup", tmp_path / "monday.db")
        assert done.returncode == 0, done.stderr
        assert stat.S_IMODE((tmp_path / "monday.db").stat().st_mode) == 0o600
        submit(url, WRONG)
        done = mlgrind("restore", tmp_path / "monday.db")
        assert done.returncode == 0, done.stderr
        assert [row["verdict"] for row in rows()] == ["accepted", "wrong_answer"]
        assert submit(url, REFERENCE)["verdict"] == "accepted"
        assert "version" in mlgrind("doctor").stdout.decode()
        server.send_signal(signal.SIGTERM)
        assert server.wait() == 0


def test_reports_of_before_are_made_small_by_a_command(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not by a server: another one, of an earlier release, may use the database too."""
    store = SqlStore(postgres_url)
    names = store_as_before(store, 30)
    world = World(Path(), store=store)
    try:
        world.service().close()
    finally:
        world.close()
    store = SqlStore(postgres_url)
    assert kept(store, f"old-{names.index('accepted'):04}").startswith("{")
    monkeypatch.setenv("MLGRIND_DATABASE", postgres_url)
    done = mlgrind("shrink")
    assert done.returncode == 0, done.stderr
    assert kept(store, f"old-{names.index('accepted'):04}").startswith(PACKED)
    for number, name in enumerate(names):
        assert spell(report_of(store, f"old-{number:04}")) == spell(golden(name)), name
    store.close()


# ------------------------------------------------------------------ moving


def _filled(folder: Path) -> tuple[SchoolWorld, Class]:
    """A class in the middle of its term: some hundreds of submissions, and what staff decided."""
    made = world(folder)
    eva = made.account(host=True)
    course = made.a_class(eva)
    softmax = made.given(course, late="per_day", late_share="10", hint_share="5")
    made.given(course, NORMS, scoring="all")
    people = [made.joined(course, f"learner {n:02}") for n in range(LEARNERS)]
    for n in range(SUBMISSIONS):
        made.pass_time(3_000)
        learner = people[n * 7 % LEARNERS]
        named = ("forgot_scale",) if n % 5 == 0 else ()
        made.submit(learner, n % 7, (SOFTMAX, NORMS)[n % 2], mistakes=named)
    made.store.ladder.reveal_hint(people[0], SOFTMAX, 1, made.now - timedelta(days=9))
    made.store.learners.join(LearnerId("gone"), people[1], made.now)
    odd = "é\x00\ud800".encode("utf-8", "surrogatepass")
    made.store.drafts.save(people[2], Draft(SOFTMAX, odd, "v1", "device", made.now), None)
    seats = made.store.school.enrolments.of_class(course.id)
    made.school.grades.override(
        course.id, softmax.id, seats[3].id, {"points": "7.5", "reason": "by mail", "note": ""}, eva
    )
    return made, course


def _many(made: SchoolWorld) -> None:
    """Each submission and report there, as often again as makes ten thousand of all."""
    names = {submissions: submissions.c.id, reports: reports.c.submission}
    with made.store.database.write() as connection:
        for table, name in names.items():
            rows = connection.execute(select(table)).mappings().all()
            again = [
                {**row, name.name: f"{row[name.name]}-{n:02}"}
                for n in range(TIMES - 1)
                for row in rows
            ]
            connection.execute(table.insert(), again)


def _marks(made: SchoolWorld, course: Class) -> dict[str, bytes]:
    return {name: made.school.grades.export(course.id, name) for name in SYSTEMS}


def test_a_term_moves_to_postgresql_and_back_with_equal_grades(
    empty: str, data_directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data_directory.mkdir()
    (data_directory / "secret").write_bytes(SECRET)
    made, course = _filled(data_directory)
    _many(made)
    before = _marks(made, course)
    counted = copying.counts(made.store.database)
    made.store.close()
    assert counted["submissions"] == counted["reports"] == 10_200
    assert mlgrind("backup", tmp_path / "sqlite.db").returncode == 0

    monkeypatch.setenv("MLGRIND_DATABASE", empty)
    done = mlgrind("restore", tmp_path / "sqlite.db")
    assert done.returncode == 0, done.stderr
    there = world(tmp_path, empty)
    try:
        assert _marks(there, course) == before
        assert copying.counts(there.store.database) == counted
        (draft,) = [there.store.drafts.all(LearnerId("learner 02"), SOFTMAX).opened]
        assert draft is not None and draft.source.startswith("é\x00".encode())
    finally:
        there.store.close()
    assert mlgrind("backup", tmp_path / "postgres.db").returncode == 0

    monkeypatch.delenv("MLGRIND_DATABASE")
    monkeypatch.setenv("MLGRIND_DATA", str(tmp_path / "third"))
    done = mlgrind("restore", tmp_path / "postgres.db")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "third" / "secret").read_bytes() == SECRET
    back = world(tmp_path / "third")
    try:
        assert _marks(back, course) == before
        assert copying.counts(back.store.database) == counted
    finally:
        back.store.close()


def test_a_copy_holds_what_was_there_when_it_began(store_pair: tuple[Database, Database]) -> None:
    source, target = store_pair
    copying.copy(source, target)
    assert copying.counts(source) == copying.counts(target)


@pytest.fixture
def store_pair(tmp_path: Path, postgres_url: str) -> Iterator[tuple[Database, Database]]:
    made, _ = _filled(tmp_path)
    target = SqlStore(postgres_url)
    yield made.store.database, target.database
    made.store.close()
    target.close()


# ------------------------------------------------------------------ the secret


@pytest.fixture
def backed_up(data_directory: Path, tmp_path: Path) -> Path:
    data_directory.mkdir()
    (data_directory / "secret").write_bytes(SECRET)
    SqlStore(f"sqlite:///{data_directory / 'mlgrind.db'}").close()
    assert mlgrind("backup", tmp_path / "all.db").returncode == 0
    return tmp_path / "all.db"


def test_a_restored_secret_goes_where_the_host_says(
    backed_up: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLGRIND_DATA", str(tmp_path / "other"))
    named = tmp_path / "mounted secret"
    monkeypatch.setenv("MLGRIND_SECRET_FILE", str(named))
    assert mlgrind("restore", backed_up).returncode == 0
    assert named.read_bytes() == SECRET
    assert stat.S_IMODE(named.stat().st_mode) == 0o600
    again = mlgrind("restore", backed_up)
    assert (again.returncode, b"secret changed" in again.stdout) == (0, False)


def test_another_secret_is_never_written_over(
    backed_up: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    monkeypatch.setenv("MLGRIND_DATA", str(other))
    named = tmp_path / "mounted secret"
    named.write_bytes(b"x" * 32)
    monkeypatch.setenv("MLGRIND_SECRET_FILE", str(named))
    refused = mlgrind("restore", backed_up)
    assert refused.returncode == 2
    assert b"holds a different secret from the backup" in refused.stderr
    assert not other.exists()
    out = tmp_path / "to mount"
    done = mlgrind("restore", backed_up, "--secret-out", out)
    assert done.returncode == 0, done.stderr
    assert (out.read_bytes(), named.read_bytes()) == (SECRET, b"x" * 32)


def test_a_secret_that_cannot_be_written_is_told_before_anything_is_changed(
    backed_up: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    monkeypatch.setenv("MLGRIND_DATA", str(other))
    monkeypatch.setenv("MLGRIND_SECRET_FILE", str(tmp_path / "no such folder" / "secret"))
    refused = mlgrind("restore", backed_up)
    assert (refused.returncode, b"--secret-out FILE" in refused.stderr) == (2, True)
    assert not other.exists()
