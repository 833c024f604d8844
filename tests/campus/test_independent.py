"""An independent tool (PyLTI1p3) and the same campus: ours does not only agree with itself."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any

import jwt
import pytest
import requests
from cryptography.hazmat.primitives import serialization
from pylti1p3.assignments_grades import AssignmentsGradesService
from pylti1p3.cookie import CookieService
from pylti1p3.exception import LtiException
from pylti1p3.grade import Grade
from pylti1p3.lineitem import LineItem
from pylti1p3.message_launch import MessageLaunch
from pylti1p3.message_validators.resource_message import ResourceMessageValidator
from pylti1p3.names_roles import NamesRolesProvisioningService
from pylti1p3.oidc_login import OIDCLogin
from pylti1p3.redirect import Redirect
from pylti1p3.registration import Registration
from pylti1p3.request import Request
from pylti1p3.service_connector import ServiceConnector
from pylti1p3.session import SessionService
from pylti1p3.tool_config.dict import ToolConfDict
from requests.adapters import BaseAdapter

from tests.campus.platform import SCOPES, TEMPERS, P, Platform, Temper, User, new_key


class Wire(BaseAdapter):
    """Brings requests to a campus in this process."""

    def __init__(self, platform: Platform) -> None:
        super().__init__()
        self._platform = platform

    def send(self, request: Any, **_: Any) -> requests.Response:  # type: ignore[override]
        body = request.body.encode() if isinstance(request.body, str) else request.body
        found = self._platform.fetch(request.method, request.url, body, request.headers)
        answer = requests.Response()
        answer.status_code, answer._content = found.status, found.body
        answer.headers.update(found.headers)
        answer.request, answer.url = request, request.url
        return answer

    def close(self) -> None:
        """Nothing is open."""


class Connector(ServiceConnector):
    """Keeps no token."""

    def _get_cached_access_token(self, scope_key: str) -> None:
        return None

    def _cache_access_token(self, scope_key: str, access_token: str, expires_in: float) -> None:
        return None


@pytest.fixture(params=TEMPERS, ids=lambda one: one.name)
def campus(request: pytest.FixtureRequest) -> tuple[Platform, Connector]:
    temper: Temper = request.param
    key = new_key()
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()
    public = (
        key.public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        .decode()
    )
    registration = Registration()
    keys = {"keys": [dict(Registration.get_jwk(public))]}
    platform = Platform(temper, "https://other-tool.test", lambda: keys, time.time)
    registration.set_issuer(platform.issuer)
    registration.set_client_id(platform.client_id)
    registration.set_auth_token_url(f"{platform.home}/token")
    registration.set_tool_private_key(private)
    registration.set_tool_public_key(public)
    session = requests.Session()
    session.mount("https://", Wire(platform))
    return platform, Connector(registration, session)


def test_another_tool_makes_a_column_and_sends_a_score(
    campus: tuple[Platform, Connector],
) -> None:
    platform, connector = campus
    service = {
        "scope": [SCOPES["lineitem"], SCOPES["score"]],
        "lineitems": f"{platform.home}/course/lineitems",
    }
    grades = AssignmentsGradesService(connector, service)  # type: ignore[arg-type]
    wanted = LineItem().set_label("Softmax").set_score_maximum(10).set_resource_id("r1")
    column = grades.find_or_create_lineitem(wanted, "resource_id")
    grade = (
        Grade()
        .set_user_id("1")
        .set_score_given(8)
        .set_score_maximum(10)
        .set_timestamp("2026-11-29T12:00:00.000Z")
        .set_activity_progress("Completed")
        .set_grading_progress("FullyGraded")
    )
    grades.put_grade(grade, column)
    assert [(one["userId"], one["scoreGiven"]) for one in platform.scores] == [("1", 8)]


def test_another_tool_reads_the_people(campus: tuple[Platform, Connector]) -> None:
    platform, connector = campus
    platform.users |= {str(n): User(f"Student {n}") for n in range(100, 160)}
    service = {"context_memberships_url": f"{platform.home}/course/members"}
    found = NamesRolesProvisioningService(connector, service).get_members()  # type: ignore[arg-type]
    assert len(found) == 63


def test_another_tool_takes_the_launch_for_one(campus: tuple[Platform, Connector]) -> None:
    platform, _ = campus
    token = platform.sign(platform.claims("1", "nonce"))
    key = json.loads(platform._get_jwks().body)["keys"][-1]
    said = jwt.decode(token, jwt.PyJWK(key, "RS256"), ["RS256"], audience=platform.client_id)
    assert said[P + "lti/claim/version"] == "1.3.0"
    assert ResourceMessageValidator().validate(said)


class Asked(Request):
    """What another tool is asked: fields of a form, and a session in memory."""

    def __init__(self, fields: dict[str, str], kept: dict[str, Any]) -> None:
        self._fields, self._kept = fields, kept

    @property
    def session(self) -> dict[str, Any]:
        return self._kept

    def is_secure(self) -> bool:
        return True

    def get_param(self, key: str) -> str:
        return self._fields.get(key, "")


class Jar(CookieService):
    """The cookies of one browser."""

    def __init__(self) -> None:
        self._kept: dict[str, str] = {}

    def get_cookie(self, name: str) -> str | None:
        return self._kept.get(name)

    def set_cookie(self, name: str, value: str | int, exp: int | None = 3600) -> None:
        self._kept[name] = str(value)


class There(Redirect[str]):
    """Where another tool sends the browser."""

    def __init__(self, address: str) -> None:
        self._address = address

    def do_redirect(self) -> str:
        return self._address

    def do_js_redirect(self) -> str:
        return self._address

    def set_redirect_url(self, location: str) -> None:
        self._address = location

    def get_redirect_url(self) -> str:
        return self._address


class Login(OIDCLogin[Any, Any, Any, Any, str]):
    """The other tool's login."""

    def get_redirect(self, url: str) -> There:
        return There(url)


