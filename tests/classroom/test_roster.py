"""Rosters: read in any of the usual forms, compared, and never applied twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.classroom import roster
from app.classroom.people import PersonFields
from app.classroom.roster import Bad, Plan
from app.classroom.tables import Unreadable
from app.model.classes import Enrolment, EnrolmentId
from tests.classroom.class_world import CLASS, enrolment

CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,Softmax (4711)
    Points Possible,,,,,10
"Lee, Ann",17,s001,alee,A,
"Müller, Ben",18,s002,bmueller,B,
"Student, Test",19,,,A,
"""
MOODLE = """First name,Last name,ID number,Email address,Assignment: Softmax (Real)
Ann,Lee,s001,ann@example.edu,-
Ben,Müller,s002,ben@example.edu,-
"""
BLACKBOARD = """"Last Name"\t"First Name"\t"Username"\t"Student ID"
"Lee"\t"Ann"\t"alee"\t"s001"
"Müller"\t"Ben"\t"bmueller"\t"s002"
"""


def planned(text: str | bytes, there: list[Enrolment] | None = None) -> Plan:
    data = text.encode() if isinstance(text, str) else text
    return roster.plan(*roster.read(data), there or [])


def applied(plan: Plan, there: list[Enrolment]) -> list[Enrolment]:
    """What the class looks like afterwards, nobody removed."""
    after = {change.before.id: change.after for change in plan.changed}
    kept = [after.get(e.id, e) for e in there]
    new = [
        Enrolment(
            EnrolmentId(f"n{len(there) + n}"),
            CLASS,
            who.name,
            who.sort_name,
            student_id=who.student_id or None,
            campus_login=who.login or who.email or None,
            section=who.section,
            state="invited",
        )
        for n, who in enumerate(plan.new)
    ]
    return kept + new


@pytest.mark.parametrize(
    ("text", "logins"),
    [
        (CANVAS, ("alee", "bmueller")),
        (MOODLE, ("ann@example.edu", "ben@example.edu")),
        (BLACKBOARD, ("alee", "bmueller")),
        (BLACKBOARD.encode("utf-16"), ("alee", "bmueller")),
        (MOODLE.replace(",", ";").encode("utf-8-sig"), ("ann@example.edu", "ben@example.edu")),
    ],
    ids=["Canvas", "Moodle", "Blackboard", "Blackboard in UTF-16", "semicolons and a mark"],
)
def test_the_usual_files_are_read(text: str | bytes, logins: tuple[str, ...]) -> None:
    found = planned(text).new
    assert [(who.name, who.sort_name, who.student_id) for who in found[:2]] == [
        ("Ann Lee", "Lee, Ann", "s001"),
        ("Ben Müller", "Müller, Ben", "s002"),
    ]
    assert tuple(who.login or who.email for who in found) == logins


def test_canvas_s_line_of_points_and_its_test_student_are_nobody() -> None:
    assert [who.name for who in planned(CANVAS).new] == ["Ann Lee", "Ben Müller"]


@pytest.mark.parametrize("text", [CANVAS, MOODLE, BLACKBOARD, "name\nAnn Lee\nAnn Lee\nBen\n"])
def test_the_same_file_twice_changes_nothing(text: str) -> None:
    """Also where two learners have one name and nothing else tells them apart."""
    there = applied(planned(text), [])
    again = planned(text, there)
    assert (again.new, again.changed, again.missing) == ((), (), ())
    assert again.unchanged == len(there)


def test_what_changed_is_said_and_who_is_missing_is_kept() -> None:
    ann = enrolment("ann", name="Ann Lee", sort_name="Lee, Ann", student_id="s001", section="A")
    cleo = enrolment("cleo", student_id="s003")
    seat = enrolment("staff", state="preview")
    plan = planned("name,student_id,section\nAnn Lee-Roth,s001,B\nDee,s004,A\n", [ann, cleo, seat])
    assert [change.what for change in plan.changed] == [("name", "section")]
    assert plan.changed[0].after.learner == "ann"
    assert [who.name for who in plan.new] == ["Dee"]
    assert plan.missing == (cleo,)
    assert (plan.size(remove=False), plan.size(remove=True)) == (2, 3)


def test_who_came_by_name_is_given_the_id_and_not_doubled() -> None:
    ann = enrolment("ann", name="Ann Lee")
    plan = planned(MOODLE, [ann])
    assert plan.changed[0].after.student_id == "s001"
    assert [who.name for who in plan.new] == ["Ben Müller"]


def test_another_person_of_the_same_name_is_another_person() -> None:
    ann = enrolment("ann", name="Ann Lee", student_id="s777")
    plan = planned("name,student_id\nAnn Lee,s001\n", [ann])
    assert [who.student_id for who in plan.new] == ["s001"]
    assert plan.changed == ()


def test_who_was_removed_comes_back() -> None:
    ann = enrolment("ann", name="Ann", student_id="s1", state="removed")
    (change,) = planned("name,student_id\nAnn,s1\n", [ann]).changed
    assert change.after.state == "active"
    assert "back in the class" in change.what


def test_rows_that_name_nobody_are_told_by_their_line() -> None:
    plan = planned('name,student_id\n"Ann\nLee",s1\n,s2\nBen,s3\n')
    assert plan.bad == (Bad(4, "has no name"),)
    assert [who.name for who in plan.new] == ["Ann\nLee", "Ben"]


def test_a_name_is_kept_as_it_was_typed() -> None:
    assert planned("name\n=HYPERLINK(1)\n").new == (PersonFields("=HYPERLINK(1)", "=HYPERLINK(1)"),)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "This file is empty."),
        (b"\r\n  \r\n", "This file is empty."),
        (b"\x89PNG\r\n\x1a\n\xff\xfe", "neither UTF-8 nor UTF-16"),
        (b"name\nAnn\x00\n", "Line 2 holds a NUL character"),
        (b"name\nAnn \xed\xa0\x80\n", "neither UTF-8 nor UTF-16"),
        ("name\nAnn \ud800\n".encode("utf-16", "surrogatepass"), "neither UTF-8 nor UTF-16"),
        (b"colour,size\nred,3\n", "Line 1 names no column we know"),
        (b"name,id\nAnn,7\nBen,7\n", "Lines 2 and 3 have the same id, 7."),
        (b"name\n" + b"Ann\n" * 5_001, "more than 5,000 rows"),
        (b"name\n" + b"x" * (2 * 2**20), "larger than 2 MiB"),
    ],
    ids=["empty", "blank", "a picture", "NUL", "surrogate", "UTF-16 surrogate", "no column",
         "two of one id", "too many", "too long"],
)  # fmt: skip
def test_a_file_that_is_no_roster_gets_one_sentence(data: bytes, sentence: str) -> None:
    with pytest.raises(Unreadable, match=sentence):
        roster.read(data)


def test_five_thousand_rows_are_not_too_many() -> None:
    listed, bad = roster.read(b"name\n" + b"Ann\n" * 5_000)
    assert (len(listed), bad) == (5_000, ())


def test_the_same_person_twice_is_told() -> None:
    plan = planned("name,login\nAnn,alee\nAnn L,alee\n", [enrolment("ann", campus_login="alee")])
    assert plan.bad == (Bad(3, "is the same person as a row above it"),)


def test_an_empty_cell_takes_nothing_away() -> None:
    ann = replace(enrolment("ann", student_id="s1"), section="A", campus_login="alee")
    plan = planned("name,id,section\nAnn,s1,\n", [ann])
    assert plan.unchanged == 1 or plan.changed[0].after.section == "A"
