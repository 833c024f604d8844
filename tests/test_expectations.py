"""Expectations come out of the jail, author's faults name file and function, the cache is plain."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.catalog import ExerciseErrors, load
from app.expectations import Cache, composing, compute, load_or_compute
from app.expectations.cache import fingerprint, makers
from app.grading import judge
from app.grading.checker import same
from app.model import Exercise, Expectations, Lane, Order, Ran, Sets, Tolerance
from app.ports import Sandbox, SandboxFault
from app.sandbox.pool import LocalSandbox
from tests.fakes import FakeSandbox

ROOT = Path(__file__).parents[1]
SMALL = ROOT / "tests" / "exercises" / "weighted-mean"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SMALL, tmp_path / "weighted-mean"))


@pytest.fixture(scope="module")
def jail() -> Iterator[Sandbox]:
    sandbox = LocalSandbox()
    yield sandbox
    sandbox.close()


@pytest.fixture(params=["fake", "jail"])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    found: Sandbox = FakeSandbox() if request.param == "fake" else request.getfixturevalue("jail")
    return found


def test_what_is_known_of_an_exercise(sandbox: Sandbox) -> None:
    found = compute(load(SMALL), sandbox)
    assert [p.name for p in found.parameters] == ["x", "p", "kind"]
    assert [p.default for p in found.parameters] == [None, None, "'plain'"]
    assert [t.name for t in found.tests] == [
        "two_rows", "squared", "one_row", "stacked", "missing", "whole_numbers",
    ]  # fmt: skip
    assert [t.visible for t in found.tests] == [True, False, False, False, False, False]
    assert [(e.name, e.purpose) for e in found.examples] == [("all_differ", "three rows of five.")]
    assert same(found.tests[0].expected, (np.array([2.5, 2.0]), 4.0), Tolerance())
    assert found.tests[1].arguments[2] == "squared"
    assert sorted(found.stages) == ["all_differ", "two_rows"]
    name, layouts = found.stages["two_rows"][0]
    assert (name, layouts[0].tolist()) == ("weights", [1.0, 3.0])


def test_outcomes_of_the_mistakes(sandbox: Sandbox) -> None:
    found = compute(load(SMALL), sandbox)
    kinds = {slug: {o.kind for o in all_} for slug, all_ in found.outcomes.items()}
    assert kinds["plain-mean"] == {"array", "right"}
    assert kinds["mean-only"] == {"type"}
    assert kinds["changes-weights"] == {"changed"}
    assert kinds["never-ends"] == {"exception"}
    by_slug = {m.slug: m for m in found.misconceptions}
    plain = by_slug["plain-mean"]
    assert (plain.title, plain.hint, plain.area) == ("Weights left out", 2, "mean")
    assert plain.message.endswith("Where do the weights come in?")
    assert by_slug["never-squares"].same == "ignores-kind"


# ------------------------------------------------------------------ the author's faults


@pytest.mark.parametrize(
    ("file", "old", "new", "at"),
    [
        ("reference.py", "return mean", "return mean +", ("reference.py", "")),
        (
            "reference.py",
            "def weighted_mean",
            "def mean_weighted",
            ("reference.py", "weighted_mean"),
        ),
        (
            "reference.py",
            "return mean, float(w.sum())",
            "return [mean]",
            ("reference.py", "weighted_mean"),
        ),
        (
            "reference.py",
            "return mean",
            "raise KeyError(1)\n    return mean",
            ("reference.py", "weighted_mean"),
        ),
        (
            "cases.py",
            "import numpy as np",
            "import numpy as np\nimport nothing_at_all",
            ("cases.py", ""),
        ),
        ("cases.py", '"""Squared weights."""', "pass", ("cases.py", "squared")),
        ("cases.py", "def one_row", "def _one_row", ("cases.py", "")),
        ("cases.py", "np.array([2.0])}", "np.array([2.0])}, 1 / 0", ("cases.py", "one_row")),
        ("cases.py", "np.array([2.0])}", "np.array([2.0])}, [1]", ("cases.py", "one_row")),
        (
            "exercise.toml",
            'visible = ["two_rows"]',
            'visible = ["three_rows"]',
            ("exercise.toml", "visible"),
        ),
        ("exercise.toml", 'trace = "all_differ"', 'trace = "squared"', ("exercise.toml", "trace")),
        (
            "exercise.toml",
            'case = "all_differ"',
            'case = "one_row"',
            ("exercise.toml", "example[1].case"),
        ),
        (
            "mistakes/mean.py",
            "def plain_mean",
            "x = 1 / 0\ndef plain_mean",
            ("mistakes/mean.py", ""),
        ),
        ("mistakes/mean.py", "Hint: 2", "Hint: 9", ("mistakes/mean.py", "plain_mean")),
        (
            "mistakes/mean.py",
            "Same as: ignores-kind",
            "Same as: nobody",
            ("mistakes/mean.py", "never_squares"),
        ),
        (
            "mistakes/mean.py",
            "def plain_mean",
            "def weighted_mean",
            ("mistakes/mean.py", "weighted_mean"),
        ),
        (
            "mistakes/mean.py",
            '"""Only the mean\n\n    Only one',
            '"""Only one',
            ("mistakes/mean.py", "mean_only"),
        ),
        (
            "stages.py",
            'return {"weights"',
            'return {"weights": "text", "w"',
            ("stages.py", "stages"),
        ),
        ("stages.py", "return {", "return [", ("stages.py", "")),
        ("stages.py", "return {", "return 1 or {", ("stages.py", "stages")),
    ],
)
def test_an_authors_fault_names_file_and_function(
    folder: Path, file: str, old: str, new: str, at: tuple[str, str]
) -> None:
    text = (folder / file).read_text("utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(ExerciseErrors) as broken:
        compute(load(folder), FakeSandbox())
    assert at in [(error.file, error.key) for error in broken.value.errors]


def test_one_slug_in_two_files_is_a_complaint(folder: Path) -> None:
    shutil.copy(folder / "mistakes" / "mean.py", folder / "mistakes" / "more.py")
    with pytest.raises(ExerciseErrors, match="defined twice"):
        compute(load(folder), FakeSandbox())


def test_a_fault_of_the_jail_is_not_the_authors() -> None:
    class Gone(FakeSandbox):
        def run(self, order: Order) -> Ran:
            raise SandboxFault("the keeper is gone")

    with pytest.raises(SandboxFault):
        compute(load(SMALL), Gone())


def test_a_mistake_that_never_ends_spoils_no_other(
    folder: Path, jail: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(composing, "BATCH_CPU_S", 1.0)
    path = folder / "mistakes" / "mean.py"
    loop = 'while True:\n        kind = "plain"'
    text = path.read_text("utf-8")
    path.write_text(
        text.replace('raise RuntimeError("stands for a loop without end")', loop), "utf-8"
    )
    exercise = load(folder)
    limits = replace(exercise.limits, cpu_s=0.2)
    found = compute(replace(exercise, limits=limits), jail)
    assert {o.kind for o in found.outcomes["never-ends"]} == {"other"}
    assert {o.kind for o in found.outcomes["mean-only"]} == {"type"}
    assert len(found.outcomes) == 6


# ------------------------------------------------------------------ the cache


@pytest.fixture(scope="module")
def expectations() -> Expectations:
    return compute(load(SMALL), FakeSandbox())


def alike(one: Expectations, other: Expectations) -> bool:
    """Equal in every field, arrays by their bytes."""
    cases = list(zip((*one.tests, *one.examples), (*other.tests, *other.examples), strict=True))
    return (
        one.parameters == other.parameters
        and one.misconceptions == other.misconceptions
        and one.outcomes == other.outcomes
        and all(repr(one.outcomes[slug]) == repr(other.outcomes[slug]) for slug in one.outcomes)
        and all((a.name, a.purpose, a.visible) == (b.name, b.purpose, b.visible) for a, b in cases)
        and all(
            repr((a.arguments, a.expected)) == repr((b.arguments, b.expected)) for a, b in cases
        )
        and repr(one.stages) == repr(other.stages)
        and (one.helpers, one.left_out) == (other.helpers, other.left_out)
        and same_sets(one.pairs, other.pairs)
    )


def same_sets(one: Sets | None, other: Sets | None) -> bool:
    if one is None or other is None:
        return one is other
    pairs = zip(vars(one).values(), vars(other).values(), strict=True)
    return all(np.array_equal(a, b) for a, b in pairs)


def test_what_was_saved_is_loaded_again(expectations: Expectations, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    assert cache.load(expectations.digest) is None
    cache.save(expectations)
    loaded = cache.load(expectations.digest)
    assert loaded is not None
    assert alike(loaded, expectations)
    names = sorted(path.name for path in (tmp_path / "cache").iterdir())
    assert names == [f"{expectations.digest}.sets.npy", f"{expectations.digest}.zip"]


def test_numbers_of_pairs_are_mapped_and_another_makings_are_refused(
    expectations: Expectations, tmp_path: Path
) -> None:
    cache = Cache(tmp_path)
    cache.save(expectations)
    loaded = cache.load(expectations.digest)
    assert loaded is not None and loaded.pairs is not None
    assert isinstance(loaded.pairs.values, np.memmap)
    (path,) = tmp_path.glob("*.npy")
    np.save(path, np.zeros(3), allow_pickle=False)
    assert cache.load(expectations.digest) is None
    path.unlink()
    assert cache.load(expectations.digest) is None


def test_an_entry_of_the_format_before_is_made_anew(
    expectations: Expectations, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.expectations.cache.FORMAT", 3)
    Cache(tmp_path).save(expectations)
    monkeypatch.undo()
    assert Cache(tmp_path).load(expectations.digest) is None


def test_arrays_of_every_kind_and_shape_come_back(
    expectations: Expectations, tmp_path: Path
) -> None:
    sound = tuple(
        np.ones(shape, dtype)
        for dtype in ("?", "i1", "<i2", "<u8", "<f2", "<f4", "<f8", ">f8", "<c16")
        for shape in ((), (3,), (0, 2), (2, 3))
    )
    across = np.asfortranarray(np.arange(6.0).reshape(2, 3)), np.arange(9)[::-2]
    made = replace(expectations, stages={"all": (("every", (*sound, *across)),)})
    Cache(tmp_path).save(made)
    loaded = Cache(tmp_path).load(made.digest)
    assert loaded is not None
    ((_, arrays),) = loaded.stages["all"]
    for array, expected in zip(arrays, (*sound, *across), strict=True):
        assert array.dtype == expected.dtype
        assert array.shape == expected.shape
        assert np.array_equal(array, expected)
        assert array.flags.aligned


def test_no_entry_makes_python_objects_of_bytes(expectations: Expectations, tmp_path: Path) -> None:
    """Eight bytes read as an object would be an address of whoever wrote them."""
    cache = Cache(tmp_path)
    cache.save(replace(expectations, stages={"all": (("one", (np.ones(1),)),)}))
    (path,) = tmp_path.glob("*.zip")
    whole = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    document = json.loads(files["expectations.json"])
    document["stages"]["all"][0][1][0]["array"][0] = "|O"
    files["expectations.json"] = json.dumps(document).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    assert cache.load(expectations.digest) is None
    path.write_bytes(whole)
    assert cache.load(expectations.digest) is not None


def test_cache_holds_arrays_and_json_and_no_pickle(
    expectations: Expectations, tmp_path: Path
) -> None:
    Cache(tmp_path).save(expectations)
    (path,) = tmp_path.glob("*.zip")
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.endswith(".json"):
                assert json.loads(archive.read(name))["digest"] == expectations.digest
            else:
                assert archive.read(name).startswith(b"\x93NUMPY")


def test_arrays_of_the_cache_stay_in_its_file_aligned_and_are_not_written_to(
    expectations: Expectations, tmp_path: Path
) -> None:
    cache = Cache(tmp_path)
    cache.save(expectations)
    kept = cache.load(expectations.digest)
    assert kept is not None
    was = [a for c in (*expectations.tests, *expectations.draws) for a in c.arguments]
    found = [a for c in (*kept.tests, *kept.draws) for a in c.arguments]
    arrays = 0
    for before, after in zip(was, found, strict=True):
        if isinstance(after, np.ndarray) and after.size:
            arrays += 1
            np.testing.assert_array_equal(after, before)
            assert (after.flags.aligned, after.flags.writeable) == (True, False)
            assert isinstance(after.base, np.memmap)
    assert arrays


def test_a_damaged_entry_is_as_if_it_were_not_there(
    expectations: Expectations, tmp_path: Path
) -> None:
    cache = Cache(tmp_path)
    cache.save(expectations)
    (path,) = tmp_path.glob("*.zip")
    whole = path.read_bytes()
    for damage in (b"", b"PK", whole[: len(whole) // 2], whole[:200] + bytes(50) + whole[250:]):
        path.write_bytes(damage)
        assert cache.load(expectations.digest) is None
    # A zip may also ask for another version, a password, or a packing.
    header = whole.rfind(b"PK\1\2")
    for at, said in ((6, b"\xff"), (8, b"\1"), (10, b"\x08"), (10, b"\x63")):
        path.write_bytes(whole[: header + at] + said + whole[header + at + 1 :])
        assert cache.load(expectations.digest) is None
    path.write_bytes(whole)
    other = "0" * 64
    path.rename(path.with_name(f"{other}.zip"))
    assert cache.load(other) is None


def test_expectations_made_by_other_software_are_made_anew(
    expectations: Expectations, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another NumPy may draw other random numbers, another policy see other outcomes."""
    cache = Cache(tmp_path)
    cache.save(expectations)
    assert cache.load(expectations.digest) is not None
    monkeypatch.setattr("app.expectations.cache.software", lambda: "another NumPy")
    assert cache.load(expectations.digest) is None


def test_every_module_that_computes_expectations_is_in_the_caches_key() -> None:
    """What is loaded outside, and all of the jail: whichever changes, old entries no longer fit."""
    loads = "import sys, app.expectations, app.sandbox.pool\n"
    prints = (
        "print(*(m.__file__ for n, m in sys.modules.items() if n.startswith('app.')), sep='\\n')"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", loads + prints], capture_output=True, text=True, check=True, cwd=ROOT
    )
    shapes = {Path(name) for name in loaded.stdout.split()} | {*(ROOT / "app/jail").rglob("*.py")}
    assert ROOT / "app/model/verdicts.py" in shapes
    assert shapes <= {*makers(ROOT / "app")}


@pytest.mark.parametrize("changed", ["model/runs.py", "jail/policy/compile.py", "records.py"])
def test_a_changed_module_changes_the_caches_key_in_sub_folders_too(
    changed: str, tmp_path: Path
) -> None:
    file = tmp_path / changed
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("LIMIT = 1\n")
    before = fingerprint(tmp_path)
    file.write_text("LIMIT = 2\n")
    changed_text = fingerprint(tmp_path)
    file.rename(file.with_name("renamed.py")) if "/" in changed else file.unlink()
    assert len({before, changed_text, fingerprint(tmp_path)}) == 3


@pytest.mark.parametrize("digest", ["", "../x", "A" * 64, "0" * 63])
def test_a_digest_never_leads_out_of_the_directory(digest: str, tmp_path: Path) -> None:
    assert Cache(tmp_path).load(digest) is None


def test_graded_the_same_with_cached_expectations(
    expectations: Expectations, tmp_path: Path
) -> None:
    exercise: Exercise = load(SMALL)
    cache = Cache(tmp_path)
    cache.save(expectations)
    cached = cache.load(expectations.digest)
    assert cached is not None
    source = (
        b"def weighted_mean(x, p, kind='plain'):\n    return x.mean(axis=-2), p['weights'].sum()\n"
    )
    reports = []
    for known in (expectations, cached):
        order = judge.order(exercise, known, source, known.tests, Lane.FAST)
        ran = FakeSandbox().run(order)
        reports.append(judge.judge(exercise, known, ran, source=source, submission=None))
    assert reports[0].diagnosis == reports[1].diagnosis
    assert reports[0].diagnosis is not None
    assert reports[0].diagnosis.misconception == "plain-mean"


KEEPS = b"""
kept = []
def weighted_mean(x, p, kind='plain'):
    print("kept", kept)
    kept.append(float(x.sum()))
    return x.mean(axis=-2), p['weights'].sum()
"""


def test_a_visible_test_is_called_before_every_hidden_one_wherever_it_stands(folder: Path) -> None:
    settings = folder / "exercise.toml"
    text = settings.read_text()
    settings.write_text(text.replace('visible = ["two_rows"]', 'visible = ["one_row", "missing"]'))
    text = settings.read_text()
    settings.write_text(text.replace('case = "two_rows"', 'case = "one_row"'))
    exercise = load(folder)
    known = compute(exercise, FakeSandbox())
    assert [(t.name, t.visible) for t in known.tests] == [
        ("one_row", True), ("missing", True), ("two_rows", False), ("squared", False),
        ("stacked", False), ("whole_numbers", False),
    ]  # fmt: skip
    ran = FakeSandbox().run(judge.order(exercise, known, KEEPS, known.tests, Lane.FAST))
    report = judge.judge(exercise, known, ran, source=KEEPS, submission=None)
    shown = [test.stdout for test in report.tests]
    assert shown == ["kept []\n", "kept [2.5]\n", None, None, None, None]


class FullDisk(Cache):
    def save(self, expectations: Expectations) -> None:
        raise OSError(28, "No space left on device")


def test_a_full_disk_costs_the_cache_and_nothing_else(
    expectations: Expectations, tmp_path: Path
) -> None:
    cache = FullDisk(tmp_path)
    assert load_or_compute(load(SMALL), lambda _: expectations, cache) is expectations


def test_what_an_earlier_start_kept_is_not_computed_again(
    expectations: Expectations, tmp_path: Path
) -> None:
    def never(exercise: Exercise) -> Expectations:
        raise AssertionError("computed again")

    exercise = load(SMALL)
    load_or_compute(exercise, lambda _: expectations, Cache(tmp_path))
    kept = load_or_compute(exercise, never, Cache(tmp_path))
    assert kept.digest == expectations.digest
