"""The latest proof of each folder, made when it is asked for and kept until the folder changes."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.catalog import ExerciseErrors, load
from app.catalog import folder as folders
from app.model import Exercise
from app.verify.proof import Proof
from app.verify.prove_folder import Means, prove

WAITING = 8
"""Callers that make a proof or wait for one: each holds a thread in which pages are made."""


class TooManyProofs(Exception):
    """So many folders are being proved that another one has to wait."""


@dataclass(frozen=True)
class ProvedFolder:
    """A proof, and the exercise as it was then; None where the folder does not load."""

    proof: Proof
    exercise: Exercise | None


@dataclass(frozen=True)
class KnownFolder:
    """A folder by name, and its proof; `changed` where what was proved is not what is there now."""

    name: str
    proved: ProvedFolder | None
    changed: bool


class ProofCache:
    """Proves folders one at a time each, and keeps a proof until its folder changes."""

    def __init__(self, list_folders: Callable[[], tuple[Path, ...]], means: Means) -> None:
        self._list_folders, self._means = list_folders, means
        self._proved: dict[Path, tuple[folders.Signature, ProvedFolder]] = {}
        self._locks: defaultdict[Path, threading.Lock] = defaultdict(threading.Lock)
        self._places = threading.BoundedSemaphore(WAITING)

    def known(self) -> tuple[KnownFolder, ...]:
        """Every folder, with its proof where there is a current one."""
        return tuple(self._known(folder) for folder in self._list_folders())

    def _known(self, folder: Path) -> KnownFolder:
        found = self._current(folder)
        return KnownFolder(folder.name, found, found is None and folder in self._proved)

    def proved(self, slug: str, *, again: bool = False) -> ProvedFolder | None:
        """The proof of a folder, made now where there is none; None for no such folder.

        Blocks for some seconds where the folder has to be proved. Raises TooManyProofs where too
        many do already; SandboxFault passes.
        """
        folder = next((f for f in self._list_folders() if f.name == slug), None)
        if folder is None:
            return None
        found = None if again else self._current(folder)
        if found is not None:
            return found
        if not self._places.acquire(blocking=False):
            raise TooManyProofs
        try:
            return self._made(folder, again=again)
        finally:
            self._places.release()

    def _made(self, folder: Path, *, again: bool) -> ProvedFolder:
        with self._locks[folder]:
            found = None if again else self._current(folder)
            if found is None:
                signature = current(folder)
                found = ProvedFolder(prove(folder, self._means), _exercise(folder))
                self._proved[folder] = signature, found
        return found

    def _current(self, folder: Path) -> ProvedFolder | None:
        kept = self._proved.get(folder)
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
