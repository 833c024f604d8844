"""The queue beside the line of one process: what a submission costs more, how much gets through.

Both installations stand side by side on this machine and are measured in turn, so that what else
runs here hits both alike. CPU is that of all processes, PostgreSQL's too.
"""

from __future__ import annotations

import itertools
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.figures import Figure, at_least, at_most, median
from bench.processes import cpu_s
from bench.serving import HERE, MANY, REFERENCE, SLUG, Learner, make_known, serving
from bench.visitors import Crowd, visit
from tests.machines.clients import Log, learners, unreported, verdicts, wait_until_all_reported
from tests.machines.machines import Machine
from tests.machines.processes import Machines, machines, metric
from tests.postgres import DURABLE, Cluster, cluster

ROUNDS = int(os.environ.get("MLGRIND_BENCH_ROUNDS", "7"))
EACH = int(os.environ.get("MLGRIND_BENCH_EACH", "60"))
CLIENTS, BURST_S = 12, 6.0
SETTLED_S, IDLE = 60.0, 0.15
"""At rest less than this share of a core is used."""

SUBMIT = f"/api/exercises/{SLUG}/submissions"
STORM = int(os.environ.get("MLGRIND_BENCH_STORM", "10000"))
STORM_RATE, KILL_S = float(os.environ.get("MLGRIND_BENCH_STORM_RATE", "45")), 2.0
RUNNER_ROUNDS = 3
LIMITS = {
    "MLGRIND_LIMIT_OUTSTANDING": MANY,
    "MLGRIND_LIMIT_SUBMISSIONS": MANY,
    "MLGRIND_LIMIT_REQUESTS": MANY,
    "MLGRIND_LIMIT_LINE": MANY,
    "MLGRIND_TRUSTED_PROXIES": HERE,
}

_numbers = itertools.count()


@dataclass(frozen=True)
class Installation:
    """Where it listens, and the CPU that all its processes have used."""

    port: int
    cpu: Callable[[], float]

    def settle(self) -> None:
        """Until it does nothing more: second looks come after a crowd, and would be in the way."""
        until = time.monotonic() + SETTLED_S
        while time.monotonic() < until:
            before = self.cpu()
            time.sleep(0.5)
            if self.cpu() - before < 0.5 * IDLE:
                return

    def one_by_one(self, count: int) -> tuple[float, float]:
        """Seconds a submission (median), and CPU seconds each; at rest again when it returns."""
        learner, spent, before = Learner(self.port), [], self.cpu()
        for _ in range(count):
            begun = time.monotonic()
            learner.submit(f"{REFERENCE}\n# {next(_numbers)}")
            spent.append(time.monotonic() - begun)
        used = self.cpu() - before
        self.settle()
        return median(spent), used / count

    def at_once(self) -> float:
        """Verdicts a second for a crowd that never waits; at rest again when it returns."""
        crowd = Crowd("learners", CLIENTS, 0.0, "POST", SUBMIT, REFERENCE, judged=True)
        answers = visit([self.port], [crowd], BURST_S)
        self.settle()
        return sum(one.at_s <= BURST_S for one in answers) / BURST_S


@dataclass(frozen=True)
class Queue(Installation):
    """One before a queue: its database, its processes, and the CPU of its runners alone."""

    url: str
    made: Machines
    runners: Callable[[], float]


def figures() -> Iterator[Figure]:
    """What the queue costs, in medians of rounds taken in turn."""
    make_known()
    with ExitStack() as standing:
        embedded, queue, running = all_three = _all_three(standing)
        for one in all_three:
            one.one_by_one(20)  # expectations are read, connections made
        apart = [(embedded.one_by_one(EACH), queue.one_by_one(EACH)) for _ in range(ROUNDS)]
        through = [tuple(one.at_once() for one in all_three) for _ in range(ROUNDS)]
        before = running.runners()
        over = [running.one_by_one(EACH) for _ in range(RUNNER_ROUNDS)]
        theirs = (running.runners() - before) / (RUNNER_ROUNDS * EACH) * 1e3
    cpu = [(q[1] - e[1]) * 1e3 for e, q in apart]
    waits = [(q[0] - e[0]) * 1e3 for e, q in apart]
    alone = median(e[1] for e, _ in apart) * 1e3
    yield Figure("CPU a submission, embedded", alone, "ms")
    yield at_most("CPU a submission, queue minus embedded", median(cpu), "ms", 8, _range(cpu))
    beside = median(each[1] for each in over) * 1e3 - alone
    yield Figure("CPU a submission, queue with runners minus embedded", beside, "ms")
    yield Figure("CPU a submission, of the runners alone", theirs, "ms", note="looks again too")
    yield Figure("latency, embedded", median(e[0] for e, _ in apart) * 1e3, "ms")
    yield at_most("latency, queue minus embedded", median(waits), "ms", 8, _range(waits))
    yield Figure("verdicts a second, embedded", median(each[0] for each in through), "")
    for number, what in ((1, "queue"), (2, "queue with two runners")):
        ratios = [each[number] / each[0] for each in through]
        yield at_least(f"throughput, {what} to embedded", median(ratios), "", 0.5, _range(ratios))


