"""The list of people of a course: whole or not at all."""

from __future__ import annotations

import pytest

from app.campus.fetch import Fetched
from app.service.school import Conflict
from tests.campus.conftest import Town
from tests.campus.platform import CANVAS, SCHOOLOGY, User, told


def names(town: Town, made: object) -> dict[str, str]:
    people = town.school.people.all(made.id)  # type: ignore[attr-defined]
    return {one.name: one.state for one in people}


def test_a_list_of_more_than_fifty_is_read_to_its_end(town: Town) -> None:
    """l."""
    platform = town.platform(CANVAS)
    made = town.connected(platform)
    platform.users |= {str(n): User(f"Student {n}") for n in range(100, 220)}
    synced = town.school.campus.members.sync(made.id, "the host")
    assert (synced.new, synced.changed, synced.removed) == (122, 0, 0)
    assert len(names(town, made)) == 122
    assert len([one for one in platform.asked if "/members" in one]) == 3
    again = town.school.campus.members.sync(made.id, "the host")
    assert (again.new, again.changed, again.removed) == (0, 0, 0)


def test_ids_that_are_numbers_are_the_same_people_as_their_launches(town: Town) -> None:
    """l."""
    platform = town.platform(SCHOOLOGY)
    made = town.connected(platform)
    town.school.campus.members.sync(made.id, "the host")
    assert names(town, made) == {"Ann Lee": "invited", "Bo Day": "invited"}
    town.enter(platform, "1")
    assert names(town, made) == {"Ann Lee": "active", "Bo Day": "invited"}


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (lambda: told(500, {}), "Your campus does not give the list (500)."),
        (lambda: Fetched(200, {"content-type": "text/html"}, b"<p>"), "list of people is not one"),
        (lambda: told(200, {"members": [{}]}), "has no id"),
        (lambda: told(200, {"members": []}, {"link": '<https://evil.test/2>; rel="next"'}),
         "is on another server"),
    ],
    ids=["fails", "HTML", "nobody's", "elsewhere"],
)  # fmt: skip
def test_a_half_read_list_removes_nobody(town: Town, answer: object, sentence: str) -> None:
    """l."""
    platform = town.platform(CANVAS)
    made = town.connected(platform)
    platform.users |= {str(n): User(f"Student {n}") for n in range(100, 160)}
    town.school.campus.members.sync(made.id, "the host")
    before = names(town, made)
    for user in list(platform.users)[:30]:
        platform.users.pop(user)
    platform.users |= {str(n): User(f"Student {n}") for n in range(200, 260)}
    second = "GET https://canvas.test/course/members?start=50"
    platform.answers = [(second, answer)]  # type: ignore[list-item]
    with pytest.raises(Conflict, match="Nothing was changed") as said:
        town.school.campus.members.sync(made.id, "the host")
    assert sentence in str(said.value)
    assert names(town, made) == before


def test_a_list_without_end_is_given_up(town: Town) -> None:
    platform = town.platform(CANVAS)
    made = town.connected(platform)
    start = "https://canvas.test/course/members"
    again = {"link": f'<{start}>; rel="next"'}
    platform.answers = [(f"GET {start}", lambda: told(200, {"members": []}, again))]
    with pytest.raises(Conflict, match="never ends"):
        town.school.campus.members.sync(made.id, "the host")


def test_who_left_is_removed_and_their_work_stays_and_who_is_back_is_back(town: Town) -> None:
    platform = town.platform()
    made = town.connected(platform)
    town.given(made)
    town.enter(platform, "1")
    town.submit(town.learner(platform, "1"), passed=6)
    platform.users["1"].status = "Inactive"
    gone = platform.users.pop("2")
    town.school.campus.members.sync(made.id, "the host")
    assert names(town, made) == {"Ann Lee": "removed"}
    assert len(town.service.submissions.history(town.learner(platform, "1"), "stable-softmax")) == 1  # type: ignore[arg-type]
    platform.users["1"].status = "Active"
    platform.users["2"] = gone
    town.school.campus.members.sync(made.id, "the host")
    assert names(town, made) == {"Ann Lee": "active", "Bo Day": "invited"}


def test_who_joined_by_the_code_stays_whatever_the_list_says(town: Town) -> None:
    platform = town.platform()
    made = town.connected(platform)
    browser = town.browser()
    browser.post(f"/join/{made.join_code}", data={"name": "Guest"})
    town.school.campus.members.sync(made.id, "the host")
    assert names(town, made)["Guest"] == "active"


def test_staff_of_the_course_are_no_learners_of_its_class(town: Town) -> None:
    platform = town.platform()
    platform.users["8"] = User("Tia", "", ("TeachingAssistant",))
    made = town.connected(platform)
    town.school.campus.members.sync(made.id, "the host")
    assert set(names(town, made)) == {"Ann Lee", "Bo Day"}


def test_the_button_reads_the_list_and_says_what_changed(town: Town) -> None:
    """31."""
    platform = town.platform()
    made = town.connected(platform)
    browser, _ = town.enter(platform, "9", "course")
    path = f"/classes/{made.id}/campus"
    assert "The list has not been read yet." in browser.get(path).text
    answer = browser.post(path, data={"do": "sync"})
    assert "The list was read: 2 new, 0\nchanged, 0 removed." in answer.text
    assert "The list was last read on" in browser.get(path).text
    platform.answers = [("GET https://moodle.test/course/members", lambda: told(403, {}))]
    answer = browser.post(path, data={"do": "sync"})
    assert answer.status_code == 409
    assert "does not give the list (403). Nothing was changed." in answer.text


def test_the_list_is_read_once_a_day_by_itself(town: Town) -> None:
    platform = town.platform()
    made = town.connected(platform)
    town.school.campus.round()
    assert len(names(town, made)) == 2
    town.school.campus.round()
    assert len([one for one in platform.asked if "/members" in one]) == 1
    town.world.wait(hours=25)
    town.school.campus.round()
    assert len([one for one in platform.asked if "/members" in one]) == 2


def test_the_list_of_an_archived_class_is_not_read(town: Town) -> None:
    platform = town.platform()
    made = town.connected(platform)
    town.school.classes.archive(made.id, "the host")
    before = names(town, made)
    town.school.campus.round()
    assert [one for one in platform.asked if "/members" in one] == []
    assert names(town, made) == before


def test_a_course_that_is_let_go_while_its_list_is_read_changes_nothing(town: Town) -> None:
    platform = town.platform()
    made = town.connected(platform)
    before = names(town, made)

    def meanwhile() -> Fetched:
        town.school.campus.connecting.let_go(made.id, "the host")
        return told(200, {"members": [{"user_id": "1", "name": "Ann Lee", "roles": ["Learner"]}]})

    platform.answers = [("GET https://moodle.test/course/members", meanwhile)]
    with pytest.raises(Conflict, match="ended while its list was read. Nothing was changed."):
        town.school.campus.members.sync(made.id, "the host")
    assert names(town, made) == before
