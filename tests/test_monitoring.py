"""docs/monitoring: alert rules and a dashboard that ask for nothing that is not there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from prometheus_client.metrics import MetricWrapperBase

from app import metrics

FOLDER = Path(__file__).parents[1] / "docs" / "monitoring"
RULES: list[dict[str, Any]] = [
    rule
    for group in yaml.safe_load((FOLDER / "alerts.yaml").read_text())["groups"]
    for rule in group["rules"]
]
PANELS: list[dict[str, Any]] = json.loads((FOLDER / "dashboard.json").read_text())["panels"]
ASKED = {
    **{rule["alert"]: rule["expr"] for rule in RULES},
    **{
        f"{panel['title']} {target['refId']}": target["expr"]
        for panel in PANELS
        for target in panel["targets"]
    },
}
KNOWN = {
    str(one._name): (str(one._type), one._labelnames)
    for one in vars(metrics).values()
    if isinstance(one, MetricWrapperBase)
}
"""What the code counts, each by its name without an ending."""

ENDINGS = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}


def offered() -> dict[str, tuple[str, ...]]:
    """Every name at /metrics with its labels."""
    return {
        f"{name}{ending}": (*labels, *(("le",) if ending == "_bucket" else ()))
        for name, (kind, labels) in KNOWN.items()
        for ending in ENDINGS[kind]
    }


@pytest.mark.parametrize("expression", ASKED.values(), ids=ASKED.keys())
def test_every_metric_and_every_label_is_one_of_ours(expression: str) -> None:
    names = re.findall(r"mlgrind_[a-z_]+", expression)
    assert names and set(names) <= offered().keys()
    labels = {label for name in names for label in offered()[name]}
    used = re.findall(r"[a-z_]+", " ".join(re.findall(r"by \(([^)]*)\)", expression)))
    used += re.findall(r"[{,]\s*([a-z_]+)\s*=", expression)
    assert set(used) <= labels


def test_every_alert_says_what_is_and_what_to_do() -> None:
    assert len({rule["alert"] for rule in RULES}) == len(RULES) >= 8
    for rule in RULES:
        said = rule["annotations"]
        assert said["summary"].endswith(".") and len(said["description"]) > 40, rule["alert"]


def test_the_hosts_page_names_every_alert() -> None:
    hosting = (FOLDER.parent / "hosting.md").read_text()
    assert [rule["alert"] for rule in RULES if rule["alert"] not in hosting] == []


@pytest.mark.parametrize(
    "name",
    [
        "mlgrind_queue_jobs", "mlgrind_queue_oldest_seconds", "mlgrind_queue_wait_seconds",
        "mlgrind_grade_seconds", "mlgrind_runner_slots", "mlgrind_runner_failures",
        "mlgrind_jobs_recovered", "mlgrind_orphans", "mlgrind_parked", "mlgrind_verdict_conflicts",
        "mlgrind_listen_reconnects", "mlgrind_second_opinions", "mlgrind_spare_children",
        "mlgrind_layer", "mlgrind_lti_scores",
    ],
)  # fmt: skip
def test_a_promised_metric_is_there(name: str) -> None:
    assert name in KNOWN
