"""The built bundle: hashed files, kept by browsers for ever, sent as they were compressed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response

FOR_EVER = "public, max-age=31536000, immutable"

_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".woff2": "font/woff2",
    ".woff": "font/woff",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".map": "application/json",
}
_CODINGS = (("br", ".br"), ("gzip", ".gz"))


class BundleMissing(RuntimeError):
    """The bundle was not built: `make setup` does it."""


@dataclass(frozen=True)
class BundleFile:
    """A file of the bundle as a page names it."""

    url: str
    integrity: str
    preloads: tuple[BundleFile, ...] = ()
    later: tuple[BundleFile, ...] = ()
    """What the script itself fetches once the page is painted."""
    fonts: Mapping[str, str] = field(default_factory=dict)
    """A style sheet's fonts by use ("text", "code", "math"): what a page fetches ahead."""


class Assets:
    """The files of `static/dist`, listed once; a rebuilt bundle is seen at the next page."""

    def __init__(self, dist: Path) -> None:
        self._dist = dist
        self._stamp = 0
        self._entries: dict[str, BundleFile] = {}

    def entry(self, name: str) -> BundleFile:
        """An entry point such as "app.css"; raises BundleMissing where there is no bundle."""
        manifest = self._dist / "manifest.json"
        try:
            stamp = manifest.stat().st_mtime_ns
            if stamp != self._stamp:
                self._entries = _entries(json.loads(manifest.read_bytes()))
                self._stamp = stamp
            return self._entries[name]
        except (FileNotFoundError, KeyError) as error:
            raise BundleMissing(f"{manifest} has no {name}: run `make setup`") from error

    def send(self, request: Request, name: str) -> Response:
        """A file in the smallest coding the browser takes; 404 for anything but our own names."""
        file = self._dist / name
        kind = _TYPES.get(file.suffix)
        if kind is None or file.name != name or not file.is_file():
            raise HTTPException(404)
        headers = {"Cache-Control": FOR_EVER if name != "licences.txt" else "no-cache"}
        coding, file = _coded(file, accepted(request))
        if (file.parent / f"{name}.gz").exists():
            headers["Vary"] = "Accept-Encoding"
        if coding:
            headers["Content-Encoding"] = coding
        return FileResponse(file, media_type=kind, headers=headers)


def accepted(request: Request) -> frozenset[str]:
    """The content codings a client takes; those with q=0 are not among them."""
    parts = request.headers.get("accept-encoding", "").lower().split(",")
    pairs = (part.replace(" ", "").partition(";q=") for part in parts)
    return frozenset(name for name, _, q in pairs if name and q.strip("0.") or (name and not q))


def _coded(file: Path, takes: frozenset[str]) -> tuple[str, Path]:
    for coding, suffix in _CODINGS:
        compressed = file.with_name(file.name + suffix)
        if coding in takes and compressed.is_file():
            return coding, compressed
    return "", file


def _entries(manifest: dict[str, Any]) -> dict[str, BundleFile]:
    def entry(listed: dict[str, Any]) -> BundleFile:
        return BundleFile(
            f"/static/{listed['file']}",
            listed["integrity"],
            tuple(entry(each) for each in listed.get("imports", ())),
            tuple(entry(each) for each in listed.get("later", ())),
            {use: f"/static/{name}" for use, name in listed.get("fonts", {}).items()},
        )

    return {name: entry(listed) for name, listed in manifest.items()}
