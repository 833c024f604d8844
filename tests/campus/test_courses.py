"""A course and its class: connected once, copied, its links given their places; tickets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.model.classes import Staff
from app.ports.classes import SchoolStore
from app.service.school import School
from tests.campus.conftest import Town


def store(town: Town) -> SchoolStore:
    found = town.service._parts.school
    assert found is not None
    return found


def test_a_copied_course_is_asked_about_and_its_links_keep_their_exercise(town: Town) -> None:
    """f."""
    platform = town.platform()
    old = town.connected(platform)
    given = town.given(old)
    platform.links["link-1"] = f'{{"exercise": "stable-softmax", "assignment": "{given.id}"}}'
    assert town.enter(platform, "1")[1] == "/exercises/stable-softmax"
    platform.context = "course-2"
    answer = town.launch(platform, "1")
    assert answer.status_code == 403
    assert "Your instructor has not connected this course yet" in answer.text
    browser, path = town.enter(platform, "9")
    assert path.startswith("/lti/connect/")
    answer = browser.post(path, data={"do": "new", "zone": "UTC", "copy": str(old.id)})
    assert answer.status_code == 303
    new = town.school.classes.all()[0]
    assert new.id != old.id
    (copied,) = town.school.assignments.all(new.id)
    assert copied.id != given.id
    assert copied.policy.opens_at >= town.world.now
    assert town.enter(platform, "1")[1] == "/exercises/stable-softmax"
    (link,) = town.kept.courses.links(
        town.school.campus.course_of(new.id).id  # type: ignore[union-attr]
    )
    assert link.assignment == copied.id


def test_a_link_nobody_placed_asks_its_instructor_once(town: Town) -> None:
    platform = town.platform()
    made = town.connected(platform)
    given = town.given(made)
    browser, path = town.enter(platform, "9", "link-5")
    assert path.startswith("/lti/choose/")
    assert "stable" in browser.get(path).text.lower()
    answer = browser.post(path, data={"assignment": str(given.id)})
    assert answer.headers["location"] == f"/classes/{made.id}/board/stable-softmax"
    assert town.enter(platform, "1", "link-5")[1] == "/exercises/stable-softmax"
    assert town.enter(platform, "9", "link-5")[1] == f"/classes/{made.id}/board/stable-softmax"


def test_a_course_that_is_connected_twice_at_once_has_one_class(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    platform = town.platform()
    browser, path = town.enter(platform, "9")
    book = town.school.campus.connecting._classes
    drafted, second = book.drafted, []

    def meanwhile(*asked: Any) -> Any:
        monkeypatch.setattr(book, "drafted", drafted)
        second.append(browser.post(path, data={"do": "new", "zone": "UTC"}))
        return drafted(*asked)

    monkeypatch.setattr(book, "drafted", meanwhile)
    first = browser.post(path, data={"do": "new", "zone": "UTC"})
    assert (first.status_code, [one.status_code for one in second]) == (303, [403])
    assert len(town.school.classes.all()) == 1


@pytest.mark.parametrize("how", ["new", "class", "code"])
def test_two_pages_of_one_course_make_one_class(town: Town, how: str) -> None:
    platform = town.platform()
    first, path = town.enter(platform, "9")
    second, other = town.enter(platform, "9")
    assert path != other
    host = town.host()
    mine = town.school.classes.make("Mine", "UTC", host)
    code = town.school.campus.connecting.code(mine.id)
    known = town.school.campus.registering.all()[0].registration
    account = town.kept.courses.identity(known.id, "9").account  # type: ignore[union-attr]
    store(town).classes.set_staff(Staff(mine.id, account, "instructor", town.world.now))  # type: ignore[arg-type]
    assert first.post(path, data={"do": "new", "zone": "UTC"}).status_code == 303
    many = len(town.school.classes.all())
    answer = second.post(other, data={"do": how, "zone": "UTC", "class": mine.id, "code": code})
    assert answer.status_code == 403
    assert "Open the link in your course again" in answer.text
    assert len(town.school.classes.all()) == many == 2
    assert town.school.campus.course_of(mine.id) is None


@pytest.mark.parametrize("how", ["new", "class"])
def test_of_two_who_connect_a_course_in_one_moment_the_database_lets_one(
    town: Town, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Both pages were looked at before either wrote, as in two web processes."""
    platform = town.platform()
    first, path = town.enter(platform, "9")
    second, other = town.enter(platform, "9")
    connecting = town.school.campus.connecting
    monkeypatch.setattr(connecting, "may", lambda _came: True)
    assert first.post(path, data={"do": "new", "zone": "UTC"}).status_code == 303
    (made,) = town.school.classes.all()
    answer = second.post(other, data={"do": how, "zone": "UTC", "class": made.id})
    assert answer.status_code == 409
    assert "connected with a class meanwhile" in answer.text
    assert town.school.classes.all() == (made,)


