"""What docs/hosting.md gives hosts for nginx and Caddy fits what the server reads and bounds."""

from __future__ import annotations

import re
from pathlib import Path

from app.model.bounds import IDLE_S
from app.web.arrival import arrival
from app.web.pages.classes.people import FILE_BYTES

HOSTING = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text()
NAME, LEARNER = "grind.example.edu", "203.0.113.9"


def _snippet(heading: str) -> str:
    found = re.search(rf"\*\*{heading}\*\*.*?```\n(.*?)```", HOSTING, re.DOTALL)
    assert found is not None
    return found[1]


def test_behind_the_nginx_of_the_document_a_learner_is_known_by_their_own_address() -> None:
    """And the page knows that it is https under the public name, so that its cookie is Secure."""
    values = {"$host": NAME, "$remote_addr": LEARNER, "$scheme": "https", '""': ""}
    set_by = dict(re.findall(r"proxy_set_header ([\w-]+) ([^;]+);", _snippet("nginx")))
    headers = [(name.lower().encode(), values[value].encode()) for name, value in set_by.items()]
    scope = {"type": "http", "client": ("127.0.0.1", 5), "scheme": "http", "headers": headers}
    came = arrival(scope, ["127.0.0.1"], None)
    assert (came.address, came.host, came.secure) == (LEARNER, NAME, True)


def test_both_end_an_idle_connection_before_the_server_does() -> None:
    """A request on a connection that is being closed is lost."""
    (nginx,) = re.findall(r"keepalive_timeout (\d+)s;", _snippet("nginx"))
    (caddy,) = re.findall(r"keepalive (\d+)s\n", _snippet("Caddy"))
    assert int(nginx) < IDLE_S and int(caddy) < IDLE_S


def test_both_let_the_largest_file_of_a_class_through() -> None:
    (nginx,) = re.findall(r"client_max_body_size (\d+)m;", _snippet("nginx"))
    (caddy,) = re.findall(r"max_size (\d+)MB\n", _snippet("Caddy"))
    assert int(nginx) * 2**20 > FILE_BYTES and int(caddy) * 10**6 > FILE_BYTES


def test_the_server_is_told_of_the_proxy_in_the_same_breath() -> None:
    assert f"MLGRIND_PUBLIC_URL=https://{NAME} MLGRIND_TRUSTED_PROXIES=127.0.0.1" in HOSTING
