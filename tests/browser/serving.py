"""The server as a host starts it, and a real browser: for the tests here and for the pictures."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.hostile.server import ROOMY

MLGRIND = Path(sys.executable).with_name("mlgrind")
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
OFF = (
    # Chromium obeys the last list of the kind alone: these stand in Playwright's own.
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
    # A process in case another site is opened, for every window.
    "SpareRendererForSitePerProcess",
    # Two pages of the address bar's own, loaded for every window: half of a test's CPU.
    "PreloadTopChromeWebUI",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "WebUIOmniboxPopup",
)
FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A tenth of the CPU of a page: nothing here runs long enough to be worth compiling.
    "--in-process-gpu",
    "--use-gl=disabled",
    "--disable-software-rasterizer",
    "--js-flags=--no-opt --no-maglev --single-threaded",
    f"--disable-features={','.join(OFF)}",
]


@dataclass(frozen=True)
class Served:
    """Where the server is: `own` on this machine itself, `network` as other devices see it.

    `first_link` sets the host's password, where nobody can sign in yet and it was asked for.
    """

    own: str
    network: str
    first_link: str = ""


@contextmanager
def served(data: Path, *, teaches: bool = False, **more: str) -> Iterator[Served]:
    """`mlgrind serve` for a class, over this data directory; its log is kept there.

    `teaches` waits for the link that sets the host's password; `more` are further settings.
    """
    data.mkdir(parents=True, exist_ok=True)
    command = [str(MLGRIND), "serve", "--host", "0.0.0.0", "--port", "0"]  # noqa: S104 (a class)
    environment = {**os.environ, "MLGRIND_DATA": str(data), **ROOMY, **more}
    with (
        (data / "log").open("a") as log,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment
        ) as server,
    ):
        try:
            assert server.stdout is not None
            said = [server.stdout.readline().strip() for _ in range(2)]
            own, network = (line.rpartition(" ")[2].rstrip("/") for line in said)
            link = ""
            while teaches and not link:
                found = re.search(r"http\S+/staff/link/\S+", server.stdout.readline())
                link = found[0] if found else ""
            yield Served(own, network, link)
        finally:
            server.terminate()


@contextmanager
def browsing() -> Iterator[Browser]:
    """Debian's Chromium under Playwright."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()
