"""Where the program's own files lie: beside `app/` in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

_APP = Path(__file__).resolve().parent


def place(name: str) -> Path:
    """The folder `exercises`, `templates` or `static/dist`."""
    packed = _APP / name
    return packed if packed.is_dir() else _APP.parent / name
