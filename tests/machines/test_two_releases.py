"""Old and new processes side by side, as while a release is rolled out: nothing is lost."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.machines import of_release
from tests.machines.clients import Log, send, source, verdicts, wait_until_all_reported
from tests.machines.machines import TOKEN, Machine
from tests.machines.processes import asked, machines, metric
from tests.postgres import Cluster

SCRIPT = of_release.__file__


def command(release: str, name: str) -> tuple[str, ...]:
    return (sys.executable, SCRIPT, release, name)


def test_while_a_release_is_rolled_out_nothing_is_lost_and_nothing_is_our_fault(
    postgres: Cluster, tmp_path: Path
) -> None:
    """Jobs of a later version, and runners of another software than half of their callers."""
    runners = {
        release: Machine(tmp_path / release, command=command(release, "runner")[1:])
        for release in ("earlier", "later")
    }
    token = tmp_path / "token"
    token.write_text(TOKEN)
    named = {
        "MLGRIND_RUNNERS": ",".join(one.name for one in runners.values()),
        "MLGRIND_RUNNER_TOKEN_FILE": str(token),
        "MLGRIND_SECOND_OPINIONS": "1",
    }
    with postgres.database() as url, machines(url, tmp_path, **named) as made:
        try:
            for one in runners.values():
                one.start()
            webs = [made.web(command(release, "serve")) for release in runners]
            old, new = [made.dispatcher(command(release, "dispatcher")) for release in runners]
            for process in made.all:
                process.wait_ready()
            log = Log()
            for number in range(12):
                log.add(send(webs[number % 2].port, source(number), f"key-{number}"))
            wait_until_all_reported(url, log)
            old.stop()
            runners["earlier"].stop()
            for number in range(12, 16):
                log.add(send(webs[number % 2].port, source(number), f"key-{number}"))
            wait_until_all_reported(url, log)
            assert set(log.statuses) <= {201, 202}, log.statuses
            assert verdicts(url) == {"accepted": len(log.promised)} == {"accepted": 16}
            assert metric(new.port, "mlgrind_parked") == 0
            assert metric(new.port, "mlgrind_orphans_total") == 0
            _, text = asked(webs[0].port, "/metrics")
            assert f'runner="{runners["later"].name}",state="parked"' in text
        finally:
            for one in runners.values():
                one.stop()
