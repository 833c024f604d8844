"""The shape trace: what each line assigned, dotted while one types, gone where it changed."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Route, expect

from tests.browser.learner import RIGHT, Learner

SOURCE = """import numpy as np

def multi_head_attention(Q, K, V, num_heads):
    seq_len, d_model = Q.shape
    q, k, v = Q, K, V
    for h in range(num_heads):
        a, b = h * 8, h * 8 + 8
        s = q[:, a:b] @ k[:, a:b].T
    return q.astype(np.float32)
"""


def assigned(name: str, shape: list[int] | None, text: str = "", dtype: str = "float64") -> Any:
    kind = "ndarray" if shape else "int"
    return {"name": name, "type_name": kind, "shape": shape, "dtype": dtype, "text": text}


def line(number: int, first: list[Any], last: list[Any] | None = None, **more: Any) -> Any:
    told = {"line": number, "passes": 1, "first": first, "last": last or first, "state": None}
    return told | more


LINES = [
    line(4, [assigned("seq_len", None, "4"), assigned("d_model", None, "64")]),
    line(5, [assigned(name, [8, 4, 8]) for name in "qkv"], state="equal"),
    line(6, [], passes=8),
    line(
        7,
        [assigned("a", None, "0"), assigned("b", None, "8")],
        [assigned("a", None, "56"), assigned("b", None, "64")],
        passes=8,
    ),
    line(8, [assigned("s", [4, 4])], passes=8),
    line(9, [assigned("return", [4, 64], dtype="float32")], state="differs"),
]


def traced(learner: Learner) -> None:
    """Run the source; the answer is the server's own, with this trace in it."""

    def answer(route: Route) -> None:
        response = route.fetch(timeout=0)
        trace = {"lines": LINES, "first_difference": 9}
        route.fulfill(response=response, json=response.json() | {"trace": trace})

    learner.open().page.locator("[data-live]").uncheck()
    learner.page.route("**/runs", answer)
    learner.write(SOURCE)
    learner.press("Control+Enter")
    expect(learner.page.locator("#code .trace")).to_have_count(len(LINES))


def notes(learner: Learner) -> list[str]:
    found = learner.page.locator("#code .trace").all_inner_texts()
    return [" ".join(text.split()) for text in found]


def test_each_line_shows_what_it_assigned(learner: Learner) -> None:
    traced(learner)
    assert notes(learner) == [
        "4, 64",
        "q, k, v (8, 4, 8)",
        "8 passes",
        "0, 8 … 56, 64",
        "(4, 4) each",
        "(4, 64) float32",
    ]


def test_the_first_difference_is_marked_by_shape_and_colour(learner: Learner) -> None:
    traced(learner)
    expect(learner.page.locator("#code .first-off")).to_contain_text("return q.astype")
    expect(learner.page.locator("#code .trace .no svg")).to_have_count(1)
    expect(learner.page.locator("#code .trace .ok svg")).to_have_count(1)


def test_notes_stand_at_the_right_edge_of_their_line_and_are_for_eyes_only(
    learner: Learner,
) -> None:
    traced(learner)
    edge = learner.page.locator("#code .cm-content").bounding_box()
    assert edge is not None
    for note in learner.page.locator("#code .trace").all():
        box = note.bounding_box()
        assert box is not None
        assert abs(box["x"] + box["width"] - edge["x"] - edge["width"]) < 20
        assert note.get_attribute("aria-hidden") == "true"
    assert learner.text == SOURCE


def test_typing_makes_notes_stale_and_takes_those_of_changed_lines(learner: Learner) -> None:
    traced(learner)
    learner.editor.focus()
    learner.press("Control+Home", "ArrowDown", "ArrowDown", "ArrowDown", "End")
    learner.page.keyboard.type("  # changed")
    expect(learner.page.locator("#code .trace.stale")).to_have_count(len(LINES) - 1)
    assert "4, 64" not in notes(learner)
    learner.press("Enter")
    assert len(notes(learner)) == len(LINES) - 1
    learner.press("Control+Enter")
    expect(learner.page.locator("#code .trace.stale")).to_have_count(0)


def test_shapes_come_from_the_chosen_example_or_from_none(learner: Learner) -> None:
    learner.open().write(RIGHT)
    notes_shown = learner.page.locator("#code .trace")
    expect(notes_shown.first).to_contain_text("5, 12")
    choice = learner.page.locator("[data-shapes]")
    choice.select_option("eight_heads")
    expect(notes_shown.first).to_contain_text("4, 64")
    choice.select_option("")
    expect(notes_shown).to_have_count(0)
