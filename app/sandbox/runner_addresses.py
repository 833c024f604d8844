"""Where the runners are: the entries of the settings, and the machines their names stand for."""

from __future__ import annotations

import socket
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from app.sandbox.peer import RunnerAt

PORT = 8100


class NoToken(ValueError):
    """No token is known for a runner; the text says for which, and where it is looked for."""


@dataclass(frozen=True)
class Entry:
    """One entry of MLGRIND_RUNNERS: all addresses of its name are runners with its token."""

    name: str
    scheme: str
    host: str
    port: int
    token: str


def named(entry: str, tokens: dict[str, str]) -> Entry:
    """An entry with its token: `host`, `host:port`, or either as an address with a scheme.

    Raises ValueError for what is none, and NoToken.
    """
    found = urlsplit(entry if "://" in entry else f"http://{entry}")
    if found.scheme not in ("http", "https") or not found.hostname or found.path.strip("/"):
        raise ValueError(f"{entry} is no address of a runner, such as grader-1:8100")
    token = tokens.get(entry) or tokens.get("")
    if not token:
        raise NoToken(f"no token of the runner {entry}: put it into MLGRIND_RUNNER_TOKEN_FILE")
    name = f"{found.hostname}:{found.port or PORT}"
    return Entry(name, found.scheme, found.hostname, found.port or PORT, token)


def read_tokens(path: Path | None) -> dict[str, str]:
    """Tokens by entry, from lines `ENTRY TOKEN`; a line of one token is that of all others.

    Raises OSError.
    """
    if path is None:
        return {}
    lines = [line.split() for line in path.read_text("utf-8").splitlines() if line.strip()]
    return {words[0] if len(words) > 1 else "": words[-1] for words in lines}


def places(entries: Sequence[Entry], before: Collection[RunnerAt] = ()) -> dict[RunnerAt, str]:
    """The runners that the names stand for now, each with its token.

    A name that leads to no address is left out, and so is a public address without TLS. Where a
    name can't be asked for just now, its runners are those of `before`.
    """
    found: dict[RunnerAt, str] = {}
    for entry in entries:
        try:
            told = socket.getaddrinfo(entry.host, entry.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            if getattr(error, "errno", None) == socket.EAI_AGAIN:
                whole = (entry.name, entry.scheme)
                found |= {at: entry.token for at in before if (at.name, at.scheme) == whole}
            continue
        for *_, address in told:
            where = str(address[0])
            if entry.scheme == "https" or ip_address(where).is_private:
                place = RunnerAt(entry.name, entry.scheme, entry.host, entry.port, where)
                found[place] = entry.token
    return found
