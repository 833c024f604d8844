"""Formulas and Markdown of authors: bounds that keep a parser from ending or holding the server."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.catalog import ExerciseErrors, load
from app.model.bounds import FORMULA_CHARACTERS, FORMULA_DEPTH, MARKDOWN_CHARACTERS
from app.web.html.markdown import formula, rendered, rendered_inline, sections

SMALL = Path(__file__).parents[1] / "exercises" / "weighted-mean"
DEEP = {
    "braces": "{" * 5_351 + "x" + "}" * 5_351,
    "open braces": "{" * 9_000,
    "primes": "a'" * 33_000,
    "left": r"\left(" * 60 + "x" + r"\right)" * 60,
    "tables": r"\begin{matrix}" * 60 + "x" + r"\end{matrix}" * 60,
    "scripts": "x^{" * 51 + "y" + "}" * 51,
}


@pytest.mark.parametrize("name", DEEP)
def test_what_is_over_its_bounds_stays_readable_as_it_was_written(name: str) -> None:
    for html in (formula(DEEP[name], display=True), formula(DEEP[name], display=False)):
        assert html.startswith("<code>") and "<math" not in html


@pytest.mark.parametrize(
    "tex",
    [
        "{" * FORMULA_DEPTH + "x" + "}" * FORMULA_DEPTH,
        "a'" * (FORMULA_CHARACTERS // 2),
        r"\sqrt" * (FORMULA_CHARACTERS // 5),
        r"\frac" * (FORMULA_CHARACTERS // 5),
        "x^" * (FORMULA_CHARACTERS // 2),
        r"\hat{" * FORMULA_DEPTH,
    ],
)
def test_what_is_within_its_bounds_ends_in_any_thread(tex: str) -> None:
    with ThreadPoolExecutor(max_workers=1) as pool:
        assert pool.submit(formula, tex, display=True).result(20)


@pytest.mark.parametrize("piece", ["![", "[", "*a_ ", "|a\n|-\n", "> ", "`a``", "$a "])
def test_a_long_text_is_read_as_far_as_its_bound(piece: str) -> None:
    text = "## A\n" + piece * (4 * MARKDOWN_CHARACTERS // len(piece))
    for html in (rendered(text), rendered_inline(text), sections(text)[0].html):
        assert len(html) < 40 * MARKDOWN_CHARACTERS


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("statement.md", f"$${DEEP['braces']}$$", "holds a formula of 10,703 characters"),
        ("statement.md", f"${DEEP['scripts']}$", "nested 51 levels deep; 50 is the most"),
        ("hints.md", "a" * MARKDOWN_CHARACTERS, "16,384 is the most. Shorten it."),
    ],
)
def test_the_author_is_told_what_is_too_much(
    tmp_path: Path, file: str, text: str, said: str
) -> None:
    folder = Path(shutil.copytree(SMALL, tmp_path / "weighted-mean"))
    with (folder / file).open("a", encoding="utf-8") as written:
        written.write(f"\n{text}\n")
    with pytest.raises(ExerciseErrors) as broken:
        load(folder)
    assert [error.file for error in broken.value.errors if said in error.message] == [file]


def test_a_question_in_the_settings_has_the_same_bounds(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(SMALL, tmp_path / "weighted-mean"))
    settings = folder / "exercise.toml"
    text = settings.read_text("utf-8")
    settings.write_text(text.replace('summary = "', f'summary = "${"{" * 2_000}$ ', 1), "utf-8")
    with pytest.raises(ExerciseErrors) as broken:
        load(folder)
    assert any("holds a formula of 2,000 characters" in e.message for e in broken.value.errors)
