"""What is counted, in one place; the numbers are offered at `/metrics`.

No label ever holds what a learner, an address or an exercise's author wrote.
"""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

SUBMISSIONS = Counter(
    "mlgrind_submissions", "Submissions asked for, by what became of the asking", ["outcome"]
)
RUNS = Counter("mlgrind_runs", "Runs asked for, by what became of the asking", ["outcome"])
VERDICTS = Counter("mlgrind_verdicts", "Reports recorded, by verdict", ["verdict"])
GRADER_ERRORS = Counter("mlgrind_grader_errors", "Submissions that were our fault")
DECORATIONS_LOST = Counter(
    "mlgrind_decorations_lost", "Diagnoses, traces, probes and pictures left out by our fault"
)
SECOND_LOOKS = Counter(
    "mlgrind_second_looks",
    "Accepted submissions tried on random inputs, by what was seen",
    ["seen"],
)
LATENCY = Histogram(
    "mlgrind_verdict_latency_seconds",
    "From a stored submission to its stored report",
    buckets=(0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300),
)
WAITING = Gauge("mlgrind_line_waiting", "Jobs in line, by kind", ["kind"])
STARTED = Counter("mlgrind_jobs_started", "Jobs started, by lane", ["lane"])
LEFT_FAST_LANE = Counter("mlgrind_jobs_left_fast_lane", "Jobs that used up the fast lane's time")
STOOD = Counter("mlgrind_jobs_stood", "Times a slow job stood still for others")
GAVE_WAY = Counter("mlgrind_jobs_gave_way", "Slow jobs ended for others, to be run once more")
RETRIED = Counter("mlgrind_jobs_retried", "Jobs tried again after a fault of the sandbox")
DROPPED = Counter("mlgrind_runs_dropped", "Runs that gave way to something more urgent")
KEEPERS_REPLACED = Counter("mlgrind_keepers_replaced", "Keepers started in place of one that died")
CHILDREN_LOST = Counter("mlgrind_children_lost", "Children ended by a SIGKILL that was not ours")
LTI_SCORES = Gauge("mlgrind_lti_scores", "Scores for campus systems, by state", ["state"])
QUEUE_JOBS = Gauge("mlgrind_queue_jobs", "Jobs in the shared queue", ["queue", "state"])
QUEUE_OLDEST = Gauge("mlgrind_queue_oldest_seconds", "How long the oldest waiting job has waited")
QUEUE_WAIT = Histogram(
    "mlgrind_queue_wait_seconds",
    "From a stored submission to the dispatcher that takes its job",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300),
)
GRADE_SECONDS = Histogram(
    "mlgrind_grade_seconds",
    "What judging a submission takes: run (until the verdict is known), compare (of it), record",
    ["part"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
JOBS_RECOVERED = Counter("mlgrind_jobs_recovered", "Jobs taken from dispatchers that had died")
ORPHANS = Counter("mlgrind_orphans", "Submissions found with neither report nor job")
PARKED = Gauge("mlgrind_parked", "Submissions that could not be judged and wait for the host")
VERDICT_CONFLICTS = Counter("mlgrind_verdict_conflicts", "Second reports that were dropped")
LISTEN_RECONNECTS = Counter(
    "mlgrind_listen_reconnects", "Times the connection that hears of reports was made anew"
)
RUNNER_ORDERS = Counter(
    "mlgrind_runner_orders", "Orders that came to this runner, by what became of them", ["outcome"]
)
RUNNER_SLOTS = Gauge(
    "mlgrind_runner_slots", "Places of the runners this process knows", ["runner", "state"]
)
RUNNER_FAILURES = Counter(
    "mlgrind_runner_failures", "Orders that a runner did not answer", ["runner", "reason"]
)
SECOND_OPINIONS = Counter(
    "mlgrind_second_opinions",
    "Submissions judged again on another runner, by what that said",
    ["result"],
)
SPARE_CHILDREN = Gauge("mlgrind_spare_children", "Children that wait, locked and rehearsed")
LAYER = Gauge("mlgrind_layer", "Layers of the wall: 1 where one holds", ["name"])
FREE_DISK = Gauge("mlgrind_free_disk_bytes", "Room on the disk of the data directory")
