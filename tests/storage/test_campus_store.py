"""What every store of campuses promises."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from app.model.campuses import (
    Course,
    Deployment,
    Identity,
    Link,
    LoginState,
    OwnKey,
    Registration,
    Score,
    Ticket,
)
from app.model.classes import Account, AssignmentId, Class, ClassId, EnrolmentId
from app.ports.classes import Taken
from tests.storage.test_school import (
    ANN,
    BEN,
    DAY,
    EVA,
    FRED,
    NOON,
    ONE,
    TWO,
    Kept,
    enrolled,
    given,
    made_in,
)

MOODLE = Registration(
    "r1", "https://moodle.test", "c1", "https://moodle.test/auth", "https://moodle.test/token",
    "https://moodle.test/jwks", "Moodle", NOON, ("https://moodle.test",), "active",
)  # fmt: skip
MINUTE = timedelta(minutes=1)


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kept]:
    made = made_in(request, tmp_path)
    made.school.accounts.add(Account(EVA, "Eva", NOON, "eva", host=True))
    made.school.accounts.add(Account(FRED, "Fred", NOON, "fred"))
    for name, code in ((ONE, "CODE1"), (TWO, "CODE2")):
        made.school.classes.add(Class(name, f"Class {name}", "UTC", NOON, "", code), EVA)
    made.school.campus.registrations.add(MOODLE)
    yield made
    made.close()


def course(**of: object) -> Course:
    made = Course("k1", "r1", "d1", "course-1", "Deep Learning", scopes=("score",))
    return replace(made, **of)  # type: ignore[arg-type]


def test_a_campus_is_registered_once_for_a_client(store: Kept) -> None:
    kept = store.school.campus.registrations
    with pytest.raises(Taken):
        kept.add(replace(MOODLE, id="r2"))
    kept.add(replace(MOODLE, id="r2", client_id="c2", name="Another"))
    with pytest.raises(Taken):
        kept.save(replace(MOODLE, id="r2"))
    kept.save(replace(MOODLE, state="off", token_audience="them"))
    assert kept.get("r1") == replace(MOODLE, state="off", token_audience="them")
    assert kept.get("none") is None
    assert [one.id for one in kept.all()] == ["r2", "r1"]


def test_a_site_is_learned_once_and_no_more_than_so_many(store: Kept) -> None:
    kept = store.school.campus.registrations
    for origin in ("https://a.test", "https://a.test", "https://b.test"):
        kept.add_origin("r1", origin, 2)
    found = kept.get("r1")
    assert found is not None
    assert found.origins == ("https://moodle.test", "https://a.test")


def test_a_deployment_is_seen_once_and_then_let_in(store: Kept) -> None:
    kept = store.school.campus.registrations
    assert kept.see(Deployment("r1", "d1", "seen", NOON)).state == "seen"
    kept.set_deployment("r1", "d1", "allowed")
    assert kept.see(Deployment("r1", "d1", "seen", NOON + DAY)).state == "allowed"
    assert kept.deployments("r1") == (Deployment("r1", "d1", "allowed", NOON),)


def test_a_login_is_used_once_and_in_its_time(store: Kept) -> None:
    kept = store.school.campus.registrations
    login = LoginState(b"s", b"n", "r1", "iss=x", NOON, NOON + 10 * MINUTE, "d1", "_parent")
    kept.begin(login)
    kept.begin(replace(login, state_hash=b"late"))
    assert kept.state(b"s") == login
    assert not kept.use(b"late", NOON + 10 * MINUTE)
    assert kept.use(b"s", NOON + MINUTE)
    assert not kept.use(b"s", NOON + MINUTE)
    assert not kept.use(b"none", NOON)
    used = kept.state(b"s")
    assert used is not None
    assert used.used_at == NOON + MINUTE
    kept.forget_logins(NOON + timedelta(hours=2))
    assert kept.state(b"s") is None


def test_keys_and_offers_come_and_go(store: Kept) -> None:
    kept = store.school.campus.registrations
    key = OwnKey("kid1", b"private", NOON, NOON + DAY)
    kept.add_key(key)
    kept.add_key(OwnKey("kid2", b"private", NOON + DAY, NOON + 2 * DAY))
    kept.retire_key("kid1", NOON + 2 * DAY)
    assert kept.keys()[0] == replace(key, retired_at=NOON + 2 * DAY)
    kept.forget_key("kid1")
    assert [one.kid for one in kept.keys()] == ["kid2"]
    kept.add_offer(b"offer", EVA, NOON + DAY)
    assert kept.offer(b"offer", NOON)
    assert not kept.offer(b"offer", NOON + DAY)
    assert kept.use_offer(b"offer", NOON)
    assert not kept.use_offer(b"offer", NOON)


def test_a_course_keeps_its_class_whatever_a_launch_says(store: Kept) -> None:
    courses = store.school.campus.courses
    assert courses.see(course()) == course()
    assert courses.connect("k1", ONE)
    courses.synced("k1", NOON)
    seen = courses.see(course(id="k9", title="Renamed", scopes=()))
    assert seen == course(title="Renamed", scopes=(), class_id=ONE, synced_at=NOON)
    assert courses.get("k9") is None
    assert courses.of_class(ONE) == seen
    assert courses.connected() == (seen,)


def test_a_course_with_a_class_gets_no_other(store: Kept) -> None:
    courses = store.school.campus.courses
    courses.see(course())
    courses.see(course(id="k2", context="course-2"))
    assert courses.connect("k1", ONE)
    assert not courses.connect("k1", TWO)
    new = Class(ClassId("c3"), "New", "UTC", NOON, "", "CODE3")
    assert not courses.connect_new("k1", new, FRED)
    assert store.school.classes.get(ClassId("c3")) is None
    assert courses.connect("k2", ONE), "a class that meets another course lets the first go"
    assert courses.connect_new("k1", new, FRED)
    assert [one.class_id for one in (courses.get("k1"), courses.get("k2")) if one] == ["c3", ONE]
    assert [one.account for one in store.school.classes.staff(ClassId("c3"))] == [FRED]
    courses.let_go("k1")
    assert courses.of_class(ClassId("c3")) is None


def test_of_many_who_connect_a_course_at_once_one_does(store: Kept) -> None:
    courses = store.school.campus.courses
    courses.see(course())
    done: list[bool] = []

    def work(n: int) -> None:
        made = Class(ClassId(f"n{n}"), "New", "UTC", NOON, "", f"CODE-N{n}")
        done.append(courses.connect_new("k1", made, FRED))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == [False] * 5 + [True]
    assert len(store.school.classes.all()) == 3


def test_links_lead_where_they_were_last_said_to(store: Kept) -> None:
    courses = store.school.campus.courses
    courses.see(course())
    store.school.assignments.add(given())
    link = Link("k1", "link-1", AssignmentId("a1"), "https://moodle.test/1")
    courses.save_link(Link("k1", "link-1"))
    courses.save_link(link)
    courses.save_link(Link("k1", "link-0"))
    assert courses.link("k1", "link-1") == link
    assert courses.link("k1", "none") is None
    assert courses.links("k1") == (Link("k1", "link-0"), link)


def test_who_somebody_is_stays_and_is_found_from_both_sides(store: Kept) -> None:
    courses = store.school.campus.courses
    courses.save_identity(Identity("r1", "1", ANN), NOON)
    courses.save_identity(Identity("r1", "1", BEN), NOON)
    courses.save_identity(Identity("r1", "1", None, EVA), NOON)
    assert courses.identity("r1", "1") == Identity("r1", "1", ANN, EVA)
    assert courses.identity("r1", "2") is None
    assert dict(courses.subjects("r1")) == {ANN: "1"}
    store.learners.join(ANN, BEN, NOON)
    assert dict(courses.subjects("r1")) == {BEN: "1"}


def score(**of: object) -> Score:
    made = Score(AssignmentId("a1"), EnrolmentId("e-ann"), 500, 1000, NOON, NOON)
    return replace(made, **of)  # type: ignore[arg-type]


def test_a_score_is_due_claimed_once_and_tried_again(store: Kept) -> None:
    scores = store.school.campus.scores
    store.school.assignments.add(given())
    for name in ("ann", "ben"):
        store.school.enrolments.add(enrolled(name))
    scores.put(score())
    scores.put(score(enrolment=EnrolmentId("e-ben"), next_at=NOON + DAY))
    assert scores.due(NOON) == (score(),)
    assert scores.claim(score(), NOON + MINUTE)
    assert not scores.claim(score(), NOON + 2 * MINUTE), "another has it"
    assert scores.due(NOON) == ()
    assert scores.due(NOON + MINUTE) == (score(next_at=NOON + MINUTE),)
    scores.put(score(state="failed", tries=3, error="no", lineitem="https://x.test"))
    assert not scores.claim(score(), NOON + DAY), "what failed is nobody's to send"
    assert dict(scores.counts()) == {"failed": 1, "waiting": 1}
    assert scores.oldest_waiting() == NOON
    assert scores.again(ONE, NOON + DAY) == 2
    assert scores.get(AssignmentId("a1"), EnrolmentId("e-ann")) == score(next_at=NOON + DAY)
    assert [one.enrolment for one in scores.of_class(ONE)] == ["e-ann", "e-ben"]
    assert scores.of_class(TWO) == ()


def test_what_became_of_a_score_is_kept_unless_it_changed_meanwhile(store: Kept) -> None:
    scores = store.school.campus.scores
    store.school.assignments.add(given())
    store.school.enrolments.add(enrolled("ann"))
    name, until = (AssignmentId("a1"), EnrolmentId("e-ann")), NOON + MINUTE
    sent = score(state="sent", lineitem="https://x.test")
    assert not scores.settle(sent, until), "there is none"
    assert scores.get(*name) is None
    scores.put(score())
    assert scores.claim(score(), until)
    assert scores.again(ONE, NOON) == 1
    assert not scores.settle(sent, until), "somebody wants it sent again"
    assert scores.get(*name) == score()
    assert scores.claim(score(), until)
    assert scores.settle(sent, until)
    assert scores.get(*name) == sent


def test_a_ticket_is_taken_once_and_in_its_time(store: Kept) -> None:
    campus = store.school.campus
    campus.courses.see(course())
    campus.courses.save_identity(Identity("r1", "1", ANN), NOON)
    ticket = Ticket(b"t", "r1", "/exercises/x", "go", "{}", NOON + MINUTE, "k1", ANN, EVA)
    campus.tickets.keep(ticket, NOON)
    assert campus.tickets.look(b"t", NOON) == ticket
    assert campus.tickets.look(b"t", NOON + MINUTE) is None
    assert campus.tickets.take(b"t", NOON) == ticket
    assert campus.tickets.take(b"t", NOON) is None
    campus.tickets.keep(ticket, NOON)
    campus.tickets.forget(NOON + MINUTE)
    assert campus.tickets.look(b"t", NOON) is None


def test_of_many_who_take_a_ticket_at_once_one_has_it(store: Kept) -> None:
    tickets = store.school.campus.tickets
    tickets.keep(Ticket(b"t", "r1", "/", "go", "{}", NOON + DAY), NOON)
    taken: list[bool] = []
    threads = [
        threading.Thread(target=lambda: taken.append(tickets.take(b"t", NOON) is not None))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == [False] * 7 + [True]
