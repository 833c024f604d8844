"""What the pages are made of: examples, reports, the map, what changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.catalog import Catalog
from app.model import Exercise, Expectations, Slug
from app.report import from_json
from app.web.html.markdown import drawing
from app.web.pages.changes import changes
from app.web.pages.examples import examples
from app.web.pages.path_map import WIDTH, path_map
from app.web.report.rows import purpose_words
from app.web.report.view import view
from tests.service.world import EXERCISES, expectations
from tests.web.server import Server
from tests.web.test_api import API
from tests.web.test_forms import MERGE
from tests.web.test_pages import REFERENCE
from tests.web.texts import MARKDOWN

MHA = Slug("multi-head-attention")
SHIPPED = Catalog((EXERCISES,))


@pytest.fixture(scope="module")
def known(shelf: Path) -> tuple[Exercise, Expectations]:
    exercise = Catalog((shelf,)).get(MHA)
    assert exercise is not None
    return exercise, expectations(exercise)


def test_an_example_is_a_session_one_can_copy_and_run(known: tuple[Exercise, Expectations]) -> None:
    first = examples(*known)[0]
    assert first.session.striptags() == (
        ">>> Q = K = np.array([[1.0, 0.0, 0.0, 1.0], ... [0.0, 1.0, 1.0, 0.0]]) "
        ">>> V = np.array([[1.0, 2.0, 3.0, 4.0], ... [5.0, 6.0, 7.0, 8.0]]) "
        ">>> multi_head_attention(Q, K, V, num_heads=2) "
        "array([[2.321, 3.321, 4.321, 5.321], [3.679, 4.679, 5.679, 6.679]])"
    )
    assert first.code is not None
    names: dict[str, Any] = {}
    exec(REFERENCE, names)  # noqa: S102 (our own reference solution)
    *setup, call = first.code.strip().split("\n")
    exec("\n".join(setup), names)  # noqa: S102
    got = eval(call, names)  # noqa: S307
    assert np.allclose(got, np.asarray(known[1].tests[0].expected, dtype=float))


def test_large_examples_show_shapes(known: tuple[Exercise, Expectations]) -> None:
    second = examples(*known)[1].session.striptags()
    assert second == (
        ">>> Q.shape, K.shape, V.shape ((4, 64), (4, 64), (4, 64)) "
        ">>> multi_head_attention(Q, K, V, num_heads=8).shape (4, 64)"
    )


def test_dicts_and_tuples_are_printed_too(shelf: Path) -> None:
    exercise = Catalog((shelf,)).get(Slug("weighted-mean"))
    assert exercise is not None
    expected = expectations(exercise)
    shapes = examples(exercise, expected)[0].session.striptags()
    assert "{'weights': (3,)}" in shapes and "((5,), ())" in shapes
    told = replace(exercise.examples[0], show="values")
    shown = examples(replace(exercise, examples=(told,)), expected)[0].session.striptags()
    assert "p = {'weights': np.array([1.0, 2.0, 4.0])}" in shown
    assert ">>> weighted_mean(x, p) (array([" in shown and shown.endswith("7.0)")


@pytest.mark.parametrize("exercise", SHIPPED.all(), ids=lambda e: str(e.slug))
def test_every_statement_renders_whole(exercise: Exercise) -> None:
    found = MARKDOWN.sections(exercise.statement)
    assert [section.title for section in found][0] == "What you’ll build"
    html = "".join(section.html for section in found)
    assert "drawing:" not in html and "<em>" not in html.split("drawing")[0][:0]
    assert "$" not in html.replace("<code>$", "")
    assert html.count('role="img"') == exercise.statement.count("](drawing:")


@pytest.mark.parametrize(
    "name",
    ["head-split-merge", "causal-mask", "rotary-pairs", "cache-growth", "online-softmax"],
)
def test_a_drawing_has_a_text_for_those_who_do_not_see_it(name: str) -> None:
    svg = drawing(name)
    assert svg is not None and 'role="img"' in svg and "<title" in svg and "<desc" in svg
    assert "#" not in svg.replace("&#", "") and "<script" not in svg  # colours are variables


def test_a_formula_that_does_not_parse_stays_readable() -> None:
    html = MARKDOWN.rendered_inline(r"A $\frac{1$ and a $\frac{1}{2}$ and a $\eqref{a}$")
    assert r"<code>\frac{1</code>" in html and r"<code>\eqref{a}</code>" in html
    assert html.count("<math") == 1


def test_no_line_begins_with_the_comma_after_a_formula() -> None:
    html = MARKDOWN.sections("## One\n\nFor $x$ a mean $\\mu$, a sum $s$.\n")[0].html
    assert html.count('<span class="glued"><span class="math inline"><math><mi>') == 2
    assert "</math></span> a mean <span" in html
    assert "</math></span>,</span>" in html and "</math></span>.</span>" in html


def test_a_report_leads_with_one_sentence_and_opens_the_first_row_off(
    jailed: Server, known: tuple[Exercise, Expectations]
) -> None:
    report = jailed.post(f"{API}/submissions", {"source": MERGE}).json
    seen = view(from_json(report), *known)
    assert seen.headline == "Every number is right, but they are in the wrong places."
    assert seen.score == "2 of 6 test cases passed" and seen.cells[3] == "p"
    assert [row.opened for row in seen.rows] == [True, False, False, False, False, False]
    assert seen.rows[0].found == "4 of 8 off, worst 0.6419"
    assert seen.rows[1].comparisons[0].strip is not None
    assert seen.rows[2].mask is not None and seen.rows[2].mask.wrong == 90
    assert not seen.rows[2].comparisons and not seen.rows[2].copies


def test_without_expectations_of_its_digest_a_report_is_shown_all_the_same(
    jailed: Server, known: tuple[Exercise, Expectations]
) -> None:
    report = jailed.post(f"{API}/submissions", {"source": MERGE}).json
    seen = view(from_json({**report, "digest": "of yesterday"}), *known)
    assert seen.digest_changed and seen.rows[0].comparisons[0].tables[0].groups == ()
    assert view(from_json(report), known[0], None).rows[2].mask is not None


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return [1.0]", "returned list"),
        ("return None", "returned None"),
        ("return Q.astype(int)", "dtype int64"),
        ("return Q[:, :2]", "shape (2, 2)"),
        ("return Q * np.nan", "8 nan"),
        ("Q[0] = 1; return Q", "of 8 off"),
        ("return Q.missing", "line 4 stopped"),
        ("print('x' * 200_000)", "printed too much"),
    ],
)
def test_each_row_says_in_a_few_words_what_came_of_it(
    jailed: Server, known: tuple[Exercise, Expectations], body: str, found: str
) -> None:
    source = f"import numpy as np\n\ndef multi_head_attention(Q, K, V, num_heads):\n    {body}\n"
    report = jailed.post(f"{API}/runs", {"source": source, "case": "worked_example"}).json
    assert found in view(from_json(report), *known).rows[0].found


def test_no_two_exercises_share_a_place_on_the_map() -> None:
    made = path_map(SHIPPED.all())
    assert len({(pill.x, pill.y) for pill in made.pills}) == len(made.pills)
    assert len({pill.label for pill in made.pills}) == len(made.pills)
    at = {pill.exercise.slug: pill for pill in made.pills}
    for pill in made.pills:
        for before in pill.exercise.after:
            assert at[before].x + WIDTH < pill.x
    assert len(made.edges) == sum(len(pill.exercise.after) for pill in made.pills)


def test_a_map_of_a_circle_still_ends(known: tuple[Exercise, Expectations]) -> None:
    one = replace(known[0], slug=Slug("one"), after=(Slug("two"),))
    two = replace(known[0], slug=Slug("two"), after=(Slug("one"),))
    assert len(path_map((one, two)).pills) == 2
    assert path_map(()).pills == ()


def test_changes_are_shown_with_a_little_around_them() -> None:
    old = "\n".join(f"line {n}" for n in range(20))
    change = changes(old, old.replace("line 10", "line ten"), 1, 2)
    kinds = [line.kind for line in change.hunks[0]]
    assert kinds == ["same"] * 3 + ["del", "add"] + ["same"] * 3
    assert change.hunks[0][3].number == 11
    assert changes(old, old, 1, 2).same


def test_a_docstring_becomes_a_rows_words() -> None:
    assert purpose_words("Example: three rows of five.") == "Three rows of five"
    assert purpose_words("num_heads = 1 is plain.") == "`num_heads = 1` is plain"
    assert purpose_words("axis=-3 of rank 4, W_O a shift.") == "`axis=-3` of rank 4, `W_O` a shift"
    assert purpose_words("One `num_heads = 1`, and d_k.") == "One `num_heads = 1`, and d_k"
    assert purpose_words("") == ""
