"""A public bank's problem folder becomes a draft: what it says is kept, nothing is guessed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from app.ports import AuthorSandbox
from app.verify import Means, prove
from app.verify.bank import NotABank
from app.verify.importing import import_folder
from app.verify.literals import literal
from app.verify.scaffold import CannotWrite
from tests.verify.faults import BROKEN

SAMPLE = BROKEN / "bank" / "41_centre_rows"


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLE, tmp_path / "bank" / SAMPLE.name))


def test_one_new_folder_is_written(jailed: AuthorSandbox, tmp_path: Path) -> None:
    made = import_folder(SAMPLE, tmp_path, jailed)
    assert made.folder == tmp_path / "centre-rows"
    files = {str(path.relative_to(made.folder)) for path in made.folder.rglob("*.*")}
    assert files == {
        "cases.py",
        "exercise.toml",
        "hints.md",
        "mistakes/first.py",
        "reference.py",
        "starter.py",
        "statement.md",
    }
    assert [entry.name for entry in tmp_path.iterdir()] == ["centre-rows"]
    assert (made.folder / "reference.py").read_bytes() == (SAMPLE / "solution.py").read_bytes()
    settings = (made.folder / "exercise.toml").read_text()
    assert 'title = "Centre the Rows"' in settings and 'difficulty = "easy"' in settings


def test_arguments_are_recorded_from_the_printed_tests(
    jailed: AuthorSandbox, tmp_path: Path
) -> None:
    text = (import_folder(SAMPLE, tmp_path, jailed).folder / "cases.py").read_text()
    assert "def test_1():" in text and "return (np.array([[1.0, 3.0], [2.0, 2.0]]),)" in text
    assert "return (np.array([[1, 3]]), 2.0)" in text  # a list on which the solution does the same
    assert "return (np.array([[np.inf, 1.0]]),)" in text
    assert "test_4" not in text


def test_what_is_missing_is_said(jailed: AuthorSandbox, tmp_path: Path) -> None:
    assert import_folder(SAMPLE, tmp_path, jailed).missing == (
        "exercise.toml, statement.md, hints.md: the places marked FILL IN.",
        "cases.py: 3 of 6 test cases; the folder gives 3.",
        "cases.py: what each case probes, for its docstring.",
        "tests.json, test 4: calls the function 2 times; a test case is one call."
        " Write that case by hand.",
        "tests.json, test 5: names arguments out of order: scale, x. Write that case by hand.",
        "tests.json, test 6: does not run: os isn't available here. Write that case by hand.",
        "tests.json, test 3: solution.py prints '(1, 2)', not '(2, 1)'. Which is right?",
        "mistakes/first.py: a first mistake. A bank's folder knows none.",
    )


def test_check_points_at_every_place_to_fill(means: Means, tmp_path: Path) -> None:
    folder = import_folder(SAMPLE, tmp_path, means.sandbox).folder
    marks = sum(path.read_text().count("FILL IN") for path in folder.rglob("*.*"))
    waiting = [c for c in prove(folder, means).complaints if "FILL IN" in c.message]
    assert len(waiting) == marks > 10


def test_a_folder_that_goes_up_is_refused(jailed: AuthorSandbox, tmp_path: Path) -> None:
    with pytest.raises(NotABank, match=r"goes up with `\.\.`"):
        import_folder(SAMPLE / ".." / SAMPLE.name, tmp_path, jailed)
    with pytest.raises(CannotWrite):
        import_folder(SAMPLE, tmp_path, jailed, slug="../up")
    assert list(tmp_path.iterdir()) == []


def test_a_link_is_refused(jailed: AuthorSandbox, sample: Path, tmp_path: Path) -> None:
    (sample / "learn.md").unlink()
    (sample / "learn.md").symlink_to("/etc/hostname")
    with pytest.raises(NotABank, match=r"learn\.md: is a link"):
        import_folder(sample, tmp_path / "mine", jailed)
    with pytest.raises(NotABank, match="is a link"):
        (tmp_path / "linked").symlink_to(SAMPLE)
        import_folder(tmp_path / "linked", tmp_path / "mine", jailed)
    assert not (tmp_path / "mine").exists()


def test_every_missing_file_is_named(jailed: AuthorSandbox, tmp_path: Path) -> None:
    (tmp_path / "1_empty").mkdir()
    with pytest.raises(NotABank) as told:
        import_folder(tmp_path / "1_empty", tmp_path, jailed)
    assert str(told.value).splitlines() == [
        "description.md: is missing. It is needed.",
        "starter_code.py: is missing. It is needed.",
        "solution.py: is missing. It is needed.",
        "tests.json: is missing. It is needed.",
    ]


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        ("tests.json", "{", "is not JSON"),
        ("tests.json", "{}", "is not a list of objects"),
        ("tests.json", "[]", "has no test"),
        ("tests.json", '[{"expected_output": "1"}]', "without the code"),
        ("tests.json", "[" * 100_000, "is not JSON"),
        ("example.json", "[]", "is not a JSON object"),
        ("starter_code.py", "def f(:", "Python can't parse"),
        ("starter_code.py", "x = 1", "has no function of its own"),
        ("starter_code.py", "def f(): pass\ndef g(): pass", r"has 2 functions \(f, g\)"),
    ],
)
def test_a_folder_that_is_none_says_why(
    file: str, text: str, reason: str, jailed: AuthorSandbox, sample: Path, tmp_path: Path
) -> None:
    (sample / file).write_text(text)
    with pytest.raises(NotABank, match=reason):
        import_folder(sample, tmp_path / "mine", jailed)


def test_the_function_can_be_named(jailed: AuthorSandbox, sample: Path, tmp_path: Path) -> None:
    with (sample / "starter_code.py").open("a") as file:
        file.write("\n\ndef extra(x):\n    return x\n")
    made = import_folder(sample, tmp_path / "mine", jailed, function="centre_rows")
    assert 'entry_point = "centre_rows"' in (made.folder / "exercise.toml").read_text()
    with pytest.raises(NotABank, match="has no function mean"):
        import_folder(sample, tmp_path / "other", jailed, function="mean")


def test_hostile_tests_reach_nothing(jailed: AuthorSandbox, sample: Path, tmp_path: Path) -> None:
    """Whatever a stranger's test does, it does it in the jail."""
    proof = tmp_path / "escaped"
    hostile = [
        f"import pathlib\npathlib.Path({str(proof)!r}).write_text('out')",
        f"open({str(proof)!r}, 'w')",
        "while True:\n    pass",
    ]
    tests = [{"test": code, "expected_output": ""} for code in hostile]
    (sample / "tests.json").write_text(json.dumps(tests))
    made = import_folder(sample, tmp_path / "mine", jailed)
    assert sum("does not run" in sentence for sentence in made.missing) == 3
    assert not proof.exists()


