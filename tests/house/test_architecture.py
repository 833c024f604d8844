"""docs/architecture.md leads to the place: each sentence stands in the file its table names."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "architecture.md").read_text()
SECTION = "## Which file says what\n"


def rows() -> list[tuple[str, str]]:
    """What a sentence holds, without what stands in brackets, and its file."""
    table = TEXT.partition(SECTION)[2].partition("\n## ")[0]
    found = re.findall(r"^\| (.+?) \| `([\w./]+)`", table, re.MULTILINE)
    return [(re.sub(r" \(.*", "", words), file) for words, file in found]


def text_of(file: str) -> str:
    """A module's text with its strings joined over line ends."""
    return re.sub(r"\"\s*\n\s*f?\"", "", (ROOT / file).read_text())


def test_the_table_has_its_rows() -> None:
    assert len(rows()) >= 17


@pytest.mark.parametrize(("words", "file"), rows(), ids=[file for _, file in rows()])
def test_a_sentence_stands_where_the_table_says(words: str, file: str) -> None:
    assert words in text_of(file)


def test_the_way_from_order_to_verdict_passes_every_room_of_it() -> None:
    way = TEXT.partition("## From order to verdict")[2].partition("\n## ")[0]
    rooms = set(re.findall(r"`app/(\w+)/", way))
    assert {
        "web",
        "service",
        "jobs",
        "expectations",
        "sandbox",
        "jail",
        "grading",
        "report",
    } <= rooms
