"""A function that is defined and not found: what became of it, and what to do."""

from __future__ import annotations

import pytest

from app.grading.lost_function import lost_function
from app.grading.sentences.exception import advise_call
from app.model import Parameter, Raised

_DEF = "import numpy as np\n\ndef attend(Q):\n    return Q\n"


@pytest.mark.parametrize(
    ("source", "message", "help_text"),
    [
        (_DEF + "attend = attend(1)\n", "Line 5 gives the name `attend` to something else.",
         "That hides the function: give the result another name."),
        (_DEF + "attend: object = 1\n", "Line 5 gives the name `attend` to something else.",
         "That hides the function: give the result another name."),
        (_DEF + "del attend\n", "Line 5 gives the name `attend` to something else.",
         "That hides the function: give the result another name."),
        ("@timed\n" + "def attend(Q):\n    return Q\n",
         "The decorator on line 1 returns no function.",
         "End it with `return wrapper`, or leave the decorator out."),
        ("class A:\n    def attend(self, Q):\n        return Q\n",
         "`attend` on line 2 is inside something else.",
         "Move it to the left margin: the tests call it from outside."),
    ],
)  # fmt: skip
def test_a_lost_function_is_found_in_the_source(source: str, message: str, help_text: str) -> None:
    assert lost_function("attend", source.encode()) == (message, help_text)


@pytest.mark.parametrize("source", ["x = 1\n", _DEF, _DEF + "if attend == 1:\n    pass\n", "\xff"])
def test_nothing_is_said_of_a_function_that_is_not_lost(source: str) -> None:
    assert lost_function("attend", source.encode("latin-1")) is None


def test_a_call_that_fails_by_itself_says_what_it_was_given() -> None:
    parameters = [Parameter(name) for name in ("Q", "K", "mask")]
    refused = Raised("TypeError", "attend() takes 2 positional arguments but 3 were given")
    assert advise_call(refused, parameters, 3) == (
        "This test calls it with `Q`, `K` and `mask`, by position: take all of them."
    )
    assert advise_call(refused, parameters, 2) == (
        "This test calls it with `Q` and `K`, by position: take all of them."
    )
    assert advise_call(Raised("ValueError", "an argument"), parameters, 3) == ""
