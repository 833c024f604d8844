"""Mistakes put together in the jail: what each name means there, and what is left out."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.catalog import load
from app.expectations import composing, compute
from app.model import Expectations
from app.ports import Sandbox
from app.sandbox.pool import LocalSandbox
from tests.fakes import FakeSandbox

ROOT = Path(__file__).parents[1]
SHARES = ROOT / "tests" / "exercises" / "shares"
WRONG = '''
def {name}({parameters}):
    """{title}

    It is off. Why is that?
    """
    {body}
'''

Made = Callable[..., Expectations]


@pytest.fixture
def made(tmp_path: Path, sandbox: Sandbox) -> Made:
    """Makes the exercise with these files of mistakes in place of its own."""

    def make(**files: str) -> Expectations:
        folder = Path(shutil.copytree(SHARES, tmp_path / "shares", dirs_exist_ok=True))
        shutil.rmtree(folder / "mistakes")
        (folder / "mistakes").mkdir()
        for name, text in files.items():
            path = folder / "mistakes" / f"{name}.py"
            path.write_text("import numpy as np\n" + text, "utf-8")
        return compute(load(folder), sandbox)

    return make


@pytest.fixture(scope="module")
def jail() -> Iterator[Sandbox]:
    sandbox = LocalSandbox()
    yield sandbox
    sandbox.close()


@pytest.fixture(params=["fake", "jail"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    found: Sandbox = FakeSandbox() if request.param == "fake" else request.getfixturevalue("jail")
    return found


def wrong(name: str, parameters: str, body: str) -> str:
    return WRONG.format(name=name, parameters=parameters, title=f"Wrong {name}", body=body)


def names(found: Expectations) -> list[tuple[str, ...]]:
    """The pairs by their slugs, the outermost first where they share a function."""
    assert found.pairs is not None
    return sorted(tuple(found.misconceptions[n].slug for n in row) for row in found.pairs.members)


def value(found: Expectations, slug: str, test: int = 0) -> list[float]:
    array = found.outcomes[slug][test].value
    assert isinstance(array, np.ndarray)
    return [float(number) for number in array]


def test_a_file_named_like_a_helper_holds_wrong_versions_of_it(made: Made) -> None:
    found = made(
        shares=wrong("squared", "w", "return shares(w) ** 2"),
        result=wrong("doubled", "x, w", "return 2 * weighted_mean(x, w)"),
    )
    assert {m.slug: m.target for m in found.misconceptions} == {
        "doubled": "weighted_mean",
        "squared": "shares",
    }
    # Weights 1 and 3: shares 1/4 and 3/4, squared 1/16 and 9/16, of (1, 2) and (3, 6).
    assert value(found, "squared") == [1.75, 3.5]
    assert value(found, "doubled") == [5.0, 10.0]
    assert names(found) == [("doubled", "squared")]
    assert found.helpers == ("shares", "average", "weighted_mean")


def test_the_arguments_of_the_call_are_at_hand_unchanged(made: Made) -> None:
    found = made(average=wrong("plain", "share, x", "return share @ x * len(w) / w.sum()"))
    assert value(found, "plain") == [1.25, 2.5]


def test_two_of_one_helper_are_tried_in_both_orders(made: Made) -> None:
    found = made(
        shares=wrong("squared", "w", "return shares(w) ** 2")
        + wrong("shifted", "w", "return shares(w) + 1.0")
    )
    assert names(found) == [("shifted", "squared"), ("squared", "shifted")]


def test_what_hides_the_other_is_no_pair(made: Made) -> None:
    found = made(
        shares=wrong("even", "w", "return np.ones(len(w))"),
        result=wrong("first", "x, w", "return x[0] + 1.0"),
    )
    assert names(found) == []


def test_an_argument_named_like_a_helper_leaves_the_helper_alone(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    folder = Path(shutil.copytree(SHARES, tmp_path / "shares"))
    for path in (folder / "reference.py", folder / "stages.py"):
        text = path.read_text("utf-8").replace(
            "def average(share, x)", "def average(share, shares)"
        )
        text = text.replace("return share @ x", "return share @ shares")
        path.write_text(text, "utf-8")
    found = compute(load(folder), sandbox)
    assert frozenset({"rounded", "squared"}) in {frozenset(pair) for pair in names(found)}


def test_a_composition_that_never_ends_is_left_out_alone(
    tmp_path: Path, jail: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of the two ends by itself; only together they loop."""
    monkeypatch.setattr(composing, "BATCH_CPU_S", 1.0)
    folder = Path(shutil.copytree(SHARES, tmp_path / "shares"))
    (folder / "mistakes" / "shares.py").write_text(
        "import numpy as np\n"
        + wrong("negative", "w", "return -shares(w)")
        + wrong("halved", "w", "return shares(w) / 2.0"),
        "utf-8",
    )
    body = "total = share.sum()\n    while total < 0:\n        total = total - 1e-300\n"
    (folder / "mistakes" / "average.py").write_text(
        "import numpy as np\n" + wrong("waits", "share, x", body + "    return share @ x + total"),
        "utf-8",
    )
    exercise = load(folder)
    found = compute(replace(exercise, limits=replace(exercise.limits, cpu_s=0.2)), jail)
    kept = {frozenset(pair) for pair in names(found)}
    assert frozenset({"waits", "negative"}) not in kept
    assert frozenset({"waits", "halved"}) in kept
    assert found.left_out == ()


