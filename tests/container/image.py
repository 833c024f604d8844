"""The image, built from nothing: a base of Debian's packages, then the Dockerfile.

The base is kept in `.cache/container` of the checkout, since it takes most of a minute to make;
the image itself is built anew each time.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.container import machine
from tests.container.machine import run

ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".cache" / "container"
STORAGE = CACHE / "storage"
PYTHON = "python3,python3-venv"


@dataclass(frozen=True)
class Image:
    """A built image: its configuration, and the folder its files lie in."""

    configuration: dict[str, Any]
    files: Path


@contextlib.contextmanager
def built(scratch: Path) -> Iterator[Image]:
    """The image of this checkout; its files are gone afterwards. `scratch`: a folder to work in."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two runs of the tests at once share the storage
        name = f"localhost/mlgrind-test:{scratch.name.lower()}"
        mounts = [f"--volume={mount}" for mount in machine.package_settings(scratch)]
        _buildah(
            *("build", "--isolation=chroot", "--format=docker", "--network=host", "--jobs=2"),
            *mounts,
            *(f"--build-arg=BASE={_base(scratch)}", f"--tag={name}", str(ROOT)),
        )
        container = _buildah("from", "--pull-never", name).strip()
    try:
        files = Path(_buildah("mount", container).strip())
        inspected = json.loads(_buildah("inspect", "--type=image", name))
        yield Image(inspected["Docker"]["config"], files)
    finally:
        _buildah("rm", container)
        _buildah("rmi", name)


def _base(scratch: Path) -> str:
    """The name of an image that holds Debian's smallest system with Python, made where missing."""
    mirror, codename = machine.release()
    name = f"localhost/mlgrind-base:{codename}"
    if codename in _buildah("images", "--noheading", "--format={{.Tag}}").split():
        return name
    archive = scratch / "base.tar"
    # In memory, since dpkg waits for the disk after each file; in a mount namespace, so that
    # nothing stays mounted whatever happens.
    run(
        *("unshare", "--mount", "sh", "-euc"),
        'mkdir "$1"; mount -t tmpfs tmpfs "$1"; '
        'debootstrap --variant=minbase --include="$2" "$3" "$1" "$4" >"$5.log"; '
        'tar --one-file-system -C "$1" -cf "$5" .',
        *("sh", scratch / "base", PYTHON, codename, mirror, archive),
    )
    container = _buildah("from", "scratch").strip()
    _buildah("add", container, str(archive), "/")
    _buildah("commit", "--quiet", "--rm", container, name)
    archive.unlink()
    return name


def _buildah(*words: str) -> str:
    return run("buildah", f"--root={STORAGE}", f"--runroot={CACHE / 'run'}", *words)
