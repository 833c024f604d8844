""" "Is the grader wrong?": one submission as JSON that another ML Grind can judge again.

Reading one never runs anything but the grader, never unpickles, and trusts no field.
"""

from __future__ import annotations

import base64
import binascii
import json
import platform
from dataclasses import dataclass
from importlib import metadata

from app.model import Slug
from app.records import Json, Submission

FORMAT = 1
MOST_BYTES = 4 * 1024 * 1024


class BadReplay(ValueError):
    """The file is no replay report; the text says what is missing, naming the key."""


@dataclass(frozen=True)
class Replay:
    """A replay report that was read; `digest` is that of the exercise it was judged by."""

    exercise: Slug
    digest: str
    versions: dict[str, str]
    source: bytes
    verdict: str


def versions() -> dict[str, str]:
    """The releases that can change a verdict."""
    packages = ("mlgrind", "numpy", "RestrictedPython")
    return {"python": platform.python_version(), **{p: _version(p) for p in packages}}


def replay_json(submission: Submission) -> Json:
    """The report on one judged submission; the source also as text, for people."""
    report = submission.report or {}
    return {
        "replay": FORMAT,
        "exercise": submission.exercise,
        "digest": report.get("digest", ""),
        "versions": versions(),
        "submitted_at": submission.created_at.isoformat(),
        "verdict": report.get("verdict", ""),
        "source": submission.source.decode("utf-8", "backslashreplace"),
        "source_base64": base64.b64encode(submission.source).decode(),
        "report": dict(report),
    }


def read_replay(data: bytes) -> Replay:
    """Read a replay report. Raises BadReplay."""
    if len(data) > MOST_BYTES:
        raise BadReplay(f"the file is longer than {MOST_BYTES:,} bytes")
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadReplay(f"the file is not JSON: {error}") from error
    if not isinstance(found, dict) or found.get("replay") != FORMAT:
        raise BadReplay(f'"replay" is not {FORMAT}: this is no replay report')
    recorded = found.get("versions")
    if not isinstance(recorded, dict):
        raise BadReplay('"versions" is missing')
    try:
        source = base64.b64decode(_text(found, "source_base64"), validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadReplay(f'"source_base64" cannot be read: {error}') from error
    return Replay(
        Slug(_text(found, "exercise")),
        _text(found, "digest"),
        {str(name): str(version) for name, version in recorded.items()},
        source,
        _text(found, "verdict"),
    )


def differences(replay: Replay, digest: str) -> tuple[str, ...]:
    """What is not the same here as where the report was made, one line each."""
    out = []
    if replay.digest != digest:
        out.append(
            f"the exercise differs: judged by {replay.digest[:12]}, here it is {digest[:12]}"
        )
    here = versions()
    for name in sorted({*replay.versions, *here}):
        there = replay.versions.get(name, "not recorded")
        if there != here.get(name, "not known"):
            out.append(f"{name} differs: {there} there, {here.get(name, 'not known')} here")
    return tuple(out)


def _text(found: dict[str, object], key: str) -> str:
    value = found.get(key)
    if not isinstance(value, str):
        raise BadReplay(f'"{key}" is missing')
    return value


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"
