"""The author's desk of a running server: the latest proof of each folder, made when asked for."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.catalog import ExerciseErrors, load
from app.catalog import folder as folders
from app.model import Exercise
from app.verify.folder import Means, prove
from app.verify.proof import Proof


@dataclass(frozen=True)
class Sheet:
    """A proof, and the exercise as it was then; None where the folder does not load."""

    proof: Proof
    exercise: Exercise | None


class Desk:
    """Proves folders one at a time each, and keeps a proof until its folder changes."""

    def __init__(self, list_folders: Callable[[], tuple[Path, ...]], means: Means) -> None:
        self._list_folders, self._means = list_folders, means
        self._sheets: dict[Path, tuple[folders.Signature, Sheet]] = {}
        self._locks: defaultdict[Path, threading.Lock] = defaultdict(threading.Lock)

    def known(self) -> tuple[tuple[str, Sheet | None], ...]:
        """Every folder by its name, with its sheet where there is a current one."""
        return tuple((folder.name, self._current(folder)) for folder in self._list_folders())

    def sheet(self, slug: str, *, again: bool = False) -> Sheet | None:
        """The sheet of a folder, made now where there is none; None for no such folder.

        Blocks for some seconds where the folder has to be proved. SandboxFault passes.
        """
        folder = next((f for f in self._list_folders() if f.name == slug), None)
        if folder is None:
            return None
        with self._locks[folder]:
            found = None if again else self._current(folder)
            if found is None:
                signature = current(folder)
                found = Sheet(prove(folder, self._means), _exercise(folder))
                self._sheets[folder] = signature, found
        return found

    def _current(self, folder: Path) -> Sheet | None:
        kept = self._sheets.get(folder)
        return kept[1] if kept is not None and kept[0] == current(folder) else None


def current(folder: Path) -> folders.Signature:
    """What a folder's files look like now; () where it can't be read."""
    try:
        return folders.signature(folder)
    except OSError:
        return ()


def _exercise(folder: Path) -> Exercise | None:
    try:
        return load(folder)
    except ExerciseErrors:
        return None
