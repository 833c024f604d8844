"""Runs in the container, beside the server there: is it ready, and does it judge a submission?"""

from __future__ import annotations

import json
import sys
import time
import urllib.error
import urllib.request
from typing import Any

URL = "http://127.0.0.1:8000"
START_S = 300.0


def main(source: str) -> None:
    """Print one JSON object: the status of /readyz, and a submission's report."""
    ready = _when_it_serves(time.monotonic() + START_S)
    path = "/api/exercises/stable-softmax/submissions"
    report = _json(path, json.dumps({"source": source}).encode())
    while "verdict" not in report:  # in line: the first one waits for the expected outputs
        token = report["read_token"]
        report = _json(f"/api/submissions/{report['submission']}?wait=20&read_token={token}")
    print(json.dumps({"ready": ready, "report": report}))


def _json(path: str, body: bytes | None = None) -> dict[str, Any]:
    headers = {"Content-Type": "application/json"}
    asked = urllib.request.Request(URL + path, body, headers)  # noqa: S310 - our own address
    with urllib.request.urlopen(asked, timeout=START_S) as answer:  # noqa: S310 - the same
        found: dict[str, Any] = json.loads(answer.read())
        return found


def _when_it_serves(until: float) -> int:
    while True:
        try:  # S310: our own address
            with urllib.request.urlopen(f"{URL}/readyz", timeout=START_S) as answer:  # noqa: S310
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            return refused.code
        except urllib.error.URLError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


if __name__ == "__main__":
    main(sys.argv[1])
