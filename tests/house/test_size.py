"""A module fits on a few screens: at most 250 lines, but for those listed with a reason."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST = 250
WITH_MARGIN = 290
"""A module that grows over 250 lines is cut along its meaning at the next occasion."""

ON_ONE_PAGE = {
    "app/model/classes.py": "the nouns of classes: frozen data, nothing that is done",
    "app/jail/wire_values.py": "how a value is written stands beside how it is read",
    "app/storage/schema_classes.py": "tables, as declarations",
    "app/storage/migrations/versions/0003_assignments.py": "tables, as declarations",
}
"""What is read side by side, and so stands on one page."""


def lengths() -> dict[str, int]:
    paths = [*(ROOT / "app").rglob("*.py"), *(ROOT / "bench").rglob("*.py")]
    return {path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines()) for path in paths}


def test_no_module_is_longer_than_it_may_be() -> None:
    found = {name: n for name, n in lengths().items() if n > WITH_MARGIN}
    assert found.keys() <= ON_ONE_PAGE.keys(), found


def test_most_modules_are_short() -> None:
    found = lengths()
    assert sum(n > MOST for n in found.values()) < len(found) / 20


def test_what_is_excepted_is_long() -> None:
    assert {name for name, n in lengths().items() if n > MOST} >= ON_ONE_PAGE.keys()
