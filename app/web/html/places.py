"""Where the pages' own files lie: beside `app/` in a checkout, inside it in an installed wheel."""

from __future__ import annotations

from pathlib import Path

_APP = Path(__file__).resolve().parents[2]


def folder(name: str) -> Path:
    """The folder `templates` or `static/dist`."""
    packed = _APP / name
    return packed if packed.is_dir() else _APP.parent / name
