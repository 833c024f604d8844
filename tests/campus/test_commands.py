"""`mlgrind campus` and what doctor says of scores."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.cli import app
from app.cli.doctor import _unsent

ADD = ["campus", "add", "--issuer", "https://moodle.test", "--client", "c1",
       "--auth", "https://moodle.test/auth", "--token", "https://moodle.test/token",
       "--keys", "https://moodle.test/jwks", "--deployment", "dep-1"]  # fmt: skip


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    monkeypatch.setenv("MLGRIND_DATA", str(tmp_path))
    return CliRunner()


def test_a_campus_is_registered_switched_and_listed_by_the_shell(
    run: CliRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """29."""
    added = run.invoke(app, ADD)
    assert added.exit_code == 0, added.output
    campus = added.stdout.strip()
    listed = run.invoke(app, ["campus", "list"]).stdout.splitlines()
    assert listed == [
        f"{campus}\tactive\tmoodle.test\thttps://moodle.test\tc1",
        "\tallowed\tdeployment\tdep-1",
    ]
    assert run.invoke(app, ["campus", "off", campus]).exit_code == 0
    assert "\toff\t" in run.invoke(app, ["campus", "list"]).stdout
    assert run.invoke(app, ["campus", "allow", campus, "dep-9"]).exit_code == 2
    assert run.invoke(app, ADD).exit_code == 2
    assert run.invoke(app, ["campus", "offer"]).exit_code == 2
    monkeypatch.setenv("MLGRIND_PUBLIC_URL", "https://grind.test")
    offer = run.invoke(app, ["campus", "offer"])
    assert offer.stdout.startswith("https://grind.test/lti/register/")
    assert len(run.invoke(app, ["campus", "key"]).stdout.strip()) == 43


def test_a_wrong_address_is_named_by_its_option(run: CliRunner) -> None:
    wrong = ["http://a.test" if word.endswith("/auth") else word for word in ADD]
    assert wrong != ADD
    told = run.invoke(app, wrong)
    assert told.exit_code == 2
    assert "--auth: Write the whole address, from https:// on." in told.output


def test_doctor_says_since_when_the_oldest_score_waits() -> None:
    assert _unsent(None) == ()
    (found,) = _unsent(datetime(2026, 1, 2, 3, 4, tzinfo=UTC))
    assert (found.name, found.ok) == ("oldest unsent score", False)
    assert found.detail == "waits since 2026-01-02 03:04 UTC"
    assert _unsent(datetime.now(UTC))[0].ok
