"""Changes to an exercise folder, as values: each is a function of the folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

Change = Callable[[Path], object]


def put(path: str, text: str | bytes) -> Change:
    """Write a file anew."""
    data = text if isinstance(text, bytes) else text.encode()

    def change(folder: Path) -> None:
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(data)

    return change


def swap(path: str, old: str, new: str) -> Change:
    """Put one text in another's place, once."""

    def change(folder: Path) -> None:
        text = (folder / path).read_text()
        assert old in text, f"{path} does not hold {old!r}"
        (folder / path).write_text(text.replace(old, new, 1))

    return change


def add(path: str, text: str) -> Change:
    """Write more at a file's end."""
    return lambda folder: (folder / path).write_text((folder / path).read_text() + text)


def drop(path: str) -> Change:
    """Take a file away."""
    return lambda folder: (folder / path).unlink()


def both(*changes: Change) -> Change:
    """Several changes."""

    def change(folder: Path) -> None:
        for each in changes:
            each(folder)

    return change


MISTAKE = '''

def {name}(x, w):
    """A title

    A message.

    Hint: 1{more}
    """
    {body}
'''


def mistake(name: str, body: str, more: str = "") -> Change:
    """One more mistake."""
    return add("mistakes/weights.py", MISTAKE.format(name=name, body=body, more=more))


SHORT = add("exercise.toml", "\n[limits]\ncpu_s = 0.1\n")
"""A tenth of a second is enough for the reference."""
