"""Formulas and Markdown of authors: no text ends or holds the server, and each is read."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.catalog import ExerciseErrors, load
from app.model import Formula, Typeset
from app.model.bounds import FORMULA_CHARACTERS, FORMULA_DEPTH, MARKDOWN_CHARACTERS
from app.ports import SandboxFault
from app.sandbox.pool import LocalSandbox
from app.web.html.markdown import Markdown
from tests.sandbox.formulas import DEEP as BREAKING
from tests.sandbox.formulas import LONG
from tests.web.texts import MARKDOWN

SMALL = Path(__file__).parents[1] / "exercises" / "weighted-mean"
DEEP = {
    "braces": "{" * 5_351 + "x" + "}" * 5_351,
    "open braces": "{" * 9_000,
    "primes": "a'" * 8_000,
    "left": r"\left(" * 60 + "x" + r"\right)" * 60,
    "tables": r"\begin{matrix}" * 60 + "x" + r"\end{matrix}" * 60,
    "scripts": "x^{" * 51 + "y" + "}" * 51,
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[LocalSandbox]:
    made = LocalSandbox()
    yield made
    made.close()


def _nothing(formulas: object) -> tuple[Typeset, ...]:
    raise AssertionError("nothing here is to be asked for")


@pytest.mark.parametrize("name", DEEP)
def test_what_is_over_its_bounds_stays_readable_as_it_was_written(name: str) -> None:
    markdown = Markdown(_nothing)
    for html in (
        markdown.rendered(f"$${DEEP[name]}$$"),
        markdown.rendered_inline(f"A ${DEEP[name]}$"),
    ):
        assert "<code>" in html and "<math" not in html


@pytest.mark.parametrize(
    "tex",
    [
        "{" * FORMULA_DEPTH + "x" + "}" * FORMULA_DEPTH,
        "a'" * (FORMULA_CHARACTERS // 2),
        r"\sqrt" * (FORMULA_CHARACTERS // 5),
        r"\frac" * (FORMULA_CHARACTERS // 5),
        "x^" * (FORMULA_CHARACTERS // 2),
        r"\hat{" * FORMULA_DEPTH,
        r"\def\a{\a}\a",
        BREAKING,
        LONG,
    ],
)
def test_whatever_a_formula_does_the_rest_of_its_text_is_set(
    sandbox: LocalSandbox, tex: str
) -> None:
    html = Markdown(sandbox.typeset).rendered(f"$y$ ${tex}$ $z$")
    assert "<math><mi>y</mi></math>" in html and "<math><mi>z</mi></math>" in html
    assert html.count("<math") == 3 or html.count("<code>") == 1


def test_a_text_is_set_once() -> None:
    asked: list[tuple[Formula, ...]] = []

    def typeset(formulas: tuple[Formula, ...]) -> tuple[Typeset, ...]:
        asked.append(formulas)
        return tuple(Typeset(f"<math>{formula.tex}</math>") for formula in formulas)

    markdown = Markdown(typeset)
    for _ in range(3):
        assert "<math>a</math>" in markdown.rendered("$a$ and\n\n$$b$$\n")
        assert "<math>a</math>" in markdown.sections("## A\n$a$ and\n\n$$b$$\n")[0].html
    assert asked == [(Formula("a", False), Formula("b", True))]


def test_a_text_is_not_kept_waiting_by_the_formulas_of_another() -> None:
    asked: list[str] = []
    begun, go_on = threading.Event(), threading.Event()

    def typeset(formulas: tuple[Formula, ...]) -> tuple[Typeset, ...]:
        asked.append(formulas[0].tex)
        if formulas[0].tex == "slow":
            begun.set()
            assert go_on.wait(60)
        return tuple(Typeset(f"<math>{formula.tex}</math>") for formula in formulas)

    markdown = Markdown(typeset)
    with ThreadPoolExecutor(2) as pool:
        slow = [pool.submit(markdown.rendered, "$slow$") for _ in range(2)]
        assert begun.wait(60)
        assert "<math>quick</math>" in markdown.rendered("$quick$")
        assert not any(one.done() for one in slow)
        go_on.set()
        assert all("<math>slow</math>" in one.result() for one in slow)
    assert asked == ["slow", "quick"]


def test_a_fault_of_the_jail_leaves_the_page_and_is_tried_again() -> None:
    faults = [SandboxFault("the keeper is gone")]

    def typeset(formulas: object) -> tuple[Typeset, ...]:
        if faults:
            raise faults.pop()
        return (Typeset("<math>a</math>"),)

    markdown = Markdown(typeset)
    assert "<code>a</code>" in markdown.rendered("$a$")
    assert "<math>a</math>" in markdown.rendered("$a$")


@pytest.mark.parametrize("piece", ["![", "[", "*a_ ", "|a\n|-\n", "> ", "`a``", "$a "])
def test_a_long_text_is_read_as_far_as_its_bound(piece: str) -> None:
    text = "## A\n" + piece * (4 * MARKDOWN_CHARACTERS // len(piece))
    for html in (
        MARKDOWN.rendered(text),
        MARKDOWN.rendered_inline(text),
        MARKDOWN.sections(text)[0].html,
    ):
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
