"""The one server of a data directory: the lock that keeps it the only one, and where it listens."""

from __future__ import annotations

import fcntl
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

NOTE = "serving.json"
ASK_S = 10.0
"""How long a server may take to say how it is: a busy one is not a dead one."""


class AlreadyServed(Exception):
    """Another server uses the data directory; the text says which."""


@dataclass(frozen=True)
class Note:
    """Where the server that runs can be reached from this machine."""

    pid: int
    url: str


@contextmanager
def only_server(data: Path) -> Iterator[None]:
    """Hold the data directory: two servers would judge every submission twice.

    Raises AlreadyServed. The lock ends with the process, however that ends.
    """
    with (data / "serving.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            found = _note(data)
            where = f" at {found.url} (process {found.pid})" if found else ""
            raise AlreadyServed(f"{data} is in use by another server{where}.") from error
        try:
            yield
        finally:
            (data / NOTE).unlink(missing_ok=True)


def write_note(data: Path, url: str) -> None:
    """Say where the server listens, for `mlgrind doctor`."""
    (data / NOTE).write_text(json.dumps(asdict(Note(os.getpid(), url))))


def running(data: Path) -> Note | None:
    """The server that holds the data directory now, or None."""
    path = data / "serving.lock"
    if not path.exists():
        return None
    with path.open("r") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return _note(data)
    return None


def readiness(note: Note) -> dict[str, object] | None:
    """What the server's `/readyz` says, or None where it does not answer."""
    import urllib.error  # with all of http and ssl, which a server that starts does not need
    import urllib.request

    try:
        with urllib.request.urlopen(f"{note.url}/readyz", timeout=ASK_S) as answer:  # noqa: S310 - our own address
            found = json.loads(answer.read())
    except urllib.error.HTTPError as refused:  # 503: not ready, and the body says why
        found = _json(refused.read())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes a free one. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(2048)
    except OSError:
        listening.close()
        raise
    return listening


def own_url(listening: socket.socket) -> str:
    """The address of a socket, for this machine."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104 - read, not bound
        host = "127.0.0.1" if host == "0.0.0.0" else "::1"  # noqa: S104
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def class_urls(listening: socket.socket) -> tuple[str, ...]:
    """The addresses at which other machines reach a socket that listens everywhere."""
    host, port = listening.getsockname()[:2]
    if host not in ("0.0.0.0", "::"):  # noqa: S104 - read, not bound
        return ()
    found = dict.fromkeys((*_outward(), *_by_name()))
    return tuple(f"http://{address}:{port}" for address in found if not address.startswith("127."))


def _outward() -> tuple[str, ...]:
    """The address this machine would send from. Connecting a UDP socket sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # TEST-NET-1, RFC 5737: nobody's
        except OSError:
            return ()
        return (str(probe.getsockname()[0]),)


def _by_name() -> tuple[str, ...]:
    try:
        found = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        return ()
    return tuple(str(entry[4][0]) for entry in found)


def _note(data: Path) -> Note | None:
    try:
        found = json.loads((data / NOTE).read_text())
        return Note(int(found["pid"]), str(found["url"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _json(data: bytes) -> object:
    try:
        return json.loads(data)
    except ValueError:
        return None
