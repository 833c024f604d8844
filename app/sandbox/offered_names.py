"""The names that learners may use, for the editor: listed by the jail's own program.

It runs as a process of its own, once, with the keeper's clean environment: nothing of the jail is
imported here.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from app.ports import SandboxFault
from app.sandbox.keeper import ENVIRONMENT, START_S

_ROOT = Path(__file__).parents[2]


@cache
def offered_names() -> tuple[Mapping[str, str], ...]:
    """Every offered name: `module`, `name`, `signature`, `kind` and `doc`, all texts.

    Some 1,000 of them, in 0.3 s at the first call. Raises SandboxFault where they cannot be listed.
    """
    command = [sys.executable, "-sP", "-m", "app.jail.offer.completions"]
    environment = {**ENVIRONMENT, "PYTHONPATH": str(_ROOT)}
    try:
        listed = subprocess.run(
            command, env=environment, cwd="/", capture_output=True, timeout=START_S, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise SandboxFault(f"the names for the editor cannot be listed: {error}") from error
    return tuple(json.loads(listed.stdout))
