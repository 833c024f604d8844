"""A runner that some code can end: what a hole in the kernel would be, for the tests of that."""

from __future__ import annotations

import os
import sys

import app.main
from app.cli import main
from app.model import Order, Ran
from app.sandbox.pool import LocalSandbox

DEADLY = b"# ends the machine"


class Mortal(LocalSandbox):
    """The real jail, but for one line that it does not survive."""

    def run(self, order: Order) -> Ran:
        if order.sources and order.sources[-1].text.startswith(DEADLY):
            os._exit(1)
        return super().run(order)


if __name__ == "__main__":
    import app.sandbox.pool

    app.sandbox.pool.LocalSandbox = Mortal  # type: ignore[misc]
    sys.argv[0:1] = ["mlgrind", "runner"]
    main()
