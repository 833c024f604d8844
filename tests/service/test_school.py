"""What instructors, assistants and learners of a class can do, and what happens then."""

from __future__ import annotations

import io
import json
import threading
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher

from app.model import Exercise, LearnerId, SubmissionId
from app.model.classes import Account, Class, ClassId, Try
from app.records import Json, SecondLook
from app.service.attempt_tokens import AttemptTokens
from app.service.school import (
    Complaints,
    Conflict,
    DoneBefore,
    NoSuchCode,
    NotThere,
    TooOften,
    WrongPassword,
)
from app.service.school.passwords import Passwords
from app.storage import forgetting
from tests.service.school_world import NOON, NORMS, SOFTMAX, World, exercise, world

DAY = 86_400


@pytest.fixture
def here(tmp_path: Path) -> Iterator[World]:
    made = world(tmp_path)
    yield made
    made.store.close()


@pytest.fixture
def eva(here: World) -> Account:
    return here.account()


@pytest.fixture
def made(here: World, eva: Account) -> Class:
    return here.a_class(eva)


# ------------------------------------------------------------------ accounts


def test_the_first_password_is_set_by_a_link_that_is_good_once(here: World) -> None:
    accounts = here.school.accounts
    token = accounts.first_link()
    assert token is not None
    assert accounts.of_link(token).host
    signed = accounts.set_password(token, "correct horse", "eva", "Eva Berg")
    assert (signed.account.login, signed.account.name) == ("eva", "Eva Berg")
    assert accounts.first_link() is None
    with pytest.raises(NotThere):
        accounts.set_password(token, "another horse")
    assert accounts.sign_in("EVA ", "correct horse").account.id == signed.account.id


def test_each_start_prints_one_link_that_replaces_the_last(here: World) -> None:
    first, second = here.school.accounts.first_link(), here.school.accounts.first_link()
    assert first is not None
    assert second is not None
    with pytest.raises(NotThere):
        here.school.accounts.of_link(first)
    here.pass_time(DAY)
    with pytest.raises(NotThere):
        here.school.accounts.of_link(second)


@pytest.mark.parametrize(
    ("password", "login", "field"),
    [
        ("short", "eva", "password"),
        ("long enough 1", "e v a", "login"),
        ("x" * 5_000, "eva", "password"),
    ],
)
def test_what_is_off_leaves_the_link_good(
    here: World, password: str, login: str, field: str
) -> None:
    token = here.school.accounts.first_link()
    assert token is not None
    with pytest.raises(Complaints) as said:
        here.school.accounts.set_password(token, password, login, "Eva")
    assert set(said.value.fields) == {field}
    assert here.school.accounts.of_link(token).host


def signed_in(here: World, login: str = "eva") -> str:
    token = here.school.accounts.add(login, login.title(), "the host")[1]
    return here.school.accounts.set_password(token, "correct horse").token


def test_an_unknown_login_and_a_wrong_password_look_alike(here: World) -> None:
    signed_in(here)
    for login, password in (("eva", "wrong horse"), ("nobody", "correct horse"), ("", "")):
        with pytest.raises(WrongPassword):
            here.school.accounts.sign_in(login, password)


def test_the_sixth_try_of_a_minute_waits_and_another_address_does_not(here: World) -> None:
    signed_in(here)
    for _ in range(5):
        with pytest.raises(WrongPassword):
            here.school.accounts.sign_in("eva", "wrong", address="1.2.3.4")
    with pytest.raises(TooOften) as told:
        here.school.accounts.sign_in("eva", "correct horse", address="1.2.3.4")
    assert 1 <= told.value.retry_after <= 60
    here.school.accounts.sign_in("eva", "correct horse", address="5.6.7.8")


def test_a_session_ends_after_twelve_idle_hours_or_thirty_days(here: World) -> None:
    token = signed_in(here)
    here.pass_time(12 * 3600 - 1)
    assert here.school.accounts.signed_in(token) is not None
    here.pass_time(12 * 3600)
    assert here.school.accounts.signed_in(token) is None
    fresh = here.school.accounts.sign_in("eva", "correct horse").token
    for _ in range(29 * 3):
        here.pass_time(8 * 3600)
        assert here.school.accounts.signed_in(fresh) is not None
    for _ in range(4):
        here.pass_time(8 * 3600)
    assert here.school.accounts.signed_in(fresh) is None


def test_signing_out_and_a_new_password_end_sessions(here: World) -> None:
    accounts = here.school.accounts
    token = signed_in(here)
    accounts.sign_out(token)
    assert accounts.signed_in(token) is None
    other = accounts.sign_in("eva", "correct horse")
    accounts.set_password(accounts.link(other.account.id, "the host"), "another horse")
    assert accounts.signed_in(other.token) is None
    with pytest.raises(WrongPassword):
        accounts.sign_in("eva", "correct horse")


def test_a_disabled_account_is_out_at_once_and_the_last_host_stays(here: World) -> None:
    token = signed_in(here)
    eva = here.school.accounts.by_login("eva")
    here.school.accounts.disable(eva.id, "the host")
    assert here.school.accounts.signed_in(token) is None
    with pytest.raises(WrongPassword):
        here.school.accounts.sign_in("eva", "correct horse")
    host = here.account("host", host=True)
    with pytest.raises(Complaints):
        here.school.accounts.disable(host.id, "the host")


def test_a_password_costs_nineteen_mebibytes_and_two_passes(here: World) -> None:
    signed_in(here)
    kept = here.store.school.accounts.password(here.school.accounts.by_login("eva").id)
    assert kept is not None
    assert kept.startswith("$argon2id$v=19$m=19456,t=2,p=1$")


