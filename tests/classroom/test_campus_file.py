"""Files of campus systems, filled: our columns change, every other byte stays.

The golden files are what three systems export, and what they get back. Their points are those of
`campus_world.py`: Ann 5 and 20, Ben 10 and nothing, Cleo 0 and 3.33, Dee excused and 16.67.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from app.classroom import tables
from app.classroom.campus_file import MOST_BYTES, fill
from app.classroom.class_files import SYSTEMS, System, export, warnings
from app.classroom.gradebook import gradebook
from app.classroom.tables import Unreadable
from tests.classroom.campus_world import book
from tests.classroom.class_world import assignment, enrolment, tried, work

GOLDEN = Path(__file__).parents[1] / "golden" / "campus"
FILES = sorted(p.name.removesuffix(".filled.csv") for p in GOLDEN.glob("*.filled.csv"))


def test_there_are_four_files_of_each_system() -> None:
    kinds = ("names", "plain", "semicolons", "utf16-tabs")
    systems = ("blackboard", "canvas", "moodle")
    assert FILES == [f"{system}-{kind}" for system in systems for kind in kinds]


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_filled_byte_for_byte(name: str) -> None:
    filled = fill((GOLDEN / f"{name}.csv").read_bytes(), book())
    assert filled.data == (GOLDEN / f"{name}.filled.csv").read_bytes()


@pytest.mark.parametrize("name", FILES)
def test_filling_again_changes_no_byte(name: str) -> None:
    data = (GOLDEN / f"{name}.filled.csv").read_bytes()
    filled = fill(data, book())
    assert (filled.data, filled.cells) == (data, 0)


def test_what_matched_nobody_is_listed() -> None:
    filled = fill((GOLDEN / "canvas-plain.csv").read_bytes(), book())
    assert (filled.people, filled.people_of, filled.columns, filled.cells) == (2, 4, 2, 3)
    assert filled.unmatched_people == ("=Cleo", 'Ben "B" Müller')
    assert filled.strangers == ("line 4, “Zoe Abel”",)


def test_another_number_of_points_is_told() -> None:
    (note,) = fill((GOLDEN / "blackboard-plain.csv").read_bytes(), book()).notes
    assert note == "“Norms, 2nd “half”” has 100 points there and 20 here; ours were written."


HEAD = "Student,SIS User ID,Softmax (1)"


def filled(text: str) -> tuple[str, tuple[str, ...]]:
    found = fill(text.encode(), book())
    return found.data.decode(), found.unmatched_columns


def test_mixed_line_ends_stay_mixed() -> None:
    text = f'{HEAD}\r\n"Lee, Ann",s001,\n"B",s002,\r"C",s003,'
    assert filled(text)[0] == f'{HEAD}\r\n"Lee, Ann",s001,5.00\n"B",s002,10.00\r"C",s003,0.00'


def test_two_columns_of_one_title_are_both_left_alone() -> None:
    text = f"{HEAD},Softmax (2),Norms\nAnn,s001,,,\n"
    _, unmatched = filled(text)
    assert unmatched[0] == "“Softmax”: 2 columns have this title."


def test_a_read_only_column_is_left_alone() -> None:
    text = "Student,SIS User ID,Softmax (1),norms\nPoints Possible,,(read only),\nAnn,s001,,\n"
    after, unmatched = filled(text)
    assert after.endswith("Ann,s001,,20.00\n")
    assert unmatched == ("“Softmax”: its column is read only.",)


def test_two_rows_of_one_person_are_told_and_not_filled() -> None:
    text = f"{HEAD}\nAnn,s001,\nAnn,s001,\nBen,s002,\n"
    found = fill(text.encode(), book())
    assert found.data.decode() == f"{HEAD}\nAnn,s001,\nAnn,s001,\nBen,s002,10.00\n"
    assert found.strangers == (
        "line 2 is a second row of the same person",
        "line 3 is a second row of the same person",
    )


def test_of_two_learners_of_one_name_nobody_is_guessed() -> None:
    people = (
        enrolment("ann", name="Ann Lee"),
        enrolment("ann2", name="Ann Lee"),
        enrolment("ben", name="Ben Abel"),
    )
    made = gradebook(work(people, (assignment(),), (tried("1", "2026-12-01T10:00:00"),)))
    found = fill(b"name,Softmax\nAnn Lee,\nBen Abel,\n", made)
    assert found.data == b"name,Softmax\nAnn Lee,\nBen Abel,\n"
    assert found.strangers == ("line 2, “Ann Lee”",)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "empty"),
        (b"a,b\n1,2\n", "names no column that says who"),
        (b"name,Essay\nAnn Lee,\n", "None of its columns has the title"),
        (b"name,Softmax\nZoe,\nAda,\n", "None of its 2 people is in this class"),
        (b"name,Softmax\n\xe4,\n", "neither UTF-8 nor UTF-16"),
        (b"x" * (MOST_BYTES + 1), "larger than 10 MiB"),
    ],
    ids=["empty", "no person", "no assignment", "another class", "Latin 1", "too long"],
)
def test_a_file_that_cannot_be_filled_is_refused_with_a_sentence(
    data: bytes, sentence: str
) -> None:
    with pytest.raises(Unreadable, match=sentence):
        fill(data, book())


def test_a_title_with_final_is_not_filled_for_canvas_drops_it() -> None:
    given = assignment(title="Softmax final")
    made = gradebook(work((enrolment("ann"),), (given, assignment()), ()))
    found = fill(b"name,Softmax final,Softmax\nAnn,,\n", made)
    assert found.unmatched_columns == (
        "“Softmax final”. Canvas drops columns with “final” in the title.",
    )
    assert "canvas-lms#2134" in warnings(made)[0]


CELL = st.text(st.sampled_from('ab,;\t"\r\n =5ü'), max_size=8)


@drawn(st.lists(CELL, min_size=1, max_size=30).map(",".join))
def test_any_table_is_written_back_as_it_was_read(text: str) -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        data = text.encode(encoding)
        try:
            table = tables.read(data, most_bytes=10_000, most_rows=1_000)
        except Unreadable:
            assert not text.strip()
            continue
        assert table.write() == data


@drawn(
    st.lists(
        st.tuples(st.sampled_from(["s001", "s002", "s003", "s004", "s999"]), CELL, CELL),
        min_size=1,
        max_size=8,
    ),
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_filling_with_unchanged_numbers_gives_the_same_bytes(
    rows: list[tuple[str, str, str]], separator: str, end: str, encoding: str
) -> None:
    """The first filling may change cells; a second one, with the same points, changes none."""
    lines = [["Student ID", "note", "Softmax"], *[list(row) for row in rows], ["s001", "", "1"]]
    text = end.join(
        separator.join('"' + cell.replace('"', '""') + '"' for cell in line) for line in lines
    )
    try:
        first = fill(text.encode(encoding), book())
    except Unreadable:  # all rows of one person: nobody is matched
        return
    again = fill(first.data, book())
    assert (again.data, again.cells) == (first.data, 0)


def test_our_own_tables() -> None:
    made = book()
    assert {system: export(made, system).decode() for system in SYSTEMS} == {
        "canvas": (
            'Student,ID,SIS User ID,SIS Login ID,Section,Softmax,"Norms, 2nd “half”"\r\n'
            "    Points Possible,,,,,10.00,20.00\r\n"
            "'=Cleo,,s003,,,0.00,3.33\r\n"
            '"Lee, Ann",,s001,alee,,5.00,20.00\r\n'
            '"Müller, Ben ""B""",,s002,ben@example.edu,,10.00,\r\n'
            '"Okafor, Dee",,s004,,,EX,16.67\r\n'
        ),
        "moodle": (
            'First name,Last name,ID number,Email address,Softmax,"Norms, 2nd “half”"\r\n'
            ",'=Cleo,s003,,0.00,3.33\r\n"
            "Ann,Lee,s001,alee,5.00,20.00\r\n"
            '"Ben ""B""",Müller,s002,ben@example.edu,10.00,\r\n'
            "Dee,Okafor,s004,,,16.67\r\n"
        ),
        "blackboard": (
            "Last Name,First Name,Username,Student ID,Softmax [Total Pts: 10 Score],"
            '"Norms, 2nd “half” [Total Pts: 20 Score]"\r\n'
            "'=Cleo,,,s003,0.00,3.33\r\n"
            "Lee,Ann,alee,s001,5.00,20.00\r\n"
            'Müller,"Ben ""B""",ben@example.edu,s002,10.00,\r\n'
            "Okafor,Dee,,s004,,16.67\r\n"
        ),
        "plain": (
            'name,section,student_id,login,Softmax (10),"Norms, 2nd “half” (20)",total,possible\r\n'
            "'=Cleo,,s003,,0.00,3.33,3.33,30.00\r\n"
            "Ann Lee,,s001,alee,5.00,20.00,25.00,30.00\r\n"
            '"Ben ""B"" Müller",,s002,ben@example.edu,10.00,,10.00,30.00\r\n'
            "Dee Okafor,,s004,,excused,16.67,16.67,20.00\r\n"
        ),
    }


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_cell_that_a_learner_named_begins_a_formula(system: System) -> None:
    people = tuple(
        enrolment(f"p{n}", name=name, sort_name="", section=name, student_id=name)
        for n, name in enumerate(("=1+1", "@x", " -2", "+3", "|calc", "%0A", "\t=1"))
    )
    made = gradebook(work(people, (assignment(title="=cmd"),), ()))
    table = tables.read(export(made, system), most_bytes=100_000, most_rows=100)
    assert not [
        cell for record in table.records for cell in record.cells if cell[:1] in tuple("=+-@|%")
    ]
