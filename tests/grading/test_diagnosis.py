"""Names are given to the mistakes they belong to, and to nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.grading import judge
from app.grading.decide import mismatch_of
from app.grading.diagnosis import proves
from app.grading.outcomes import equal_outcomes, outcome
from app.model import (
    Execution,
    Misconception,
    Outcome,
    Ran,
    Report,
    TestCase,
    Value,
    Verdict,
)
from tests.grading import pieces
from tests.grading.graded_exercise import Graded

CASES = Path(__file__).parents[1] / "cases"
BY_RULE = {"wrong-name", "wrong-number-of-parameters", "mixed-tabs", "starter-unchanged"}

HIDDEN_BY_THE_OTHER = {
    # The unstable softmax shows in head 1 of `large_scores` only, and only head 0 is returned.
    ("softmax-subtract-min", "returns-first-head"): "returns-first-head",
}
UNNAMED = {
    "mutates-inputs",  # right numbers, arguments changed
    "float-width",
    "softmax-unstable",
    "softmax-max-global",
    "softmax-max-per-head",
    "softmax-subtract-min",
    "returns-list",
    "returns-tuple",
    "returns-none",
}
"""Mistakes that give no finite number that is off: unlike programs look alike there."""


def _provable(work: Graded) -> dict[str, str]:
    """The mistakes that finite numbers can tell, each with the slug that stands for its group."""
    expectations, tolerance = work.expectations, work.exercise.tolerance
    return {
        m.slug: m.same
        for m in expectations.misconceptions
        if proves(expectations.calls, expectations.outcomes[m.slug], tolerance)
    }


def _sources(folder: str) -> list[Path]:
    return sorted((CASES / folder).glob("*.py"))


def _slug(path: Path) -> str:
    match = re.match(rb"# mistake: (\S+)", path.read_bytes())
    assert match is not None
    return match[1].decode()


def test_wrong_programs_are_never_accepted_and_never_misnamed(attention: Graded) -> None:
    known = _provable(attention)
    known |= {slug: slug for slug in BY_RULE}
    named = expected = 0
    for path in _sources("wrong"):
        report = attention.grade(path.read_bytes())
        assert report.verdict is not Verdict.ACCEPTED, path.name
        slug = _slug(path)
        expected += slug in known
        if report.diagnosis is not None:
            named += 1
            assert report.diagnosis.misconception == known[slug], path.name
    assert named >= 0.95 * expected


def test_right_programs_are_accepted_without_a_diagnosis(attention: Graded) -> None:
    for path in _sources("ok"):
        report = attention.grade(path.read_bytes())
        assert (report.verdict, report.diagnosis) == (Verdict.ACCEPTED, None), path.name
        assert report.passed == report.total == 6


def test_every_mistake_that_shows_in_numbers_is_named_as_itself(attention: Graded) -> None:
    provable = _provable(attention)
    assert len(provable) >= 80
    for misconception, report in _library_reports(attention, ""):
        if misconception.slug not in provable:
            assert report.diagnosis is None, misconception.slug
            continue
        assert report.diagnosis is not None, misconception.slug
        assert report.diagnosis.misconception == misconception.same


def test_mistakes_made_in_float32_are_named_as_well(quick: Graded) -> None:
    """At least 9 in 10. A twin that is right in float32 (it copies its inputs) is none."""
    reports = list(_library_reports(quick, ".astype(np.float32)"))
    wrong = [(m, r) for m, r in reports if r.verdict is not Verdict.ACCEPTED]
    provable = _provable(quick)
    wrong = [(m, r) for m, r in wrong if m.slug in provable]
    named = [m for m, r in wrong if r.diagnosis and r.diagnosis.misconception == m.same]
    misnamed = [m for m, r in wrong if r.diagnosis and r.diagnosis.misconception != m.same]
    assert not misnamed
    assert len(wrong) >= len(provable) - 1
    assert len(named) >= 0.9 * len(wrong)


def _library_reports(work: Graded, cast: str) -> Iterator[tuple[Misconception, Report]]:
    """Each misconception with the report of its function, its arrays cast first."""
    for one in work.expectations.misconceptions:
        executions = work.run_mistake(one.slug, work.expectations.tests, cast)
        yield one, work.judge(Ran(executions=executions))


# ------------------------------------------------------------------ two mistakes at once


@pytest.mark.parametrize("program", pieces.singles(), ids=lambda p: p.slugs[0])
def test_a_mistake_written_by_someone_else_is_named(quick: Graded, program: pieces.Program) -> None:
    report = quick.judge_function(program)
    if program.slugs[0] in UNNAMED:
        assert report.diagnosis is None
        return
    assert report.diagnosis is not None
    assert report.diagnosis.misconception == program.slugs[0]


def test_two_mistakes_are_both_named_or_the_name_is_the_whole_truth(quick: Graded) -> None:
    """Named wholly in five of six programs; any other name gives the same on random inputs too."""
    same = {m.slug: m.same for m in quick.expectations.misconceptions}
    programs = pieces.pairs()
    both = part = 0
    alone: dict[tuple[str, ...], str] = {}
    for program in programs:
        report = quick.judge_function(program)
        assert report.verdict is not Verdict.ACCEPTED, program.slugs
        if report.diagnosis is None:
            continue
        named = {m.misconception for m in report.diagnosis.mistakes}
        if named == {same[slug] for slug in program.slugs}:
            both += 1
        elif not report.diagnosis.complete:
            part += 1
            assert named <= {same[slug] for slug in program.slugs}, program.slugs
        elif len(named) == 1:
            alone[program.slugs] = report.diagnosis.misconception
    assert both >= 0.7 * len(programs), (both, part, len(alone), len(programs))
    cases = _random_cases(quick)
    library = _library_on(quick, cases, set(alone.values()))
    differ = {
        program.slugs: alone[program.slugs]
        for program in programs
        if program.slugs in alone
        and not _equal(quick, program, cases, library[alone[program.slugs]])
    }
    assert set(differ.items()) <= set(HIDDEN_BY_THE_OTHER.items())


def _random_cases(work: Graded) -> list[TestCase]:
    rng = np.random.default_rng(20)
    cases = []
    for number in range(20):
        heads, width, tokens = (int(rng.integers(1, most)) for most in (6, 7, 10))
        scale = 30.0 if number % 3 == 0 else 1.0  # so that unstable softmaxes show
        arrays = [rng.standard_normal((tokens, heads * width)) * scale for _ in range(3)]
        arguments: tuple[Value, ...] = (*arrays, heads)
        cases.append(TestCase(f"random_{number}", "", False, arguments, work.expected(arguments)))
    return cases


def _library_on(
    work: Graded, cases: list[TestCase], slugs: set[str]
) -> dict[str, tuple[Outcome, ...]]:
    found = {}
    for slug in slugs:
        found[slug] = _outcomes(work, work.run_mistake(slug, cases), cases)
    return found


def _outcomes(
    work: Graded, executions: tuple[Execution, ...], cases: list[TestCase]
) -> tuple[Outcome, ...]:
    tolerance = work.exercise.tolerance
    return tuple(
        outcome(e, mismatch_of(e, case, tolerance, True) if e.ended == "returned" else None, case)
        for e, case in zip(executions, cases, strict=True)
    )


def _equal(
    work: Graded,
    program: pieces.Program,
    cases: list[TestCase],
    library: tuple[Outcome, ...],
) -> bool:
    mine = _outcomes(work, work.executions(program, cases), cases)
    tolerance = work.exercise.tolerance
    return all(equal_outcomes(a, [b], tolerance)[0] for a, b in zip(mine, library, strict=True))


# ------------------------------------------------------------------ never a guess


def test_nothing_is_named_when_a_case_was_not_run(quick: Graded) -> None:
    program = next(p for p in pieces.singles() if p.slugs == ("scale-d-model",))
    executions = quick.executions(program, quick.expectations.tests)
    stopped = Ran(executions=(*executions[:5], Execution("not_run")))
    assert quick.judge(stopped).diagnosis is None


def test_nothing_is_named_when_two_misconceptions_fit(small: Graded) -> None:
    apart = tuple(replace(m, same=m.slug) for m in small.expectations.misconceptions)
    expectations = replace(small.expectations, misconceptions=apart)
    source = "def weighted_mean(x, p, kind='plain'):\n    w = p['weights']\n"
    source += "    return (x * w[:, None]).sum(axis=-2) / w.sum(), float(w.sum())\n"
    assert Graded(small.exercise, expectations, small.sandbox).grade(source).diagnosis is None
    named = small.grade(source).diagnosis
    assert named is not None
    assert named.misconception == "ignores-kind"


def test_a_run_names_what_a_submission_names_where_its_cases_prove_it(
    quick: Graded,
) -> None:
    program = next(p for p in pieces.singles() if p.slugs == ("scale-none",))
    visible = [case for case in quick.expectations.tests if case.visible]
    report = judge.judge_run(
        quick.exercise,
        quick.expectations,
        Ran(executions=quick.executions(program, visible)),
        visible,
        source=b"",
    )
    assert report.verdict is Verdict.WRONG_ANSWER
    assert report.diagnosis is not None
    assert report.diagnosis.misconception == "scale-none"
    assert [test.name for test in report.tests] == ["worked_example", "eight_heads"]
    alone = judge.judge_run(
        quick.exercise,
        quick.expectations,
        Ran(executions=quick.executions(program, visible[:1])),
        visible[:1],
        source=b"",
    )
    assert alone.diagnosis is None
    assert "submit" in alone.help


def test_tuple_outputs_and_dict_arguments_are_diagnosed(small: Graded) -> None:
    for one in small.expectations.misconceptions:
        report = small.judge(Ran(executions=small.run_mistake(one.slug, small.expectations.tests)))
        if one.slug in ("mean-only", "changes-weights", "never-ends"):
            # No tuple, right but changed, stopped by a limit: nothing that proves a name.
            assert report.diagnosis is None
            continue
        assert report.diagnosis is not None, one.slug
        assert report.diagnosis.misconception == one.same


def test_one_exception_text_or_pattern_of_nan_names_nothing(attention: Graded) -> None:
    """Both equal what a known mistake gives, and neither is that mistake."""
    shifted_by_mean = """
