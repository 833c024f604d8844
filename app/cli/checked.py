"""What `doctor` says of one thing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Checked:
    """One thing that was looked at; a `required` one that is not `ok` forbids grading."""

    name: str
    required: bool
    ok: bool
    detail: str = ""
    advice: str = ""
