"""A runner without the language policy: what the other layers of its wall hold alone."""

from __future__ import annotations

import sys

from app.cli import main
from app.sandbox import pool
from app.sandbox.keeper import Layers


class Unpoliced(pool.LocalSandbox):
    """The real jail, but that it compiles whatever parses."""

    def __init__(self, *, spares: int) -> None:
        super().__init__(spares=spares, parts=Layers(policy=False))


if __name__ == "__main__":
    pool.LocalSandbox = Unpoliced  # type: ignore[assignment, misc]
    sys.argv[0:1] = ["mlgrind", "runner"]
    main()
