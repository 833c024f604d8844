"""`mlgrind new`: a folder that passes `mlgrind check` once its marked places are filled."""

from __future__ import annotations

import keyword
import shutil
import tempfile
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template

from app.catalog.exercise import is_slug

SECTION = "My Exercises"
HELPER = "first_step"
"""The helper of a new reference, and the file of mistakes that is named like it."""

_ENDING = ".txt"
_COMMON = "it's made of lower-case words and numbers joined by dashes, as in my-exercise"


class CannotWrite(Exception):
    """There can be no folder of that name there; the text says why."""


def scaffold(slug: str, directory: Path) -> Path:
    """Write the draft of an exercise as a new folder in a directory; the folder's path.

    Raises CannotWrite, and OSError where the directory can't be written.
    """
    entry = entry_point(slug)
    helper = f"{HELPER}_of_it" if entry == HELPER else HELPER
    names = {"entry_point": entry, "helper": helper, "title": title(slug), "section": SECTION}
    texts = {
        path.removesuffix(_ENDING).replace(HELPER, helper): Template(text)
        .substitute(names)
        .encode()
        for path, text in _texts(files(__package__).joinpath("draft"), "")
    }
    return write(slug, directory, texts)


def entry_point(slug: str) -> str:
    """The function of an exercise: my-exercise -> my_exercise. Raises CannotWrite."""
    check(slug)
    name = slug.replace("-", "_")
    if not name.isidentifier() or keyword.iskeyword(name):
        raise CannotWrite(f"{slug!r} can't name a function. Begin it with another word.")
    return name


def draft_files() -> list[str]:
    """The texts that a new folder is made from."""
    return [text for _, text in _texts(files(__package__).joinpath("draft"), "")]


def check(slug: str) -> None:
    """Raise CannotWrite for what can't be the name of an exercise."""
    if not is_slug(slug):
        raise CannotWrite(f"{slug!r} can't be the name of an exercise: {_COMMON}.")


def title(slug: str) -> str:
    """my-exercise -> My Exercise."""
    return " ".join(word.capitalize() for word in slug.split("-"))


def write(slug: str, directory: Path, texts: Mapping[str, bytes]) -> Path:
    """Write a new folder, whole or not at all. Raises CannotWrite where it exists, and OSError."""
    target = directory / slug
    if target.exists() or target.is_symlink():
        raise CannotWrite(f"{target} already exists. Choose another name, or remove it.")
    directory.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(dir=directory, prefix=f".{slug}-"))
    try:
        for path, data in texts.items():
            (building / path).parent.mkdir(exist_ok=True)
            (building / path).write_bytes(data)
        building.chmod(0o755)
        building.rename(target)
    finally:
        shutil.rmtree(building, ignore_errors=True)
    return target


def _texts(folder: Traversable, prefix: str) -> list[tuple[str, str]]:
    found = []
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        if entry.is_dir():
            found += _texts(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(_ENDING):
            found.append((f"{prefix}{entry.name}", entry.read_text("utf-8")))
    return found
