"""Whether the other side has ended a connection: asked of the socket, and not of the other side."""

from __future__ import annotations

import select


def is_quiet(socket: int) -> bool:
    """Whether nothing has come over a socket that nothing was asked on: so it was not ended."""
    poll = select.poll()
    poll.register(socket, select.POLLIN)
    return not poll.poll(0)
