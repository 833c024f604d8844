"""A real server in this process and a real browser, for the tests here and for the pictures."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from playwright.sync_api import Browser, sync_playwright

from app.config import Settings
from app.main import build
from app.web.site import create

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def served(data: Path) -> Iterator[int]:
    """The port of a server over this data directory, on all addresses of the machine."""
    settings = Settings(data=data, limit_outstanding=20)
    joined = build(settings)
    joined.service.start()
    site = create(joined.service, settings, joined.secret)
    listener = socket.create_server(("0.0.0.0", 0))  # noqa: S104 (as a class would use it)
    config = uvicorn.Config(site, log_level="warning", proxy_headers=False, ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()
        joined.service.close()


@contextmanager
def browsing() -> Iterator[Browser]:
    """Debian's Chromium under Playwright."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()