def test_a_ticket_that_one_process_gave_out_is_taken_by_another(town: Town) -> None:
    platform, browser = town.platform(), town.browser()
    made = town.connected(platform)
    where = town.launch(platform, "1", browser=browser).headers["location"]
    other = School(town.school._parts).campus
    ticket = where.rpartition("/")[2]
    came = other.tickets.look(ticket)
    assert came is not None
    assert came.path == f"/classes/{made.id}"
    assert other.tickets.take(ticket) == came
    assert town.school.campus.tickets.take(ticket) is None
    assert browser.get(where).status_code == 403


def test_a_ticket_keeps_no_name_and_goes_with_its_learner(town: Town) -> None:
    platform = town.platform()
    town.connected(platform)
    town.launch(platform, "1")
    kept = [line for line in town.dump() if line.startswith('INSERT INTO "lti_tickets"')]
    assert len(kept) == 1
    assert "Ann" not in kept[0]
    assert "ann@uni.test" not in kept[0]
    store(town).work.delete(town.learner(platform, "1"), town.world.now)
    assert not [line for line in town.dump() if line.startswith('INSERT INTO "lti_tickets"')]


def test_an_archived_class_takes_no_new_link_and_its_staff_still_read_it(town: Town) -> None:
    platform = town.platform()
    made = town.connected(platform)
    town.given(made)
    town.school.classes.archive(made.id, "the host")
    assert town.enter(platform, "9", "link-5")[1] == f"/classes/{made.id}/board"
    answer = town.launch(platform, "9", "deep")
    assert answer.status_code == 403
    assert "Deep Learning is archived. Bring it back under Settings first." in answer.text
    answer = town.launch(platform, "1")
    assert (answer.status_code, "is over" in answer.text) == (403, True)


@pytest.mark.parametrize("page", ["choose", "deep"])
@pytest.mark.parametrize("what", ["is demoted", "left", "archived"])
def test_an_open_page_of_who_teaches_no_longer_changes_nothing(
    town: Town, page: str, what: str
) -> None:
    platform = town.platform()
    made = town.connected(platform)
    given = town.given(made)
    if page == "deep":
        browser = town.browser()
        path = town.launch(platform, "9", "deep", browser).headers["location"]
    else:
        browser, path = town.enter(platform, "9", "link-5")
    assert path.startswith(f"/lti/{page}/")
    (teacher,) = town.school.classes.staff(made.id)
    host = town.host()
    classes = store(town).classes
    assert classes.set_staff(Staff(made.id, host.id, "instructor", town.world.now))
    if what == "is demoted":
        assert classes.set_staff(replace(teacher, role="assistant"))
    elif what == "left":
        assert classes.remove_staff(made.id, teacher.account)
    else:
        town.school.classes.archive(made.id, host)
    before = town.dump()
    answer = browser.post(path, data={"assignment": str(given.id), f"item-{given.id}": "on"})
    if (page, what) == ("deep", "is demoted"):
        assert answer.status_code == 200, "an assistant may add content too"
        return
    assert answer.status_code == 403
    assert "no longer yours to change" in answer.text
    assert town.dump() == before


def test_a_zone_that_is_none_leaves_the_page_open(town: Town) -> None:
    browser, path = town.enter(town.platform(), "9")
    assert browser.post(path, data={"do": "new", "zone": "Nowhere/None"}).status_code == 422
    assert browser.post(path, data={"do": "class", "class": "none"}).status_code == 422
    assert browser.post(path, data={"do": "new", "zone": "UTC"}).status_code == 303
    assert browser.post(path, data={"do": "new", "zone": "UTC"}).status_code == 403


def test_a_course_is_connected_to_a_class_of_another_account_by_its_code(town: Town) -> None:
    platform = town.platform()
    eva, _ = town.school.accounts.add("eva", "Eva", "the host")
    made = town.school.classes.make("Mine", "UTC", eva)
    browser, path = town.enter(platform, "9")
    answer = browser.post(path, data={"do": "code", "code": "made-up.code"})
    assert answer.status_code == 422
    assert "know this code. Take a new one" in answer.text
    code = town.school.campus.connecting.code(made.id)
    answer = browser.post(path, data={"do": "code", "code": code})
    assert answer.headers["location"] == f"/classes/{made.id}/campus"
    page = browser.get(f"/classes/{made.id}/campus")
    assert page.status_code == 200
    assert "Connected with <b>Deep Learning</b>" in page.text
