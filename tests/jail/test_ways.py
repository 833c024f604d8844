"""Every way in which Python reaches an attribute or the inside of a class, tried by a program.

Each is a file of the corpus, tests/hostile/cases/way_*.py, that raises KeyError where it worked.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.jail.policy.compile import compile_source
from tests.jail.programs import FILE, run, run_plainly

_CASES = Path(__file__).parents[1] / "hostile" / "cases"
_WAYS = sorted(_CASES.glob("way_*.py"))
_WORKED = "PAST THE POLICY"


def test_there_is_a_program_for_each_way() -> None:
    assert len(_WAYS) >= 60


@pytest.mark.parametrize("path", _WAYS, ids=lambda path: path.stem)
def test_a_way_works_in_plain_python(path: Path) -> None:
    """A program that no longer works proves nothing."""
    error = run_plainly(path.read_text("utf-8"))[2]
    assert error is not None
    assert error[0] == "KeyError"
    assert _WORKED in error[1]


@pytest.mark.parametrize("path", _WAYS, ids=lambda path: path.stem)
def test_a_way_does_not_work_under_the_policy(path: Path) -> None:
    source = path.read_text("utf-8")
    if compile_source(source.encode(), FILE).code is None:
        return
    error = run(source).error
    assert error is None or _WORKED not in error["message"]
    if error is not None:
        assert error["type"] in ("NotAvailable", "ValueError"), error


def test_the_page_on_security_lists_every_way_once() -> None:
    page = (_CASES.parents[2] / "docs" / "security.md").read_text("utf-8")
    rows = [line for line in page.splitlines() if line.startswith("|") and "`" in line]
    listed = re.findall(r"`(\w+)`", " ".join(row.rsplit("|", 2)[1] for row in rows))
    ways = [path.stem.removeprefix("way_") for path in _WAYS]
    assert sorted(name for name in listed if name in ways) == ways
