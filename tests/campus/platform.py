"""A campus system for tests: signs people in, launches, lists people, keeps columns and scores.

It answers as five real ones do, each with its own temper; what is odd about each was reported
publicly. It shares no code with what it tests, but for the libraries that sign.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from app.campus.fetch import Fetched

P = "https://purl.imsglobal.org/spec/"
CLAIM = P + "lti/claim/"
MEMBERSHIP = "http://purl.imsglobal.org/vocab/lis/v2/membership#"
SCOPES = {
    "lineitem": P + "lti-ags/scope/lineitem",
    "score": P + "lti-ags/scope/score",
    "members": P + "lti-nrps/scope/contextmembership.readonly",
}
Json = dict[str, Any]


@dataclass(frozen=True)
class Temper:
    """What is odd about a platform."""

    name: str
    issuer: str
    page: int = 1000
    line_item_query: str = ""
    not_a_student: int = 400
    strict_times: bool = False
    items_need_url: bool = False
    token_to_register: bool = True
    alg_in_keys: bool = True
    number_ids: bool = False
    odd_keys: bool = False
    bad_registration: tuple[int, Json] = (400, {"error_description": "no redirect uri"})


CANVAS = Temper(
    "Canvas", "https://canvas.instructure.com", page=50, not_a_student=422, odd_keys=True,
    bad_registration=(422, {"errors": [{"message": "redirect_uris is invalid"}]}),
)  # fmt: skip
MOODLE = Temper("Moodle", "https://moodle.test", line_item_query="type_id=7", not_a_student=400)
BLACKBOARD = Temper(
    "Blackboard", "https://blackboard.test", strict_times=True, items_need_url=True,
    not_a_student=403,
)  # fmt: skip
D2L = Temper("D2L", "https://d2l.test", token_to_register=False, alg_in_keys=False)
SCHOOLOGY = Temper("Schoology", "https://schoology.test", number_ids=True)
TEMPERS = (CANVAS, MOODLE, BLACKBOARD, D2L, SCHOOLOGY)


@dataclass
class User:
    """Somebody of a campus; `roles` are names in the course, or whole addresses."""

    name: str = ""
    email: str = ""
    roles: tuple[str, ...] = ("Learner",)
    status: str = "Active"

    def spelled(self) -> list[str]:
        return [one if "/" in one or ":" in one else MEMBERSHIP + one for one in self.roles]


def new_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


_shared = [new_key(), new_key()]
"""Made once: it takes a while, and whose keys they are matters to no test."""


@dataclass
class Platform:
    """One campus with one course of several people."""

    temper: Temper
    tool: str
    tool_keys: Callable[[], Json]
    clock: Callable[[], float] = time.time
    home: str = ""
    client_id: str = "client-1"
    deployment: str = "dep-1"
    context: str | int = "course-1"
    course: str = "Deep Learning"
    users: dict[str, User] = field(default_factory=dict)
    line_items: dict[str, Json] = field(default_factory=dict)
    scores: list[Json] = field(default_factory=list)
    links: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, set[str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    answers: list[tuple[str, Callable[[], Fetched]]] = field(default_factory=list)
    key_name: str = "key-1"
    key: rsa.RSAPrivateKey = field(default_factory=lambda: _shared[0])
    granted: tuple[str, ...] = tuple(SCOPES.values())
    jti: set[str] = field(default_factory=set)
    pages: str = ""
    """Where people see the course, if not at home, as in Canvas's cloud."""

    def __post_init__(self) -> None:
        self.home = self.home or f"https://{self.temper.name.lower()}.test"
        if not self.users:
            self.users = {
                "1": User("Ann Lee", "ann@uni.test"),
                "2": User("Bo Day", "bo@uni.test"),
                "9": User("Eva Teacher", "eva@uni.test", ("Instructor",)),
            }

    @property
    def issuer(self) -> str:
        own = self.temper.issuer
        return own if own == CANVAS.issuer else self.home

    def fields(self) -> dict[str, str]:
        """What a host types to register it by hand."""
        return {
            "name": self.temper.name,
            "issuer": self.issuer,
            "client_id": self.client_id,
            "auth_url": f"{self.home}/auth",
            "token_url": f"{self.home}/token",
            "jwks_url": f"{self.home}/jwks",
            "deployment": self.deployment,
        }

    # -------------------------------------------------------------- launching

    def login(self, user: str, hint: str = "link-1", **more: str) -> dict[str, str]:
        """The fields with which a login begins; the hint says what is launched."""
        return {
            "iss": self.issuer,
            "login_hint": user,
            "lti_message_hint": hint,
            "target_link_uri": f"{self.tool}/lti/launch",
            "client_id": self.client_id,
            "lti_deployment_id": self.deployment,
            **more,
        }

    def claims(self, user: str, nonce: str, hint: str = "link-1") -> Json:
        """What a launch says; the hint `deep` asks for content, `course` is the course itself."""
        who, now = self.users[user], int(self.clock())
        said: Json = {
            "iss": self.issuer,
            "aud": self.client_id,
            "sub": user,
            "iat": now,
            "exp": now + 300,
            "nonce": nonce,
            CLAIM + "version": "1.3.0",
            CLAIM + "deployment_id": self.deployment,
            CLAIM + "target_link_uri": f"{self.tool}/lti/launch",
            CLAIM + "roles": who.spelled(),
            CLAIM + "context": {"id": self.context, "title": self.course},
            P + "lti-ags/claim/endpoint": {
                "scope": [one for one in self.granted if "ags" in one],
                "lineitems": self._with_query(f"{self.home}/course/lineitems"),
            },
        }
        if SCOPES["members"] in self.granted:
            service = {"context_memberships_url": f"{self.home}/course/members"}
            said[P + "lti-nrps/claim/namesroleservice"] = service
        if self.pages:
            said[CLAIM + "launch_presentation"] = {"return_url": f"{self.pages}/course"}
        if who.name:
            said["name"] = who.name
        if who.email:
            said["email"] = who.email
        self._add_message(said, hint)
        return said

    def _add_message(self, said: Json, hint: str) -> None:
        if hint == "deep":
            said[CLAIM + "message_type"] = "LtiDeepLinkingRequest"
            said[P + "lti-dl/claim/deep_linking_settings"] = {
                "deep_link_return_url": f"{self.pages or self.home}/deep",
                "accept_types": ["ltiResourceLink"],
                "accept_presentation_document_targets": ["iframe"],
                "accept_multiple": True,
                "data": {"opaque": [1, "two"]},
            }
            return
        said[CLAIM + "message_type"] = "LtiResourceLinkRequest"
        link = self.context if hint == "course" else hint
        said[CLAIM + "resource_link"] = {"id": link, "title": "Week 1"}
        if hint in self.links:
            said[CLAIM + "custom"] = json.loads(self.links[hint])

    def sign(self, claims: Json, key: Any = None, **header: Any) -> str:
        """A token of this campus."""
        named = {"kid": self.key_name, **header}
        alg = str(named.pop("alg", "RS256"))
        return jwt.encode(claims, key or self.key, algorithm=alg, headers=named)

    def authorize(
        self, address: str, change: Callable[[Json], object] | None = None
    ) -> dict[str, str]:
        """The form that signs somebody in, as the campus's page posts it; `change` the claims."""
        parts = urlsplit(address)
        asked = dict(parse_qsl(parts.query))
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == f"{self.home}/auth"
        wanted = {
            "scope": "openid", "response_type": "id_token", "response_mode": "form_post",
            "prompt": "none", "client_id": self.client_id,
            "redirect_uri": f"{self.tool}/lti/launch",
        }  # fmt: skip
        assert {name: asked.get(name) for name in wanted} == wanted
        said = self.claims(asked["login_hint"], asked["nonce"], asked["lti_message_hint"])
        if change is not None:
            change(said)
        return {"id_token": self.sign(said), "state": asked["state"]}

    # -------------------------------------------------------------- services

    def fetch(
        self, method: str, address: str, body: bytes | None, headers: Mapping[str, str]
    ) -> Fetched:
        """Answer one request of the tool, as its `Fetcher` would bring it back."""
        self.asked.append(f"{method} {address}")
        for start, made in self.answers:
            if f"{method} {address}".startswith(start):
                return made()
        parts = urlsplit(address)
        handler = getattr(self, f"_{method.lower()}_{parts.path.strip('/').split('/')[-1]}", None)
        if handler is None:
            return told(404, {"error": "not found"})
        found: Fetched = handler(parts.query, body or b"", headers)
        return found

    def _with_query(self, address: str) -> str:
        query = self.temper.line_item_query
        return f"{address}?{query}" if query else address

    def _get_jwks(self, *_: object) -> Fetched:
        listed: Json = RSAAlgorithm.to_jwk(self.key.public_key(), as_dict=True)
        listed |= {"kid": self.key_name, "use": "sig"}
        if self.temper.alg_in_keys:
            listed["alg"] = "RS256"
        odd = [{"kty": "EC", "crv": "P-999", "kid": "odd", "x": "1", "y": "2"}, {"kty": "RSA"}, 7]
        return told(200, {"keys": [*(odd if self.temper.odd_keys else []), listed]})

    def _post_token(self, _query: str, body: bytes, _headers: object) -> Fetched:
        form = {name: values[0] for name, values in parse_qs(body.decode()).items()}
        listed = {one["kid"]: one for one in self.tool_keys()["keys"]}
        name = jwt.get_unverified_header(form["client_assertion"])["kid"]
        try:
            claims = jwt.decode(
                form["client_assertion"],
                RSAAlgorithm.from_jwk(listed[name]),  # type: ignore[arg-type]
                algorithms=["RS256"],
                audience=f"{self.home}/token",
                options={"verify_exp": False, "verify_iat": False},
            )
        except jwt.PyJWTError as error:
            return told(401, {"error": "invalid_client", "error_description": str(error)})
        assert claims["iss"] == claims["sub"] == self.client_id
        assert claims["exp"] - claims["iat"] > 60
        assert claims["iat"] <= self.clock() < claims["exp"]
        assert claims["jti"] not in self.jti
        self.jti.add(claims["jti"])
        token = secrets.token_hex(8)
        self.tokens[token] = set(form["scope"].split())
        if not self.tokens[token] <= set(self.granted):
            return told(400, {"error": "invalid_scope"})
        return told(200, {"access_token": token, "token_type": "Bearer", "expires_in": 3600})

    def _may(self, headers: Mapping[str, str], scope: str) -> bool:
        token = headers.get("Authorization", "").removeprefix("Bearer ")
        return SCOPES[scope] in self.tokens.get(token, set())

    def _get_members(self, query: str, _body: bytes, headers: Mapping[str, str]) -> Fetched:
        if not self._may(headers, "members"):
            return told(401, {"error": "no token"})
        asked = dict(parse_qsl(query))
        assert "rlid" not in asked
        start = int(asked.get("start", "0"))
        listed = [self._member(name, who) for name, who in self.users.items()]
        more = {}
        if start + self.temper.page < len(listed):
            following = f"{self.home}/course/members?start={start + self.temper.page}"
            more = {"link": f'<{self.home}/x>; rel="current", <{following}>; rel="next"'}
        page = listed[start : start + self.temper.page]
        return told(200, {"id": "x", "context": {"id": self.context}, "members": page}, more)

    def _member(self, name: str, who: User) -> Json:
        roles = [one.rpartition("#")[2] for one in who.spelled()]
        subject: str | int = int(name) if self.temper.number_ids and name.isdigit() else name
        said = {"user_id": subject, "roles": roles, "status": who.status}
        return said | ({"name": who.name, "email": who.email} if who.name else {})

    def _get_lineitems(self, query: str, _body: bytes, headers: Mapping[str, str]) -> Fetched:
        if not self._may(headers, "lineitem"):
            return told(401, {"error": "no token"})
        wanted = dict(parse_qsl(query)).get("resource_id")
        found = [one for one in self.line_items.values() if one["resourceId"] == wanted]
        return told(200, found)

    def _post_lineitems(self, _query: str, body: bytes, headers: Mapping[str, str]) -> Fetched:
        if not self._may(headers, "lineitem"):
            return told(401, {"error": "no token"})
        assert headers["Content-Type"] == "application/vnd.ims.lis.v2.lineitem+json"
        made = json.loads(body)
        assert made["scoreMaximum"] > 0
        assert made["label"]
        return told(201, self.add_column(made))

    def add_column(self, made: Json) -> Json:
        """A column in the gradebook."""
        number = len(self.line_items) + 1
        address = self._with_query(f"{self.home}/course/{number}/lineitem")
        self.line_items[address] = {**made, "id": address}
        return self.line_items[address]

    def _post_scores(self, query: str, body: bytes, headers: Mapping[str, str]) -> Fetched:
        if not self._may(headers, "score"):
            return told(401, {"error": "no token"})
        if self.temper.line_item_query and query != self.temper.line_item_query:
            return told(404, {"error": "this column needs its query"})
        said = json.loads(body)
        if self.temper.strict_times and not said["timestamp"].endswith("Z"):
            return told(400, {"error": "a timestamp without a zone"})
        who = self.users.get(said["userId"])
        if who is None or "Learner" not in who.roles:
            return told(self.temper.not_a_student, {"message": "User not a student in course"})
        self.scores.append(said)
        return told(200, {})

    # -------------------------------------------------------------- registering

    def _get_configuration(self, _query: str, _body: bytes, headers: object) -> Fetched:
        return told(
            200,
            {
                "issuer": self.home,
                "authorization_endpoint": f"{self.home}/auth",
                "token_endpoint": f"{self.home}/token",
                "jwks_uri": f"{self.home}/jwks",
                "registration_endpoint": f"{self.home}/register",
                "scopes_supported": list(SCOPES.values()),
                P + "lti-platform-configuration": {
                    "product_family_code": self.temper.name.lower(),
                    "version": "1",
                },
            },
        )

    def _post_register(self, _query: str, body: bytes, headers: Mapping[str, str]) -> Fetched:
        wanted = "Bearer once" if self.temper.token_to_register else ""
        if headers.get("Authorization", "") != wanted:
            return told(401, {"error": "invalid_token"})
        said = json.loads(body)
        if said["redirect_uris"] != [f"{self.tool}/lti/launch"]:
            return told(*self.temper.bad_registration)
        return told(200, {**said, "client_id": self.client_id})

    def login_address(self, user: str, hint: str = "link-1", **more: str) -> str:
        """Where a click on a link leads."""
        return f"{self.tool}/lti/login?{urlencode(self.login(user, hint, **more))}"


def told(status: int, content: object, headers: Mapping[str, str] | None = None) -> Fetched:
    """An answer in JSON."""
    kind = {"content-type": "application/json", **(headers or {})}
    return Fetched(status, kind, json.dumps(content).encode())