def test_lists_that_matter_as_lists_are_left_to_the_author(
    jailed: AuthorSandbox, sample: Path, tmp_path: Path
) -> None:
    (sample / "solution.py").write_text("def centre_rows(x, scale=1.0):\n    return x + x\n")
    tests = [{"test": "print(centre_rows([1, 2]))", "expected_output": "[1, 2, 1, 2]"}]
    (sample / "tests.json").write_text(json.dumps(tests))
    made = import_folder(sample, tmp_path / "mine", jailed)
    assert any("passes a list that can be no array" in sentence for sentence in made.missing)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.array([[1.0, -2.5]]), "np.array([[1.0, -2.5]])"),
        (np.array([1, 2], dtype=np.int32), "np.array([1, 2], dtype=np.int32)"),
        (np.array([np.nan, -np.inf]), "np.array([np.nan, -np.inf])"),
        (np.zeros((0, 3)), "np.zeros((0, 3), dtype=np.float64)"),
        (np.array(True), "np.array(True)"),
        ({"W": np.array([1.0])}, "{'W': np.array([1.0])}"),
        (float("inf"), "np.inf"),
        ("nan", "'nan'"),
        (None, "None"),
    ],
)
def test_a_value_is_written_as_it_is(value: object, expected: str) -> None:
    assert literal(value) == expected  # type: ignore[arg-type]


def test_a_large_array_is_not_written_down() -> None:
    with pytest.raises(ValueError, match="too many to write down"):
        literal(np.zeros(2001))


