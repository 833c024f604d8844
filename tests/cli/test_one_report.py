"""From the shell and over HTTP a source gets one and the same report; doctor hears of a crowd."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.cli.test_grade import mlgrind, reports
from tests.cli.test_serve import serving, submit
from tests.service.world import REFERENCE, SOFTMAX, WRONG

SOURCES = {
    "accepted": REFERENCE,
    "wrong_answer": WRONG,
    "policy_error": b"import os\nimport sys\n" + WRONG,
    "syntax_error": b"def softmax(x:\n",
    "runtime_error": b"def softmax(x, axis=-1):\n    return y\n",
}
OF_ONE_TIME = {"cpu_ms", "wall_ms", "peak_memory_bytes", "submission"}
OF_THE_PLACE = {"file", "trace", "probe", "read_token", "source", "created_at"}


def bare(report: dict[str, Any]) -> dict[str, Any]:
    """Without what belongs to one run of it, or to where it was asked for."""
    kept = {key: report[key] for key in report.keys() - OF_ONE_TIME - OF_THE_PLACE}
    kept["tests"] = [{**test, "cpu_ms": None} for test in report["tests"]]
    return kept


def test_shell_and_interface_give_the_same_report_and_doctor_sees_the_crowd(
    tmp_path: Path,
) -> None:
    """Five learners of one address, as behind a proxy nobody named, are warned of."""
    paths = [tmp_path / f"{verdict}.py" for verdict in SOURCES]
    for path, source in zip(paths, SOURCES.values(), strict=True):
        path.write_bytes(source)
    with serving() as (_, lines):
        url = lines[0].removeprefix("ML Grind is at ")
        early = mlgrind("doctor").stdout.decode()
        told = [submit(url, source) for source in SOURCES.values()]
        late = mlgrind("doctor").stdout.decode()
    shell = reports(mlgrind("grade", SOFTMAX, *paths, "--json"))
    assert [report["verdict"] for report in told] == list(SOURCES)
    assert [bare(report) for report in shell] == [bare(report) for report in told]
    warning = "every request has the same address"
    assert warning not in early
    assert warning in late
    assert "MLGRIND_TRUSTED_PROXIES" in late
