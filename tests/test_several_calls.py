"""A hidden test that holds several calls: one test everywhere, told of by its first call off."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.catalog import ExerciseErrors, load
from app.expectations import Cache, compute
from app.grading import judge
from app.model import Call, Exercise, Expectations, Lane, Order, Report, Source, Verdict
from app.ports import Jails, Sandbox
from app.report import from_json, to_json
from app.sandbox import parcel
from app.sandbox.pool import LocalSandbox
from app.service.judging import judge_submission
from app.verify.prove_folder import Means, prove
from app.web.report.rows import rows
from tests.fakes import FakeSandbox

SHARES = Path(__file__).parent / "exercises" / "shares"
HEAVY = '''def heavy():
    """Weights in the hundreds."""
    x, w = _normal(5, 3, 5)
    return x, 400.0 * w
'''
THREE = '''def heavy():
    """Weights in the hundreds, also of one token and of seven."""
    return [(x, 400.0 * w) for x, w in (_normal(5, 3, 5), _normal(7, 1, 5), _normal(8, 7, 2))]
'''
RIGHT = "def weighted_mean(x, w):\n    return w / w.sum() @ x\n"
LONG_AND_HEAVY = """def weighted_mean(x, w):
    if len(w) > 6:
        {body}
    return w / w.sum() @ x
"""
Judged = Callable[[str], Report]


@pytest.fixture(scope="module")
def jail() -> Iterator[LocalSandbox]:
    sandbox = LocalSandbox()
    yield sandbox
    sandbox.close()


def folder(at: Path, test: str = THREE, **files: str) -> Path:
    """The exercise with this function in the place of its last test."""
    made = Path(shutil.copytree(SHARES, at / "shares"))
    cases = made / "cases.py"
    text = cases.read_text("utf-8")
    assert HEAVY in text
    cases.write_text(text.replace(HEAVY, test), "utf-8")
    for name, body in files.items():
        (made / "mistakes" / f"{name}.py").write_text(body, "utf-8")
    return made


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> tuple[Exercise, Expectations]:
    exercise = load(folder(tmp_path_factory.mktemp("exercises")))
    return exercise, compute(exercise, FakeSandbox())


@pytest.fixture
def judged(known: tuple[Exercise, Expectations]) -> Judged:
    jails = Jails.one(FakeSandbox())

    def grade(source: str) -> Report:
        report = judge_submission(jails, *known, source.encode(), lane=Lane.SLOW)
        assert report is not None
        return report

    return grade


def test_it_is_one_of_six_and_its_calls_have_one_name(known: tuple[Exercise, Expectations]) -> None:
    tests, calls = known[1].tests, known[1].calls
    assert (len(tests), len(calls)) == (6, 8)
    assert [call.name for call in calls[-3:]] == ["heavy"] * 3
    assert [len(np.asarray(call.arguments[1])) for call in calls[-3:]] == [3, 1, 7]
    assert {len(found) for found in known[1].outcomes.values()} == {8}


def test_all_calls_right_are_one_test_passed(judged: Judged) -> None:
    report = judged(RIGHT)
    assert (report.verdict, report.passed, report.total) == (Verdict.ACCEPTED, 6, 6)
    assert report.tests[5].message == "All values of its 3 calls are equal."
    assert report.tests[5].call is None
    assert "call" not in to_json(report)["tests"][5]


def test_what_is_told_is_of_the_first_call_that_is_off(judged: Judged) -> None:
    report = judged(LONG_AND_HEAVY.format(body="print('long')\n        return w @ x"))
    assert (report.verdict, report.passed) == (Verdict.WRONG_ANSWER, 5)
    test = report.tests[5]
    assert (test.name, test.call) == ("heavy", 2)
    assert test.mismatch is not None and test.mismatch.size == 2
    assert (test.got, test.arguments, test.stdout) == (None, None, None)
    assert to_json(report)["tests"][5]["call"] == 2
    assert from_json(to_json(report)).tests[5].call == 2


def test_the_line_is_that_of_the_first_call_that_stops(judged: Judged) -> None:
    report = judged(LONG_AND_HEAVY.format(body="raise ValueError('too long')"))
    test = report.tests[5]
    assert (test.verdict, test.call, test.line) == (Verdict.RUNTIME_ERROR, 2, 3)


def test_a_row_says_which_call_it_is(judged: Judged, known: tuple[Exercise, Expectations]) -> None:
    report = judged(LONG_AND_HEAVY.format(body="return w @ x"))
    assert rows(report.tests, *known)[5].found.startswith("call 3: 2 of 2 off")
    assert rows(judged(RIGHT).tests, *known)[5].found == "equal"


LONGER = '''
def longer(w):
    """Long ones are shared out otherwise

    With more than six tokens the shares are other ones. Any length is shared out alike.
    """
    return shares(w) ** 2 if len(w) > 6 else shares(w)
'''


def test_a_mistake_that_only_a_later_call_shows_is_told_by_it(tmp_path: Path) -> None:
    exercise = load(
        folder(
            tmp_path,
            longer="import numpy as np\n"
            + LONGER.replace("w)", "x, w)", 1).replace(
                "shares(w) ** 2 if len(w) > 6 else shares(w)",
                "2.0 * weighted_mean(x, w) if len(w) > 6 else weighted_mean(x, w)",
            ),
        )
    )
    known = compute(exercise, FakeSandbox())
    body = "return 2.0 * (w / w.sum() @ x)"
    source = LONG_AND_HEAVY.format(body=body).encode()
    report = judge_submission(Jails.one(FakeSandbox()), exercise, known, source, lane=Lane.SLOW)
    assert report is not None and report.diagnosis is not None
    assert report.diagnosis.misconception == "longer"
    assert "in the one failing test" in report.diagnosis.evidence


def test_a_pair_is_told_by_all_calls(judged: Judged) -> None:
    report = judged(
        "import numpy as np\ndef weighted_mean(x, w):\n"
        "    return np.round((w / w.sum()) ** 2 @ x)\n"
    )
    assert report.diagnosis is not None
    assert [m.misconception for m in report.diagnosis.mistakes] == ["squared", "rounded"]
    almost = judged(
        "import numpy as np\ndef weighted_mean(x, w):\n"
        "    return np.round((w / w.sum()) ** 2 @ x) + (len(w) > 6)\n"
    )
    assert almost.diagnosis is None


def test_they_are_kept_and_read_again(known: tuple[Exercise, Expectations], tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.save(known[1])
    found = cache.load(known[1].digest)
    assert found is not None
    assert [call.name for call in found.calls] == [call.name for call in known[1].calls]
    for mine, theirs in zip(found.calls, known[1].calls, strict=True):
        assert np.array_equal(np.asarray(mine.arguments[0]), np.asarray(theirs.arguments[0]))
        assert np.array_equal(np.asarray(mine.expected), np.asarray(theirs.expected))


def test_check_proves_such_a_folder(tmp_path: Path, jail: LocalSandbox) -> None:
    proof = prove(folder(tmp_path), Means(jail))
    about_cases = [str(one) for one in proof.complaints if one.file == "cases.py"]
    assert about_cases == []
    assert "Cases and reference give the same twice" in proof.passed
    assert all(len(kill.letters) == 6 for kill in proof.kills)


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        ("[_normal(5, 3, 5)]", "returns a list of 1; a test holds two to 8 calls."),
        (
            "[_normal(n, 3, 5) for n in range(9)]",
            "returns a list of 9; a test holds two to 8 calls.",
        ),
        (
            "[_normal(5, 3, 5), 7]",
            "must return the arguments as a tuple.",
        ),
        *(
            (returned, "must return the arguments as a tuple.")
            for returned in ("[_normal(5, 3, 5), np.ones((2, 3))]", "np.ones((2, 3))", "np.ones(1)")
        ),
    ],
)
@pytest.mark.parametrize("kind", ["fake", "jail"])
def test_a_list_or_an_array_that_will_not_do_is_a_complaint(
    returned: str, told: str, kind: str, tmp_path: Path, jail: LocalSandbox
) -> None:
    sandbox: Sandbox = jail if kind == "jail" else FakeSandbox()
    test = f'def heavy():\n    """Weights in the hundreds."""\n    return {returned}\n'
    with pytest.raises(ExerciseErrors) as raised:
        compute(load(folder(tmp_path, test)), sandbox)
    assert [(e.file, e.key, e.message) for e in raised.value.errors] == [
        ("cases.py", "heavy", told)
    ]


def test_a_test_that_is_shown_holds_one_call(tmp_path: Path) -> None:
    made = folder(tmp_path)
    settings = made / "exercise.toml"
    text = settings.read_text("utf-8")
    settings.write_text(text.replace('["worked_example"]', '["worked_example", "heavy"]'), "utf-8")
    with pytest.raises(ExerciseErrors) as raised:
        compute(load(made), FakeSandbox())
    assert [e.message for e in raised.value.errors] == [
        "holds several calls, and is shown. Only a hidden test may hold more than one."
    ]


# ------------------------------------------------------------------ one set of limits

BUSY = b"""def f(x):
    n = 0
    for i in range(10 ** 9 if x < 0 else 1500000 * x):
        n += i
    return x
