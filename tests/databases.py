"""An empty database with today's schema, migrated once for all tests that only want one.

What migrating itself must do is promised in tests/storage (test_database, test_upgrade).
"""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

from app.storage.store import SqlStore


@functools.cache
def _migrated() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mlgrind.db"
        SqlStore(f"sqlite:///{path}").close()
        return path.read_bytes()


def sqlite(path: Path) -> str:
    """The URL of a database at `path`, which is made where there is none."""
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_bytes(_migrated())
    return f"sqlite:///{path}"
