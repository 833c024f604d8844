"""A container in which the hostile programs run, and what they came to.

    python -m tests.container.attacked [ROW…]    what gets through when a layer is off, as a table

The table is docs/security.md's. It switches layers off in the container only: with no filter the
programs do what they say, to a process space, a network and a disk that nobody else has.
"""

from __future__ import annotations

import contextlib
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.container import bundle, image, inside, machine
from tests.container.bundle import Container
from tests.container.image import ROOT, Image

CHECKOUT = "/checkout"
CORPUS = "python -m tests.container.inside"

BARE = {"policy": False}
ABLATIONS: dict[str, dict[str, bool]] = {
    "everything": {},
    "all but the policy": BARE,
    "the policy alone": {"seccomp": False, "landlock": False, "namespaces": False},
    "seccomp alone": BARE | {"landlock": False, "namespaces": False},
    "Landlock and namespaces": BARE | {"seccomp": False},
    "Landlock alone": BARE | {"seccomp": False, "namespaces": False},
    "namespaces alone": BARE | {"seccomp": False, "landlock": False},
    "none of them": BARE | {"seccomp": False, "landlock": False, "namespaces": False},
}
"""What stands in each row of the table; resource limits and no_new_privs always do."""


@contextlib.contextmanager
def container(
    built: Image, folder: Path, **switches: bool | str | Sequence[str]
) -> Iterator[Container]:
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


def outcomes(built: Image, folder: Path, switches: dict[str, bool]) -> list[dict[str, Any]]:
    """Of each case what it came to. One that ends the harness itself is a breach; the rest follow.

    Without the wall a program may signal all that its user runs, and so whoever watches it.
    """
    names = inside.of(policy=switches.get("policy", True), whole=True)
    found: list[dict[str, Any]] = []
    while len(found) < len(names):
        after = found[-1]["case"] if found else ""
        with container(
            built, folder / str(len(found)), **switches, after=after, names=names
        ) as running:
            assert running.process.stdout is not None
            said = [json.loads(line) for line in running.process.stdout]
            assert {"begin": True} in said, running.errors()
            found += [fact for fact in said if "case" in fact]
        if len(found) < len(names):
            breach = ["ended the program that watched it"]
            case = names[len(found)]
            found.append({"case": case, "verdict": "", "right": False, "breaches": breach})
    return found


def main() -> None:
    """Print the table, a line a row, and of each row what got through."""
    if lacking := machine.missing():
        sys.exit(lacking)
    scratch = Path(tempfile.mkdtemp(prefix="mlgrind-ablation-"))
    with image.built(scratch) as built:
        for number, name in enumerate(sys.argv[1:] or ABLATIONS):
            found = outcomes(built, scratch / str(number), ABLATIONS[name])
            wrong = [fact for fact in found if not fact["right"]]
            broke = [fact for fact in found if fact["breaches"]]
            print(f"| {name} | {len(found)} | {len(wrong)} | {len(broke)} |")
            for fact in wrong:
                print(f"    {fact['case']} came to {fact['verdict'] or 'nothing'}")
            for fact in broke:
                print(f"    {fact['case']}: {'; '.join(fact['breaches'])}", flush=True)


if __name__ == "__main__":
    main()
