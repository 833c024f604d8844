"""Every way a submission can end has its own verdict and its own clear sentence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.grading import judge
from app.model import (
    Cause,
    Ended,
    Execution,
    Lane,
    Problem,
    Raised,
    Ran,
    Report,
    SourceFrame,
    SubmissionId,
    Value,
    Verdict,
)
from tests.grading.graded_exercise import Graded
from tests.grading.pieces import Array, Program

RIGHT = Program((), {})


def with_endings(work: Graded, *executions: Execution) -> Report:
    """A submission whose last tests ended so, the ones before right."""
    right = work.executions(RIGHT, work.expectations.tests)
    return work.judge(Ran(executions=(*right[: 6 - len(executions)], *executions)))


def test_order_holds_the_source_and_arguments_and_nothing_expected(quick: Graded) -> None:
    tests = quick.expectations.tests
    order = judge.order(quick.exercise, quick.expectations, b"x = 1", tests, Lane.FAST)
    assert [source.name for source in order.sources] == ["solution.py"]
    assert [call.function for call in order.calls] == ["multi_head_attention"] * 6
    assert [call.arguments for call in order.calls] == [test.arguments for test in tests]
    assert order.limits == quick.exercise.limits


def test_report_always_has_six_tests_in_order(quick: Graded) -> None:
    names = [test.name for test in quick.expectations.tests]
    for source in ("", "def f(:", "x = 1 / 0", "def g(a): return a", "x = 1"):
        report = quick.grade(source)
        assert [test.name for test in report.tests] == names
        assert (report.total, report.passed) == (6, 0)
        assert all(test.verdict is Verdict.NOT_RUN for test in report.tests)


ENDINGS: dict[Ended, tuple[Verdict, str]] = {
    "time_limit": (Verdict.TIME_LIMIT, "Your code took longer than 2 s of computing time."),
    "sleep_limit": (Verdict.TIME_LIMIT, "Your code waited for 3 s and didn't finish."),
    "memory_limit": (
        Verdict.MEMORY_LIMIT,
        "Your code needed more memory than the limit of 512 MiB.",
    ),
    "output_limit": (
        Verdict.OUTPUT_LIMIT,
        "Your code printed more than 64 KiB; the rest was cut.",
    ),
    "killed": (
        Verdict.SANDBOX_KILLED,
        "Your code asked the system for something no exercise needs, and was stopped.",
    ),
    "crashed": (Verdict.RUNTIME_ERROR, "Your code crashed the process."),
}


@pytest.mark.parametrize("ended", ENDINGS)
def test_ended_calls_name_their_limit(quick: Graded, ended: Ended) -> None:
    verdict, message = ENDINGS[ended]
    report = with_endings(quick, Execution(ended))
    assert (report.verdict, report.message, report.passed) == (verdict, message, 5)
    assert report.help
    assert report.diagnosis is None
    assert report.tests[5].verdict is verdict


def test_details_of_an_ending_are_told(quick: Graded) -> None:
    crash = with_endings(quick, Execution("crashed", cause=Cause.SIGNAL, signal="SIGSEGV"))
    assert crash.message == "Your code crashed the process (SIGSEGV)."
    left = with_endings(quick, Execution("crashed", cause=Cause.LEFT))
    assert left.message == "Your code ended the process before it was done."
    forged = with_endings(quick, Execution("killed", cause=Cause.FORGED))
    assert "the channel that carries its results" in forged.message
    together = Execution("time_limit", cause=Cause.SHARED, amount=4.0)
    assert with_endings(quick, together).message == (
        "All tests together took longer than 4 s of computing time."
    )
    asleep = Execution("sleep_limit", cause=Cause.SHARED, amount=10.0)
    assert "10 s" in with_endings(quick, asleep).message
    flood = with_endings(quick, Execution("output_limit", cause=Cause.RESULTS))
    assert flood.message == "The output is larger than 2 MiB, the limit."
    system = Execution("memory_limit", cause=Cause.BY_SYSTEM)
    assert "most likely because memory ran out" in with_endings(quick, system).message


def test_allocation_that_is_too_large_names_line_and_size_and_a_visible_one_its_shape(
    quick: Graded,
) -> None:
    words = "Unable to allocate 3.12 GiB for an array with shape (4, 64, 64, 64, 400) and data type"
    raised = Raised("MemoryError", words, (SourceFrame(9, "multi_head_attention"),))
    report = with_endings(quick, *[Execution("raised", raised=raised)] * 6)
    assert report.verdict is Verdict.MEMORY_LIMIT
    assert report.message == "Line 9 asked for 3.12 GiB; the limit is 512 MiB."
    told = {test.visible: (test.message, test.help) for test in report.tests if test.message}
    assert told[True] == (
        "Line 9 asked for 3.12 GiB; the limit is 512 MiB.",
        "Its shape would be (4, 64, 64, 64, 400).",
    )
    assert told[False][0] == "Line 9 asked for 3.1 GiB; the limit is 512 MiB."


def test_worst_verdict_wins_and_not_run_never_does(quick: Graded) -> None:
    raised = Execution("raised", raised=Raised("ValueError", "no"))
    report = with_endings(quick, raised, Execution("time_limit"), Execution("not_run"))
    assert report.verdict is Verdict.TIME_LIMIT
    assert [t.verdict for t in report.tests[3:]] == [
        Verdict.RUNTIME_ERROR,
        Verdict.TIME_LIMIT,
        Verdict.NOT_RUN,
    ]
    assert "skipped" in report.tests[5].help


def test_number_of_executions_must_fit(quick: Graded) -> None:
    with pytest.raises(ValueError, match="5 executions for 6 calls"):
        quick.judge(Ran(executions=quick.executions(RIGHT, quick.expectations.tests[:5])))


# ------------------------------------------------------------------ before anything runs


def test_syntax_problem_wins_over_policy_problem(quick: Graded) -> None:
    policy = Problem("policy", 2, 1, None, "os isn't available here.", "Leave it out.")
    syntax = Problem("syntax", 4, 3, None, "This ( is never closed.", "Close it.")
    report = quick.judge(Ran(problems=(policy,)))
    assert report.verdict is Verdict.POLICY_ERROR
    assert report.message == "Line 2: os isn't available here."
    assert report.help == "Leave it out."
    both = quick.judge(Ran(problems=(policy, syntax)))
    assert both.verdict is Verdict.SYNTAX_ERROR
    assert both.message == "Two things to change before this can run."
    assert both.help == "See line 2 and line 4."
    assert both.problems == (policy, syntax)


def test_loading_that_fails_is_told_with_its_line(quick: Graded) -> None:
    report = quick.grade("print('here')\nx = {}['missing']\ndef multi_head_attention(): pass\n")
    assert report.verdict is Verdict.RUNTIME_ERROR
    assert report.message == "Line 2 stops with a KeyError: 'missing'."
    assert "outside your function" in report.help
    assert report.load_stdout == "here\n"
    assert report.tests[0].message == "Not run: the code has to load first."


@pytest.mark.parametrize(
    ("name", "named"),
    [
        ("multihead_attention", True),
        ("multi_head_atention", True),
        ("MultiHeadAttention", True),
        ("solution", True),  # the only function that takes four arguments
    ],
)
def test_wrong_name_asks_whether_it_was_meant(quick: Graded, name: str, named: bool) -> None:
    report = quick.grade(f"def {name}(Q, K, V, num_heads):\n    return Q\n")
    assert report.verdict is Verdict.POLICY_ERROR
    assert report.diagnosis is not None
    assert report.diagnosis.misconception == "wrong-name"
    assert f"Is `{name}` meant to be it?" in report.help


def test_no_function_that_could_be_meant(quick: Graded) -> None:
    report = quick.grade("def softmax(x):\n    return x\n\ndef scale(x):\n    return x\n")
    assert report.verdict is Verdict.POLICY_ERROR
    assert report.diagnosis is None
    assert report.message == "There is no function `multi_head_attention` in this code."
    assert "`softmax` and `scale`" in report.help


def test_a_method_of_the_right_name_is_no_function_outside_of_a_class(
    quick: Graded,
) -> None:
    report = quick.grade("class S:\n    def multi_head_attention(self, Q, K, V, n): return Q\n")
    assert report.verdict is Verdict.POLICY_ERROR
    assert report.message == "`multi_head_attention` on line 2 is inside something else."
    assert report.help == "Move it to the left margin: the tests call it from outside."


def test_a_parameter_that_is_given_by_its_name_only_is_told(quick: Graded) -> None:
    report = quick.grade("def multi_head_attention(Q, K, V, *, num_heads):\n    return Q\n")
    assert report.help.endswith("Yours takes `Q`, `K`, `V` and `num_heads` by its name only.")


@pytest.mark.parametrize("signature", ["Q, K, V", "Q, K, V, heads, scale", "Q, *, K, V, num_heads"])
def test_wrong_number_of_parameters(quick: Graded, signature: str) -> None:
    report = quick.grade(f"def multi_head_attention({signature}):\n    return Q\n")
    assert report.verdict is Verdict.RUNTIME_ERROR
    assert report.diagnosis is not None
    assert report.diagnosis.misconception == "wrong-number-of-parameters"
    assert report.message == "The tests call `multi_head_attention` with 4 arguments."


@pytest.mark.parametrize("signature", ["*args", "Q, K, V, num_heads=2", "Q, K, V, H, eps=0"])
def test_other_signatures_that_take_the_arguments_are_fine(quick: Graded, signature: str) -> None:
    report = quick.grade(f"def multi_head_attention({signature}):\n    raise TypeError('x')\n")
    assert report.diagnosis is None


def test_starter_handed_in_as_it_was(quick: Graded) -> None:
    starter = quick.exercise.files["starter.py"]
    for source in (starter, starter.replace(b"\n", b"\r\n"), starter + b"\n\n  \n"):
        report = quick.grade(source)
        assert report.diagnosis is not None
        assert report.diagnosis.misconception == "starter-unchanged"
        assert report.message == "This is still the starter code."


# ------------------------------------------------------------------ what a hidden case tells


def test_hidden_case_shows_no_value_and_no_own_message(quick: Graded) -> None:
    source = "def multi_head_attention(Q, K, V, num_heads):\n    raise RuntimeError(str(Q))\n"
    visible, hidden = (quick.grade(source).tests[index] for index in (0, 2))
    assert "[[1. 0. 0. 1.]" in visible.message
    assert hidden.message == (
        "Line 2 stops with a RuntimeError. Your own message is shown for visible tests only."
    )


@pytest.mark.parametrize(
    "expression",
    [
        "{}[str(Q)]",
        "int(str(Q[0, 0]))",
        "[].index(Q[0, 0])",
        "getattr(Q, str(Q[0, 0]))",
        "getattr(Q, 'a' + str(abs(Q[0, 0])).replace('.', '_'))",
        "np.testing.assert_allclose(Q, Q + 1)",
        "np.testing.assert_array_equal(Q, Q + 1)",
        "np.testing.assert_equal(Q[0, 0], 2.5)",
    ],
)
def test_hidden_case_shows_no_value_through_other_messages(quick: Graded, expression: str) -> None:
    body = f"    return {expression}\n"
    source = f"import numpy as np\ndef multi_head_attention(Q, K, V, num_heads):\n{body}"
    report = quick.grade(source)
    assert report.tests[2].verdict is Verdict.RUNTIME_ERROR
    assert _secret(quick) not in repr(report.tests[2]).replace("_", ".")


@pytest.mark.parametrize(
    "ending",
    [
        "class E(Exception): pass\n    E.__name__ = str(Q[0, 0])\n    raise E",
        "class R: pass\n    R.__name__ = str(Q[0, 0])\n    return R()",
        "return np.zeros(3, [(str(Q[0, 0]), float)])",
        "return np.zeros(Q.shape, [(str(Q[0, 0]), float)])",
    ],
)
def test_hidden_case_shows_no_value_through_a_name(quick: Graded, ending: str) -> None:
    """Classes and the fields of a structured array can be given any text for a name."""
    body = f"    {ending}\n"
    source = f"import numpy as np\ndef multi_head_attention(Q, K, V, num_heads):\n{body}"
    report = quick.grade(source)
    assert report.tests[2].verdict in (Verdict.RUNTIME_ERROR, Verdict.WRONG_ANSWER)
    assert _secret(quick) not in repr(report.tests[2])


def _secret(quick: Graded) -> str:
    """The first digits of a value that stands in a hidden case."""
    return str(abs(np.asarray(quick.expectations.tests[2].arguments[0])[0, 0]))[:6]


def test_control_and_bidi_characters_become_escapes(quick: Graded) -> None:
    source = (
        "print('\\x1b[2Jloading\\u202e')\n"
        "def multi_head_attention(Q, K, V, num_heads):\n"
        "    print('\\x07\\u2066bell')\n"
        "    return '\\x00text'\n"
    )
    report = quick.grade(source)
    assert report.load_stdout == "\\x1b[2Jloading\\u202e\n"
    assert report.tests[0].stdout == "\\x07\\u2066bell\n"
    assert report.tests[0].got == "\\x00text"
    assert report.tests[2].stdout is None


# ------------------------------------------------------------------ other reports


def test_submission_id_stands_in_its_report(quick: Graded) -> None:
    ran = Ran(executions=quick.executions(RIGHT, quick.expectations.tests))
    report = judge.judge(
        quick.exercise, quick.expectations, ran, source=b"", submission=SubmissionId("s1")
    )
    assert (report.submission, report.verdict) == ("s1", Verdict.ACCEPTED)


def test_our_own_fault_is_ours(quick: Graded) -> None:
    report = judge.fault(quick.exercise, quick.expectations, "e-17", SubmissionId("s1"))
    assert report.verdict is Verdict.GRADER_ERROR
    assert report.message == "We could not judge your submission. This one is on us."
    assert (report.error_id, report.total, len(report.tests)) == ("e-17", 6, 6)
    assert judge.fault(quick.exercise, None, "e-18", None).tests == ()


def custom(work: Graded, source: str, *arguments: Value) -> Report:
    """A run on own arguments."""
    case = replace(work.expectations.tests[0], arguments=arguments)
    order = judge.order(work.exercise, work.expectations, source.encode(), [case], Lane.FAST)
    reference = replace(order, sources=(work.exercise.source("reference.py"),))
    return judge.judge_custom(
        work.exercise,
        work.expectations,
        arguments,
        work.sandbox.run(order),
        work.sandbox.run(reference),
        source=source.encode(),
    )


def test_own_arguments_are_judged_against_the_reference(quick: Graded) -> None:
    ones = np.ones((2, 2))
    right = quick.exercise.files["reference.py"].decode()
    report = custom(quick, right, ones, ones, ones, 1)
    assert [(t.name, t.verdict, t.visible) for t in report.tests] == [
        ("custom", Verdict.ACCEPTED, True)
    ]
    wrong = custom(
        quick,
        right + "\n\ndef multi_head_attention(*a):\n    return a[0] * 2\n",
        ones,
        ones,
        ones,
        1,
    )
    assert wrong.verdict is Verdict.WRONG_ANSWER
    assert np.array_equal(np.asarray(wrong.tests[0].expected), ones)


def test_own_arguments_the_reference_cannot_take_are_not_judged(quick: Graded) -> None:
    report = custom(
        quick, "def multi_head_attention(Q, K, V, num_heads):\n    return Q\n", "text", 1, 2, 3
    )
    assert report.verdict is report.tests[0].verdict is Verdict.NOT_RUN
    assert report.message.startswith("This input is outside what the exercise allows")
    assert report.tests[0].got == "text"
    broken = custom(quick, "def multi_head_attention(*a):\n    return 1 / 0\n", "text", 1, 2, 3)
    assert broken.verdict is Verdict.NOT_RUN  # the input is off, whatever the code does with it


def test_arguments_changed_besides_wrong_values_are_told_too(quick: Graded) -> None:
    def wrong(Q: Array, K: Array, V: Array, num_heads: int) -> Array:
        out = RIGHT(Q, K, V, num_heads)
        V *= 2
        return out + np.arange(out.size).reshape(out.shape) ** 2 % 7

    report = quick.judge_function(wrong)
    assert report.findings[-1].kind == "arguments_changed"
    assert "`V`" in report.help
