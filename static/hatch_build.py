"""The packer's hook: puts what the package reads at run time into a wheel, beside its code."""

import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FOLDERS = ("templates", "exercises", "static/dist")


class RunTimeFiles(BuildHookInterface[Any]):
    """Packs `templates` as `app/templates` and so on; an editable install reads the checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the files to pack; raises CalledProcessError when the bundle cannot be built."""
        if version == "editable":
            return
        root = Path(self.root)
        if not (root / "static/dist/manifest.json").exists():
            subprocess.run(["npm", "ci"], cwd=root, check=True)
            subprocess.run(["npm", "run", "build"], cwd=root, check=True)
        for folder in FOLDERS:
            for file in sorted((root / folder).rglob("*")):
                if file.is_file() and file.suffix not in {".map", ".pyc"}:
                    packed = f"app/{file.relative_to(root).as_posix()}"
                    build_data["force_include"][str(file)] = packed
