"""Two sites over https in one test, and a browser that blocks third-party cookies.

Names under `.test` lead to this machine; certificates are made for the test and trusted by nobody
else, so the browser is told to take them.
"""

from __future__ import annotations

import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import trustme
import uvicorn
from playwright.sync_api import Browser, FrameLocator, Locator, Page
from playwright.sync_api import TimeoutError as TooLate

from app.web.connection import config
from tests.browser.learner import PATIENCE_MS
from tests.browser.serving import CHROMIUM, FLAGS

NAMES = ("grind.test", "book.test", "stranger.test", "campus.test", "school.test")
COMES_UP_MS = 20_000
BLOCKING = [
    "--test-third-party-cookie-phaseout",
    "--host-resolver-rules=MAP *.test 127.0.0.1",
]


class Certificates:
    """A certificate for every name, and what trusts it."""

    def __init__(self, folder: Path) -> None:
        self._authority = trustme.CA()
        made = self._authority.issue_cert(*NAMES, "127.0.0.1", "localhost")
        self.key, self.chain = folder / "key.pem", folder / "chain.pem"
        made.private_key_pem.write_to_path(self.key)
        for part in made.cert_chain_pems:
            part.write_to_path(self.chain, append=True)

    def trusted(self) -> ssl.SSLContext:
        """A context for clients that trusts these certificates and no others."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self._authority.configure_trust(context)
        return context


@contextmanager
def over_tls(make: Callable[[int], Any], certificates: Certificates) -> Iterator[int]:
    """Serve what `make` gives for the port, by https on this machine; the port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        more: dict[str, Any] = {
            "ssl_keyfile": certificates.key,
            "ssl_certfile": certificates.chain,
        }
        server = uvicorn.Server(config(make(port), lifespan="off", **more))
        thread = threading.Thread(target=server.run, args=([listener],))
        thread.start()
        try:
            while not server.started and thread.is_alive():
                time.sleep(0.01)
            yield port
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def browsing_strictly(browser: Browser) -> Iterator[Browser]:
    """Chromium without third-party cookies, beside the browser of the other tests."""
    strict = browser.browser_type.launch(executable_path=CHROMIUM, args=[*FLAGS, *BLOCKING])
    yield strict
    strict.close()


@contextmanager
def browsing_without_cookies(browser: Browser, folder: Path) -> Iterator[Page]:
    """Chromium set to keep no cookie of any site, as its settings page does it."""
    (folder / "Default").mkdir(parents=True)
    wanted = {"profile": {"default_content_setting_values": {"cookies": 2}}}
    (folder / "Default" / "Preferences").write_text(json.dumps(wanted))
    context = browser.browser_type.launch_persistent_context(
        str(folder),
        executable_path=CHROMIUM,
        args=[*FLAGS, *BLOCKING],
        ignore_https_errors=True,
    )
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page()
    context.close()


def comes_up(
    page: Page,
    address: str,
    shown: Callable[[FrameLocator], Locator],
    act: Callable[[FrameLocator, float], None] = lambda _frame, _patience_ms: None,
) -> FrameLocator:
    """Open a page, `act` in its frame, and wait until that shows something; the frame.

    A frame that other sites send on changes its process, and the driver of the tests now and then
    loses it then, for good: the browser has loaded everything, and nothing is found in the frame.
    So the page is opened again, at most three times in all. (A first look by `expect` would wait
    for ever: it has no limit of time.)
    """
    frame = page.frame_locator("iframe")
    for left in (2, 1, 0):
        page.goto(address)
        patience_ms = COMES_UP_MS if left else PATIENCE_MS
        try:
            act(frame, patience_ms)
            shown(frame).wait_for(timeout=patience_ms)
            break
        except TooLate:
            if not left:
                raise
    return frame
