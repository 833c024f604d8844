"""The jail as a program: `python -sP .../app/jail/__main__.py CONTROL OPTIONS`, run by the sandbox.

CONTROL is the number of a SOCK_SEQPACKET descriptor, OPTIONS a JSON object (`app.sandbox.keeper`
makes both). The interpreter looks at nothing but installed packages, so the folder that holds
`app` is added here. Not -I: it would drop PYTHONHASHSEED, and the environment is clean anyway.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import sys

OUT_OF_THE_WAY = 10
ANSWERS = 3


def main() -> None:
    """Enter the namespaces, then load the jail inside them and keep it."""
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    control = fcntl.fcntl(int(sys.argv[1]), fcntl.F_DUPFD_CLOEXEC, OUT_OF_THE_WAY)
    os.dup2(os.open(os.devnull, os.O_WRONLY), ANSWERS)  # taken, so that no pipe gets this number
    options = json.loads(sys.argv[2])

    from app.jail.locks import namespaces

    if options["user"] is None:
        entered = namespaces.enter() if options["namespaces"] else []
        from app.jail import child, server  # only now: the process outside stays small

        ready = child.prepare(policy=options["policy"])
    else:
        from app.jail import child, server
        from app.jail.locks import confine

        ready = child.prepare(policy=options["policy"])  # the other user may not read our files
        confine.become(options["user"])
        entered = namespaces.enter() if options["namespaces"] else []
    server.keep(socket.socket(fileno=control), options, ready, entered)


if __name__ == "__main__":
    main()