def test_arguments_changed_by_one_of_two_are_told(made: Made) -> None:
    found = made(
        shares=wrong("squared", "w", "return shares(w) ** 2"),
        result=wrong(
            "in_place", "x, w", "given = weighted_mean(x, w)\n    x += 1.0\n    return given"
        ),
    )
    assert {o.kind for o in found.outcomes["in-place"]} == {"changed"}
    assert names(found) == [("in-place", "squared")]


# ------------------------------------------------------------------ the author's slips


def test_other_parameters_than_the_helpers_are_told_and_everything_else_is_served(
    made: Made,
) -> None:
    found = made(
        shares=wrong("whole", "x, w", "return 3 * weighted_mean(x, w)")
        + wrong("squared", "w", "return shares(w) ** 2"),
    )
    (left_out,) = found.left_out
    assert left_out.slug == "whole"
    assert left_out.reason == (
        "takes (x, w), but shares of reference.py takes (w). Write the wrong shares alone, or"
        " rename the file."
    )
    assert value(found, "whole") == [7.5, 15.0]
    assert {frozenset(pair) for pair in names(found)} == {frozenset({"whole", "squared"})}


def test_private_helpers_of_one_name_in_two_files_are_told(made: Made) -> None:
    found = made(
        shares="\ndef _step(w):\n    return w * 2.0\n"
        + wrong("doubled", "w", "return shares(w) * _step(1.0)"),
        average="\ndef _step(w):\n    return w * 5.0\n"
        + wrong("bigger", "share, x", "return average(share, x) + _step(1.0)"),
    )
    assert [one.slug for one in found.left_out] == ["bigger"]  # the file loaded before the other
    assert "is one of its private helpers defined in two files?" in found.left_out[0].reason
    assert value(found, "doubled") == [5.0, 10.0]
    assert value(found, "bigger") == [7.5, 10.0]
    assert names(found) == []


def test_a_mistake_that_raises_once_the_others_are_loaded_is_left_out_alone(made: Made) -> None:
    """Two private helpers of one name and other parameters: what calls the wrong one raises."""
    found = made(
        shares="\ndef _step(w):\n    return w * 2.0\n"
        + wrong("doubled", "w", "return shares(w) * _step(1.0)")
        + wrong("squared", "w", "return shares(w) ** 2"),
        average="\ndef _step():\n    return 5.0\n"
        + wrong("bigger", "share, x", "return average(share, x) + _step()"),
    )
    assert [one.slug for one in found.left_out] == ["bigger"]
    assert "is one of its private helpers defined in two files?" in found.left_out[0].reason
    assert value(found, "bigger") == [7.5, 10.0]
    assert {slug for pair in names(found) for slug in pair} == {"doubled", "squared"}


