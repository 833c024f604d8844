"""The interface keeps its word: no answer but the documented ones, whatever is sent."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import Case, GenerationMode
from schemathesis.core.result import Ok
from schemathesis.schemas import BaseSchema as OpenApiSchema
from schemathesis.specs.openapi.checks import positive_data_acceptance
from starlette.testclient import TestClient

from app.config import Settings
from tests.service.world import World
from tests.web.conftest import ROOMY
from tests.web.server import opened


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory, shelf: Path) -> Iterator[OpenApiSchema]:
    """The document of a site whose door is wide open, so that no refusal hides an answer."""
    data = tmp_path_factory.mktemp("openapi")
    wide = replace(ROOMY, address_submissions=10**6, address_runs=10**6, address_writes=10**6,
                   address_live=10**6, address_learners=10**6)  # fmt: skip
    world = World(data, folders=(shelf,), allowance=wide)
    site = opened(world.service(started=False), Settings(data=data))
    yield schemathesis.openapi.from_asgi("/openapi.json", site)
    world.close()


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: str(mode.value))
def test_every_answer_is_a_documented_one(schema: OpenApiSchema, mode: GenerationMode) -> None:
    """schemathesis sends what fits the document and what does not; no 5xx, no surprise."""
    checked = 0
    for result in schema.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(max_examples=12, suppress_health_check=list(HealthCheck), deadline=None)
        def check(case: Case[Any]) -> None:
            # A name or arguments of the right type may still be refused, in a sentence (422).
            case.call_and_validate(excluded_checks=[positive_data_acceptance])

        with contextlib.suppress(Unsatisfiable):  # nothing can be wrong about an empty request
            check()
            checked += 1
    assert checked > 8


def test_refusals_are_documented_as_problem_details(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    for path in document["paths"].values():
        for operation in path.values():
            for status, answer in operation["responses"].items():
                kinds = list(answer.get("content", {}))
                if int(status) >= 400:
                    assert kinds == ["application/problem+json"], (operation["summary"], status)
    assert "HTTPValidationError" not in document["components"]["schemas"]


def test_the_document_names_no_page_of_a_third_party(client: TestClient) -> None:
    assert "http" not in client.get("/docs").text.split("<main")[1].replace("HTTP", "")


def test_every_address_of_the_interface_is_in_its_document(client: TestClient) -> None:
    """What design and README name is there, under these addresses and methods."""
    document = client.get("/openapi.json").json()["paths"]
    found = {(method, path) for path, methods in document.items() for method in methods}
    exercise = "/api/exercises/{slug}"
    promised = {
        ("get", "/api/exercises"),
        ("get", exercise),
        ("post", f"{exercise}/runs"),
        ("post", f"{exercise}/submissions"),
        ("get", "/api/submissions/{submission}"),
        ("post", f"{exercise}/hints"),
        ("post", f"{exercise}/solution"),
    }
    assert promised - found == set()
