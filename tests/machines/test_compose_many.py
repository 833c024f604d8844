"""compose.many.yaml: what it says, and its networks built as it says, out of namespaces."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from app.cli import app as mlgrind
from app.config import Settings
from tests.machines.namespaces import LISTENING, Networks, may_make_them, networks

ROOT = Path(__file__).parents[2]
COMPOSE: Any = yaml.safe_load((ROOT / "compose.many.yaml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
OURS = {name for name, service in SERVICES.items() if "build" in service}


def test_it_holds_two_of_each_and_what_they_share() -> None:
    assert set(SERVICES) == {
        "proxy", "web-1", "web-2", "dispatcher-1", "dispatcher-2", "runner", "migrate", "database",
    }  # fmt: skip
    for name, service in SERVICES.items():
        assert set(service.get("secrets", ())) <= set(COMPOSE["secrets"]), name
        assert set(service["networks"]) <= set(COMPOSE["networks"]), name
        for volume in service.get("volumes", ()):
            assert volume.split(":")[0] in COMPOSE["volumes"], name


def test_a_runner_has_its_token_and_nothing_else() -> None:
    runner = SERVICES["runner"]
    assert runner["secrets"] == ["runner"]
    assert set(runner["environment"]) == {"MLGRIND_RUNNER_TOKEN_FILE", "MLGRIND_PORT"}
    assert list(runner["networks"]) == ["jail"]
    assert "volumes" not in runner


def test_only_the_proxy_is_reached_from_outside_and_two_networks_lead_nowhere() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    inside = {name for name, network in COMPOSE["networks"].items() if network.get("internal")}
    assert inside == {"back", "jail"}


def test_ours_have_no_capability_and_settings_and_commands_that_exist(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    commands = {command.name for command in mlgrind.registered_commands}
    for name in OURS:
        service = SERVICES[name]
        assert (service["cap_drop"], service["read_only"]) == (["ALL"], True), name
        assert service.get("command", ["serve"])[0] in commands, name
        with monkeypatch.context() as patched:
            for variable, value in service["environment"].items():
                assert variable.removeprefix("MLGRIND_").lower() in Settings.model_fields, variable
                patched.setenv(variable, "" if "${" in value else value)
            assert Settings().runners == (() if name == "runner" else ("runner:8100",))


def test_the_proxy_pins_an_address_to_one_web_process() -> None:
    caddyfile = COMPOSE["configs"]["caddyfile"]["content"]
    assert "lb_policy client_ip_hash" in caddyfile
    for name in ("web-1", "web-2"):
        assert f"{SERVICES[name]['environment']['MLGRIND_HOST']}:8000" in caddyfile


# ------------------------------------------------------------------ its networks, built


def listens(name: str) -> str:
    """Where a service listens, by the file."""
    service = SERVICES[name]
    command = service.get("command", [])
    if "--host" in command:
        return f"{command[command.index('--host') + 1]}:{command[command.index('--port') + 1]}"
    host = service.get("environment", {}).get("MLGRIND_HOST", "0.0.0.0")  # noqa: S104 (as images do)
    return f"{host}:{ {'database': 5432, 'proxy': 443}.get(name, 8000) }"


class Town:
    """The file's services as namespaces, each listening where the file says."""

    def __init__(self, made: Networks) -> None:
        self.networks, self.machines = made, {}
        self.addresses: dict[str, list[str]] = {name: [] for name in SERVICES}
        subnets = {
            name: ip_network(network["ipam"]["config"][0]["subnet"])
            for name, network in COMPOSE["networks"].items()
        }
        self.world = f"{subnets['front'][1]}:80"
        switches = {
            name: made.switch(name, f"{subnets[name][1]}/24" if name == "front" else "")
            for name in subnets
        }
        for at, (name, service) in enumerate(SERVICES.items()):
            self.machines[name] = machine = made.machine(name)
            for network, plugged in service["networks"].items():
                address = (plugged or {}).get("ipv4_address", str(subnets[network][100 + at]))
                made.plug(machine, switches[network], f"{address}/24", network)
                self.addresses[name].append(address)
        outside = made.python(switches["front"], LISTENING, self.world)
        self.running: list[subprocess.Popen[str]] = [outside]
        for name in SERVICES.keys() - {"migrate"}:  # it does its work and ends
            self.running.append(made.python(self.machines[name], LISTENING, listens(name)))
        for one in self.running:
            assert one.stdout is not None and one.stdout.readline() == "listening\n"

    def doors(self, name: str) -> list[str]:
        """Every address of a service with every port that any of them listens on."""
        ports = {listens(each).rpartition(":")[2] for each in SERVICES}
        return [f"{address}:{port}" for address in self.addresses[name] for port in sorted(ports)]

    def reached(self, name: str, others: list[str]) -> frozenset[str]:
        """The services that one reaches, at any address and port."""
        doors = {door: other for other in others for door in self.doors(other)}
        return frozenset(doors[d] for d in self.networks.reaches(self.machines[name], list(doors)))

    def close(self) -> None:
        for one in self.running:
            one.kill()
            one.wait()
            if one.stdout is not None:
                one.stdout.close()


@pytest.fixture(scope="module")
def town() -> Iterator[Town]:
    if not may_make_them():
        pytest.skip("this machine gives no namespaces to this user")
    with networks() as made:
        built = Town(made)
        yield built
        built.close()


def test_a_runner_reaches_no_database_no_web_no_dispatcher_and_not_the_world(town: Town) -> None:
    others = [name for name in SERVICES if name != "runner"]
    assert town.reached("runner", others) == frozenset()
    assert town.networks.reaches(town.machines["runner"], [town.world]) == frozenset()


@pytest.mark.parametrize(
    ("name", "reached"),
    [
        ("web-1", {"proxy", "web-2", "dispatcher-1", "dispatcher-2", "database", "runner"}),
        ("dispatcher-1", {"dispatcher-2", "database", "runner"}),
        ("proxy", {"web-1", "web-2"}),
        ("migrate", {"dispatcher-1", "dispatcher-2", "database"}),
    ],
)
def test_the_others_reach_what_they_need(town: Town, name: str, reached: set[str]) -> None:
    assert town.reached(name, [other for other in SERVICES if other != name]) == reached


def test_the_proxy_and_the_web_reach_the_world_and_nothing_else_does(town: Town) -> None:
    found = {
        name
        for name, machine in town.machines.items()
        if town.networks.reaches(machine, [town.world])
    }
    assert found == {"proxy", "web-1", "web-2"}
