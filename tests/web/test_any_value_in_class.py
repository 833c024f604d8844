"""Whatever a call gives, the pages of a class, its tables and what one takes along show it."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from app import metrics
from app.model import Execution, Order, Ran, Value
from app.model.bounds import REPORT_BYTES
from tests.any_values import LARGE, texts, values
from tests.service.world import World
from tests.web.teacher import Teacher, Visit, joined

MHA = "multi-head-attention"
PAGE_BYTES = 4_000_000
"""What no page comes near, whatever one report in it holds."""

ENDS = ("returned", "returned", "returned", "raised", "time_limit", "crashed", "output_limit")


class Gives:
    """What the sandbox gives for every call of the next submission."""

    def __init__(self, world: World) -> None:
        self.execution = Execution("returned")
        self.sent = 0
        plainly: Callable[[Order], Ran] = world.sandbox.run

        def run(order: Order) -> Ran:
            if not order.sources[-1].text.startswith(b"# any"):
                return plainly(order)
            return Ran(executions=(self.execution,) * len(order.calls))

        world.sandbox.run = run  # type: ignore[method-assign]

    def judged(self, learner: TestClient, execution: Execution) -> dict[str, Any]:
        """The report of one more submission."""
        self.execution, self.sent = execution, self.sent + 1
        source = f"# any {self.sent}\ndef multi_head_attention(Q, K, V, num_heads):\n    pass\n"
        body = {"source": source, "html": True}
        answer = learner.post(f"/api/exercises/{MHA}/submissions", json=body)
        assert answer.status_code == 201, answer.text
        return dict(answer.json())


@pytest.fixture
def gives(world: World) -> Iterator[Gives]:
    yield Gives(world)


@pytest.fixture
def pupil(visit: Visit, teacher: Teacher) -> TestClient:
    teacher.give(exercise=MHA)
    return joined(teacher, visit, "Ann")


def _pages(teacher: Teacher, report: Mapping[str, Any]) -> list[str]:
    """All that staff may open once a learner has been judged."""
    seat, (given,) = teacher.seats()["Ann"], teacher.school.assignments.all(teacher.id)  # type: ignore[arg-type]
    named = (report.get("diagnosis") or {}).get("misconception") or "none"
    return [
        *(f"{teacher.base}/{page}" for page in ("board", f"board/{MHA}", "grades", "similar")),
        f"{teacher.base}/board/{MHA}/example/{named}",
        f"{teacher.base}/grades/cell/{given.id}/{seat}",
        *(f"{teacher.base}/grades.csv?system={one}" for one in ("canvas", "moodle", "plain")),
        f"{teacher.base}/people/{seat}",
        f"{teacher.base}/people/{seat}/tries/{report['submission']}",
    ]


def _own(pupil: TestClient, teacher: Teacher, report: Mapping[str, Any]) -> list[str]:
    """All that the learner may open, a shared copy among it."""
    one = report["submission"]
    shared = pupil.post(f"/api/submissions/{one}/share").json()["url"]
    return [
        teacher.base, "/me", "/progress", f"/exercises/{MHA}", shared,
        f"/submissions/{one}", f"/submissions/{one}/report.json", f"/api/submissions/{one}",
        *(f"/submissions/{one}/got/{number}.py" for number in range(len(report["tests"]))),
    ]  # fmt: skip


def _off(client: TestClient, paths: list[str]) -> list[str]:
    """The addresses that failed, said that it was our fault, or gave more than there may be."""
    answers = [client.get(path) for path in paths]
    return [
        f"{answer.status_code} {answer.url} {len(answer.content):,} bytes"
        for answer in answers
        if answer.status_code >= 500 or "on us" in answer.text or len(answer.content) > PAGE_BYTES
    ]


def assert_all_of_it_is_shown(
    gives: Gives, teacher: Teacher, pupil: TestClient, execution: Execution
) -> None:
    lost = metrics.DECORATIONS_LOST._value.get()
    report = gives.judged(pupil, execution)
    assert report["verdict"] != "grader_error"
    kept = pupil.get(f"/api/submissions/{report['submission']}")
    assert len(kept.content) <= REPORT_BYTES + 10_000, "the report, its source and two words"
    assert _off(teacher.client, _pages(teacher, report)) == []
    assert _off(pupil, _own(pupil, teacher, report)) == []
    assert metrics.DECORATIONS_LOST._value.get() == lost, "something beside a verdict failed"


@settings(
    max_examples=12,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(value=values, printed=texts, ended=st.sampled_from(ENDS))
def test_every_value_is_shown_to_a_class(
    gives: Gives, teacher: Teacher, pupil: TestClient, value: Value, printed: str, ended: Any
) -> None:
    given = value if ended == "returned" else None
    execution = Execution(ended, value=given, stdout=printed)
    assert_all_of_it_is_shown(gives, teacher, pupil, execution)


@pytest.mark.parametrize("name", ["nested_nones", "many_texts", "long_keys", "many_axes"])
def test_a_large_value_is_shown_to_a_class(
    gives: Gives, teacher: Teacher, pupil: TestClient, name: str
) -> None:
    execution = Execution("returned", value=LARGE[name], stdout="\x07" * 65_536)
    assert_all_of_it_is_shown(gives, teacher, pupil, execution)
    packed = zipfile.ZipFile(BytesIO(pupil.get("/me/export.zip").content))
    assert sum(each.file_size for each in packed.infolist()) <= PAGE_BYTES
