"""The catalog reads folders, tells all that is off at once, and never runs a line of them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from app.catalog import Catalog, ExerciseError, ExerciseErrors, load
from app.catalog.texts import hints
from app.model import ExampleText, Hint, Limits, Tolerance

ROOT = Path(__file__).parents[1]
SMALL = ROOT / "tests" / "exercises" / "weighted-mean"
EXERCISES = ROOT / "exercises"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A sound exercise to break."""
    return Path(shutil.copytree(SMALL, tmp_path / "root" / "weighted-mean"))


def complaints(folder: Path) -> list[tuple[str, str]]:
    """File and key of each complaint about a folder; every one says what to do."""
    with pytest.raises(ExerciseErrors) as broken:
        load(folder)
    assert all(error.message.endswith((".", "?")) for error in broken.value.errors)
    return [(error.file, error.key) for error in broken.value.errors]


def edit(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_every_exercise_of_the_project_loads() -> None:
    catalog = Catalog([EXERCISES])
    assert catalog.complaints() == ()
    exercises = catalog.all()
    assert len(exercises) >= 13
    assert [e.order for e in exercises] == sorted(e.order for e in exercises)
    assert {e.section for e in exercises} == {"Transformer Architecture"}


def test_fields_of_an_exercise() -> None:
    exercise = load(SMALL)
    assert exercise.slug == "weighted-mean"
    assert exercise.axes == {
        "x": ("...", "rows", "width"),
        "p": {"weights": ("rows",)},
        "return": (("...", "width"), ()),
    }
    assert exercise.sizes == {"half": "width // 2"}
    assert exercise.tolerance == Tolerance(1e-5, 1e-6)
    assert exercise.limits == Limits(cpu_s=1.0, memory_bytes=256 * 1024 * 1024)
    assert exercise.hints[1] == Hint(2, "Two", "Second.")
    assert exercise.examples == (ExampleText("all_differ", "Three rows.", "shapes"),)
    assert exercise.follow_ups[0].variables == ("n", "width")
    assert exercise.numbers[0].value == "two_rows()[0][0, 1]"
    assert exercise.equivalent_mutants[0].line == 7
    assert exercise.python_files("mistakes") == ("mistakes/mean.py",)
    assert exercise.source("accepted/loop.py").name == "accepted/loop.py"
    assert len(exercise.digest) == 64


def test_python_files_are_bytes_and_nothing_more(folder: Path, tmp_path: Path) -> None:
    """A file that would leave a trace when imported, compiled or parsed is only read."""
    trap = f"open({str(tmp_path / 'ran')!r}, 'w')\n)\x00 this does not even parse"
    (folder / "reference.py").write_text(trap, "utf-8")
    (folder / "mistakes" / "mean.py").write_text(trap, "utf-8")
    assert load(folder).files["reference.py"] == trap.encode()
    assert not (tmp_path / "ran").exists()


def test_digest_changes_with_any_file_and_with_nothing_else(folder: Path) -> None:
    before = load(folder).digest
    os.utime(folder / "cases.py", (1, 1))
    assert load(folder).digest == before == load(SMALL).digest
    (folder / "accepted" / "more.py").write_bytes(b"")
    assert load(folder).digest != before


# ------------------------------------------------------------------ complaints


def test_all_complaints_come_at_once(folder: Path) -> None:
    (folder / "starter.py").unlink()
    (folder / "hints.md").write_text("## One\n\nOnly.\n", "utf-8")
    edit(folder, "exercise.toml", 'difficulty = "easy"', 'difficulty = "trivial"\ndifficult = 1')
    edit(folder, "exercise.toml", 'title = "', 'titel = "')
    edit(folder, "statement.md", "## Formula", "## Formulas")
    assert complaints(folder) == [
        ("starter.py", ""),
        ("exercise.toml", "title"),
        ("exercise.toml", "difficulty"),
        ("exercise.toml", "titel"),
        ("exercise.toml", "difficult"),
        ("statement.md", "Formula"),
        ("hints.md", ""),
    ]


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("order = 1", 'order = "1"', "order"),
        ("order = 1", "order = 0", "order"),
        ("order = 1", "order = true", "order"),
        ('entry_point = "weighted_mean"', 'entry_point = "weighted-mean"', "entry_point"),
        ('visible = ["two_rows"]', 'visible = "two_rows"', "visible"),
        ('visible = ["two_rows"]', "visible = []", "visible"),
        ('visible = ["two_rows"]', "visible = [1]", "visible"),
        ('title = "Weighted Mean"', 'title = " "', "title"),
        ('x = ["...", "rows", "width"]', 'x = "rows"', "axes.x"),
        ('x = ["...", "rows", "width"]', "x = [1]", "axes.x"),
        ('half = "width // 2"', 'half = "width.real"', "sizes.half"),
        ("cpu_s = 1.0", "cpu_s = 1000", "limits.cpu_s"),
        ("cpu_s = 1.0", 'cpu_s = "1"', "limits.cpu_s"),
        ("memory_mib = 256", "memory_mb = 256", "limits.memory_mb"),
        ('case = "all_differ"', "case = 3", "example[1].case"),
        ('show = "shapes"', 'show = "nothing"', "example[1].show"),
        ('kind = "formula"', 'kind = "essay"', "follow_up[1].kind"),
        ('variables = ["n", "width"]', 'variables = "n"', "follow_up[1].variables"),
        (
            'text = "Any book on statistics"',
            'text = "A book"\nurl = "javascript:1"',
            "source[1].url",
        ),
        ("line = 7", "line = -1", "equivalent_mutant[1].line"),
    ],
)
def test_a_key_that_is_off_is_named(folder: Path, old: str, new: str, key: str) -> None:
    edit(folder, "exercise.toml", old, new)
    assert ("exercise.toml", key) in complaints(folder)


