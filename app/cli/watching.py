"""`mlgrind check --watch`: folders checked again when they change, until Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from datetime import datetime
from itertools import chain
from pathlib import Path

from app.cli.common import printable

WATCH_MS = 1000

Stamps = dict[str, tuple[int, int, int]]
"""Of each file of a folder its size, time and inode."""


def check_again(folders: list[Path], check: Callable[[list[Path]], bool], *, tell: bool) -> bool:
    """Check, then check again what changes; whether all was good at last.

    What a folder looked like when it was checked is compared, so that nothing is missed that
    changes meanwhile. With `tell` a line says what changed. Ctrl-C is remembered as well as
    raised: raised alone, it can get lost in a library's own code.
    """
    from watchfiles import watch

    from app.verify.proof_cache import current

    seen: dict[Path, object] = {}
    files: dict[Path, Stamps] = {}
    good: dict[Path, bool] = {}
    ended = _ended_by_ctrl_c()
    changes = watch(*folders, stop_event=ended, yield_on_timeout=True, rust_timeout=WATCH_MS)
    try:
        for _ in chain([()], changes):
            now = {folder: current(folder) for folder in folders}
            for folder in [f for f in folders if seen.get(f) != now[f] and not ended.is_set()]:
                if folder in seen and tell:
                    print(_divider(files.get(folder, {}), stamps(folder)), flush=True)
                seen[folder], good[folder] = now[folder], False
                files[folder] = stamps(folder)
                good[folder] = check([folder])
    except KeyboardInterrupt:
        pass
    return all(good.values())


def _ended_by_ctrl_c() -> threading.Event:
    """Set at the first Ctrl-C, which is raised too; later ones leave the closing alone."""
    ended = threading.Event()

    def interrupted(*_: object) -> None:
        if not ended.is_set():
            ended.set()
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupted)
    return ended


def stamps(folder: Path) -> Stamps:
    """How the files of a folder look now; nothing where it can't be read."""
    from app.catalog.folder import signature

    try:
        return {path: (size, time, inode) for path, size, time, inode in signature(folder)}
    except OSError:
        return {}


def _divider(before: Stamps, now: Stamps) -> str:
    """ "── 14:03:05, changed: cases.py, hints.md ──" between two checks of a folder."""
    changed = sorted(path for path in {*before, *now} if before.get(path) != now.get(path))
    what = f", changed: {', '.join(changed)}" if changed else ""
    return printable(f"\n── {datetime.now():%H:%M:%S}{what} ──\n")
