"""What changed between two tries: the right lines, and no more work than their length is worth."""

from __future__ import annotations

from difflib import SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.model.bounds import DIFF_SHOWN_LINES
from app.web.pages.changes import ChangedPlaces, changes
from app.web.pages.matching_lines import STEPS, _Matching, matching

few = st.lists(st.sampled_from("abcd"), max_size=14)


def told(change: ChangedPlaces) -> list[list[str]]:
    """The hunks in the letters of a diff."""
    sign = {"same": " ", "del": "-", "add": "+"}
    return [[sign[line.kind] + line.text for line in hunk] for hunk in change.hunks]


@given(few, few)
def test_what_stays_stands_in_both_texts_in_one_order(old: list[str], new: list[str]) -> None:
    pairs = matching(old, new)
    assert all(old[i] == new[j] for i, j in pairs)
    assert all(i < k and j < n for (i, j), (k, n) in zip(pairs, pairs[1:], strict=False))


@given(few, few)
def test_a_change_leads_from_the_old_text_to_the_new(old: list[str], new: list[str]) -> None:
    change = changes("\n".join(old), "\n".join(new), 1, 2)
    lines = [line for hunk in change.hunks for line in hunk]
    old, new = "\n".join(old).split("\n"), "\n".join(new).split("\n")
    gone = {line.number: line.text for line in lines if line.kind == "del"}
    come = {line.number: line.text for line in lines if line.kind == "add"}
    assert all(old[n - 1] == text for n, text in gone.items())
    kept = [text for n, text in enumerate(old, 1) if n not in gone]
    assert kept == [text for n, text in enumerate(new, 1) if n not in come]
    assert all(new[n - 1] == text for n, text in come.items())


@given(few, few)
def test_between_unique_lines_the_edit_is_the_shortest(old: list[str], new: list[str]) -> None:
    a, b = list(map(ord, old)), list(map(ord, new))
    found = _Matching(a, b, STEPS)._between(0, len(a), 0, len(b))
    blocks = SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()
    assert len(found) >= sum(block.size for block in blocks)


def test_neighbouring_changes_share_a_place_and_far_ones_do_not() -> None:
    old = [f"line {n}" for n in range(40)]
    new = [*old[:5], "five", *old[6:10], "ten", *old[11:30], *old[31:]]
    first, second = told(changes("\n".join(old), "\n".join(new), 1, 2))
    assert first[3:10] == [
        "-line 5", "+five", " line 6", " line 7", " line 8", " line 9", "-line 10",
    ]  # fmt: skip
    assert second[3] == "-line 30" and len(second) == 7


@pytest.mark.parametrize("lines", [100, 2_000])
@pytest.mark.parametrize("pair", [("xy", "yx"), ("ab", "acb"), ("aab", "abb"), ("a", "b")])
def test_the_steps_of_a_comparison_are_bounded(lines: int, pair: tuple[str, str]) -> None:
    old, new = (list(text) * (lines // len(text)) for text in pair)
    used = _Matching(list(map(ord, old)), list(map(ord, new)), STEPS)
    used.all()
    assert used._left > -2 * (len(old) + len(new))


def test_a_long_change_is_cut_and_says_so() -> None:
    old, new = "\n".join("a" * 3_000), "\n".join("b" * 3_000)
    change = changes(old, new, 1, 2)
    assert change.cut and sum(map(len, change.hunks)) == DIFF_SHOWN_LINES
    assert not changes("a", "b", 1, 2).cut