"""


def order(jail: LocalSandbox, *numbers: int, together: bool) -> list[str]:
    """How calls of f end, all but the first and the last of one test or each by itself."""
    calls = [
        Call("f", (n,), goes_on=together and 1 < at < len(numbers) - 1)
        for at, n in enumerate(numbers)
    ]
    limits = replace(load(SHARES).limits, cpu_s=0.6, budget_cpu_s=20.0, budget_wall_s=60.0)
    ran = jail.run(Order((Source("solution.py", BUSY),), tuple(calls), limits, Lane.AUTHOR))
    return [execution.ended for execution in ran.executions]


def test_calls_of_one_test_share_the_limit_of_one_call(jail: LocalSandbox) -> None:
    """The third of them is endless; the fourth is not run, and the next test is."""
    assert order(jail, 0, 0, 0, -1, 0, 0, together=True) == [
        *["returned"] * 3,
        "time_limit",
        "not_run",
        "returned",
    ]
    many = (0, *[2] * 16, 0)
    apart, one = order(jail, *many, together=False), order(jail, *many, together=True)
    assert apart == ["returned"] * len(many)
    assert one.count("time_limit") == 1
    assert one[-1] == "returned"
    after = one.index("time_limit") + 1
    assert set(one[after:-1]) == {"not_run"}


def test_a_runner_is_told_which_calls_are_of_one_test(
    known: tuple[Exercise, Expectations],
) -> None:
    sent = judge.order(*known, RIGHT.encode(), known[1].tests, Lane.FAST)
    assert [call.goes_on for call in sent.calls] == [False] * 6 + [True] * 2
    got = parcel.unpack(parcel.pack(sent))
    assert [call.goes_on for call in got.calls] == [call.goes_on for call in sent.calls]
