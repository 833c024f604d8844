"""What a class cannot use, in forms and files: one sentence, and nothing changed."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from starlette.testclient import TestClient

from app.classroom.campus_file import MOST_BYTES as CAMPUS_BYTES
from app.classroom.roster import MOST_BYTES, MOST_ROWS
from tests.web.teacher import FORM, SOFTMAX, Teacher, Visit, joined, text

KIB = 1024
BIG = b"name,student_id\n" + b"x" * (3 * KIB * KIB)


def uploaded(teacher: Teacher, data: bytes, path: str = "/people/upload") -> tuple[int, str]:
    """The status and the words of an answer to a file."""
    name = {"/people/upload": "roster", "/extensions/upload": "extensions"}.get(path, "file")
    answer = teacher.client.post(teacher.base + path, files={name: ("file.csv", data)})
    return answer.status_code, text(answer)


def applied(teacher: Teacher, data: bytes) -> str:
    """What the dry run of a roster said, once it was applied too."""
    files = {"roster": ("roster.csv", data)}
    answer = teacher.client.post(teacher.base + "/people/upload", files=files)
    assert answer.status_code == 200, text(answer)
    token = re.search(r'name="token" value="([^"]+)"', answer.text)
    assert token is not None
    teacher.post("/people/apply", token=token[1])
    return text(answer)


# ------------------------------------------------------------------ rosters


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is empty"),
        (bytes(range(256)) * 40, "neither UTF-8 nor UTF-16"),
        (b"colour,shape\nred,round\n", "names no column we know"),
        (b"name\n" + b"Ann\n" * (MOST_ROWS + 1), "5,000"),
    ],
    ids=["empty", "binary", "no known column", "too many rows"],
)
def test_a_file_that_is_no_roster_gets_one_sentence(
    teacher: Teacher, data: bytes, words: str
) -> None:
    status, said = uploaded(teacher, data)
    assert status == 422
    assert words in said
    assert teacher.seats() == {}


def test_a_roster_over_two_mebibytes_is_refused(teacher: Teacher) -> None:
    assert MOST_BYTES == 2 * KIB * KIB
    status, said = uploaded(teacher, BIG)
    assert status in (413, 422)
    assert "2 MiB" in said
    assert teacher.seats() == {}


def test_a_roster_of_a_mebibyte_is_read(teacher: Teacher) -> None:
    """More than any other form may hold (512 KiB)."""
    row = "Ann Lee,s1," + "x" * (KIB * KIB) + "\n"
    assert uploaded(teacher, f"name,student_id,note\n{row}".encode())[0] == 200


def test_two_rows_with_one_id_are_told_by_their_line(teacher: Teacher) -> None:
    status, said = uploaded(teacher, b"name,student_id\nAnn,s1\nBen,s2\nCarl,s1\n")
    assert status == 422
    assert "Lines 2 and 4 have the same id, s1." in said
    assert teacher.seats() == {}


def test_names_are_kept_as_typed_and_neutralised_in_exports(teacher: Teacher) -> None:
    teacher.give()
    applied(teacher, b"name,student_id\n=HYPERLINK(1),s1\n+Bo,s2\n")
    assert sorted(teacher.seats()) == ["+Bo", "=HYPERLINK(1)"]
    assert "=HYPERLINK(1)" in teacher.get("/people")
    for system in ("canvas", "moodle", "blackboard", "plain"):
        table = teacher.client.get(f"{teacher.base}/grades.csv?system={system}").text
        cells = re.split(r'[,\t\n\r"]+', table)
        assert [cell for cell in cells if cell.startswith(("=", "+"))] == [], system


@pytest.mark.parametrize("name", ["A\x00B", "\u202eevil\u202c Ann", "\ud800"])
def test_a_name_of_odd_letters_harms_nothing(visit: Visit, teacher: Teacher, name: str) -> None:
    """NUL, right-to-left marks, half a letter: kept tidy or refused, and every page still comes."""
    teacher.give()
    data = f"name,student_id\n{name},s1\n".encode("utf-8", "surrogatepass")
    uploaded(teacher, data)
    body = f"name={'%00' if name == chr(0) else ''}".encode() + name.encode("utf-8", "replace")
    head = {"content-type": "application/x-www-form-urlencoded"}
    answer = visit().post(f"/join/{teacher.code}", content=body, headers=head)
    assert answer.status_code in (303, 422)
    for path in ("/people", "/board", "/grades"):
        shown = teacher.get(path)
        assert "\x00" not in shown
        assert "\u202e" not in shown


# ------------------------------------------------------------------ how long a body may be


@pytest.mark.parametrize(
    ("path", "most"), [("/people/upload", MOST_BYTES), ("/grades/fill", CAMPUS_BYTES)]
)
def test_long_files_are_read_only_from_who_may_send_them(
    visit: Visit, teacher: Teacher, path: str, most: int
) -> None:
    """Who may not is turned away before the file is looked at, whatever its length."""
    learner = joined(teacher, visit, "Ann")
    file = {"file": ("file.csv", b"Student\n" + b"x" * (most + 128 * KIB))}
    assert teacher.client.post(teacher.base + path, files=file).status_code in (413, 422)
    small = {"file": ("file.csv", b"Student\n" + b"x" * (600 * KIB))}
    for who in (learner, visit()):
        for each in (file, small):
            answer = who.post(teacher.base + path, files=each, follow_redirects=False)
            assert answer.status_code in (303, 413), answer.status_code
            assert answer.headers.get("location", "/staff/sign-in").startswith("/staff/sign-in")


def test_a_file_for_a_page_that_takes_none_is_too_long(visit: Visit, teacher: Teacher) -> None:
    answer = visit().post("/join/seat", data={"seat": "x" * (600 * KIB)})
    assert answer.status_code == 413


# ------------------------------------------------------------------ assignments


def test_all_complaints_come_at_once_at_their_fields(teacher: Teacher) -> None:
    sent = {
        **FORM,
        "points": "10001",
        "opens_at": "2026-12-20T00:00",
        "due_at": "2026-12-10T00:00",
        "closes_at": "2026-12-01T00:00",
        "late_share": "101",
        "hint_share": "-1",
    }
    answer = teacher.client.post(teacher.base + "/assignments/new", data=sent)
    assert answer.status_code == 422
    for name in ("points", "late_share", "hint_share"):
        assert f'id="b-{name}"' in answer.text, name
    assert any(f'id="b-{name}"' in answer.text for name in ("opens_at", "due_at"))
    assert any(f'id="b-{name}"' in answer.text for name in ("closes_at", "due_at"))
    assert "Nothing to do yet." in teacher.get("/assignments")


def test_half_past_two_in_the_night_the_clocks_go_forward(teacher: Teacher) -> None:
    sent = {**FORM, "due_at": "2027-03-28T02:30", "closes_at": "2027-04-04T00:00"}
    read = teacher.client.post(teacher.base + "/assignments/preview", data=sent).json()
    assert any("3:30" in note for note in read["notes"]), read
    given = teacher.give(due_at=sent["due_at"], closes_at=sent["closes_at"])
    assert 'value="2027-03-28T03:30"' in teacher.client.get(
        f"{teacher.base}/assignments/{given}"
    ).text  # fmt: skip


@pytest.mark.parametrize("zone", ["Europe/Atlantis", "", "../etc/passwd", "x" * 5_000])
def test_a_zone_that_is_none_is_said_at_its_field(teacher: Teacher, zone: str) -> None:
    sent = {"title": "", "term": "", "zone": zone, "join_by": "nobody", "retention_days": "-3"}
    answer = teacher.client.post(teacher.base + "/settings", data=sent)
    assert answer.status_code == 422
    for name in ("title", "zone", "join_by", "retention_days"):
        assert f'id="b-{name}"' in answer.text, name
    assert "Europe/Berlin" in teacher.get("/settings")


# ------------------------------------------------------------------ codes


def test_an_old_code_and_one_of_an_archived_class_open_nothing(
    visit: Visit, teacher: Teacher
) -> None:
    old = teacher.code
    teacher.post("/people/code", do="new")
    assert teacher.code != old
    for code in (old, "nonsense", "%00", "x" * 5_000):
        answer = visit().get(f"/join/{code}")
        assert answer.status_code == 404, code
        assert "Ask your instructor" in text(answer)
    teacher.post("/archive", do="archive")
    assert visit().get(f"/join/{teacher.code}").status_code == 404


def seat_code(teacher: Teacher, name: str) -> str:
    answer = teacher.client.post(
        f"{teacher.base}/people/{teacher.seats()[name]}", data={"do": "seat"}
    )
    found = re.search(r">([0-9a-z]{4}-[0-9a-z]{4})<", answer.text)
    assert found is not None
    return found[1]


def taken(client: TestClient, seat: str) -> int:
    answer = client.post("/join/seat", data={"seat": seat}, follow_redirects=False)
    return answer.status_code


def test_a_seat_code_used_twice_is_refused_and_logged(visit: Visit, teacher: Teacher) -> None:
    joined(teacher, visit, "Ann")
    seat = seat_code(teacher, "Ann")
    assert taken(visit(), seat) == 303
    assert taken(visit(), seat) == 404
    log = teacher.get("/settings")
    assert log.count("seat code used") == 1
    assert log.count("seat code refused") == 1


def test_a_seat_code_of_somebody_removed_is_refused_and_logged(
    visit: Visit, teacher: Teacher
) -> None:
    joined(teacher, visit, "Ann")
    seat = seat_code(teacher, "Ann")
    teacher.post(f"/people/{teacher.seats()['Ann']}", do="remove", sure="yes")
    assert taken(visit(), seat) == 404
    assert "seat code refused" in teacher.get("/settings")


def test_a_seat_code_is_worth_seven_days(visit: Visit, teacher: Teacher) -> None:
    joined(teacher, visit, "Ann")
    seat = seat_code(teacher, "Ann")
    teacher.world.wait(days=7, seconds=1)
    assert teacher.world.now - timedelta(days=7) > teacher.world.now - timedelta(days=8)
    assert taken(visit(), seat) == 404


# ------------------------------------------------------------------ campus files


def test_a_campus_file_of_another_class_is_filled_nowhere(teacher: Teacher) -> None:
    teacher.give()
    applied(teacher, b"name,student_id\nAnn Lee,s1\n")
    status, said = uploaded(
        teacher, b"Student,ID,Something Else\r\nZoe,z1,\r\nYan,y1,\r\n", "/grades/fill"
    )
    assert status in (200, 422)
    if status == 200:
        assert "0 cells written" in said
        assert "Not matched: Ann Lee" in said


def test_mixed_line_ends_and_two_columns_of_one_title(teacher: Teacher) -> None:
    teacher.give()
    applied(teacher, b"name,student_id\nAnn Lee,s1\n")
    data = b"Student,ID,Stable Softmax,Stable Softmax\r\nAnn Lee,s1,,\nZoe,z1,,\r"
    answer = teacher.client.post(
        teacher.base + "/grades/fill", files={"file": ("campus.csv", data)}
    )
    said = text(answer)
    assert "Stable Softmax" in said
    if answer.status_code == 200:
        where = re.search(r'href="(/classes/[^"]+/grades/filled/[^"]+)"', answer.text)
        assert where is not None
        assert teacher.client.get(where[1]).content == data
    else:
        assert answer.status_code == 422


def test_a_filled_file_is_for_the_class_it_was_filled_for(visit: Visit, teacher: Teacher) -> None:
    teacher.give()
    applied(teacher, b"name,student_id\nAnn Lee,s1\n")
    data = b"Student,ID,Stable Softmax (7)\r\nAnn Lee,s1,\r\n"
    answer = teacher.client.post(
        teacher.base + "/grades/fill", files={"file": ("campus.csv", data)}
    )
    where = re.search(r'href="(/classes/[^"]+/grades/filled/[^"]+)"', answer.text)
    assert where is not None
    made = teacher.client.post(
        "/classes", data={"title": "Other", "zone": "UTC"}, follow_redirects=False
    )
    other = made.headers["location"].removesuffix("/board")
    forged = where[1].replace(teacher.base, other)
    assert teacher.client.get(forged).status_code in (404, 409)
    assert visit().get(where[1], follow_redirects=False).status_code == 303


# ------------------------------------------------------------------ ids of others


def test_ids_of_another_class_are_not_there(visit: Visit, teacher: Teacher) -> None:
    """Somebody who teaches two classes cannot reach into one by the address of the other."""
    given = teacher.give()
    joined(teacher, visit, "Ann")
    seat = teacher.seats()["Ann"]
    made = teacher.client.post(
        "/classes", data={"title": "Other", "zone": "UTC"}, follow_redirects=False
    )
    other = made.headers["location"].removesuffix("/board")
    for path in (
        f"/people/{seat}",
        f"/assignments/{given}",
        f"/grades/cell/{given}/{seat}",
        f"/board/{SOFTMAX}/example/none",
        f"/people/{seat}/tries/00000000-0000-7000-8000-000000000000",
    ):
        assert teacher.client.get(other + path).status_code == 404, path
    sent = {
        "assignment": given,
        "enrolment": seat,
        "points": "10",
        "reason": "x",
        "due_at": "2027-01-01",
    }
    for path in ("/grades/override", f"/people/{seat}/extension", f"/people/{seat}"):
        answer = teacher.client.post(other + path, data={**sent, "do": ""}, follow_redirects=False)
        assert answer.status_code == 404, path
    assert "·" in teacher.get("/grades")
