"""An exercise folder in memory: regular files only, few and small, nothing of it executed."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from app.catalog.errors import ExerciseError

MAX_BYTES = 1024 * 1024
MAX_FILES = 100
MAX_DEPTH = 1
REQUIRED = (
    "exercise.toml",
    "statement.md",
    "starter.py",
    "reference.py",
    "cases.py",
    "hints.md",
)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_IGNORED = ("__pycache__",)

Signature = tuple[tuple[str, int, int, int], ...]


def signature(folder: Path) -> Signature:
    """Path, size, time and inode of every entry: it changes when a file of the folder does.

    Costs one `stat` a file. Raises OSError where the folder can't be read.
    """
    return tuple(
        sorted((path, s.st_size, s.st_mtime_ns, s.st_ino) for path, s in _entries(folder, ""))
    )


def read(folder: Path) -> tuple[dict[str, bytes], list[ExerciseError]]:
    """Every file of the folder by its path in it, and what is off about the files themselves.

    Raises OSError where the folder can't be read.
    """
    files, errors = regular_files(folder)
    if not files and errors and errors[0].file == ".":
        return files, errors
    errors += [
        ExerciseError(name, "", "is missing. Every exercise needs it.")
        for name in REQUIRED
        if name not in files and not any(error.file == name for error in errors)
    ]
    return files, errors


def regular_files(folder: Path) -> tuple[dict[str, bytes], list[ExerciseError]]:
    """The small regular files of any folder, and a complaint about everything else in it.

    Links and devices are refused, not followed: a folder may come from a stranger.
    """
    files: dict[str, bytes] = {}
    errors: list[ExerciseError] = []
    entries = sorted(_entries(folder, ""), key=lambda entry: entry[0])
    if len(entries) > MAX_FILES:
        message = f"holds {len(entries)} files; {MAX_FILES} is the most. Take some out."
        return {}, [ExerciseError(".", "", message)]
    for path, status in entries:
        complaint = _complaint(path, status)
        if complaint:
            errors.append(ExerciseError(path, "", complaint))
        else:
            files[path] = _bytes(folder / path)
    return files, errors


def digest(files: dict[str, bytes]) -> str:
    """SHA-256 over all paths and contents, each with its length, so that no two folders collide."""
    sha = hashlib.sha256()
    for path, data in sorted(files.items()):
        sha.update(f"{len(path)}:{path}:{len(data)}:".encode())
        sha.update(data)
    return sha.hexdigest()


def _entries(folder: Path, prefix: str) -> Iterator[tuple[str, os.stat_result]]:
    with os.scandir(folder / prefix) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        path = f"{prefix}{entry.name}"
        if entry.name.startswith(".") or entry.name in _IGNORED:
            continue
        status = entry.stat(follow_symlinks=False)
        if stat.S_ISDIR(status.st_mode) and path.count("/") < MAX_DEPTH:
            yield from _entries(folder, f"{path}/")
        else:
            yield path, status


def _complaint(path: str, status: os.stat_result) -> str:
    if stat.S_ISLNK(status.st_mode):
        return "is a link; copy the file itself into the folder."
    if stat.S_ISDIR(status.st_mode):
        return "is a folder too deep inside; keep files at most one folder down."
    if not stat.S_ISREG(status.st_mode):
        return "is not a regular file; remove it."
    if not all(_NAME.fullmatch(part) for part in path.split("/")):
        return "may be named with letters, digits, dots, dashes and underscores only; rename it."
    if status.st_size > MAX_BYTES:
        return f"is {status.st_size:,} bytes long; {MAX_BYTES:,} is the most. Make it smaller."
    return ""


def _bytes(path: Path) -> bytes:
    """The file's bytes, never through a link put there meanwhile, never more than the limit."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(descriptor, "rb") as file:
        return file.read(MAX_BYTES)
