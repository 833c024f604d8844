"""Numbers, lists and foreign text read as they should in a sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.grading.sentences import phrases


@given(st.text(st.characters(codec=None, exclude_categories=())))
def test_shown_text_can_be_encoded_and_holds_no_control(text: str) -> None:
    shown = phrases.shown(text)
    shown.encode("utf-8")
    assert not any(ord(c) < 32 and c not in "\n\t" for c in shown)
    assert not any(c in shown for c in "\x7f\u200b\u202a\u202e\u2066\u2069\ufeff")


def test_ordinary_text_is_shown_as_it_is() -> None:
    assert phrases.shown("Grüße, 数学 √2 → 1\n\tx") == "Grüße, 数学 √2 → 1\n\tx"


def test_long_text_is_cut_and_says_so() -> None:
    assert phrases.shown("abcdef", 3) == "abc …"


@pytest.mark.parametrize(
    ("indices", "text"),
    [
        ([2], "row 2"),
        ([0, 1], "rows 0 and 1"),
        ([1, 2, 3, 4], "rows 1 to 4"),
        ([0, 2, 5], "rows 0, 2 and 5"),
        ([0, 2, 4, 6, 8, 10, 12], "7 rows"),
    ],
)
def test_counted_rows(indices: list[int], text: str) -> None:
    assert phrases.counted(indices, "row") == text


def test_headline_is_the_first_sentence() -> None:
    assert phrases.headline("One 1.5 thing. And more. Still.") == (
        "One 1.5 thing.",
        "And more. Still.",
    )
    assert phrases.headline("Only one.") == ("Only one.", "")
    assert phrases.headline("Use `a.b`. `c` next.") == ("Use `a.b`.", "`c` next.")


def test_small_words() -> None:
    assert phrases.count(1, "value") == "1 value"
    assert phrases.count(1200, "axis", "axes") == "1,200 axes"
    assert (phrases.small(6), phrases.small(12)) == ("six", "12")
    assert phrases.listed(["a", "b", "c"]) == "a, b and c"
    assert phrases.shape((7,)) == "(7,)"
    assert phrases.size(512 * 1024 * 1024) == "512 MiB"
    assert phrases.seconds(2.0) == "2 s"
    assert phrases.figure(0.0300001) == "0.03"
