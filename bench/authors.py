"""What an author waits for: the proof of every exercise."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

from bench.figures import Figure, at_most, timed
from bench.serving import MLGRIND, ROOT


def figures() -> Iterator[Figure]:
    """`mlgrind check` over all that ship. Raises CalledProcessError where it has a complaint."""
    spent = timed(
        lambda: subprocess.run(
            [MLGRIND, "check"], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=None, check=True
        )
    )
    shipped = len(list((ROOT / "exercises").glob("*/exercise.toml")))
    yield at_most(f"`mlgrind check` of {shipped} exercises", spent, "s", 60)
