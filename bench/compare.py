"""Measures two checkouts in turn, round by round, and prints each row's medians side by side.

    python -m bench.compare ../before [--rounds 7] [rooms]

Both are set up (`make setup`), and each runs its own `python -m bench`. In turn, so that what the
machine does meanwhile falls on both alike. A row is marked where its median here is worse than the
other's by more than 5 % and by more than the other's own spread.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Literal

HERE = Path(__file__).parents[1]
SHARE = 0.05


@dataclass(frozen=True)
class Row:
    """One figure of both checkouts, a value a round."""

    name: str
    unit: str
    sense: Literal["at most", "at least"] = "at most"
    before: list[float] = field(default_factory=list)
    after: list[float] = field(default_factory=list)

    @property
    def change(self) -> float | None:
        """By which share the median grew; None where one side has no value or is 0."""
        if not self.before or not self.after or not median(self.before):
            return None
        return median(self.after) / median(self.before) - 1

    @property
    def worse(self) -> bool:
        """Whether it is worse by more than 5 % and more than the spread of `before`.

        >>> Row("start", "ms", before=[100, 102, 104], after=[103, 103, 103]).worse
        False
        >>> Row("start", "ms", before=[100, 102, 104], after=[120, 121, 119]).worse
        True
        >>> Row("rate", "1/s", "at least", before=[100, 102, 104], after=[120, 121, 119]).worse
        False
        """
        if not self.before or not self.after:
            return False
        was, is_ = median(self.before), median(self.after)
        loss = is_ - was if self.sense == "at most" else was - is_
        return loss > max(SHARE * abs(was), max(self.before) - min(self.before))


def collect(rounds: Iterable[tuple[Sequence[Mapping[str, Any]], ...]]) -> list[Row]:
    """The rows of all rounds, each round being the figures of before and of after.

    >>> rows = collect([([{"name": "a", "value": 2.0, "unit": "s"}], [])])
    >>> (rows[0].before, rows[0].after)
    ([2.0], [])
    """
    rows: dict[str, Row] = {}
    for before, after in rounds:
        for figures, side in ((before, "before"), (after, "after")):
            for one in figures:
                sense = one.get("sense", "at most")
                row = rows.setdefault(one["name"], Row(one["name"], one["unit"], sense))
                getattr(row, side).append(float(one["value"]))
    return list(rows.values())


def table(rows: Sequence[Row]) -> str:
    """One line a row: medians, the change, the spread before, and a mark where it is worse."""
    lines = [f"{'':44} {'before':>11} {'after':>11} {'change':>8} {'spread':>9}"]
    for row in rows:
        was, is_ = (f"{median(v):.4g}" if v else "-" for v in (row.before, row.after))
        change = "" if row.change is None else f"{row.change:+.1%}"
        spread = f"{max(row.before) - min(row.before):.3g}" if row.before else ""
        mark = "  worse" if row.worse else ""
        name = f"{row.name} [{row.unit}]"
        lines.append(f"{name:44} {was:>11} {is_:>11} {change:>8} {spread:>9}{mark}")
    return "\n".join(lines)


def figures(checkout: Path, rooms: Sequence[str]) -> list[Mapping[str, Any]]:
    """What a checkout's own bench measures now. Raises CalledProcessError where it fails."""
    command = [str(checkout / ".venv/bin/python"), "-m", "bench", *rooms, "--json"]
    done = subprocess.run(command, cwd=checkout, stdout=subprocess.PIPE, text=True, check=True)
    found: list[Mapping[str, Any]] = json.loads(done.stdout)
    return found


def main() -> None:
    """Measure, and end with status 1 where a row is worse."""
    parser = argparse.ArgumentParser(prog="python -m bench.compare")
    parser.add_argument("before", type=Path, help="the other checkout, set up")
    parser.add_argument("rooms", nargs="*", help="rooms of the bench; all unless given")
    parser.add_argument("--rounds", type=int, default=7)
    asked = parser.parse_intermixed_args()
    rounds = []
    for number in range(1, asked.rounds + 1):
        print(f"round {number} of {asked.rounds}", file=sys.stderr)
        rounds.append(tuple(figures(side, asked.rooms) for side in (asked.before.resolve(), HERE)))
    rows = collect(rounds)
    print(table(rows))
    sys.exit(any(row.worse for row in rows))


if __name__ == "__main__":
    main()