@pytest.mark.parametrize("data", [b"title = ", b"\xff\xfe", b"a = 1\na = 2\n"])
def test_toml_that_does_not_parse_is_one_complaint(folder: Path, data: bytes) -> None:
    (folder / "exercise.toml").write_bytes(data)
    assert complaints(folder) == [("exercise.toml", "")]


@pytest.mark.parametrize("file", ["statement.md", "hints.md"])
def test_markdown_that_is_no_text_is_a_complaint(folder: Path, file: str) -> None:
    (folder / file).write_bytes(b"## What\xff")
    assert (file, "") in complaints(folder)


def test_sections_must_be_in_order(folder: Path) -> None:
    text = (folder / "statement.md").read_text("utf-8")
    first, second = text.index("## Background"), text.index("## Formula")
    swapped = text[:first] + text[second:] + text[first:second]
    (folder / "statement.md").write_text(swapped, "utf-8")
    assert complaints(folder) == [("statement.md", "")]


def test_links_and_odd_files_are_refused_not_followed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret", "utf-8")
    (folder / "starter.py").unlink()
    (folder / "starter.py").symlink_to(tmp_path / "secret")
    (folder / "accepted" / "away").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe")
    (folder / "a b.py").write_bytes(b"")
    (folder / "big.png").write_bytes(bytes(1024 * 1024 + 1))
    (folder / "mistakes" / "deep").mkdir()
    assert sorted(complaints(folder)) == [
        ("a b.py", ""),
        ("accepted/away", ""),
        ("big.png", ""),
        ("mistakes/deep", ""),
        ("pipe", ""),
        ("starter.py", ""),
    ]


def test_too_many_files_are_one_complaint(folder: Path) -> None:
    for number in range(100):
        (folder / f"extra{number}.txt").write_bytes(b"")
    assert complaints(folder)[0] == (".", "")


def test_leftovers_of_editors_and_python_are_no_part_of_a_folder(folder: Path) -> None:
    before = load(folder).digest
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "cases.cpython-311.pyc").write_bytes(b"x")
    (folder / ".cases.py.swp").write_bytes(b"x")
    assert load(folder).digest == before


def test_only_python_files_belong_into_accepted_and_mistakes(folder: Path) -> None:
    (folder / "mistakes" / "notes.md").write_text("x", "utf-8")
    (folder / "accepted" / "2nd-way.py").write_text("x", "utf-8")
    assert complaints(folder) == [("accepted/2nd-way.py", ""), ("mistakes/notes.md", "")]


def test_folder_name_must_be_a_slug(folder: Path) -> None:
    assert complaints(folder.rename(folder.with_name("Weighted_Mean"))) == [(".", "")]


def test_folder_that_is_not_there_is_a_complaint(tmp_path: Path) -> None:
    assert complaints(tmp_path / "none") == [(".", "")]


# ------------------------------------------------------------------ the shelf


