"""Runners asked over TLS, by certificates of an authority of the host's own."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.cli.doctor_machines import machines as looked_at
from app.config import Settings
from app.ports import SandboxFault
from app.sandbox.callers import fleet
from app.sandbox.pool import LocalSandbox
from app.sandbox.remote import RemoteSandbox
from tests.machines.machines import TOKEN, Machine, order

DOUBLE = "def f(x):\n    return 2 * x\n"
VALID = ("-days", "2", "-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")


def openssl(*arguments: str) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)


def authority(folder: Path, name: str) -> tuple[Path, Path]:
    """An authority of our own: its certificate and its key."""
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    made = ("req", "-x509", *VALID, "-subj", f"/CN={name}")
    openssl(*made, "-keyout", str(key), "-out", str(certificate))
    return certificate, key


def signed(folder: Path, by: tuple[Path, Path], name: str) -> dict[str, str]:
    """A runner's settings with a certificate for a name of its own."""
    request, key, certificate = (folder / f"{name}.{end}" for end in ("csr", "key", "pem"))
    names = folder / f"{name}.names"
    names.write_text(f"subjectAltName=DNS:{name}\n")
    openssl(
        "req", "-nodes", *VALID[3:], "-subj", f"/CN={name}",
        "-keyout", str(key), "-out", str(request),
    )  # fmt: skip
    openssl(
        "x509", "-req", "-days", "2", "-in", str(request), "-out", str(certificate),
        "-CA", str(by[0]), "-CAkey", str(by[1]), "-CAcreateserial", "-extfile", str(names),
    )  # fmt: skip
    return {"MLGRIND_RUNNER_CERTIFICATE": str(certificate), "MLGRIND_RUNNER_KEY": str(key)}


@contextmanager
def asking(house: LocalSandbox, settings: Settings) -> Iterator[RemoteSandbox]:
    made = fleet(settings)
    try:
        yield RemoteSandbox(made, house, away_s=0.0)
    finally:
        made.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("tls")
    (made / "tokens").write_text(TOKEN)
    return made


@pytest.fixture(scope="module")
def ours(folder: Path) -> tuple[Path, Path]:
    return authority(folder, "ours")


@pytest.fixture(scope="module")
def runner(folder: Path, ours: tuple[Path, Path]) -> Iterator[Machine]:
    """At localhost, by which its certificate calls it."""
    made = Machine(folder / "runner", more=signed(folder, ours, "localhost")).start()
    yield made
    made.stop()


def settings(folder: Path, entry: str, trusted: Path | None) -> Settings:
    return Settings(
        data=folder, runners=(entry,), runner_token_file=folder / "tokens", runner_ca=trusted
    )


def test_a_runner_whose_certificate_is_of_the_hosts_authority_is_asked(
    folder: Path, ours: tuple[Path, Path], runner: Machine, house: LocalSandbox
) -> None:
    trusting = settings(folder, f"https://localhost:{runner.port}", ours[0])
    with asking(house, trusting) as sandbox:
        assert sandbox.run(order(DOUBLE, 21)).executions[0].value == 42
    told = looked_at(trusting)
    assert (told[0].ok, told[0].detail.split()[0]) == (True, "1")


def test_a_runner_that_nothing_vouches_for_gets_no_order(
    folder: Path, ours: tuple[Path, Path], runner: Machine, house: LocalSandbox
) -> None:
    """Of another authority, of the system's alone, of another name, or in the clear."""
    other = authority(folder, "others")[0]
    by_name, by_number = f"localhost:{runner.port}", f"127.0.0.1:{runner.port}"
    before = runner.events().count("order_answered")
    for entry, trusted in (
        (f"https://{by_name}", other),
        (f"https://{by_name}", None),
        (f"https://{by_number}", ours[0]),
        (f"http://{by_name}", ours[0]),
    ):
        asked = settings(folder, entry, trusted)
        with (
            asking(house, asked) as sandbox,
            pytest.raises(SandboxFault, match="no runner takes orders"),
        ):
            sandbox.run(order(DOUBLE, 21))
        assert not looked_at(asked)[0].ok
    assert runner.events().count("order_answered") == before


def test_a_file_of_certificates_that_cannot_be_read_is_said(folder: Path) -> None:
    with pytest.raises(SandboxFault, match="MLGRIND_RUNNER_CA"):
        fleet(settings(folder, "https://localhost:8100", folder / "missing.pem"))
