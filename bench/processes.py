"""What a process and all below it have used, by /proc."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def below(pid: int) -> list[int]:
    """All descendants that live; one that ends meanwhile has none."""
    try:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    except OSError:
        return []
    found = [int(child) for child in listed.split()]
    return found + [each for child in found for each in below(child)]


def cpu_s(pid: int) -> float:
    """Seconds of CPU of a process and its descendants, those that ended among them."""
    return sum(_one_s(each) for each in (pid, *below(pid)))


def _one_s(pid: int) -> float:
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(int(ticks) for ticks in fields[11:15]) / TICKS
    return 0.0
