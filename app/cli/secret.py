"""Where a restored secret goes.

In the data directory it takes the other's place, as the database does. A file that the host names
may be another server's too: it is written where it is missing, and never over another secret.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.common import stop

if TYPE_CHECKING:
    from app.config import Settings


def place_for(secret: bytes, settings: Settings, out: Path | None) -> Path | None:
    """The file to write a backup's secret to, None for nowhere; nothing is written yet.

    Exits with status 2 and a sentence where it cannot go where it belongs.
    """
    if not secret:
        return None
    if out is not None:
        return _new(out)
    named = settings.secret_file
    if named is None:
        return settings.secret_path
    if not named.exists():
        return _new(named)
    if named.read_bytes() != secret:
        stop(
            f"{named} holds a different secret from the backup, so learners' cookies from then"
            " would not be recognised. Move it away, or give --secret-out FILE and mount that file"
            " in its place. Nothing was changed."
        )
    return None


def put(secret: bytes, path: Path) -> bool:
    """Write the secret, mode 600; false where it is there already."""
    if path.exists() and path.read_bytes() == secret:
        return False
    descriptor, name = tempfile.mkstemp(dir=path.absolute().parent, prefix=".secret-")
    with os.fdopen(descriptor, "wb") as written:
        written.write(secret)
    os.replace(name, path)
    return True


def _new(path: Path) -> Path:
    folder = path.absolute().parent
    if path.exists():
        stop(f"{path} already exists. Name another file. Nothing was changed.")
    if not (folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)):
        stop(
            f"The backup's secret can't be written to {path}. Give --secret-out FILE and mount that"
            " file in its place. Nothing was changed."
        )
    return path