@pytest.mark.parametrize("is_there", [True, False])
def test_the_first_sign_in_costs_the_same_whether_its_login_is_there(
    is_there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that starts makes no hash; the first to sign in makes the one to compare with."""
    kept = Passwords().hashed("correct horse") if is_there else None
    work: list[str] = []
    for name in ("hash", "verify"):
        real = getattr(PasswordHasher, name)

        def counted(*given: object, real: Any = real, name: str = name) -> object:
            work.append(name)
            return real(*given)

        monkeypatch.setattr(PasswordHasher, name, counted)
    fresh = Passwords()
    assert work == []
    assert fresh.fits(kept, "correct horse") is is_there
    assert work == ["hash", "verify"]


# ------------------------------------------------------------------ classes and joining


def test_a_class_is_made_with_a_code_and_its_teacher(here: World, eva: Account) -> None:
    made = here.school.classes.make("  Deep   Learning ", "Europe/Berlin", eva, "autumn")
    assert made.title == "Deep Learning"
    assert len(made.join_code or "") == 10
    assert here.school.classes.role(made.id, eva) == "instructor"
    assert here.school.classes.role(made.id, here.account("fred")) is None
    assert here.school.classes.role(made.id, here.account("host", host=True)) == "instructor"


def test_a_form_of_a_class_says_all_that_is_off(here: World, made: Class) -> None:
    fields = {"title": "\u202e", "zone": "Mars/Base", "join_by": "x", "retention_days": "0"}
    with pytest.raises(Complaints) as said:
        here.school.classes.change(made.id, fields, "the host")
    assert set(said.value.fields) == set(fields)


def test_a_learner_joins_by_code_and_name_and_stays_who_they_are(here: World, made: Class) -> None:
    code = f" {made.join_code} ".lower().replace("o", "0")
    seated = here.school.people.join(code, LearnerId("ann"), " Ann  Lee ")
    assert (seated.enrolment.name, seated.enrolment.sort_name) == ("Ann Lee", "Lee, Ann")
    again = here.school.people.join(code, LearnerId("ann"), "Another")
    assert (again.fresh, again.enrolment.id) == (False, seated.enrolment.id)
    assert here.store.learners.get(LearnerId("ann")).name == "Ann Lee"
    assert here.school.rules.enrolled(LearnerId("ann"))


@pytest.mark.parametrize("name", ["", "   ", "\u202eAnn", "x" * 81, "Ann\x00", "\ud800"])
def test_a_name_has_visible_letters(here: World, made: Class, name: str) -> None:
    with pytest.raises(Complaints) as said:
        here.school.people.join(made.join_code or "", LearnerId("ann"), name)
    assert "name" in said.value.fields


def test_codes_that_open_nothing_look_alike(here: World, eva: Account, made: Class) -> None:
    old = made.join_code or ""
    here.school.classes.new_code(made.id, eva)
    other = here.a_class(eva, "Archived")
    here.school.classes.archive(other.id, eva)
    for code in (old, other.join_code or "", "NOTACODE00", "", "\x00\ud800"):
        with pytest.raises(NoSuchCode):
            here.school.people.join(code, LearnerId("ann"), "Ann")


def test_only_wrong_codes_are_counted(here: World, made: Class) -> None:
    for _ in range(20):
        with pytest.raises(NoSuchCode):
            here.school.people.look("WRONG", address="1.2.3.4")
    with pytest.raises(TooOften):
        here.school.people.look("WRONG", address="1.2.3.4")
    for n in range(100):
        here.school.people.join(made.join_code or "", LearnerId(f"l{n}"), "Ann", address="1.2.3.4")


def test_a_class_by_roster_needs_a_seat_code(here: World, eva: Account, made: Class) -> None:
    here.school.classes.change(made.id, {"join_by": "roster"}, eva)
    with pytest.raises(Complaints) as said:
        here.school.people.join(made.join_code or "", LearnerId("ann"), "Ann")
    assert "seat" in said.value.fields
    here.school.rosters.apply_file(made.id, b"name,student_id\nAnn Lee,s1\n", eva)
    (seat,) = here.school.people.all(made.id)
    code = here.school.people.make_seat(made.id, seat.id, eva)
    taken = here.school.people.take_seat(code.lower(), LearnerId("ann"))
    assert (taken.learner, taken.enrolment.state, taken.enrolment.name) == (
        "ann",
        "active",
        "Ann Lee",
    )
    with pytest.raises(NoSuchCode):
        here.school.people.take_seat(code, LearnerId("ben"))


def test_a_seat_code_brings_a_learner_back_with_their_work(
    here: World, eva: Account, made: Class
) -> None:
    here.joined(made, "ann")
    (seat,) = here.school.people.all(made.id)
    code = here.school.people.make_seat(made.id, seat.id, eva)
    assert here.school.people.take_seat(code, LearnerId("new-cookie")).learner == "ann"
    actions = [entry.action for entry in here.school.classes.audit(made.id)]
    assert actions[:2] == ["seat code used", "seat code made"]


def test_a_seat_code_lasts_seven_days_and_not_for_who_was_removed(
    here: World, eva: Account, made: Class
) -> None:
    here.joined(made, "ann")
    (seat,) = here.school.people.all(made.id)
    code = here.school.people.make_seat(made.id, seat.id, eva)
    here.school.people.remove(made.id, seat.id, eva)
    with pytest.raises(NoSuchCode):
        here.school.people.take_seat(code, LearnerId("x"))
    assert here.school.classes.audit(made.id)[0].action == "seat code refused"
    here.school.people.bring_back(made.id, seat.id, eva)
    late = here.school.people.make_seat(made.id, seat.id, eva)
    here.pass_time(7 * DAY)
    with pytest.raises(NoSuchCode):
        here.school.people.take_seat(late, LearnerId("x"))


def test_a_browser_with_a_seat_takes_no_second_one(here: World, eva: Account, made: Class) -> None:
    here.joined(made, "ben")
    here.school.rosters.apply_file(made.id, b"name\nAnn\n", eva)
    ann = next(one for one in here.school.people.all(made.id) if one.name == "Ann")
    code = here.school.people.make_seat(made.id, ann.id, eva)
    with pytest.raises(Conflict):
        here.school.people.take_seat(code, LearnerId("ben"))


def test_who_was_removed_does_not_come_back_by_the_code(
    here: World, eva: Account, made: Class
) -> None:
    here.joined(made, "ann")
    (seat,) = here.school.people.all(made.id)
    here.school.people.remove(made.id, seat.id, eva)
    with pytest.raises(NoSuchCode):
        here.joined(made, "ann")
    assert not here.school.rules.enrolled(LearnerId("ann"))


def test_somebody_of_another_class_is_not_there(here: World, eva: Account, made: Class) -> None:
    other = here.a_class(eva, "Other")
    here.joined(made, "ann")
    (seat,) = here.school.people.all(made.id)
    given = here.given(made)
    with pytest.raises(NotThere):
        here.school.people.rename(other.id, seat.id, "X", eva)
    with pytest.raises(NotThere):
        here.school.assignments.one(other.id, given.id)
    with pytest.raises(NotThere):
        here.school.grades.receipt(other.id, given.id, seat.id)


def test_an_archived_class_is_read_only(here: World, eva: Account, made: Class) -> None:
    here.joined(made, "ann")
    given = here.given(made)
    (seat,) = here.school.people.all(made.id)
    here.school.classes.archive(made.id, eva)
    for change in (
        lambda: here.school.people.rename(made.id, seat.id, "X", eva),
        lambda: here.school.assignments.remove(made.id, given.id, eva),
        lambda: here.school.grades.hold(made.id, given.id, seat.id, eva),
        lambda: here.school.classes.change(made.id, {"title": "X"}, eva),
        lambda: here.school.rosters.apply_file(made.id, b"name\nX\n", eva),
    ):
        with pytest.raises(Conflict):
            change()
    assert len(here.school.grades.mine(made.id, LearnerId("ann"))) == 1
    here.school.classes.archive(made.id, eva, archived=False)
    here.school.people.rename(made.id, seat.id, "Anna", eva)


def test_staff_look_from_a_seat_that_counts_nowhere(here: World, eva: Account, made: Class) -> None:
    here.given(made)
    here.school.people.preview(made.id, LearnerId("evas-browser"), eva)
    here.submit("evas-browser", 6)
    assert here.school.people.all(made.id) == ()
    assert here.school.grades.book(made.id).rows == ()
    assert here.school.boards.board(made.id).board.rows == ()
    assert here.school.similarity.alike(made.id).learners == 0


# ------------------------------------------------------------------ merging


def test_merging_shows_what_moves_and_moves_it(here: World, eva: Account, made: Class) -> None:
    given = here.given(made)
    here.joined(made, "ann")
    here.joined(made, "ann2")
    here.submit("ann", 3)
    here.submit("ann2", 6)
    one, two = (
        next(e for e in here.school.people.all(made.id) if e.learner == who)
        for who in ("ann", "ann2")
    )
    here.school.extensions.give(made.id, given.id, one.id, {"attempts": "5"}, eva)
    here.school.extensions.give(made.id, given.id, two.id, {"attempts": "3"}, eva)
    seen = here.school.merging.preview(made.id, one.id, two.id)
    assert (seen.submissions, seen.exercises, seen.extensions, seen.conflicts) == (1, 1, 1, ())
    here.school.merging.merge(made.id, one.id, two.id, eva)
    (left,) = here.school.people.all(made.id)
    assert (left.id, left.learner) == (two.id, "ann2")
    assert here.store.learners.get(LearnerId("ann")).id == "ann2"
    assert len(here.store.submissions.history(LearnerId("ann2"), SOFTMAX)) == 2
    assert here.school.extensions.of_class(made.id)[given.id, two.id].attempts == 5


def test_merging_somebody_of_two_classes_is_noted_in_the_other(
    here: World, eva: Account, made: Class
) -> None:
    other = here.a_class(here.account("fred"), "Vision")
    for name in ("ann", "ann2"):
        here.joined(made, name)
        here.joined(other, name)
    one, two = here.school.people.all(made.id)
    here.submit("ann", 6)
    here.school.merging.merge(made.id, one.id, two.id, eva)
    assert len(here.school.people.all(other.id)) == 2
    noted = [x.action for x in here.school.classes.audit(other.id)]
    assert noted.count("work brought along") == 2
    left = here.school.people.all(other.id)
    here.school.merging.merge(other.id, left[0].id, left[1].id, eva)
    assert [x.learner for x in here.school.people.all(other.id)] == ["ann2"]


def test_a_seat_that_staff_look_from_is_merged_with_nobody(
    here: World, eva: Account, made: Class
) -> None:
    here.joined(made, "ann")
    here.school.people.preview(made.id, LearnerId("eva-looks"), eva)
    seats = here.store.school.enrolments.of_class(made.id)
    ann, staff = sorted(seats, key=lambda one: one.state == "preview")
    for gone, into in ((ann, staff), (staff, ann)):
        with pytest.raises(NotThere):
            here.school.merging.preview(made.id, gone.id, into.id)


def test_merging_is_refused_while_overrides_contradict(
    here: World, eva: Account, made: Class
) -> None:
    given = here.given(made)
    for name, points in (("ann", "5"), ("ben", "7")):
        here.joined(made, name)
        seat = next(e for e in here.school.people.all(made.id) if e.learner == name)
        fields = {"points": points, "reason": "seen"}
        here.school.grades.override(made.id, given.id, seat.id, fields, eva)
    one, two = here.school.people.all(made.id)
    with pytest.raises(Conflict, match="Stable Softmax"):
        here.school.merging.merge(made.id, one.id, two.id, eva)
    assert len(here.school.people.all(made.id)) == 2


# ------------------------------------------------------------------ rosters and extensions


def test_a_roster_is_applied_after_its_dry_run_and_only_once(
    here: World, eva: Account, made: Class
) -> None:
    run = here.school.rosters.dry_run(made.id, b"name,student_id\nAnn,s1\nBen,s2\n,s3\n")
    assert (len(run.plan.new), [bad.line for bad in run.plan.bad]) == (2, [4])
    assert here.school.people.all(made.id) == ()
    here.school.rosters.apply(made.id, run.token, eva)
    assert [one.state for one in here.school.people.all(made.id)] == ["invited", "invited"]
    with pytest.raises(Conflict):
        here.school.rosters.apply(made.id, run.token, eva)
    again = here.school.rosters.dry_run(made.id, b"name,student_id\nAnn,s1\nBen,s2\n")
    assert again.plan.size(remove=True) == 0
    with pytest.raises(Complaints):
        here.school.rosters.dry_run(made.id, b"")


def test_who_is_not_in_the_file_stays_unless_they_are_to_go(
    here: World, eva: Account, made: Class
) -> None:
    here.school.rosters.apply_file(made.id, b"name,id\nAnn,1\nBen,2\n", eva)
    here.school.rosters.apply_file(made.id, b"name,id\nAnn,1\n", eva)
    assert {one.state for one in here.school.people.all(made.id)} == {"invited"}
    here.school.rosters.apply_file(made.id, b"name,id\nAnn,1\n", eva, remove=True)
    assert sorted(one.state for one in here.school.people.all(made.id)) == ["invited", "removed"]


def test_an_extension_is_read_from_its_form(here: World, eva: Account, made: Class) -> None:
    given = here.given(made)
    here.joined(made, "ann")
    (seat,) = here.school.people.all(made.id)
    give = here.school.extensions.give
    for fields, field in (
        ({}, "due_at"),
        ({"due_at": "soon"}, "due_at"),
        ({"due_at": "2026-10-01 10:00"}, "due_at"),
        ({"due_at": "2026-12-10 10:00", "closes_at": "2026-12-09 10:00"}, "closes_at"),
        ({"attempts": "0"}, "attempts"),
    ):
        with pytest.raises(Complaints) as said:
            give(made.id, given.id, seat.id, fields, eva)
        assert set(said.value.fields) == {field}
    give(made.id, given.id, seat.id, {"due_at": "2026-12-20 12:00", "note": "ill"}, eva)
    (mine,) = here.school.grades.mine(made.id, LearnerId("ann"))
    assert mine.sentence.startswith("Due Sun 20 Dec, 12:00 (Berlin).")
    assert mine.extension is not None
    assert mine.extension.note == "ill"
    here.school.extensions.take_back(made.id, given.id, seat.id, eva)
    assert here.school.extensions.of_class(made.id) == {}


def test_extensions_come_by_file_too(here: World, eva: Account, made: Class) -> None:
    given = here.given(made)
    here.school.rosters.apply_file(made.id, b"name,id\nAnn,s1\nBen,s2\n", eva)
    data = (
        b"student_id,assignment,due\ns1,Stable Softmax,2026-12-20 12:00\n"
        b"s9,Stable Softmax,2026-12-20\ns2,Nothing,2026-12-20\ns2,stable-softmax,never\n"
    )
    plan = here.school.extensions.dry_run(made.id, data)
    assert [row.enrolment.name for row in plan.rows] == ["Ann"]
    assert [line for line, _ in plan.bad] == [3, 4, 5]
    assert here.school.extensions.of_class(made.id) == {}
    here.school.extensions.apply(made.id, plan.token, eva)
    ((assignment, _),) = here.school.extensions.of_class(made.id)
    assert assignment == given.id


def test_an_extension_by_file_keeps_what_was_given_before_and_opens_nothing_sooner(
    here: World, eva: Account, made: Class
) -> None:
    given = here.given(made)
    here.school.rosters.apply_file(made.id, b"name,id\nAnn,s1\n", eva)
    (seat,) = here.school.people.all(made.id)
    before = {"closes_at": "2026-12-30 12:00", "attempts": "7", "note": "ill"}
    here.school.extensions.give(made.id, given.id, seat.id, before, eva)
    head = b"student_id,assignment,due\n"
    early = here.school.extensions.dry_run(made.id, head + b"s1,Stable Softmax,2020-01-01\n")
    assert early.bad == ((2, "This is due before it opens."),)
    for due, closes in (("2026-12-20 12:00", "2026-12-30"), ("2027-01-05 12:00", "")):
        data = head + f"s1,Stable Softmax,{due}\n".encode()
        here.school.extensions.apply_file(made.id, data, eva)
        (found,) = here.school.extensions.of_class(made.id).values()
        assert (found.attempts, found.note) == (7, "ill")
        assert (f"{found.closes_at:%Y-%m-%d}" if found.closes_at else "") == closes


# ------------------------------------------------------------------ assignments and grades


def test_an_assignment_is_given_once_and_changes_say_whose_points_change(
    here: World, eva: Account, made: Class
) -> None:
    given = here.given(made)
    with pytest.raises(Complaints):
        here.given(made)
    here.joined(made, "ann")
    here.submit("ann", 3)
    form = here.school.assignments.preview(
        made.id, {**here.school.assignments.fields(given), "scoring": "all"}, given.id
    )
    assert form.changes_in_words == "1 learner loses points."
    assert here.school.grades.book(made.id).rows[0].total == 500
    here.school.assignments.change(
        made.id, given.id, {**here.school.assignments.fields(given), "scoring": "all"}, eva
    )
    assert here.school.grades.book(made.id).rows[0].total == 0
    here.school.assignments.remove(made.id, given.id, eva)
    assert here.school.grades.book(made.id).assignments == ()
    again = here.given(made)
    assert here.school.grades.book(made.id).rows[0].total == 500
    assert again.id != given.id


def test_a_limit_on_an_exercise_for_everybody_is_called_advice(here: World, made: Class) -> None:
    fields = {"points": "1", "due_at": "2026-12-04", "attempts": "3"}
    assert "private window" in here.school.assignments.preview(made.id, fields).notes[0]
    assert here.school.assignments.preview(made.id, {**fields, "reserved": "on"}).notes == ()


def test_an_override_wants_a_reason_and_is_lifted_again(
    here: World, eva: Account, made: Class
) -> None:
    given = here.given(made)
    here.joined(made, "ann")
    here.submit("ann", 3)
    (seat,) = here.school.people.all(made.id)
    override = here.school.grades.override
    with pytest.raises(Complaints) as said:
        override(made.id, given.id, seat.id, {"points": "-1"}, eva)
    assert set(said.value.fields) == {"points", "reason"}
    override(made.id, given.id, seat.id, {"points": "7.5", "reason": "lab", "note": "ok"}, eva)
    (mine,) = here.school.grades.mine(made.id, LearnerId("ann"))
    assert (mine.grade.points, mine.grade.note) == (750, "ok")
    here.school.grades.hold(made.id, given.id, seat.id, eva)
    (mine,) = here.school.grades.mine(made.id, LearnerId("ann"))
    assert (mine.grade.points, mine.grade.held) == (None, True)
    here.school.grades.hold(made.id, given.id, seat.id, eva, held=False)
    override(made.id, given.id, seat.id, {"points": "", "reason": "mistaken"}, eva)
    assert here.school.grades.receipt(made.id, given.id, seat.id).grade.points == 500
    actions = [entry.action for entry in here.school.classes.audit(made.id)]
    assert actions[:4] == ["override lifted", "grade released", "grade held", "override set"]


def test_grades_leave_as_a_campus_file(here: World, eva: Account, made: Class) -> None:
    here.given(made)
    here.school.rosters.apply_file(made.id, b"name,student_id\nAnn Lee,s1\n", eva)
    (seat,) = here.school.people.all(made.id)
    code = here.school.people.make_seat(made.id, seat.id, eva)
    here.school.people.take_seat(code, LearnerId("ann"))
    here.submit("ann", 6)
    filled = here.school.grades.fill(made.id, b"Student,SIS User ID,Stable Softmax (7)\nA,s1,\n")
    assert filled.data == b"Student,SIS User ID,Stable Softmax (7)\nA,s1,10.00\n"
    assert b"Ann Lee,,s1,,10.00" in here.school.grades.export(made.id, "plain")
    with pytest.raises(Complaints):
        here.school.grades.fill(made.id, b"Student,Essay\nZoe,1\n")


# ------------------------------------------------------------------ rules


def test_a_reserved_exercise_is_there_for_its_class_only(
    here: World, eva: Account, made: Class
) -> None:
    rules = here.school.rules
    ann, stranger, staff = LearnerId("ann"), LearnerId("stranger"), LearnerId("staff")
    here.joined(made, "ann")
    assert rules.open_to(stranger, SOFTMAX)
    here.given(made, reserved="on", opens_at="2026-11-30T00:00")
    here.school.people.preview(made.id, staff, eva)
    assert [rules.open_to(who, SOFTMAX) for who in (stranger, ann, staff)] == [False, False, True]
    assert rules.open_to(stranger, NORMS)
    here.pass_time(DAY)
    assert [rules.open_to(who, SOFTMAX) for who in (stranger, ann, staff)] == [False, True, True]
    (seat,) = here.school.people.all(made.id)
    here.school.people.remove(made.id, seat.id, eva)
    assert not rules.open_to(ann, SOFTMAX)
    here.school.classes.archive(made.id, eva)
    assert rules.open_to(stranger, SOFTMAX)


def test_a_learner_s_limit_follows_their_extension(here: World, eva: Account, made: Class) -> None:
    given = here.given(made, attempts="3")
    here.joined(made, "ann")
    rules, ann = here.school.rules, LearnerId("ann")
    found = rules.limit(ann, SOFTMAX, NOON)
    assert found is not None
    assert found.attempts == 3
    (seat,) = here.school.people.all(made.id)
    here.school.extensions.give(made.id, given.id, seat.id, {"attempts": "9"}, eva)
    found = rules.limit(ann, SOFTMAX, NOON)
    assert found is not None
    assert found.attempts == 9
    assert rules.limit(LearnerId("stranger"), SOFTMAX, NOON) is None
    here.pass_time(30 * DAY)
    assert rules.limit(ann, SOFTMAX, here.now) is None


def test_the_time_you_pressed_is_signed(here: World) -> None:
    tokens, ann = AttemptTokens(b"secret"), LearnerId("ann")
    token = tokens.made(ann, SOFTMAX, b"x", NOON)
    assert tokens.read(token, ann, SOFTMAX, b"x", NOON) == NOON
    here.pass_time(15 * 60)
    assert tokens.read(token, ann, SOFTMAX, b"x", here.now) == NOON
    here.pass_time(1)
    assert tokens.read(token, ann, SOFTMAX, b"x", here.now) is None
    for other in (
        (LearnerId("ben"), SOFTMAX, b"x"),
        (ann, NORMS, b"x"),
        (ann, SOFTMAX, b"y"),
    ):
        assert tokens.read(token, *other, NOON) is None
    earlier = "1" + token[1:]
    assert AttemptTokens(b"other").read(token, ann, SOFTMAX, b"x", NOON) is None
    for bad in ("", "~", "nan~x", "x" * 1000, "\ud800", earlier.replace("17959", "17958")):
        assert tokens.read(bad, ann, SOFTMAX, b"x", NOON) is None


# ------------------------------------------------------------------ the board


def test_the_board_is_worked_out_again_only_after_something_changed(
    here: World, made: Class
) -> None:
    here.given(made)
    here.joined(made, "ann")
    first = here.school.boards.board(made.id)
    here.pass_time(2)
    assert here.school.boards.board(made.id) is first
    here.submit("ann", 6)
    here.pass_time(1)
    again = here.school.boards.board(made.id)
    assert again.stamp != first.stamp
    assert again.board.columns[0].passed == 1


def test_the_board_holds_the_tries_of_each_exercise_over_time(here: World, made: Class) -> None:
    here.given(made)
    here.joined(made, "ann")
    here.submit("ann", 1)
    here.submit("ann", 2)
    here.pass_time(120)
    boards = here.school.boards
    slots = boards.over_time(boards.board(made.id), SOFTMAX)
    assert [(one.tries, one.hints) for one in slots if one.tries] == [(2, 0)]
    assert boards.over_time(boards.board(made.id), NORMS) == ()


def test_who_watches_a_board_is_told_for_how_long_it_stays_the_same(
    here: World, made: Class
) -> None:
    boards = here.school.boards
    assert boards.same_s(made.id) == 0
    boards.stamp(made.id)
    assert 0 < boards.same_s(made.id) <= 1
    here.pass_time(1)
    assert boards.same_s(made.id) == 0


def test_boards_opened_at_once_are_worked_out_once(here: World, made: Class) -> None:
    here.given(made)
    asked: list[object] = []
    real = here.store.school.work.tries
    late = threading.Event()

    def counted(class_id: ClassId, *, mistakes: bool = True) -> tuple[Try, ...]:
        asked.append(class_id)
        late.wait(0.2)
        return real(class_id, mistakes=mistakes)

    here.store.school.work.tries = counted  # type: ignore[method-assign]
    with ThreadPoolExecutor(4) as several:
        seen = list(several.map(lambda _: here.school.boards.board(made.id), range(4)))
    assert len(asked) == 1
    assert all(one is seen[0] for one in seen)


def test_the_board_counts_each_of_two_mistakes_named_at_once(here: World, made: Class) -> None:
    here.given(made)
    for name in ("ann", "ben"):
        here.joined(made, name)
    here.submit("ann", 1, mistakes=("no-scale", "wrong-axis"))
    here.submit("ann", 2, mistakes=("wrong-axis",))
    here.submit("ben", 1, mistakes=("no-scale", "wrong-axis"))
    (column,) = here.school.boards.board(made.id).board.columns
    assert [(m.misconception, m.now, m.ever) for m in column.mistakes] == [
        ("wrong-axis", 2, 2),
        ("no-scale", 1, 2),
    ]
    assert column.unnamed == 0


def test_many_boards_ask_the_database_once_a_second(here: World, made: Class) -> None:
    asked: list[object] = []
    real = here.store.school.work.changed_at

    def counted(class_id: ClassId) -> str:
        asked.append(class_id)
        return real(class_id)

    here.store.school.work.changed_at = counted  # type: ignore[method-assign]
    for _ in range(10):
        here.school.boards.stamp(made.id)
    here.pass_time(1)
    here.school.boards.stamp(made.id)
    assert len(asked) == 2


def test_a_projected_board_knows_no_name_and_keeps_its_numbers(here: World, made: Class) -> None:
    here.given(made)
    for name in ("ann", "ben", "cleo"):
        here.joined(made, name)
    seen = here.school.boards.projected(made.id, "session")
    names = [row.enrolment.name for row in seen.board.rows]
    assert sorted(names) == ["Learner 1", "Learner 2", "Learner 3"]
    assert all(row.enrolment.learner is None for row in seen.board.rows)
    here.submit("ann", 1)
    here.pass_time(2)
    after = here.school.boards.projected(made.id, "session")
    assert after.board.rows[0].enrolment.name in names


def test_an_example_needs_three_learners_and_holds_no_words(here: World, made: Class) -> None:
    here.given(made)
    for name in ("ann", "ben", "cleo"):
        here.joined(made, name)
    source = "def f(x):  # by Ann\n    return 'Ann'\n"
    here.submit("ann", 1, source=source, mistakes=("no-scale",))
    here.submit("ben", 1, source=source + "# longer", mistakes=("no-scale",))
    with pytest.raises(NotThere):
        here.school.boards.example(made.id, SOFTMAX, "no-scale")
    here.submit("cleo", 1, source=source + "# longest", mistakes=("wrong-axis", "no-scale"))
    found = here.school.boards.example(made.id, SOFTMAX, "no-scale")
    assert (found.source, found.learners) == ('def f(x):\n    return ""\n', 3)


# ------------------------------------------------------------------ regrading


def better(_exercise: Exercise, _source: bytes, submission: SubmissionId) -> Json:
    return {
        "verdict": "accepted",
        "passed": 6,
        "total": 6,
        "digest": "d2",
        "tests": [],
        "diagnosis": None,
        "submission": submission,
    }


def test_a_changed_exercise_is_told_with_its_files(here: World, made: Class) -> None:
    here.given(made)
    here.joined(made, "ann")
    here.school.regrading.note_versions()
    here.submit("ann", 3)
    assert here.school.regrading.changed(made.id) == ()
    files = {**exercise(SOFTMAX).files, "cases.py": b"2"}
    here.exercises[SOFTMAX] = replace(exercise(SOFTMAX, "d2"), files=files)
    (found,) = here.school.regrading.changed(made.id)
    assert (found.tries, found.files, found.only_words) == (1, ("cases.py",), False)
    words = {**exercise(SOFTMAX).files, "statement.md": b"a comma"}
    here.exercises[SOFTMAX] = replace(exercise(SOFTMAX, "d3"), files=words)
    (found,) = here.school.regrading.changed(made.id)
    assert (found.files, found.only_words) == (("statement.md",), True)


def test_a_regrade_is_judged_aside_shown_and_applied(
    here: World, eva: Account, made: Class
) -> None:
    given = here.given(made)
    for name in ("ann", "ben"):
        here.joined(made, name)
    here.submit("ann", 3)
    here.submit("ben", 6)
    seat = next(one for one in here.school.people.all(made.id) if one.learner == "ben")
    fields = {"points": "1", "reason": "late talk"}
    here.school.grades.override(made.id, given.id, seat.id, fields, eva)
    here.exercises[SOFTMAX] = exercise(SOFTMAX, "d2")
    regrading = here.school.regrading
    regrade = regrading.start(made.id, SOFTMAX, "case 3 was wrong", eva)
    assert (regrade.tries, regrade.waiting) == (2, 2)
    with pytest.raises(Conflict):
        regrading.start(made.id, SOFTMAX, "again", eva)
    with pytest.raises(Conflict):
        regrading.apply(made.id, regrade.id, "replace", eva)
    assert regrading.judge_waiting(better, threading.Event())
    (line,) = regrading.lines(made.id, regrade.id)
    assert (line.enrolment.name, line.result.old_passed, line.result.new_passed) == ("Ann", 3, 6)
    points = {row.enrolment.name: row.total for row in here.school.grades.book(made.id).rows}
    assert points == {"Ann": 500, "Ben": 100}
    assert regrading.apply(made.id, regrade.id, "replace", eva) == 2
    points = {row.enrolment.name: row.total for row in here.school.grades.book(made.id).rows}
    assert points == {"Ann": 1000, "Ben": 100}
    with pytest.raises(DoneBefore, match="was applied or dropped before"):
        regrading.apply(made.id, regrade.id, "replace", eva)
    with pytest.raises(DoneBefore):
        regrading.drop(made.id, regrade.id, eva)
    with pytest.raises(Conflict, match="No try of this exercise is from before"):
        regrading.start(made.id, SOFTMAX, "again", eva)
    done = [entry.action for entry in here.school.classes.audit(made.id)]
    assert sum(action.startswith("regrade") for action in done) == 2


def test_a_fault_of_ours_in_a_regrade_changes_nobody_s_points(
    here: World, eva: Account, made: Class
) -> None:
    here.given(made)
    here.joined(made, "ann")
    here.submit("ann", 3)
    here.exercises[SOFTMAX] = exercise(SOFTMAX, "d2")
    regrading = here.school.regrading
    regrade = regrading.start(made.id, SOFTMAX, "case 3 was wrong", eva)

    def ours(given: Exercise, source: bytes, submission: SubmissionId) -> Json:
        return {**better(given, source, submission), "verdict": "grader_error", "passed": 0}

    assert regrading.judge_waiting(ours, threading.Event())
    assert regrading.points(made.id, regrade.id) == {}
    assert regrading.apply(made.id, regrade.id, "replace", eva) == 0
    (row,) = here.school.grades.book(made.id).rows
    assert row.total == 500


def test_a_regrade_goes_on_after_something_failed(here: World, eva: Account, made: Class) -> None:
    here.given(made)
    here.joined(made, "ann")
    here.submit("ann", 3)
    here.exercises[SOFTMAX] = exercise(SOFTMAX, "d2")
    regrading = here.school.regrading
    regrade = regrading.start(made.id, SOFTMAX, "case 3 was wrong", eva)
    asked: list[SubmissionId] = []
    stop = threading.Event()

    def once_away(given: Exercise, source: bytes, submission: SubmissionId) -> Json:
        asked.append(submission)
        regrading.wake()
        if len(asked) == 1:
            raise OSError("the disk is away")
        stop.set()
        return better(given, source, submission)

    regrading.work(once_away, stop)
    assert len(asked) == 2
    assert regrading.get(made.id, regrade.id).state == "ready"


# ------------------------------------------------------------------ similar, privacy


def test_equal_programs_are_shown_but_not_published_ones(here: World, made: Class) -> None:
    here.given(made)
    for name in ("ann", "ben", "cleo", "dee"):
        here.joined(made, name)
    here.submit("ann", 3, source="def f(): return 7")
    here.submit("ben", 3, source="def f(): return 7")
    here.submit("cleo", 3, source="def f(): return 1")
    here.submit("dee", 3, source="def f(): return 1")
    here.store.ladder.reveal_solution(LearnerId("ben"), SOFTMAX, here.now)
    assert here.school.similarity.alike(made.id).groups == ()
    here.submit("cleo", 3, source="def f(): return 7")
    (group,) = here.school.similarity.alike(made.id).groups
    assert [one.source for one in group.sent] == ["def f(): return 7"] * 2


def test_a_learner_takes_their_work_along(here: World, made: Class) -> None:
    here.joined(made, "ann")
    name = here.submit("ann", 3, source="x = 'ü'")
    packed = zipfile.ZipFile(io.BytesIO(here.school.privacy.archive(LearnerId("ann"))))
    data, program = packed.namelist()
    assert program == f"submissions/stable-softmax/2026-11-29-120000-{name}.py"
    assert packed.read(program).decode() == "x = 'ü'"
    assert json.loads(packed.read(data))["classes"][0]["title"] == "Deep Learning"


def test_what_is_too_much_to_take_along_is_named(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forgetting, "EXPORT_BYTES", 2_000)
    sources = ["x = 'old'" + "#" * 1_500, "x = 'new'", "x = 'newest'"]
    for source in sources:
        here.submit("ann", 3, source=source)
    packed = zipfile.ZipFile(io.BytesIO(here.school.privacy.archive(LearnerId("ann"))))
    kept = json.loads(packed.read("data.json"))["submissions"]
    assert [one.get("source") for one in kept] == [None, "x = 'new'", "x = 'newest'"]
    assert [one.get("left_out", False) for one in kept] == [True, False, False]
    programs = [name for name in packed.namelist() if name.endswith(".py")]
    assert len(set(programs)) == len(programs) == 2


def test_work_in_a_running_class_is_deleted_by_its_instructor_only(
    here: World, eva: Account, made: Class
) -> None:
    ann = here.joined(made, "ann")
    here.submit("ann", 3)
    privacy = here.school.privacy
    asked = privacy.ask_to_delete(ann)
    assert (asked.deleted, [one.id for one in asked.waiting]) == (False, [made.id])
    ((seat, request),) = privacy.requests(made.id)
    privacy.explain(made.id, seat.id, "after the exam", eva)
    assert privacy.requests(made.id)[0][1].answer == "after the exam"
    privacy.delete(made.id, seat.id, eva)
    assert here.store.learners.get(ann).created_at is None
    assert request.answer == ""


def test_work_that_no_class_needs_is_deleted_at_once(here: World) -> None:
    here.submit("ann", 3)
    assert here.school.privacy.ask_to_delete(LearnerId("ann")).deleted
    assert here.store.learners.get(LearnerId("ann")).created_at is None


def test_with_a_learner_their_code_goes_from_the_holes(here: World) -> None:
    """The input stays, for host and author; who fell into it and with what does not."""
    kept = here.submit("ann", 6, source="x = 'mine'")
    looks = here.store.looks
    looks.record(SecondLook(kept, SOFTMAX, "d" * 64, here.now, 7, {"name": "draw_7"}))
    assert [(hole.draw, hole.source) for hole in looks.holes()] == [(7, b"x = 'mine'")]
    assert here.school.privacy.ask_to_delete(LearnerId("ann")).deleted
    assert [(h.draw, h.submissions, h.source) for h in looks.holes()] == [(7, 0, None)]
    assert looks.get(kept) is None


def test_retention_counts_first_and_then_deletes(here: World, eva: Account, made: Class) -> None:
    other = here.a_class(eva, "Running")
    for name in ("ann", "ben"):
        here.joined(made, name)
        here.submit(name, 3)
    here.joined(other, "ben")
    here.submit("idle", 3)
    here.school.classes.archive(made.id, eva)
    here.pass_time(549 * DAY)
    here.submit("fresh", 3)
    counts = here.school.privacy.retention(180, dry_run=True)
    assert (counts.classes, counts.class_learners, counts.anonymous) == (0, 0, 1)
    here.pass_time(DAY)
    counts = here.school.privacy.retention(180, dry_run=True)
    assert (counts.classes, counts.class_learners, counts.anonymous) == (1, 1, 1)
    assert here.store.learners.get(LearnerId("idle")).created_at is not None
    assert here.school.privacy.retention(0).anonymous == 0
    assert here.store.learners.get(LearnerId("ann")).created_at is None
    assert here.store.learners.get(LearnerId("ben")).created_at is not None
    here.school.privacy.retention(180)
    assert here.store.learners.get(LearnerId("idle")).created_at is None
    assert here.store.learners.get(LearnerId("fresh")).created_at is not None


def test_one_learner_who_cannot_be_deleted_keeps_no_other(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [LearnerId(name) for name in ("ann", "ben", "eve")]
    for name in names:
        here.submit(name, 3)
    here.pass_time(181 * DAY)
    work = here.school.privacy._parts.school.work
    delete = type(work).delete_idle

    def but_for_ben(self: Any, learner: LearnerId, *about: Any) -> bool:
        if learner == "ben":
            raise OSError("the disk said no")
        return delete(self, learner, *about)

    monkeypatch.setattr(type(work), "delete_idle", but_for_ben)
    here.school.privacy.retention(180)
    left = [name for name in names if here.store.learners.get(name).created_at is not None]
    assert left == ["ben"]


def test_who_comes_back_while_a_night_deletes_others_stays(
    here: World, eva: Account, made: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the idle, and of those whose last class is over: each is looked at again."""
    here.joined(made, "ann")
    here.joined(made, "bea")
    here.school.classes.archive(made.id, eva)
    for name in ("idle", "zoe"):
        here.submit(name, 3)
    here.pass_time(551 * DAY)
    work = here.school.privacy._parts.school.work
    met: list[LearnerId] = []
    delete = type(work).delete

    def meanwhile(self: Any, learner: LearnerId, at: Any) -> None:
        other = here.a_class(eva, f"Running {len(met)}")
        here.joined(other, "bea" if learner == "ann" else "ann")
        here.submit("zoe", 3)
        met.append(learner)
        delete(self, learner, at)

    monkeypatch.setattr(type(work), "delete", meanwhile)
    here.school.privacy.retention(180)
    (gone,) = met
    left = {
        name: here.store.learners.get(LearnerId(name)).created_at is not None
        for name in ("ann", "bea", "idle", "zoe")
    }
    assert left == {"ann": gone != "ann", "bea": gone != "bea", "idle": False, "zoe": True}


def test_the_log_is_kept_for_three_years(here: World, eva: Account, made: Class) -> None:
    here.school.classes.change(made.id, {"term": "autumn"}, eva)
    here.pass_time(3 * 365 * DAY - 1)
    here.school.classes.change(made.id, {"term": "winter"}, eva)
    here.school.privacy.retention(0)
    assert len(here.school.classes.audit(made.id)) == 3
    here.pass_time(2)
    assert here.school.privacy.retention(0).audit >= 2
    assert [one.detail for one in here.school.classes.audit(made.id)] == ["term: autumn → winter"]
