"""Tuples, dicts, None, texts and boolean masks go all the way: report, page, trace, own input."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote_plus

import pytest

from app.config import Settings
from app.model import Slug
from app.sandbox.pool import LocalSandbox
from tests.service.world import EXERCISES, World
from tests.web.browser import Page
from tests.web.conftest import OWN, ROOMY
from tests.web.server import Server, served

FORM = {"content-type": "application/x-www-form-urlencoded"}
MASKED = {
    "reference.py": """import numpy as np


def masked_mean(x, mask=None, kind="mean"):
    if mask is None:
        mask = np.ones(len(x), dtype=bool)
    kept = np.where(mask[:, np.newaxis], x, 0.0)
    total = kept.sum(axis=0)
    count = float(mask.sum())
    return (total / count if kind == "mean" else total), count
""",
    "starter.py": "def masked_mean(x, mask=None, kind='mean'):\n    pass\n",
    "stages.py": "def stages(x, mask=None, kind='mean'):\n    return {'x': x}\n",
    "cases.py": "import numpy as np\n"
    + "".join(
        f"\n\ndef {name}():\n    {docstring!r}\n    x = np.arange({n}.0).reshape(-1, 2) + 1\n"
        f"    return x, {mask}, {kind!r}\n"
        for name, docstring, n, mask, kind in (
            ("two_rows", "Two rows.", 4, "np.array([True, False])", "mean"),
            ("no_mask", "No mask at all.", 6, "None", "mean"),
            ("summed", "A sum.", 8, "np.arange(4) > 1", "sum"),
            ("last", "The last row.", 6, "np.arange(3) == 2", "mean"),
            ("all_rows", "Every row.", 4, "np.ones(2, dtype=bool)", "mean"),
            ("sum_of_all", "The sum of all.", 6, "None", "sum"),
            ("all_differ", "Example: five rows.", 10, "np.arange(5) != 1", "mean"),
        )
    ),
    "mistakes/mean.py": "import numpy as np\n\n\ndef no_mask_at_all(x, mask=None, kind='mean'):\n"
    '    """The mask is not used\n\n    Every row counts here. Which rows should?\n\n'
    '    Hint: 1\n    """\n    return masked_mean(x, None, kind)\n',
}
TOML = """title = "Masked Mean"
section = "Test"
order = 2
difficulty = "easy"
summary = "The mean of the rows that a mask keeps."
entry_point = "masked_mean"
visible = ["two_rows"]
trace = "all_differ"

[axes]
x = ["rows", "width"]
mask = ["rows"]
return = [["width"], []]
"""
WEIGHTS = ("W_Q", "W_K", "W_V", "W_O", "W_1", "W_2")
BLOCK = ", ".join(
    [f"{name}=np.eye(2)" for name in WEIGHTS]
    + [f"{name}=np.ones(2)" for name in ("b_1", "b_2", "ln1_g", "ln1_b", "ln2_g", "ln2_b")]
)


@dataclass(frozen=True)
class Kind:
    """An exercise, how its reference goes wrong, own arguments, and what the page must say."""

    slug: str
    right: str
    wrong: str
    arguments: str
    given: tuple[str, ...]
    traced: str
    shown: str

    def broken(self, text: str) -> str:
        assert self.right in text
        return text.replace(self.right, self.wrong)


KINDS = [
    Kind(
        "kv-cache-step",
        "np.concatenate([v_cache, v])",
        "np.concatenate([v_cache, v + 1])",
        "*(np.ones((n, 2)) for n in (1, 1, 1, 3, 3)), 2",
        ("array", "array", "array", "array", "array", "number"),
        "visible",
        "Part 2",
    ),
    Kind(
        "transformer-block",
        "return h + feed_forward(",
        "return 2 * h + feed_forward(",
        f"np.array([[1.0, 3.0], [2.0, 5.0]]), dict({BLOCK}), 1",
        ("array", "dict", "number"),
        "centred",
        "Difference",
    ),
    Kind(
        "layer-norm-rms-norm",
        "* gamma",
        "+ gamma",
        "np.array([[3.0, 4.0]]), np.array([2.0, 0.5]), None, 1e-6, 'rms'",
        ("array", "array", "none", "number", "text"),
        "centred",
        "Difference",
    ),
    Kind(
        "masked-mean",
        "kept = np.where(mask[:, np.newaxis], x, 0.0)",
        "kept = np.where(mask[:, np.newaxis], x, 1.0)",
        "np.array([[1.0, 2.0], [5.0, 6.0]]), np.array([True, False]), 'sum'",
        ("array", "array", "text"),
        "kept",
        "Part 0",
    ),
]
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.slug)


