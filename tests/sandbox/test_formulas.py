"""Formulas are set in the jail: what breaks their parser ends a child, and the rest is set."""

from __future__ import annotations

import pytest

from app.model import Cause, Execution, Formula, Ran, Typeset
from app.ports import SandboxFault
from app.sandbox import typesetting
from app.sandbox.pool import LocalSandbox
from tests.sandbox.formulas import DEEP, LONG

X = Formula("x", display=False)
SET = "<math><mi>x</mi></math>"


def test_what_breaks_the_parser_takes_no_other_formula_along(sandbox: LocalSandbox) -> None:
    before, broken, after = sandbox.typeset((X, Formula(DEEP, True), X))
    assert before == after == Typeset(SET)
    assert broken == Typeset("", typesetting.BREAKS)
    assert sandbox.restarts == 0


def test_behind_two_that_break_it_nothing_is_looked_at(sandbox: LocalSandbox) -> None:
    made = sandbox.typeset((Formula(DEEP, True), X, Formula(DEEP, True), X))
    assert [one.complaint for one in made] == [
        *(typesetting.BREAKS, "", typesetting.BREAKS),
        typesetting.BEHIND,
    ]


def test_a_formula_that_becomes_long_is_not_shown(sandbox: LocalSandbox) -> None:
    made = sandbox.typeset((Formula(LONG, True), X))
    assert made[0].complaint == "Becomes 1,200,029 characters of MathML; 64,000 is the most."
    assert made[1].mathml == SET


def test_no_more_than_so_many_are_set(sandbox: LocalSandbox) -> None:
    made = sandbox.typeset((X,) * 402)
    assert [one.mathml for one in made] == [SET] * 400 + ["", ""]
    assert made[-1].complaint == typesetting.TOO_MANY


def test_the_formulas_of_a_text_make_so_much_together_and_no_more(sandbox: LocalSandbox) -> None:
    long = Formula(r"\def\a{" + "x" * 40 + r"}\def\b{\a\a\a\a\a\a\a\a\a\a}\b\b\b\b\b\b", True)
    made = sandbox.typeset((long,) * 50)
    length = len(made[0].mathml)
    assert 20_000 < length < 64_000
    assert sum(bool(one.mathml) for one in made) == 1_000_000 // length
    assert made[-1].complaint == typesetting.TOGETHER


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "<math><mi>x</mi>",
        "<math><mi>x</mi></math><math></math>",
        "<math><script>x</script></math>",
        "<math><mi onclick='x'>x</mi></math>",
        '<math><mi onclick="x">x</mi></math>',
        '<math><mi href="x">x</mi></math>',
        '<math><mtext><a href="#x">x</a></mtext></math>',
        '<math><mi style="position:fixed;">x</mi></math>',
        '<math><mi style="width:1em;background:url(//x)">x</mi></math>',
        '<math><mi class="button">x</mi></math>',
        '<math><mi id="source">x</mi></math>',
        "<math><mi>x</mi></math><img src=x onerror=x></math>",
        "<math><!-- </math>",
        "<mathx><mi>x</mi></math>",
    ],
)
def test_what_comes_back_may_hold_what_formulas_are_made_of_and_nothing_else(text: str) -> None:
    ran = Ran(executions=(Execution("returned", value=(text, "")),))
    assert typesetting.typeset((X,), ran) == (Typeset("", typesetting.ODD),)


@pytest.mark.parametrize("value", [None, "x", (1, 2), ("a",), ("a", "b", "c"), (SET, None)])
def test_an_answer_of_another_kind_is_no_formula(value: object) -> None:
    ran = Ran(executions=(Execution("returned", value=value),))  # type: ignore[arg-type]
    assert typesetting.typeset((X,), ran) == (Typeset("", typesetting.BREAKS),)


def test_a_jail_without_the_parser_is_our_fault() -> None:
    ran = Ran(executions=(Execution("not_run", cause=Cause.NO_FUNCTION),))
    with pytest.raises(SandboxFault):
        typesetting.typeset((X,), ran)
