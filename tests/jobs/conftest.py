"""Dispatchers in this process have event loops of their own."""

import pytest


@pytest.fixture(autouse=True)
def own_loops(no_loop_runs: None) -> None:
    """Every test of this room may run a loop."""
