"""All exercises of several folders, kept in memory and read again when a folder changes."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from app.catalog import folder as folders
from app.catalog.errors import ExerciseError, ExerciseErrors
from app.catalog.exercise import is_slug, load
from app.model import Exercise


@dataclass(frozen=True)
class FolderComplaint:
    """What is off about one folder."""

    folder: str
    errors: tuple[ExerciseError, ...]

    def __str__(self) -> str:
        return "\n".join(f"{self.folder}/{error}" for error in self.errors)


@dataclass(frozen=True)
class _Entry:
    """A folder as it was last read."""

    signature: folders.Signature
    exercise: Exercise | None
    errors: tuple[ExerciseError, ...]


_All: TypeAlias = tuple[tuple[Exercise, ...], tuple[FolderComplaint, ...]]
"""Every sound exercise in order, and what is off about the others."""


class Catalog:
    """The exercises in these directories, each a folder of its own; safe to use from threads.

    Every question looks at the files again (a `stat` each) and reads only what changed; one within
    `fresh_s` of the last is answered by that.
    Two folders with one slug are a complaint: the first directory's stays.

    >>> catalog = Catalog([Path("exercises")])
    >>> catalog.get("multi-head-attention").title
    'Multi-Head Attention'
    >>> catalog.get("no-such-exercise") is None
    True
    >>> catalog.complaints()
    ()
    """

    def __init__(
        self,
        directories: Iterable[Path],
        tell: Callable[[FolderComplaint], None] | None = None,
        fresh_s: float = 0.0,
    ) -> None:
        """`tell` hears of each complaint once, when it is found; it must not call back.

        A server's folders are looked at once in `fresh_s` seconds, not for every request.
        """
        self._fresh_s = fresh_s
        self._looked: dict[str, tuple[float, Exercise]] = {}
        self._all: tuple[float, _All] | None = None
        self._tell = tell
        self._told: dict[str, FolderComplaint] = {}
        self._directories = tuple(Path(directory).resolve() for directory in directories)
        self._entries: dict[Path, _Entry] = {}
        self._lock = threading.Lock()

    def get(self, slug: str) -> Exercise | None:
        """The exercise of a slug; None where there is none, or its folder is broken.

        Looks at that slug's folder only.
        """
        if not is_slug(slug):
            return None
        with self._lock:
            at, known = self._looked.get(slug, (-math.inf, None))
            if known is not None and self._is_fresh(at):
                return known
            for directory in self._directories:
                if (directory / slug).is_dir() and (
                    found := self._entry(directory / slug).exercise
                ):
                    self._looked[slug] = time.monotonic(), found
                    return found
            self._looked.pop(slug, None)
        return None

    def all(self) -> tuple[Exercise, ...]:
        """Every sound exercise, by section and order; a section comes after what it builds on."""
        return self._refreshed()[0]

    def folders(self) -> tuple[Path, ...]:
        """Every folder in the directories, sound or broken; what can't be read is left out."""
        return tuple(self._folders([]))

    def complaints(self) -> tuple[FolderComplaint, ...]:
        """What is off about the broken folders; empty when all is well."""
        return self._refreshed()[1]

    def _is_fresh(self, at: float) -> bool:
        return time.monotonic() - at < self._fresh_s

    def _refreshed(self) -> _All:
        with self._lock:
            if self._all is None or not self._is_fresh(self._all[0]):
                self._all = time.monotonic(), self._look()
            return self._all[1]

    def _look(self) -> _All:
        exercises: dict[str, Exercise] = {}
        complaints: list[FolderComplaint] = []
        seen = set()
        for folder in self._folders(complaints):
            seen.add(folder)
            entry = self._entry(folder)
            if entry.errors:
                complaints.append(FolderComplaint(str(folder), entry.errors))
            elif entry.exercise is not None and entry.exercise.slug in exercises:
                complaints.append(_twice(folder, exercises[entry.exercise.slug]))
            elif entry.exercise is not None:
                exercises[entry.exercise.slug] = entry.exercise
        for gone in self._entries.keys() - seen:
            del self._entries[gone]
        complaints += _unknown_after(exercises)
        self._announce(complaints)
        return _ordered(exercises), tuple(complaints)

    def _announce(self, complaints: list[FolderComplaint]) -> None:
        """Tell what was not told before; what was mended is told again when it comes back."""
        told, self._told = self._told, {str(complaint): complaint for complaint in complaints}
        for text, complaint in self._told.items():
            if self._tell is not None and text not in told:
                self._tell(complaint)

    def _folders(self, complaints: list[FolderComplaint]) -> list[Path]:
        found = []
        for directory in self._directories:
            try:
                entries = sorted(directory.iterdir())
            except OSError as error:
                reason = f"can't be read: {error.strerror or type(error).__name__}."
                complaints.append(
                    FolderComplaint(str(directory), (ExerciseError(".", "", reason),))
                )
                continue
            found += [e for e in entries if e.is_dir() and not e.name.startswith((".", "_"))]
        return found

    def _entry(self, folder: Path) -> _Entry:
        try:
            signature = folders.signature(folder)
        except OSError:
            signature = ()
        known = self._entries.get(folder)
        if known is not None and signature and known.signature == signature:
            return known
        try:
            entry = _Entry(signature, load(folder), ())
        except ExerciseErrors as broken:
            entry = _Entry(signature, None, broken.errors)
        self._entries[folder] = entry
        return entry


def _ordered(exercises: Mapping[str, Exercise]) -> tuple[Exercise, ...]:
    depth = _depths(exercises)
    every = exercises.values()
    return tuple(sorted(every, key=lambda e: (depth[e.section], e.section, e.order, e.slug)))


def _twice(folder: Path, first: Exercise) -> FolderComplaint:
    message = f"has the slug of {first.folder}, which is used. Rename one of the two folders."
    return FolderComplaint(str(folder), (ExerciseError(".", "", message),))


def _unknown_after(exercises: dict[str, Exercise]) -> list[FolderComplaint]:
    """An exercise that comes after one that is not there still works, and its author is told."""
    complaints = []
    for exercise in exercises.values():
        missing = [slug for slug in exercise.after if slug not in exercises]
        if missing:
            error = ExerciseError(
                "exercise.toml", "after", f"names {', '.join(missing)}, not here."
            )
            complaints.append(FolderComplaint(exercise.folder, (error,)))
    return complaints


def _depths(exercises: Mapping[str, Exercise]) -> dict[str, int]:
    """How many sections lead to each; a circle of sections ends at their number."""
    before: dict[str, set[str]] = {exercise.section: set() for exercise in exercises.values()}
    for exercise in exercises.values():
        others = {exercises[slug].section for slug in exercise.after if slug in exercises}
        before[exercise.section] |= others - {exercise.section}
    depth = dict.fromkeys(before, 0)
    for _ in before:
        for section, others in before.items():
            deepest = max((depth[other] + 1 for other in others), default=0)
            depth[section] = min(deepest, len(before))
    return depth
