"""The packer's hook: builds the browser bundle before a wheel is made from a tree that has none."""

import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BrowserBundle(BuildHookInterface[Any]):
    """Makes `static/dist` when it is missing; an editable install reads the checkout instead."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Run before each build; raises CalledProcessError when the bundle cannot be built."""
        root = Path(self.root)
        if version == "editable" or (root / "static/dist/manifest.json").exists():
            return
        subprocess.run(["npm", "ci"], cwd=root, check=True)
        subprocess.run(["npm", "run", "build"], cwd=root, check=True)