class Came(MessageLaunch[Any, Any, Any, Any]):
    """The other tool's launch."""

    def _get_request_param(self, key: str) -> str:
        return str(self._request.get_param(key))


@pytest.mark.parametrize("temper", TEMPERS, ids=lambda one: one.name)
def test_another_tool_is_logged_in_launched_and_sends_its_score(temper: Temper) -> None:
    """From the click to the score, all by the other tool; a browser carries what each says.

    Without the odd keys that Canvas's list held (32c): this tool stumbles over them.
    """
    key = new_key()
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    ).decode()
    public = (
        key.public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        .decode()
    )
    keys = {"keys": [dict(Registration.get_jwk(public))]}
    platform = Platform(
        replace(temper, odd_keys=False), "https://other-tool.test", lambda: keys, time.time
    )
    known = ToolConfDict({
        platform.issuer: {
            "client_id": platform.client_id,
            "auth_login_url": f"{platform.home}/auth",
            "auth_token_url": f"{platform.home}/token",
            "key_set_url": f"{platform.home}/jwks",
            "deployment_ids": [platform.deployment],
        }
    })  # fmt: skip
    known.set_private_key(platform.issuer, private)
    known.set_public_key(platform.issuer, public)
    wire = requests.Session()
    wire.mount("https://", Wire(platform))
    kept: dict[str, Any] = {}
    jar = Jar()
    clicked = Asked(platform.login("1"), kept)
    login = Login(clicked, known, session_service=SessionService(clicked), cookie_service=jar)
    address = login.redirect(f"{platform.tool}/lti/launch")
    posted = Asked(platform.authorize(address), kept)
    came = Came(
        posted,
        known,
        session_service=SessionService(posted),
        cookie_service=jar,
        requests_session=wire,
        service_connector_cls=Connector,
    )
    said = came.get_launch_data()
    assert (said["sub"], came.is_resource_launch(), came.check_student_access()) == (
        "1",
        True,
        True,
    )
    assert len(came.get_nrps().get_members()) == 3
    column = LineItem().set_label("Softmax").set_score_maximum(10).set_resource_id("r1")
    grade = (
        Grade()
        .set_user_id("1")
        .set_score_given(7)
        .set_score_maximum(10)
        .set_timestamp("2026-11-29T12:00:00.000Z")
        .set_activity_progress("Completed")
        .set_grading_progress("FullyGraded")
    )
    grades = came.get_ags()
    grades.put_grade(grade, grades.find_or_create_lineitem(column, "resource_id"))
    assert [(one["userId"], one["scoreGiven"]) for one in platform.scores] == [("1", 7)]
    forged = Asked({**platform.authorize(address), "state": "state-of-another"}, kept)
    other = Came(
        forged,
        known,
        session_service=SessionService(forged),
        cookie_service=jar,
        requests_session=wire,
    )
    with pytest.raises(LtiException):
        other.get_launch_data()
