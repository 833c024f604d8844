"""The growth table, made from the routes themselves: each has rows, or the test of the table fails.

What can be grown of a route is read from it: the parts of its path, its query, the fields of its
body, the names that its code asks a form for (with each thing a form can `do`), its file. Where
there is nothing, a query is sent all the same. Sent by whoever may: see `test_wall.Town`.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.testclient import TestClient

from app.web.form import form
from app.web.upload import _upload
from tests.web.growth import Row
from tests.web.test_wall import every_route

ENDS = ("/me/delete", "/leave", "/staff/sign-out", "/archive")
"""What ends the one who asks, or their class, comes last."""

_ASKED = re.compile(r'\.(?:text|number|numbered)\("([\w-]+)"|"(\w+)" in sent|\bname="(\w+)"')
_LISTED = re.compile(r"\b[A-Z_]+ = \(([^()]+)\)")
_DOES = re.compile(r'"do"\) (?:==|!=|in) \(?("[^:\n]+)|case ("[\w ]+")')
_QUOTED = re.compile(r'"([\w ]+)"')
_PART = re.compile(r"{(\w+)}")
_LEAST = {"wait": "0"}


def rows(site: FastAPI, paths: dict[str, str]) -> list[Row]:
    """All rows of a site; `paths` is what a part of a path is called where it does not grow."""
    found = [
        row
        for route in every_route(site)
        if isinstance(route, APIRoute)
        for method in sorted((route.methods or set()) - {"HEAD"})
        for row in _of(route, method, paths)
    ]
    return sorted(found, key=lambda row: any(row.name.endswith(end) for end in ENDS))


def _of(route: APIRoute, method: str, paths: dict[str, str]) -> Iterator[Row]:
    dependants = list(_below(route.dependant))
    queries = {p.name for each in dependants for p in each.query_params}
    known = {name: value for name, value in _LEAST.items() if name in queries}
    here = f"{method} {route.path}"

    def ask(what: str, n: int) -> dict[str, Any]:
        return {"params": known | {what: "a" * n}}

    for part in _PART.findall(route.path):
        address = _address(route.path, paths, part)
        yield Row(f"{part} of {here}", _asks(method, address, lambda n: {"params": known}), 40)
    for query in sorted(queries) or ["nothing"]:
        sent = _asks(method, _address(route.path, paths), lambda n, q=query: ask(q, n))
        yield Row(f"?{query} of {here}", sent, 100)
    for name, content, start in _bodies(route, dependants, paths):
        yield Row(f"{name} of {here}", _asks(method, _address(route.path, paths), content), start)


def _below(dependant: Dependant) -> Iterator[Dependant]:
    yield dependant
    for each in dependant.dependencies:
        yield from _below(each)


def _address(path: str, paths: dict[str, str], grown: str = "") -> Any:
    def at(n: int) -> str:
        return _PART.sub(
            lambda part: "a" * n if part[1] == grown else paths.get(part[1], "none"), path
        )

    return at


def _asks(method: str, address: Any, content: Any) -> Any:
    def ask(client: TestClient, n: int) -> Any:
        return client.request(method, address(n), **content(n))

    return ask


def _bodies(
    route: APIRoute, dependants: list[Dependant], paths: dict[str, str]
) -> Iterator[tuple[str, Any, int]]:
    calls = {each.call for each in dependants}
    for parameter in (p for each in dependants for p in each.body_params):
        model = parameter.field_info.annotation
        if isinstance(model, type) and issubclass(model, BaseModel):
            yield from ((name, _json(model, name), 400) for name in model.model_fields)
    if form in calls or _upload in calls:
        asked, does = _form(route)
        fields = {name: paths.get(name, "") for name in asked}
        for do in sorted(does) or [""]:
            given = fields | ({"do": do} if do else {})
            if form in calls:
                yield (f"the form ({do})" if do else "the form"), _filled(given), 40
            else:
                yield (f"the file ({do})" if do else "the file"), _file(given), 20


def _json(model: type[BaseModel], grown: str) -> Any:
    def content(n: int) -> dict[str, Any]:
        body = {
            name: _value(str(field.annotation), n if name == grown else 1)
            for name, field in model.model_fields.items()
        }
        return {"json": body}

    return content


def _value(annotation: str, n: int) -> Any:
    if "bool" in annotation:
        return False
    return "a" * n if "int" not in annotation else 10 ** min(n, 4_000)


def _form(route: APIRoute) -> tuple[list[str], set[str]]:
    """The names of fields that a route's code asks for, and what its form can do."""
    module = sys.modules[route.endpoint.__module__]
    text = inspect.getsource(module)
    asked = {name for found in _ASKED.findall(text) for name in found if name}
    asked |= {name for listed in _LISTED.findall(text) for name in _QUOTED.findall(listed)}
    own = inspect.getsource(route.endpoint)
    for name in set(re.findall(r"\b(_[a-z]\w+)\(", own)):
        if inspect.isfunction(helper := getattr(module, name, None)):
            own += inspect.getsource(helper)
    does = {do for found in _DOES.findall(own) for part in found for do in _QUOTED.findall(part)}
    return sorted(asked - {"do", "sure"})[:90], does


def _filled(fields: dict[str, str]) -> Any:
    return lambda n: {"data": {name: value or "a" * n for name, value in fields.items()}}


def _file(fields: dict[str, str]) -> Any:
    def content(n: int) -> dict[str, Any]:
        lines = "".join(f"Name {i},id{i},section\n" for i in range(n))
        data = dict(list(fields.items())[:15])
        return {"data": data, "files": {"file": ("a.csv", "name,id,section\n" + lines)}}

    return content