def _masked(folder: Path) -> None:
    """A small exercise with a boolean mask, None and a text; a tuple comes out."""
    shutil.copytree(OWN, folder)
    shutil.rmtree(folder / "accepted")
    (folder / "exercise.toml").write_text(TOML)
    for name, text in MASKED.items():
        (folder / name).write_text(text)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    shelf = tmp_path_factory.mktemp("kinds")
    for kind in KINDS[:3]:
        shutil.copytree(EXERCISES / kind.slug, shelf / kind.slug)
    _masked(shelf / "masked-mean")
    data = tmp_path_factory.mktemp("data")
    world = World(data, folders=(shelf,), allowance=ROOMY)
    # The world is made with a fake; both are a `ports.Sandbox`.
    world.sandbox = LocalSandbox()  # type: ignore[assignment]
    service = world.service(started=False)
    with served(service, Settings(data=data)) as server:
        yield server
    service.close()


def reference(site: Server, kind: Kind) -> str:
    return site.service.exercises.get(Slug(kind.slug)).files["reference.py"].decode()


@each_kind
def test_the_reference_is_accepted(site: Server, kind: Kind) -> None:
    body = {"source": reference(site, kind)}
    report = site.post(f"/api/exercises/{kind.slug}/submissions", body).json
    assert (report["verdict"], report["passed"]) == ("accepted", 6)


@each_kind
def test_a_page_shows_what_is_off_part_by_part_and_shapes_by_line(site: Server, kind: Kind) -> None:
    source = kind.broken(reference(site, kind))
    sent = site.ask(
        "POST",
        f"/exercises/{kind.slug}/submissions",
        f"source={quote_plus(source)}".encode(),
        FORM,
    )
    assert sent.status == 303
    cookie = sent.headers["set-cookie"].split(";")[0]
    address = sent.headers["location"].split("#")[0]
    answer = site.ask("GET", address, headers={"cookie": cookie})
    page = Page(answer.body.decode(), address)
    assert answer.status == 200
    assert "test cases passed" in page.text
    assert {"Expected", "Yours"} <= set(page.text.split())
    assert kind.shown in page.text
    assert "shapes" in page.ids
    assert kind.traced in page.text.split("Shapes by line, as a table")[1]


@each_kind
def test_a_report_holds_what_was_given_and_returned(site: Server, kind: Kind) -> None:
    body = {"source": kind.broken(reference(site, kind))}
    report = site.post(f"/api/exercises/{kind.slug}/submissions", body).json
    assert report["verdict"] == "wrong_answer"
    first = report["tests"][0]
    assert first["visible"]
    assert first["arguments"]
    assert first["expected"]["kind"] == first["got"]["kind"]
    parts = first["got"].get("parts", [first["got"]])
    assert all(part["kind"] in {"array", "number"} for part in parts)
    is_tuple = first["got"]["kind"] == "tuple"
    off = [test["mismatch"] for test in report["tests"] if test["mismatch"]]
    assert all((mismatch["part"] is not None) == is_tuple for mismatch in off)


@each_kind
def test_own_input_of_every_kind_runs_through_both(site: Server, kind: Kind) -> None:
    right = reference(site, kind)
    address = f"/api/exercises/{kind.slug}/runs"
    body = {"source": right, "arguments": kind.arguments, "html": True}
    equal = site.post(address, body)
    assert equal.status == 200, equal.body
    assert "Equal to the reference" in equal.json["html"]
    assert tuple(value["kind"] for value in equal.json["tests"][0]["arguments"]) == kind.given
    off = site.post(address, {**body, "source": kind.broken(right)}).json
    assert off["verdict"] == "wrong_answer"
    assert "Not equal to the reference" in off["html"]
    assert "Expected" in off["html"]
