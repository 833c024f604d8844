"""Runs what a Python's version can change on every tested version that this machine has.

    python -m tests.matrix [pytest's arguments]

A version is looked for on PATH (`python3.12`), where pyenv keeps its own, and in `MATRIX_PYTHONS`
(paths, separated by colons). Each gets an environment of its own under .venv/matrix, installed from
the lock file; the one of `.venv` is used as it is.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTED = ((3, 11), (3, 12), (3, 13))
"""README names these."""

ROOMS = ("tests/jail", "tests/tracing", "tests/grading", "tests/hostile")
ASK = "import sys; print(*sys.version_info[:2])"

Version = tuple[int, ...]


def version_of(python: Path) -> Version | None:
    """Major and minor of an interpreter; None where it does not start."""
    try:
        asked = subprocess.run([str(python), "-c", ASK], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return tuple(map(int, asked.stdout.split()))


def candidates(path: str, pyenv: Path, named: str) -> Iterable[Path]:
    """Where an interpreter may be: named ones first, then PATH, then pyenv's, newest first."""
    yield from map(Path, filter(None, named.split(os.pathsep)))
    for major, minor in TESTED:
        on_path = shutil.which(f"python{major}.{minor}", path=path)
        if on_path:
            yield Path(on_path)
    yield from sorted(pyenv.glob("versions/*/bin/python"), reverse=True)


def found(pythons: Iterable[Path]) -> dict[Version, Path]:
    """The first interpreter of each tested version, oldest version first."""
    first: dict[Version, Path] = {}
    for python in pythons:
        version = version_of(python)
        if version in TESTED:
            first.setdefault(version, python)
    return dict(sorted(first.items()))


def environment(version: Version, python: Path) -> Path:
    """The Python of an environment with all that the tests need; made where it is missing."""
    if version == sys.version_info[:2]:
        return Path(sys.executable)
    folder = ROOT / ".venv" / "matrix" / ".".join(map(str, version))
    own, ready = folder / "bin" / "python", folder / ".ready"
    locked = ROOT / "requirements" / "dev.txt"
    if not ready.exists() or ready.stat().st_mtime < locked.stat().st_mtime:
        subprocess.run([str(python), "-m", "venv", str(folder)], check=True)
        install = [str(Path(sys.executable).with_name("uv")), "pip", "install", "--quiet"]
        install += ["--python", str(own)]
        subprocess.run([*install, "--require-hashes", "-r", str(locked)], check=True)
        here = ["--no-deps", "--no-build-isolation", "--offline", "--editable", str(ROOT)]
        subprocess.run([*install, *here], check=True)
        ready.touch()
    return own


def main(arguments: Sequence[str]) -> int:
    """Run the rooms on each version found; 0 where all passed on all."""
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    path, named = os.environ.get("PATH", ""), os.environ.get("MATRIX_PYTHONS", "")
    pythons = found([Path(sys.executable), *candidates(path, home, named)])
    failed = []
    for version, python in pythons.items():
        spelled = ".".join(map(str, version))
        print(f"Python {spelled} ({python})", flush=True)
        program = [str(environment(version, python)), "-m", "pytest", "-n", "2", *ROOMS]
        if subprocess.run([*program, *arguments], cwd=ROOT).returncode:
            failed.append(spelled)
    missing = [".".join(map(str, version)) for version in TESTED if version not in pythons]
    print(
        f"Not found here: {', '.join(missing) or 'none'}. Failed on: {', '.join(failed) or 'none'}."
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
