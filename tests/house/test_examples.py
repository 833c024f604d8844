"""The examples in docstrings that an author or a newcomer would copy give what they say."""

from __future__ import annotations

import doctest
from pathlib import Path
from types import ModuleType

import pytest

from app import report
from app.catalog import catalog
from app.grading import checker
from app.model import orders
from app.verify import prove_folder
from bench import compare
from tests.fakes import ONE_AT_A_TIME

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "module",
    [checker, report, orders, prove_folder, catalog, compare],
    ids=lambda module: module.__name__,
)
def test_examples_give_what_they_say(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    with ONE_AT_A_TIME:  # what a fake of an earlier test still runs takes stdout for itself
        result = doctest.testmod(module)
    assert result.attempted >= 3
    assert result.failed == 0
