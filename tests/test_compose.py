"""compose.yaml: what can be said of it without a container engine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from app.config import Settings
from app.storage.store import SqlStore

ROOT = Path(__file__).parents[1]
COMPOSE: Any = yaml.safe_load((ROOT / "compose.yaml").read_text())
OF_A_SERVICE = {
    "build", "image", "restart", "cap_drop", "cap_add", "read_only", "tmpfs", "environment",
    "volumes", "ports", "command", "entrypoint", "user",
}  # fmt: skip
"""Keys of the Compose specification that are in use here."""


def test_it_holds_three_services_and_two_volumes() -> None:
    assert set(COMPOSE) == {"services", "volumes"}
    assert set(COMPOSE["services"]) == {"app", "web", "backup"}
    assert set(COMPOSE["volumes"]) == {"data", "certificates"}
    for name, service in COMPOSE["services"].items():
        assert set(service) <= OF_A_SERVICE, name
        assert ("build" in service) != ("image" in service), name


def test_each_volume_is_named_and_each_folder_is_the_host_s() -> None:
    for name, service in COMPOSE["services"].items():
        for volume in service["volumes"]:
            source, target, *mode = volume.split(":")
            assert source in COMPOSE["volumes"] or source.startswith("./"), (name, volume)
            assert target.startswith("/"), (name, volume)
            assert mode in ([], ["ro"]), (name, volume)
    assert (ROOT / "Dockerfile").exists()
    assert "./exercises:/exercises:ro" in COMPOSE["services"]["app"]["volumes"]


def test_the_app_has_no_capability_and_settings_that_exist(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = COMPOSE["services"]["app"]
    assert app["cap_drop"] == ["ALL"]
    assert app["read_only"] is True
    settings = {
        name: str(value).replace("${MLGRIND_SITE:+https://}${MLGRIND_SITE:-}", "https://grind.x.y")
        for name, value in app["environment"].items()
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    read = Settings()
    assert read.public_url == "https://grind.x.y"
    assert str(read.data) == "/data"
    assert read.host == "0.0.0.0"  # noqa: S104 (inside a container)


def test_without_a_domain_the_public_address_is_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLGRIND_PUBLIC_URL", "")
    assert not Settings().public_url


def test_the_nightly_commands_keep_the_last_fourteen(tmp_path: Path) -> None:
    """They run as they stand, with folders of this test in place of the volumes, for one night."""
    SqlStore(f"sqlite:///{tmp_path / 'mlgrind.db'}").close()
    backups = tmp_path / "backups"
    backups.mkdir()
    for day in range(1, 21):
        old = backups / f"mlgrind-2020-01-{day:02}.db"
        old.write_text("old")
        os.utime(old, (day, day))
    (script,) = COMPOSE["services"]["backup"]["command"]
    shell, flag = COMPOSE["services"]["backup"]["entrypoint"]
    one_night = script.replace("$$", "$").replace("/backups", str(backups))
    night = f"sleep() {{ exit 0; }}\n{one_night}"
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "MLGRIND_DATA": str(tmp_path), "PATH": path}
    for _ in range(2):  # a restarted container does the day's backup again
        done = subprocess.run([shell, flag, night], env=environment, capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"")
    kept = sorted(one.name for one in backups.iterdir())
    assert len(kept) == 14
    assert kept[0] == "mlgrind-2020-01-08.db"
    assert not kept[-1].startswith("mlgrind-2020")