def test_a_broken_folder_never_breaks_the_others(folder: Path) -> None:
    broken = Path(shutil.copytree(folder, folder.with_name("broken")))
    (broken / "exercise.toml").write_text("title = ", "utf-8")
    catalog = Catalog([folder.parent])
    assert [e.slug for e in catalog.all()] == ["weighted-mean"]
    assert catalog.get("broken") is None
    (complaint,) = catalog.complaints()
    assert complaint.folder == str(broken)
    assert "exercise.toml" in str(complaint)


def test_a_changed_folder_is_picked_up_and_an_unchanged_one_is_not_read_again(
    folder: Path,
) -> None:
    catalog = Catalog([folder.parent])
    first = catalog.get("weighted-mean")
    assert first is not None
    assert catalog.get("weighted-mean") is first
    edit(folder, "exercise.toml", 'title = "Weighted Mean"', 'title = "Another Mean"')
    changed = catalog.get("weighted-mean")
    assert changed is not None
    assert changed.title == "Another Mean"
    (folder / "exercise.toml").unlink()
    assert catalog.get("weighted-mean") is None
    assert len(catalog.complaints()) == 1
    shutil.rmtree(folder)
    assert catalog.all() == ()
    assert catalog.complaints() == ()


def test_two_folders_with_one_slug_are_a_complaint(folder: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(folder, tmp_path / "other" / "weighted-mean"))
    catalog = Catalog([folder.parent, other.parent])
    assert [e.folder for e in catalog.all()] == [str(folder)]
    (complaint,) = catalog.complaints()
    assert complaint.folder == str(other)
    assert str(folder) in str(complaint)


def test_an_unknown_predecessor_is_told_but_the_exercise_works(folder: Path) -> None:
    edit(folder, "exercise.toml", "order = 1", 'order = 1\nafter = ["nowhere"]')
    catalog = Catalog([folder.parent])
    assert catalog.get("weighted-mean") is not None
    (complaint,) = catalog.complaints()
    assert [(e.file, e.key) for e in complaint.errors] == [("exercise.toml", "after")]


@pytest.mark.parametrize("slug", ["", ".", "..", "../root/weighted-mean", "a/b", "A", "x" * 200])
def test_a_slug_never_leads_out_of_the_directory(folder: Path, slug: str) -> None:
    assert Catalog([folder.parent]).get(slug) is None


def test_a_directory_that_is_missing_is_a_complaint(tmp_path: Path) -> None:
    catalog = Catalog([tmp_path / "none", EXERCISES])
    assert len(catalog.all()) >= 13
    assert [c.folder for c in catalog.complaints()] == [str(tmp_path / "none")]


def test_a_section_comes_after_the_one_it_builds_on(tmp_path: Path, folder: Path) -> None:
    for name, settings in (
        ("first", 'section = "Zebra '),
        ("second", 'after = ["first"]\nsection = "Apple '),
    ):
        made = Path(shutil.copytree(folder, tmp_path / "shelves" / name))
        edit(made, "exercise.toml", 'section = "', settings)
    found = Catalog([tmp_path / "shelves"]).all()
    assert [exercise.slug for exercise in found] == ["first", "second"]


def test_a_servers_catalog_looks_once_at_a_folder_in_a_while(tmp_path: Path) -> None:
    shutil.copytree(EXERCISES / "stable-softmax", tmp_path / "stable-softmax")
    toml = tmp_path / "stable-softmax" / "exercise.toml"
    served, other = Catalog([tmp_path], fresh_s=3600), Catalog([tmp_path])
    for catalog in (served, other):
        assert catalog.get("stable-softmax") is not None
        assert [one.title for one in catalog.all()] == ["Stable Softmax"]
    toml.write_text(toml.read_text().replace("Stable Softmax", "Softer"))
    assert [one.title for one in served.all()] == ["Stable Softmax"]
    assert [one.title for one in other.all()] == ["Softer"]
    again = Catalog([tmp_path], fresh_s=3600)
    assert again.get("no-such-exercise") is None


@pytest.mark.parametrize(
    ("written", "title"),
    [("One", "One"), ("One ##", "One"), ("  One   #  ", "One"), ("One # two", "One # two"),
     ("#", "#")],
)  # fmt: skip
def test_a_heading_may_be_closed_by_signs(written: str, title: str) -> None:
    errors: list[ExerciseError] = []
    found = hints(f"## {written}\n\na\n\n## Two\n\nb\n".encode(), errors)
    assert [hint.title for hint in found] == [title, "Two"]
    assert errors == []
