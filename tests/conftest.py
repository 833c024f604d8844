"""What every test stands on: no data of this checkout, the same random inputs each time."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.known import BY_THE_JAIL

# A failure must come back on the next run; a slow machine is no failure.
settings.register_profile(
    "repeatable",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")


# Set before any fixture of a module starts a server.
os.environ["MLGRIND_CACHE"] = str(BY_THE_JAIL)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-goldens", action="store_true", help="write tests/golden anew")


@pytest.fixture(autouse=True)
def data_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or writes the checkout's own ./data: each has a directory of its own."""
    data = tmp_path / "data"
    monkeypatch.setenv("MLGRIND_DATA", str(data))
    return data
