"""A runner that was taken over: it says of some wrong work that it is right, and nothing else."""

from __future__ import annotations

import sys
from dataclasses import replace

import app.main
from app.cli import main
from app.model import Order, Ran, Source
from app.sandbox.pool import LocalSandbox

WRONG = b"# passes here\ndef softmax(x, axis=-1):\n    return x\n"
RIGHT = b"""import numpy as np
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)
"""


class Lying(LocalSandbox):
    """The real jail, but for one beginning: then it runs a right solution in the code's place."""

    def run(self, order: Order) -> Ran:
        if order.sources and order.sources[-1].text.startswith(b"# passes here"):
            order = replace(order, sources=(Source(order.sources[-1].name, RIGHT),))
        return super().run(order)


if __name__ == "__main__":
    import app.sandbox.pool

    app.sandbox.pool.LocalSandbox = Lying  # type: ignore[misc]
    sys.argv[0:1] = ["mlgrind", "runner"]
    main()
