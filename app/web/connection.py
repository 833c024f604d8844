"""A connection as uvicorn keeps it, with bounds: how long a head may be, and how long it may take.

```
 connected ─▶ head (HEAD_S, HEAD_BYTES, HEAD_FIELDS) ─▶ body (BODY_S) ─▶ answer ─▶ idle, or the next
```

What comes whole in one piece, as nearly every request does, costs no timer.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Iterable
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.model.bounds import BODY_S, HEAD_BYTES, HEAD_FIELDS, HEAD_S, IDLE_S
from app.web.connections import Connections, room

TOO_LARGE = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"content-type: text/plain; charset=utf-8\r\nconnection: close\r\n\r\n"
    b"The head of a request may have %d bytes and %d fields.\n" % (HEAD_BYTES, HEAD_FIELDS)
)


class TooLarge(Exception):
    """A head over its bounds."""


class BoundedHttp(HttpToolsProtocol):
    """uvicorn's HTTP/1.1, which drops a head that is too large and a request that does not end."""

    def __init__(self, *args: Any, connections: Connections, **more: Any) -> None:
        super().__init__(*args, **more)
        self._among = connections
        self._waits_for = "head"
        self._head_bytes = 0
        self._unsent = 0
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._wait(HEAD_S)
        self._among.add(self, self.client[0] if self.client else "")

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop_waiting()
        self._among.remove(self)
        super().connection_lost(exc)

    @property
    def is_idle(self) -> bool:
        """Nothing of a request has come, and no answer is under way."""
        cycle: Any = self.cycle  # None before the first request
        answered = cycle is None or cycle.response_complete
        return answered and (self._waits_for == "nothing" or not self._head_bytes)

    def close(self) -> None:
        """End it now, whatever was not sent yet: the other side may never take it."""
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        elif not self.transport.is_closing():
            self.transport.close()

    def pause_writing(self) -> None:
        """More waits to be sent than a connection takes at once."""
        super().pause_writing()
        self._unsent = self.transport.get_write_buffer_size()
        self._among.untaken(self, self._unsent)

    def resume_writing(self) -> None:
        """It was taken."""
        super().resume_writing()
        self._among.taken(self)

    def timeout_keep_alive_handler(self) -> None:
        """Nothing came for a while; an answer that is still being taken goes on."""
        left = self.transport.get_write_buffer_size()
        if 0 < left < self._unsent:
            self._unsent = left
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )
        else:
            self.close()

    def data_received(self, data: bytes) -> None:
        """Take bytes in, and see that what they belong to ends in time."""
        before = self._waits_for
        super().data_received(data)
        if self._waits_for == "head":
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES and not self.transport.is_closing():
                self.send_400_response("")
        if self._waits_for == "nothing" or self.transport.is_closing():
            self._stop_waiting()
        elif self._deadline is None or self._waits_for != before:
            self._stop_waiting()
            self._wait(HEAD_S if self._waits_for == "head" else BODY_S)

    def on_message_begin(self) -> None:
        """A head begins."""
        super().on_message_begin()
        self._among.used(self)
        self._waits_for, self._head_bytes = "head", 0

    def on_headers_complete(self) -> None:
        """Look at the head before anybody else does. Raises TooLarge."""
        fields = self.headers
        size = len(self.url) + sum(len(name) + len(value) for name, value in fields)
        if size > HEAD_BYTES or len(fields) > HEAD_FIELDS:
            self._head_bytes = HEAD_BYTES + 1
            raise TooLarge
        self._waits_for, self._head_bytes = "body", 0
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """All of a request is there."""
        self._waits_for = "nothing"
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Say what is wrong with a head, and close."""
        if self._head_bytes > HEAD_BYTES:
            self.transport.write(TOO_LARGE)
            self.transport.close()
        else:
            super().send_400_response(msg)

    def _wait(self, seconds: float) -> None:
        self._deadline = self.loop.call_later(seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        """Close what does not come to its end; no client waits for an answer to half a request."""
        self._deadline = None
        if not self.transport.is_closing():
            self.transport.close()


def config(
    site: Any, proxies: Iterable[str] = (), most: int | None = None, **more: Any
) -> uvicorn.Config:
    """How the site is served: bounded connections, no web socket, no header read by uvicorn.

    `most`: connections open at once, as many as this process may have unless it is said.
    """
    connections = Connections(most or room(), proxies=tuple(proxies))
    protocol: Any = functools.partial(BoundedHttp, connections=connections)
    return uvicorn.Config(
        site,
        http=protocol,
        ws="none",
        timeout_keep_alive=IDLE_S,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # our own reading of them trusts only MLGRIND_TRUSTED_PROXIES
        **more,
    )
