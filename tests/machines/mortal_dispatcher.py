"""A dispatcher that some code can end: what a bug of ours could be, for the tests of that.

It is taken for dead sooner than a real one, and tries less often.
"""

from __future__ import annotations

import os
import sys
from typing import Any

DEADLY = b"# ends the dispatcher"
WAITS = (0.1, 0.2)
TRIES = len(WAITS) + 1


def hurry() -> None:
    """Shorter times than the real ones, before they are read."""
    from app.jobs import job_rows, retries, takeovers

    takeovers.STALLED_S, job_rows.HEARTBEAT_S = 3.0, 0.5
    retries.Ladder.__init__.__defaults__ = (WAITS,)


def be_mortal() -> None:
    """Judge as the real one does, but for one line that no dispatcher survives."""
    from app.service import grading, judging

    judge = judging.judge_submission

    def judge_or_end(*given: Any, **named: Any) -> Any:
        if any(isinstance(one, bytes) and one.startswith(DEADLY) for one in given):
            os._exit(1)
        return judge(*given, **named)

    grading.judge_submission = judge_or_end  # type: ignore[attr-defined]


if __name__ == "__main__":
    hurry()
    be_mortal()
    from app.cli import main

    sys.argv[0] = "mlgrind"
    main()
