"""A login and the launch that follows it: begun here, checked here, each good once.

begin ─▶ the campus signs in ─▶ launch: state ▸ signature ▸ claims ▸ nonce ▸ deployment
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from app.classroom.launch import Expected, Launch, NotBelieved, own, read
from app.model.campuses import Deployment, LoginState, Registration
from app.ports.campuses import NotGenuine, Unreachable
from app.service.school.campus.registering import Registering, origin_of
from app.service.school.parts import SchoolParts
from app.service.tokens import same, token_hash

LOGIN_LASTS = timedelta(minutes=10)
KEPT = ("iss", "client_id", "login_hint", "lti_message_hint", "target_link_uri",
        "lti_deployment_id")  # fmt: skip
LONGEST = 8_000
"""Letters of a login's fields that are kept, so that it can be begun again."""

AGAIN = "Open the link in your course again."
NO_ROOM = (
    "The disk of this server is nearly full, so it can begin no login just now. "
    "Tell whoever runs it, and try again later."
)
NOT_KNOWN = (
    "The campus that sent you is not registered here. Whoever runs this server can register it."
)
NOT_ON = "{name} is registered here, but not switched on. Whoever runs this server can do that."
NOT_ALLOWED = (
    "{name} wants to use ML Grind at a new place ({deployment}). "
    "Whoever runs this server has to allow it once; then the link works."
)


@dataclass(frozen=True)
class Begun:
    """A login that was begun: where the browser goes, and the state it has to come back with."""

    state: str
    address: str
    auth_origin: str
    storage_target: str = ""


@dataclass(frozen=True)
class Believed:
    """A launch that was checked, and the campus that it is from."""

    registration: Registration
    launch: Launch


