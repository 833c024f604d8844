"""What staff and learners make in classes has bounds too: no one fills the disk with rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from app.model import LearnerId
from app.model.classes import Account, AuditEntry, Class, Session
from app.service.errors import Refused
from app.service.school import Conflict, School
from app.service.school import room as rooms
from app.storage.schema import metadata
from app.storage.schema_classes import account_links, sessions
from tests.service.school_world import SOFTMAX, World, world


@pytest.fixture
def here(tmp_path: Path) -> Iterator[World]:
    made = world(tmp_path)
    yield made
    made.store.close()


@pytest.fixture
def eva(here: World) -> Account:
    return here.account("eva")


@pytest.fixture
def made(here: World, eva: Account) -> Class:
    return here.a_class(eva)


SECURITY = Path(__file__).parents[2] / "docs" / "security.md"


def test_every_table_of_the_database_has_a_bound() -> None:
    rows = SECURITY.read_text("utf-8").partition("### How many rows")[2].partition("\n\nTwo")[0]
    listed = [name for row in rows.splitlines() for name in re.findall(r"`([a-z_]+)`", row)]
    assert sorted(listed) == sorted(metadata.tables)


def _roster(people: int) -> bytes:
    return ("name,id\n" + "".join(f"Person {n},id{n}\n" for n in range(people))).encode()


def test_an_account_makes_no_more_classes_than_one_may(
    here: World, eva: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "CLASSES_OF_STAFF", 2)
    first = here.a_class(eva)
    here.a_class(eva)
    here.school.classes.archive(first.id, eva)
    with pytest.raises(Conflict, match="You have 2 classes, and that is the most"):
        here.a_class(eva)
    assert here.a_class(here.account("max")).title == "Deep Learning"


def test_a_class_that_is_full_takes_nobody_more_by_whatever_way(
    here: World, eva: Account, made: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "PEOPLE_OF_CLASS", 3)
    for name in ("ann", "ben", "cem"):
        here.joined(made, name)
    gone = here.school.people.all(made.id)[0]
    here.school.people.remove(made.id, gone.id, eva)
    full = "A class holds 3 people, those removed included, and this one has 3"
    with pytest.raises(Conflict, match=full):
        here.joined(made, "dan")
    with pytest.raises(Conflict, match=full):
        here.school.people.preview(made.id, LearnerId("staff"), eva)
    with pytest.raises(Conflict, match=full):
        here.school.rosters.apply_file(made.id, _roster(1), eva)
    assert len(here.school.people.all(made.id)) == 3
    assert here.joined(made, "ben") == "ben"


def test_a_learner_is_in_no_more_classes_than_one_may(
    here: World, eva: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "CLASSES_OF_LEARNER", 2)
    for _ in range(2):
        here.joined(here.a_class(eva), "ann")
    third = here.a_class(eva)
    with pytest.raises(Conflict, match="You are in 2 classes"):
        here.joined(third, "ann")
    assert here.joined(third, "ben") == "ben"


def test_nothing_new_is_kept_of_a_class_while_the_disk_is_nearly_full(
    here: World, eva: Account, made: Class
) -> None:
    here.joined(made, "ann")
    given = here.given(made)
    full = School(replace(here.school.classes._parts, disk_full=lambda: True))
    for attempt in (
        lambda: full.classes.make("Another", "Europe/Berlin", eva),
        lambda: full.people.join(made.join_code or "", LearnerId("ben"), "Ben"),
        lambda: full.people.preview(made.id, LearnerId("staff"), eva),
        lambda: full.rosters.apply_file(made.id, _roster(1), eva),
        lambda: full.assignments.add(made.id, SOFTMAX, {}, eva),
        lambda: full.regrading.start(made.id, SOFTMAX, "", eva),
    ):
        with pytest.raises(Refused, match="nearly full"):
            attempt()
    assert [one.name for one in full.people.all(made.id)] == ["Ann"]
    full.assignments.remove(made.id, given.id, eva)  # what makes room is let through
    assert full.assignments.all(made.id) == ()


def test_one_session_more_than_there_may_be_ends_the_oldest(here: World, eva: Account) -> None:
    kept = here.store.school.sign_ins
    other = here.account("max")
    until = here.now + timedelta(days=30)
    kept.open(b"max", Session(other.id, here.now, here.now, until))
    for n in range(60):
        at = here.now + timedelta(seconds=n)
        kept.open(b"%03d" % n, Session(eva.id, at, at, until))
    with here.store.database.read() as connection:
        left = connection.execute(select(sessions.c.id_hash).order_by(sessions.c.id_hash)).all()
    assert [row.id_hash for row in left] == [*(b"%03d" % n for n in range(10, 60)), b"max"]


def test_links_that_ran_out_go_with_the_next_one(here: World, eva: Account) -> None:
    for _ in range(5):
        here.school.accounts.link(eva.id, "the host")
        here.pass_time(25 * 3600)
    with here.store.database.read() as connection:
        assert connection.execute(select(func.count()).select_from(account_links)).scalar() == 1


def test_the_oldest_lines_of_a_class_that_has_too_many_go_by_night(
    here: World, eva: Account, made: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.storage.audit.AUDIT_OF_CLASS", 3)
    for n in range(5):
        line = AuditEntry(f"z{n}", here.now, "eva", "changed", "", f"line {n}", made.id)
        here.store.school.audit.add(line)
    here.store.school.audit.forget_before(here.now - timedelta(days=1))
    left = here.store.school.audit.of_class(made.id)
    assert [line.detail for line in left] == ["line 4", "line 3", "line 2"]