def test_a_mistake_that_raises_beside_every_other_is_told_and_left_out_alone(made: Made) -> None:
    found = made(
        shares=wrong("squared", "w", "return shares(w) ** 2")
        + wrong("shifted", "w", "return shares(w) + 1.0"),
        result=wrong(
            "strict",
            "x, w",
            "if abs(shares(w).sum() - 1.0) > 1e-9:\n        raise ValueError('no shares')\n"
            "    return 3 * weighted_mean(x, w)",
        ),
    )
    (left_out,) = found.left_out
    assert left_out.slug == "strict"
    assert left_out.reason == (
        "raises or never ends beside every other mistake. It is named alone, and never beside"
        " another."
    )
    assert value(found, "strict") == [7.5, 15.0]
    assert names(found) == [("shifted", "squared"), ("squared", "shifted")]


def test_a_mistake_that_raises_by_itself_speaks_against_no_other(made: Made) -> None:
    """Whatever stands beside it raises with it, and is not told of for that."""
    found = made(
        shares=wrong("too_long", "w", "return np.append(w, 1.0) if len(w) > 2 else w")
        + wrong("too_short", "w", "return w[1:] if len(w) > 2 else w * 2.0"),
        result=wrong("doubled", "x, w", "return 2 * weighted_mean(x, w)"),
    )
    assert found.left_out == ()
    assert names(found) == []


def test_a_file_that_fails_only_beside_the_others_is_told_with_its_line_and_left_out_alone(
    made: Made,
) -> None:
    """Each loads by itself; a name that the first one gives a value ends the second."""
    found = made(
        average="_SIZE = 'two'\n" + wrong("halved", "share, x", "return average(share, x) / 2.0"),
        result="try:\n    _SIZE\nexcept NameError:\n    _SIZE = 2\n_ONES = np.ones(_SIZE)\n"
        + wrong("shorter", "x, w", "return weighted_mean(x, w) * _ONES[0] / 4.0"),
        shares=wrong("squared", "w", "return shares(w) ** 2"),
    )
    (left_out,) = found.left_out
    assert (left_out.slug, left_out.line) == ("shorter", 6)
    assert left_out.reason.startswith("does not load once all of mistakes/ is loaded: TypeError: ")
    assert left_out.reason.endswith(
        " (line 6 of mistakes/result.py). It is named alone, and never beside another."
    )
    assert value(found, "shorter") == [0.625, 1.25]
    assert names(found) == [("halved", "squared")]


@pytest.mark.parametrize("body", ["np.ones(int(1e12)) @ x", "np.full((3000, 3000), share.sum())"])
def test_a_composition_that_is_enormous_is_left_out_alone(
    body: str, tmp_path: Path, jail: Sandbox
) -> None:
    """Neither is by itself: the one is only reached by a sum of shares that the other makes."""
    folder = Path(shutil.copytree(SHARES, tmp_path / "shares"))
    (folder / "mistakes" / "shares.py").write_text(
        "import numpy as np\n"
        + wrong("negative", "w", "return -shares(w)")
        + wrong("halved", "w", "return shares(w) / 2.0"),
        "utf-8",
    )
    body = f"return {body} if share.sum() < 0 else 2.0 * average(share, x)"
    (folder / "mistakes" / "average.py").write_text(
        "import numpy as np\n" + wrong("grows", "share, x", body), "utf-8"
    )
    found = compute(load(folder), jail)
    kept = {frozenset(pair) for pair in names(found)}
    assert frozenset({"grows", "negative"}) not in kept
    assert frozenset({"rounded", "negative"}) in kept
    assert found.left_out == ()


def test_places_are_those_of_the_computation(made: Made) -> None:
    found = made(
        average=wrong("halved", "share, x", "return average(share, x) / 2.0"),
        result=wrong("rounded", "x, w", "return np.round(weighted_mean(x, w))"),
        shares=wrong("squared", "w", "return shares(w) ** 2"),
    )
    order = sorted(found.misconceptions, key=lambda m: m.place)
    assert [m.slug for m in order] == ["squared", "halved", "rounded"]
