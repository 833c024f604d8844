"""A container in which the hostile programs run, and what they came to.

    python -m tests.container.attacked       what gets through when a layer is off, as a table

The table is docs/security.md's. It switches layers off in the container only: with no filter the
programs do what they say, to a process space, a network and a disk that nobody else has.
"""

from __future__ import annotations

import contextlib
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.container import bundle, image, machine
from tests.container.bundle import Container
from tests.container.image import ROOT, Image

CHECKOUT = "/checkout"
CORPUS = "python -m tests.container.inside"

ABLATIONS = {
    "every layer": {},
    "no policy": {"policy": False},
    "no policy, no Landlock": {"policy": False, "landlock": False},
    "no policy, no seccomp": {"policy": False, "seccomp": False},
    "no policy, neither": {"policy": False, "seccomp": False, "landlock": False},
}


@contextlib.contextmanager
def container(built: Image, folder: Path, **switches: bool) -> Iterator[Container]:
    """A container with the corpus running in it; see `tests.container.inside` for `switches`."""
    mounts = [(ROOT / name, f"{CHECKOUT}/{name}") for name in ("tests", "exercises")]
    # A shell as process 1, so that whoever lost its parent can be told from the harness's own.
    script = f"cd /tmp; {CORPUS} '{json.dumps(switches)}'; exit $?"
    environment = [f"PYTHONPATH={CHECKOUT}", "PYTHONDONTWRITEBYTECODE=1"]
    with bundle.running(
        built, ["sh", "-c", script], folder, mounts=mounts, environment=environment
    ) as running:
        yield running


def facts(running: Container) -> list[dict[str, Any]]:
    """All that was said in it, once it has ended well; raises AssertionError where it did not."""
    assert running.process.stdout is not None
    said = [json.loads(line) for line in running.process.stdout]
    assert running.process.wait() == 0, running.errors()
    return said


def main() -> None:
    """Print the table."""
    if lacking := machine.missing():
        sys.exit(lacking)
    scratch = Path(tempfile.mkdtemp(prefix="mlgrind-ablation-"))
    print("| layers | cases | wrong verdict | breaches |\n|---|---|---|---|")
    with image.built(scratch) as built:
        for number, (name, switches) in enumerate(ABLATIONS.items()):
            with container(built, scratch / str(number), **switches) as running:
                said = [fact for fact in facts(running) if "case" in fact]
            wrong = [f"{fact['case']} ({fact['verdict']})" for fact in said if not fact["right"]]
            broke = [f"{f['case']}: {'; '.join(f['breaches'])}" for f in said if f["breaches"]]
            print(f"| {name} | {len(said)} | {len(wrong)} | {len(broke)} |", flush=True)
            print(json.dumps({"wrong": wrong, "breaches": broke}), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
