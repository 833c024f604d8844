"""Settings: read from MLGRIND_ variables, checked, and frozen."""

from __future__ import annotations

import os
import re
from dataclasses import fields
from pathlib import Path

import pytest
from pydantic import ValidationError

from app.admission import Allowance
from app.config import Settings


def test_nothing_has_to_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MLGRIND_DATA")
    settings = Settings()
    assert settings.data == Path("data")
    assert (settings.host, settings.port) == ("127.0.0.1", 8000)
    assert settings.database_url == f"sqlite:///{Path.cwd()}/data/mlgrind.db"
    assert settings.allowance == Allowance()


def test_lists_are_written_as_people_write_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLGRIND_EXERCISES", os.pathsep.join(["/mine", "/ours", ""]))
    monkeypatch.setenv("MLGRIND_TRUSTED_PROXIES", "10.0.0.1, 192.168.0.0/16")
    settings = Settings()
    assert settings.exercises == (Path("/mine"), Path("/ours"))
    assert settings.trusted_proxies == ("10.0.0.1", "192.168.0.0/16")


def test_every_limit_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = [name for name in Settings.model_fields if name.startswith("limit_")]
    for n, name in enumerate(limits):
        monkeypatch.setenv(f"MLGRIND_{name.upper()}", str(1000 + n))
    allowance = Settings().allowance
    set_to = {getattr(allowance, field.name) for field in fields(Allowance)}
    assert set_to == {1000 + n for n in range(len(limits))}


@pytest.mark.parametrize(
    ("name", "value"),
    [("LIMIT_RUNS", "0"), ("LIMIT_RUNS", "many"), ("PORT", "70000"), ("LOG_FORMAT", "xml")],
)
def test_what_cannot_be_meant_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"MLGRIND_{name}", value)
    with pytest.raises(ValidationError, match=name.lower()):
        Settings()


def test_settings_do_not_change(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Settings().port = 1


def test_every_setting_says_what_it_is_for() -> None:
    assert all(field.description for field in Settings.model_fields.values())


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("https://host.example.edu/grind", "has a path, and ML Grind can't be served below one"),
        ("https://host.example.edu/?a=1", "has a path"),
        ("grind.example.edu", "must be an address such as https://grind.example.edu"),
        ("ftp://grind.example.edu", "must be an address"),
    ],
)
def test_a_public_address_that_would_break_every_link_is_refused(address: str, told: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(told)):
        Settings(public_url=address)


def test_a_public_address_may_end_in_a_slash() -> None:
    assert Settings(public_url="https://grind.example.edu/").public_url == (
        "https://grind.example.edu"
    )
