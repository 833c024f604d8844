"""`mlgrind` as an earlier or a later release of ours: `of_release.py earlier|later COMMAND …`.

The later one's jobs are of a version that the earlier one can't read, and its jail is of another
software. A job that can't be read waits a second here, and not thirty.
"""

from __future__ import annotations

import sys

LATER = 3


def become(release: str) -> None:
    """Change what a release changes, before it is read."""
    from app.jobs import deferring, grader
    from app.sandbox import software

    grader.LATER_S = 1.0
    if release == "later":
        deferring.VERSION = grader.VERSION = LATER  # type: ignore[attr-defined]
        software.software = lambda: "another NumPy"  # type: ignore[assignment]


if __name__ == "__main__":
    become(sys.argv.pop(1))
    from app.cli import main

    sys.argv[0] = "mlgrind"
    main()
