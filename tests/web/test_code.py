"""Source code in colours: the classes of the editor, and bounds that no text gets past."""

from __future__ import annotations

import re

import pytest

from app.model.bounds import COLOURED_CHARACTERS, COLOURED_MARKS
from app.web.html.code import highlighted
from app.web.html.remembered import Remembered


def marked(source: str) -> list[str]:
    """The marked parts, each with its class."""
    found = re.findall(r'<span class="(\w)">(.*?)</span>', highlighted(source), re.DOTALL)
    return [f"{kind} {text}" for kind, text in found]


@pytest.mark.parametrize(
    ("source", "parts"),
    [
        ("def f(x): return None", ["k def", "f f", "k return", "m None"]),
        ("class A: pass", ["k class", "f A", "k pass"]),
        ("a and not b", ["k and", "k not"]),
        ("match x:\n  case 1: pass", ["k match", "k case", "m 1", "k pass"]),
        ("match = case(1)", ["m 1"]),
        ("f'{x if y:.3f} {{z}}'", ["s f&#39;{", "k if", "s :.3f} {{z}}&#39;"]),
    ],
)
def test_words_are_marked_as_in_the_editor(source: str, parts: list[str]) -> None:
    assert marked(source) == parts


def test_colours_end_at_their_bounds_and_the_text_does_not() -> None:
    assert len(marked("1 " * (COLOURED_MARKS + 9))) == COLOURED_MARKS
    html = highlighted("# a\n" * (COLOURED_CHARACTERS // 4) + "# last <b>")
    assert html.count("</span>") == COLOURED_CHARACTERS // 4
    assert html.endswith("\n# last &lt;b&gt;")


def test_what_is_remembered_stays_within_its_size() -> None:
    made: list[str] = []

    def make(text: str) -> str:
        made.append(text)
        return text * 4

    kept: Remembered[str] = Remembered(most=20, size=len)
    assert [kept.get(text, make) for text in ("ab", "cd", "ab")] == [
        "abababab",
        "cdcdcdcd",
        "abababab",
    ]
    kept.get("ef", make)  # 24 characters: the one used longest ago goes
    kept.get("ab", make)
    kept.get("cd", make)
    kept.get("longer", make)  # 24 characters: not kept at all
    kept.get("longer", make)
    assert made == ["ab", "cd", "ef", "cd", "longer", "longer"]
