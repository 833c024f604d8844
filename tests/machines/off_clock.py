"""`mlgrind` for libfaketime, under which Python's `time.sleep` fails at once.

Where it leaves the steady clock alone, without which no wait with a time limit ends, it takes the
moment until which to sleep for one by its own clock. So sleeping goes another way here.
"""

from __future__ import annotations

import select
import sys
import time


def sleep(seconds: float) -> None:
    """Sleep, as `time.sleep` does."""
    select.select((), (), (), seconds)


if __name__ == "__main__":
    time.sleep = sleep  # type: ignore[assignment]
    from app.cli import main

    sys.argv[0] = "mlgrind"
    main()
