"""`mlgrind class`, `account`, `retention`, `backup`, `restore`: a term from the command line."""

from __future__ import annotations

import re
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from app.cli import app
from app.model import LearnerId, Slug
from app.service.school import School, SchoolParts
from app.storage.store import SqlStore
from tests.service.school_world import exercise

SOFTMAX = Slug("stable-softmax")


def mlgrind(*words: str | Path, status: int = 0) -> Result:
    """Run a command in this process."""
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == status, (words, done.output, done.stderr, done.exception)
    return done


def lines(*words: str | Path) -> list[str]:
    """What a command writes."""
    return mlgrind(*words).stdout.splitlines()


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory of one's own."""
    monkeypatch.setenv("MLGRIND_DATA", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


@pytest.fixture
def made(data: Path) -> str:
    """A class with its instructor: its id."""
    mlgrind("account", "add", "eva", "--name", "Eva Berg", "--host")
    (line,) = lines("class", "new", "Deep Learning", "--by", "eva", "--zone", "Europe/Berlin")
    return line.split("\t")[0]


def school(data: Path) -> tuple[School, SqlStore]:
    """The use cases on the same database."""
    store = SqlStore(f"sqlite:///{data / 'mlgrind.db'}")
    known = exercise(SOFTMAX)
    parts = SchoolParts(
        store.school, store, lambda slug: known, lambda: (known,), (data / "secret").read_bytes()
    )
    return School(parts), store


def file(tmp_path: Path, text: str) -> Path:
    """A file of this text."""
    path = tmp_path / "file.csv"
    path.write_text(text)
    return path


# ------------------------------------------------------------------ accounts


def test_an_account_is_added_listed_linked_and_shut(data: Path) -> None:
    (link,) = lines("account", "add", "eva", "--name", "Eva Berg", "--host")
    assert re.fullmatch(r"http://127\.0\.0\.1:8000/staff/link/[\w-]{32}", link)
    mlgrind("account", "add", "ida", "--name", "Ida Holt")
    assert lines("account", "list") == ["eva\tEva Berg\thost", "ida\tIda Holt\tstaff"]
    (again,) = lines("account", "link", "ida")
    assert again.startswith("http://127.0.0.1:8000/staff/link/")
    mlgrind("account", "shut", "ida")
    assert lines("account", "list")[1] == "ida\tIda Holt\tshut"


def test_what_cannot_be_done_is_one_sentence_and_status_2(data: Path) -> None:
    mlgrind("account", "add", "eva", "--host")
    for words, told in (
        (("account", "add", "eva"), "Somebody has this login already."),
        (("account", "add", "two words"), "A login has letters"),
        (("account", "link", "nobody"), "There is nothing with that name"),
        (("account", "shut", "eva"), "This is the only host."),
        (("class", "new", "X", "--by", "nobody"), "There is nothing with that name"),
        (("class", "new", "X", "--by", "eva", "--zone", "Mars"), "Choose a time zone"),
        (("class", "grades", "nothing"), "There is nothing with that name"),
    ):
        done = mlgrind(*words, status=2)
        assert told in done.stderr, words
        assert len(done.stderr.strip().splitlines()) == 1, words


# ------------------------------------------------------------------ classes


def test_a_class_is_made_and_listed(data: Path, made: str) -> None:
    (line,) = lines("class", "list")
    name, title, term, code, people = line.split("\t")
    assert (name, title, term, people) == (made, "Deep Learning", "", "0")
    assert re.fullmatch(r"[0-9A-Z]{10}", code)


def test_a_roster_file_is_looked_at_applied_and_applied_again(
    data: Path, made: str, tmp_path: Path
) -> None:
    roster = file(tmp_path, "name,student_id\nAnn Lee,s1\nBen Abel,s2\n,s3\n")
    dry = mlgrind("class", "roster", "Deep Learning", roster, "--dry-run")
    assert dry.stdout.splitlines() == ["2 new, 0 changed, 0 unchanged", "0 not in the file"]
    assert dry.stderr.strip() == "line 4 has no name"
    assert lines("class", "list")[0].endswith("\t0")
    mlgrind("class", "roster", made, roster)
    assert lines("class", "roster", made, roster)[0] == "0 new, 0 changed, 2 unchanged"
    short = file(tmp_path, "name,student_id\nAnn Lee,s1\n")
    assert lines("class", "roster", made, short)[1] == "1 not in the file"
    mlgrind("class", "roster", made, short, "--remove")
    assert lines("class", "roster", made, short)[1] == "0 not in the file"
    mlgrind("class", "roster", made, file(tmp_path, "colour\nred\n"), status=2)


def graded(data: Path, made: str, tmp_path: Path) -> None:
    """An assignment due yesterday, two of the roster, and a try that is right."""
    mlgrind("class", "roster", made, file(tmp_path, "name,student_id\nAnn Lee,s1\nBen,s2\n"))
    found, store = school(data)
    now = datetime.now(UTC)
    fields = {
        "points": "10", "late": "per_day", "late_share": "10",
        **{f"{name}_at": f"{now + timedelta(days=days):%Y-%m-%dT%H:%M}"
           for name, days in (("opens", -9), ("due", -0.5), ("closes", 9))},
    }  # fmt: skip
    found.assignments.add(made, SOFTMAX, fields, "a test")  # type: ignore[arg-type]
    seats = {one.name: one.id for one in found.people.all(made)}  # type: ignore[arg-type]
    seat = found.people.make_seat(made, seats["Ann Lee"], "a test")  # type: ignore[arg-type]
    found.people.take_seat(seat, LearnerId("ann"))
    store.close()
    submit(data, "ann")


def submit(data: Path, learner: str) -> None:
    """A right program, judged."""
    from app.model import SubmissionId
    from app.records import NewSubmission

    store = SqlStore(f"sqlite:///{data / 'mlgrind.db'}")
    now = datetime.now(UTC)
    name = SubmissionId(f"s-{learner}")
    store.submissions.add(NewSubmission(name, LearnerId(learner), SOFTMAX, b"x = 1", now))
    tests = [{"verdict": "accepted"}] * 6
    report = {"verdict": "accepted", "passed": 6, "total": 6, "digest": "d1", "tests": tests}
    assert store.submissions.record(name, {**report, "diagnosis": None}, now)
    store.close()


def test_grades_are_written_for_a_campus_and_follow_an_extension(
    data: Path, made: str, tmp_path: Path
) -> None:
    graded(data, made, tmp_path)
    assert "Ann Lee,,s1,,9.00" in mlgrind("class", "grades", made).stdout
    due = (datetime.now(UTC) + timedelta(days=2)).strftime("%Y-%m-%d")
    more = file(tmp_path, f"student_id,assignment,due\ns1,Stable Softmax,{due}\nzz,x,{due}\n")
    dry = mlgrind("class", "extend", made, more, "--dry-run")
    assert dry.stdout.splitlines() == ["1 extensions"]
    assert dry.stderr.startswith("line 3:")
    assert "Ann Lee,,s1,,9.00" in mlgrind("class", "grades", made).stdout
    mlgrind("class", "extend", made, more)
    assert "Ann Lee,,s1,,10.00" in mlgrind("class", "grades", made).stdout
    for system in ("canvas", "moodle", "blackboard"):
        assert "10.00" in mlgrind("class", "grades", made, "--for", system).stdout
    mlgrind("class", "grades", made, "--for", "paper", status=2)


def test_a_class_is_archived_brought_back_and_its_retention_counted(
    data: Path, made: str, tmp_path: Path
) -> None:
    graded(data, made, tmp_path)
    mlgrind("class", "archive", made)
    mlgrind("class", "archive", made, status=2)
    assert "archived" in lines("class", "list")[0]
    assert lines("retention", "--dry-run")[0] == "0 learners of 0 archived classes would be deleted"
    with sqlite3.connect(data / "mlgrind.db") as connection:
        connection.execute("UPDATE classes SET archived_at = '2020-01-01 00:00:00'")
    connection.close()
    assert lines("retention", "--dry-run")[0] == "1 learners of 1 archived classes would be deleted"
    assert lines("retention", "--dry-run")[0] == "1 learners of 1 archived classes would be deleted"
    assert lines("retention")[0] == "1 learners of 1 archived classes were deleted"
    assert lines("retention")[0] == "0 learners of 0 archived classes were deleted"
    mlgrind("class", "archive", made, "--back")
    assert "archived" not in lines("class", "list")[0]


# ------------------------------------------------------------------ backup and restore


def test_a_class_comes_back_from_its_backup_on_an_empty_machine(
    data: Path, made: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Same grades, same sign-in, same sessions, same cookies."""
    graded(data, made, tmp_path)
    (link,) = lines("account", "link", "eva")
    found, store = school(data)
    token = found.accounts.set_password(link.rsplit("/", 1)[1], "correct horse").token
    store.close()
    before = mlgrind("class", "grades", made).stdout
    assert "9.00" in before
    mlgrind("backup", tmp_path / "monday.db")
    other = tmp_path / "other machine"
    monkeypatch.setenv("MLGRIND_DATA", str(other))
    mlgrind("restore", tmp_path / "monday.db")
    assert mlgrind("class", "grades", made).stdout == before
    assert lines("class", "list") == [f"{made}\tDeep Learning\t\t{code_of(data)}\t1"]
    found, store = school(other)
    account = found.accounts.sign_in("eva", "correct horse").account
    assert account.name == "Eva Berg"
    assert found.accounts.signed_in(token) == account
    store.close()
    assert (other / "secret").read_bytes() == (data / "secret").read_bytes()


def code_of(data: Path) -> str:
    """The join code as it is kept."""
    with sqlite3.connect(data / "mlgrind.db") as connection:
        (code,) = connection.execute("SELECT join_code FROM classes").fetchone()
    connection.close()
    return str(code)


# ------------------------------------------------------------------ doctor


def test_doctor_names_a_class_that_nobody_can_teach(data: Path, made: str) -> None:
    from app.cli.common import settings_with
    from app.cli.doctor import _classes

    mlgrind("account", "add", "root", "--host")
    mlgrind("account", "shut", "eva")
    found = {one.name: one for one in _classes(settings_with())}
    assert found["class"].detail == "Deep Learning: no instructor can sign in"
    assert found["time zones"].ok
    assert not found["public address"].ok
    assert "https" in found["public address"].advice
