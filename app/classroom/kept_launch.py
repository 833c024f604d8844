"""What is still wanted of a launch after somebody came in, as JSON and back. Pure.

No name, no e-mail, no number of theirs: who it is here was found out before.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from app.classroom.launch import DeepSettings, Launch

WANTED = (
    "kind", "deployment", "part", "context", "resource_link", "resource_title", "lineitem_url",
)  # fmt: skip


def written(launch: Launch) -> str:
    """The launch as JSON in ASCII."""
    said: dict[str, Any] = {name: getattr(launch, name) for name in WANTED}
    if launch.deep is not None:
        said["deep"] = asdict(launch.deep)
    return json.dumps(said)


def read(text: str) -> Launch:
    """A launch as `written` wrote it; what was not kept is empty."""
    said = json.loads(text)
    deep = said.pop("deep", None)
    settings = None if deep is None else DeepSettings(**{**deep, "kinds": tuple(deep["kinds"])})
    return Launch(subject="", target="", deep=settings, **said)
