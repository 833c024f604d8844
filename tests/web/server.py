"""A real server in this process, on a free port, for what only a connection can show."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

import uvicorn
from fastapi import FastAPI
from jinja2.bccache import Bucket, BytecodeCache

from app.config import Settings
from app.service import Service
from app.web.connection import config
from app.web.site import create
from tests.service.world import PATIENCE_S

SECRET = b"w" * 32


@dataclass(frozen=True)
class Answer:
    """What came back for one request."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Server:
    """Where the server listens; `service` is what it serves."""

    port: int
    service: Service

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        host: str = "127.0.0.1",
    ) -> Answer:
        """One request on a connection of its own."""
        connection = http.client.HTTPConnection(host, self.port, timeout=PATIENCE_S)
        try:
            connection.request(method, path, body, dict(headers or {}))
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, found, response.read())
        finally:
            connection.close()

    def post(self, path: str, content: object, **headers: str) -> Answer:
        """Post JSON; underscores in the names of headers stand for dashes."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        body = json.dumps(content).encode()
        return self.ask("POST", path, body, {"content-type": "application/json", **named})


Serve = Callable[..., AbstractContextManager[Server]]
"""Starts a server; its keywords are settings."""


def opened(service: Service, settings: Settings, inline_s: float = PATIENCE_S) -> FastAPI:
    """The site over a service, which is started; templates are compiled once a test run.

    An answer waits `inline_s` for its report: however long a machine in use takes to judge.
    """
    site = create(service, settings, SECRET, inline_s)
    site.state.site.renderer._environment.bytecode_cache = _templates
    service.start()
    return site


class _Templates(BytecodeCache):
    """What templates were compiled to, by their text."""

    def __init__(self) -> None:
        self._code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if code := self._code.get(bucket.key):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key] = bucket.bytecode_to_string()


_templates = _Templates()


@contextmanager
def served(
    service: Service, settings: Settings, inline_s: float = PATIENCE_S, most: int | None = None
) -> Iterator[Server]:
    """A server over a service, which it starts, on every address of this machine."""
    listener = socket.create_server(("0.0.0.0", 0))  # noqa: S104 (as a class would use it)
    site = opened(service, settings, inline_s)
    server = uvicorn.Server(config(site, most=most, lifespan="off"))
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        while not server.started and thread.is_alive():
            time.sleep(0.01)
        yield Server(listener.getsockname()[1], service)
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
