"""The packer's hook: puts the browser bundle into a wheel, built first where missing."""

import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BrowserBundle(BuildHookInterface[Any]):
    """Packs `static/dist` as `app/static/dist`; an editable install reads the checkout instead."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the files to pack; raises CalledProcessError when the bundle cannot be built."""
        if version == "editable":
            return
        root = Path(self.root)
        dist = root / "static" / "dist"
        if not (dist / "manifest.json").exists():
            subprocess.run(["npm", "ci"], cwd=root, check=True)
            subprocess.run(["npm", "run", "build"], cwd=root, check=True)
        for file in dist.iterdir():
            if (
                file.suffix != ".map"
            ):  # two thirds of the bytes, and of use beside their sources only
                build_data["force_include"][str(file)] = f"app/static/dist/{file.name}"