class Launching:
    """The use cases around coming in by a campus."""

    def __init__(self, parts: SchoolParts, registering: Registering) -> None:
        self._parts = parts
        self._registering = registering
        self._kept = parts.school.campus.registrations

    def begin(self, asked: Mapping[str, str], origin: str) -> Begun:
        """Begin a login as a campus asked. Raises NotBelieved.

        Anybody may ask, and each login is a row: a full disk keeps none.
        """
        if self._parts.disk_full():
            raise NotBelieved(NO_ROOM, 503)
        registration = self._of(asked)
        target = asked.get("target_link_uri", "")
        if not asked.get("login_hint"):
            raise NotBelieved("Your campus did not say who is signing in.", 400)
        if not own(target, origin):
            raise NotBelieved("Your campus asked for an address on another server.", 400)
        kept = urlencode({name: asked[name] for name in KEPT if asked.get(name)})
        if len(kept) > LONGEST:
            raise NotBelieved("Your campus sent more than a login holds.", 400)
        state, nonce = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        now = self._parts.now()
        storage = asked.get("lti_storage_target", "")[:200]
        self._kept.begin(
            LoginState(
                token_hash(state),
                token_hash(nonce),
                registration.id,
                kept,
                now,
                now + LOGIN_LASTS,
                asked.get("lti_deployment_id", "")[:255] or None,
                storage or None,
            )
        )
        address = _auth_address(registration, asked, origin, state, nonce)
        return Begun(state, address, origin_of(registration.auth_url) or "", storage)

    def _of(self, asked: Mapping[str, str]) -> Registration:
        """The registration that a login is of. Raises NotBelieved."""
        issuer, client = asked.get("iss", ""), asked.get("client_id", "")
        found = [
            one
            for one in self._kept.all()
            if one.issuer == issuer and client in ("", one.client_id)
        ]
        if len(found) > 1:
            place = asked.get("lti_deployment_id", "")
            found = [
                one
                for one in found
                if place in {each.deployment for each in self._kept.deployments(one.id)}
            ]
        if len(found) != 1:
            raise NotBelieved(NOT_KNOWN, 400)
        if found[0].state != "active":
            raise NotBelieved(NOT_ON.format(name=found[0].name), 403)
        return found[0]

    def sweep(self) -> None:
        """Forget the logins that are long over."""
        self._kept.forget_logins(self._parts.now())

    def waiting(self, state: str) -> LoginState | None:
        """A login that was begun, is not used and not too old."""
        found = self._kept.state(token_hash(state))
        if found is None or found.used_at is not None or found.expires_at <= self._parts.now():
            return None
        return found

    def auth_origin(self, state: LoginState) -> str:
        """The origin of the campus's sign-in page, which keeps things for us."""
        found = self._kept.get(state.registration)
        return "" if found is None else origin_of(found.auth_url) or ""

    def failed(self, state: str) -> Registration | None:
        """Use up a login that the campus ended by an error; the campus, where it is known."""
        found = self.waiting(state)
        if found is None:
            return None
        self._kept.use(token_hash(state), self._parts.now())
        return self._kept.get(found.registration)

    def launch(self, state: str, token: str, origin: str) -> Believed:
        """Check the launch that ends a login; the state is used up, whatever comes of it.

        That the browser is the one that began it is the caller's to know. Raises NotBelieved.
        """
        found = self._kept.state(token_hash(state)) if state else None
        if found is None:
            raise NotBelieved(f"This login did not start here. {AGAIN}")
        if not self._kept.use(token_hash(state), self._parts.now()):
            raise NotBelieved(f"This login was used already, or it took too long. {AGAIN}")
        registration = self._kept.get(found.registration)
        if registration is None:
            raise NotBelieved(NOT_KNOWN, 400)
        if registration.state != "active":
            raise NotBelieved(NOT_ON.format(name=registration.name), 403)
        launch = self._read(registration, found, token, origin)
        self._check_deployment(registration, launch)
        return Believed(self._learn(registration, launch), launch)

    def _read(
        self, registration: Registration, begun: LoginState, token: str, origin: str
    ) -> Launch:
        try:
            claims = self._parts.campus().verified(registration, token)
        except NotGenuine as error:
            raise NotBelieved(
                f"The message from {registration.name} is not genuine. {error}"
            ) from None
        except Unreachable as error:
            raise NotBelieved(f"{error} {AGAIN}", 503) from None
        expected = Expected(registration.issuer, registration.client_id, origin, self._parts.now())
        launch = read(claims, expected)
        nonce = claims.get("nonce")
        if not isinstance(nonce, str) or not same(token_hash(nonce).hex(), begun.nonce_hash.hex()):
            raise NotBelieved(f"The message belongs to another login. {AGAIN}")
        if begun.deployment is not None and launch.deployment != begun.deployment:
            raise NotBelieved(f"The message is of another place than the login. {AGAIN}")
        return launch

    def _check_deployment(self, registration: Registration, launch: Launch) -> None:
        new = Deployment(registration.id, launch.deployment, "seen", self._parts.now())
        if self._kept.see(new).state != "allowed":
            raise NotBelieved(
                NOT_ALLOWED.format(name=registration.name, deployment=launch.deployment), 403
            )

    def _learn(self, registration: Registration, launch: Launch) -> Registration:
        known = self._registering.learn_origin(registration, launch.return_url)
        if launch.deep is not None:
            known = self._registering.learn_origin(known, launch.deep.return_url)
        return known


def _auth_address(
    registration: Registration, asked: Mapping[str, str], origin: str, state: str, nonce: str
) -> str:
    wanted = {
        "scope": "openid",
        "response_type": "id_token",
        "response_mode": "form_post",
        "prompt": "none",
        "client_id": registration.client_id,
        "redirect_uri": f"{origin}/lti/launch",
        "login_hint": asked["login_hint"],
        "state": state,
        "nonce": nonce,
    }
    if asked.get("lti_message_hint"):
        wanted["lti_message_hint"] = asked["lti_message_hint"]
    parts = urlsplit(registration.auth_url)
    query = urlencode([*parse_qsl(parts.query, keep_blank_values=True), *wanted.items()])
    return urlunsplit(parts._replace(query=query))