ADD_ONE = "import numpy as np\n\ndef add_one(x):\n    return x + 1\n"
STARTER = "import numpy as np\n\ndef add_one(x):\n    pass\n"


def bank(folder: Path, test: object, starter: str = STARTER, solution: str = ADD_ONE) -> Path:
    """A bank's folder with one test."""
    folder.mkdir()
    (folder / "description.md").write_text("Add one.")
    (folder / "starter_code.py").write_text(starter)
    (folder / "solution.py").write_text(solution)
    (folder / "tests.json").write_text(json.dumps([test]))
    return folder


def printed(code: str, expected: object) -> dict[str, object]:
    """One test of a bank."""
    return {"test": f"print({code})", "expected_output": expected}


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("add_one(np.array([1.0, 2.0]))", "[2.0, 3.0]"),
        ("add_one(np.array([1.0]))", 2.0),
        ("add_one(np.array([1.0, 2.0])).tolist()", [2.0, 3.0]),
        ("repr(add_one(np.array([[1, 2]])))", "[[2 3]]"),
        ("add_one(np.array([1.0, 2.0])).round(3)", "array([2., 3.])"),
    ],
)
def test_the_same_numbers_printed_in_another_way_raise_no_question(
    jailed: AuthorSandbox, tmp_path: Path, call: str, expected: object
) -> None:
    made = import_folder(
        bank(tmp_path / "add-one", printed(call, expected)), tmp_path / "x", jailed
    )
    assert not [sentence for sentence in made.missing if "Which is right?" in sentence]
    assert "def test_1():" in (made.folder / "cases.py").read_text()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("add_one(np.array([1.0]))", "solution.py prints '[2.]', not '3'. Which is right?"),
        ("len([add_one(np.array(1)), [[1.0, 2.0], [3.0]]])", "prints '2', not '3'"),
        ("add_one(np.array([1j]))", "passes an array of dtype complex128"),
    ],
)
def test_what_can_be_no_case_is_said_as_it_is(
    jailed: AuthorSandbox, tmp_path: Path, call: str, said: str
) -> None:
    made = import_folder(bank(tmp_path / "add-one", printed(call, "3")), tmp_path / "x", jailed)
    assert any(said in sentence for sentence in made.missing), made.missing


def test_a_ragged_list_runs_and_is_no_argument(jailed: AuthorSandbox, tmp_path: Path) -> None:
    solution = "def means(rows):\n    return [sum(row) / len(row) for row in rows]\n"
    starter = "def means(rows):\n    pass\n"
    test = printed("means([[1.0, 2.0], [3.0]])", "[1.5 3. ]")
    made = import_folder(bank(tmp_path / "means", test, starter, solution), tmp_path / "x", jailed)
    told = [sentence for sentence in made.missing if sentence.startswith("tests.json")]
    assert len(told) == 1 and "passes a list that can be no array (its rows differ" in told[0]


@pytest.mark.parametrize(
    ("starter", "solution", "said"),
    [
        ("class Layer:\n    def forward(self, x):\n        pass\n", ADD_ONE, "only a class; in an"),
        ("x = 1\n", ADD_ONE, "has no function of its own."),
        (STARTER, "def add_one(x):\n    return x +\n", "solution.py: line 2: "),
        (STARTER, "def add_two(x):\n    return x\n", "has no function add_one; it has add_two."),
        (STARTER, ADD_ONE + "1 / 0\n", "solution.py: line 5 stops with ZeroDivisionError"),
    ],
)
def test_a_starter_or_solution_that_does_not_do_is_told_once(
    jailed: AuthorSandbox, tmp_path: Path, starter: str, solution: str, said: str
) -> None:
    folder = bank(tmp_path / "add-one", printed("add_one(1)", "2"), starter, solution)
    with pytest.raises(NotABank) as refused:
        import_folder(folder, tmp_path / "x", jailed)
    assert said in str(refused.value)


def test_a_folder_may_begin_with_a_digit(jailed: AuthorSandbox, tmp_path: Path) -> None:
    made = import_folder(
        bank(tmp_path / "55_2d-sum", printed("add_one(1.0)", "2.0")), tmp_path / "x", jailed
    )
    assert made.folder.name == "2d-sum"
    assert 'entry_point = "add_one"' in (made.folder / "exercise.toml").read_text()
