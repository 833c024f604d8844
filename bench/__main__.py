"""Measures this machine and prints medians and ratios, all from one run.

Nothing here fails: a figure past its aim is marked, for a person to judge. Other work on the
machine makes every figure worse, the ratios least.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator

from bench import (
    authors,
    beside,
    classes,
    crowd,
    growth,
    instant,
    jail,
    journey,
    language,
    lecture,
    many_machines,
    million,
    names,
    queue_crowds,
    queue_million,
    sets,
    web,
)
from bench.figures import Figure, table, to_json

ROOMS: dict[str, Callable[[], Iterator[Figure]]] = {
    "language": language.figures,
    "jail": jail.figures,
    "web": web.figures,
    "latency": instant.latency,
    "journey": journey.figures,
    "pages": instant.pages,
    "crowd": crowd.crowd,
    "kept": instant.kept,
    "memory": instant.memory,
    "million": million.figures,
    "growth": growth.figures,
    "names": names.figures,
    "sets": sets.figures,
    "authors": authors.figures,
    **{row.name: row.figures for row in beside.ROWS},
    "classes": classes.figures,
    "lecture": lecture.figures,
    "queue": many_machines.figures,
    "queue-crowd": queue_crowds.thinking,
    "queue-overload": queue_crowds.overload,
    "queue-drain": queue_crowds.drain,
    "queue-million": queue_million.figures,
    "storm": many_machines.storm,
}


def main() -> None:
    """Measure the rooms named, or all of them."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure this machine.")
    parser.add_argument("rooms", nargs="*", choices=[*ROOMS, []], help="; ".join(ROOMS))
    parser.add_argument("--json", action="store_true", help="one JSON list")
    asked = parser.parse_args()
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} CPUs, load {load:.1f} before the run", file=sys.stderr)
    found: list[Figure] = []
    for room in asked.rooms or ROOMS:
        for figure in ROOMS[room]():
            found.append(figure)
            if not asked.json:
                print(table([figure]), flush=True)
    if asked.json:
        print(to_json(found))


if __name__ == "__main__":
    main()
