"""A server loads no package that is only there for something it never does."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from app.cli.lean import without

ROOT = Path(__file__).parents[2]
LOADED = """
import sys
from app.cli.lean import without
with without("rich"):
    import app.sandbox.pool
with without("watchfiles"):
    import uvicorn
import app.main, app.web.site, app.storage.store
unused = "rich watchfiles segno alembic sqlalchemy.dialects.postgresql psycopg"
print([name for name in unused.split() if name in sys.modules])
import rich
"""


def test_what_a_server_loads_brings_no_package_it_does_not_use() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_a_package_is_left_out_only_inside_and_only_where_it_is_not_loaded() -> None:
    with without("antigravity"), pytest.raises(ModuleNotFoundError):
        import_module("antigravity")
    assert "antigravity" not in sys.modules
    with without("json"):
        import json
    assert sys.modules["json"] is json