def storm() -> Iterator[Figure]:
    """10,000 submissions, and a random process killed every two seconds; nothing may be lost."""
    log, kills = Log(), 0
    with (
        tempfile.TemporaryDirectory(prefix="mlgrind-bench-") as folder,
        cluster(*DURABLE) as postgres,
        postgres.database() as url,
        machines(url, Path(folder)) as made,
    ):
        _start(made, 2)
        ports = [one.port for one in made.all if one.name.startswith("web")]
        crowd = learners(ports, log, rate=STORM_RATE, seconds=STORM / STORM_RATE)
        while crowd.is_alive():
            time.sleep(KILL_S)
            random.choice(made.all).kill()
            kills += 1
        spent = wait_until_all_reported(url, log)
        lost = len(unreported(url, log))
        found = verdicts(url)
        orphans = sum(metric(one.port, "mlgrind_orphans_total") for one in made.all[2:])
        parked = max(metric(one.port, "mlgrind_parked") for one in made.all[2:])
    yield Figure(f"storm: promised, with {kills} kills", float(len(log.promised)), "")
    yield at_most("storm: lost", float(lost), "", 0, f"all reported {spent:.1f} s after the last")
    others = sum(found.values()) - found["accepted"]
    yield at_most("storm: reports that are not the right one", float(others), "", 0)
    yield at_most("storm: orphans", orphans, "", 0)
    yield at_most("storm: parked", parked, "", 0)


def _all_three(standing: ExitStack) -> tuple[Installation, Queue, Queue]:
    """In one process, before a queue, and before a queue with runners."""
    folder = Path(standing.enter_context(tempfile.TemporaryDirectory(prefix="mlgrind-bench-")))
    server = standing.enter_context(serving(folder / "embedded"))
    alone = Installation(server.port, lambda: cpu_s(server.process.pid))
    queue = standing.enter_context(queued(folder / "queued"))
    return alone, queue, standing.enter_context(queued(folder / "run", runners=2))


@contextmanager
def queued(folder: Path, each: int = 1, runners: int = 0) -> Iterator[Queue]:
    """So many web processes and dispatchers on a PostgreSQL.

    With runners of one place each, learners' code runs there.
    """
    with ExitStack() as standing:
        postgres = standing.enter_context(cluster(*DURABLE, "autovacuum=on"))
        url = standing.enter_context(postgres.database())
        running = [Machine(folder / f"runner-{n}", fast=1) for n in range(runners)]
        for runner in running:
            standing.callback(runner.stop)
            runner.start()
        where = _of_runners(running)
        made = standing.enter_context(machines(url, folder, **LIMITS, **where))
        _start(made, each)
        theirs = [one.process.pid for one in running if one.process]

        def cpu() -> float:
            pids = [*(one.pid for one in made.all), *theirs, _postmaster(postgres)]
            return sum(map(cpu_s, pids))

        yield Queue(made.all[0].port, cpu, url, made, lambda: sum(map(cpu_s, theirs)))


def _of_runners(running: list[Machine]) -> dict[str, str]:
    if not running:
        return {}
    return {
        "MLGRIND_RUNNERS": ",".join(one.name for one in running),
        "MLGRIND_RUNNER_TOKEN_FILE": str(running[0].folder / "token"),
    }


def _start(made: Machines, each: int) -> None:
    for _ in range(each):
        made.web()
    for _ in range(each):
        made.dispatcher()
    for one in made.all:
        one.wait_ready()


def _postmaster(postgres: Cluster) -> int:
    return int((postgres.data / "postmaster.pid").read_text().split()[0])


def _range(values: list[float]) -> str:
    return f"{min(values):.2f} to {max(values):.2f}; {SLUG}"
