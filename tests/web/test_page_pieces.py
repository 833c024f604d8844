"""Pages as gzip of pieces: whatever the pieces are, a client unpacks the page."""

from __future__ import annotations

import gzip

from hypothesis import given
from hypothesis import strategies as st

from app.web.html.page_pieces import LEAST, Packer

PACKER = Packer()
PART = "<p>the same for everybody</p>" * 50
OTHER = "<li>another part</li>" * 60


def unpacked(page: str, *parts: str) -> str:
    return gzip.decompress(PACKER.packed(page, parts)).decode()


def test_a_page_is_what_it_was_with_its_parts_anywhere() -> None:
    assert len(PART) > LEAST
    assert unpacked(f"head{PART}mine{OTHER}foot", OTHER, PART) == f"head{PART}mine{OTHER}foot"
    assert unpacked(PART, PART) == PART
    assert unpacked(f"{PART}{OTHER}", PART, OTHER) == f"{PART}{OTHER}"


def test_a_part_that_is_not_there_or_stands_in_another_is_no_piece() -> None:
    assert unpacked("mine", PART) == "mine"
    around = f"<ol>{PART}</ol>"
    assert unpacked(f"a{around}b", PART, around) == f"a{around}b"
    assert unpacked(f"{PART}a{PART}", PART) == f"{PART}a{PART}"


def test_a_lone_surrogate_is_sent_as_its_escape() -> None:
    assert unpacked(f"a\udc80{PART}", PART) == f"a\\udc80{PART}"


@given(st.lists(st.sampled_from([PART, OTHER, "é", "own text", "\N{GRINNING FACE}"]), max_size=8))
def test_any_page_of_parts_and_own_text_is_unpacked(texts: list[str]) -> None:
    page = "".join(texts)
    assert unpacked(page, PART, OTHER) == page