def multi_head_attention(Q, K, V, num_heads):
    split = lambda x: x.reshape(len(x), num_heads, -1).transpose(1, 0, 2)
    q, k, v = split(Q), split(K), split(V)
    s = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
    e = np.exp(s - s.mean(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(Q.shape)
"""
    report = attention.grade("import numpy as np\n" + shifted_by_mean)
    assert (report.passed, report.diagnosis) == (5, None)
    assert report.findings[0].kind == "large_numbers"
    assert report.findings[0].message.startswith("Right for moderate numbers, nan for large ones.")
    stops = shifted_by_mean.replace("k.transpose(0, 2, 1)", "k")
    report = attention.grade("import numpy as np\n" + stops)
    assert report.verdict is Verdict.RUNTIME_ERROR
    assert report.diagnosis is None


def test_one_failing_test_of_one_constant_names_nothing(attention: Graded) -> None:
    """Zeros where one test is off come from anything; two unlike numbers do not."""
    expectations, tolerance = attention.expectations, attention.exercise.tolerance
    right = [Outcome("right")] * 5
    shape = (4, 2)
    zeros = [*right, Outcome("array", np.zeros(shape))]
    numbers = [*right, Outcome("array", np.arange(8.0).reshape(shape))]
    assert not proves(expectations.calls, zeros, tolerance)
    assert proves(expectations.calls, numbers, tolerance)
    only_one_of_two = [*right[1:], Outcome("exception", text="ValueError: no"), numbers[-1]]
    assert not proves(expectations.calls, only_one_of_two, tolerance)
