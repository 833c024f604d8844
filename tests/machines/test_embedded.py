"""One machine needs none of what many machines need."""

from __future__ import annotations

import subprocess
import sys

SERVE = """
import sys
import app.cli.serve
from app.config import Settings
from app.main import build, create_app
made = build(Settings())
create_app(made)
made.service.start()
made.service.close()
strangers = {"psycopg", "psycopg_pool", "procrastinate", "asgiref", "croniter"}
print(sorted(strangers & {name.split(".")[0] for name in sys.modules}))
"""


def test_a_server_on_sqlite_loads_neither_the_queue_nor_its_driver() -> None:
    done = subprocess.run([sys.executable, "-c", SERVE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"
