"""Which campuses may launch into this server, and with which keys we sign what we send them."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from app.model.campuses import Deployment, DeploymentState, OwnKey, Registration, RegistrationState
from app.ports.campuses import Claims
from app.ports.classes import Taken
from app.service.school.errors import Complaints, NotThere
from app.service.school.parts import By, SchoolParts
from app.service.school.words import tidy
from app.service.tokens import token_hash

ADDRESSES = ("auth_url", "token_url", "jwks_url")
SHOWN_BEFORE = timedelta(hours=24)
"""A new key is published this long before it signs: campuses keep our list for a while."""

SHOWN_AFTER = timedelta(days=30)
MOST_ORIGINS = 20
"""Sites of one campus that launches may name; the host may add more."""

OFFER_LASTS = timedelta(days=7)


@dataclass(frozen=True)
class Registered:
    """A registration with its deployments, for the host's page."""

    registration: Registration
    deployments: tuple[Deployment, ...]


class Registering:
    """The use cases around registrations and our own keys."""

    def __init__(self, parts: SchoolParts) -> None:
        self._parts = parts
        self._kept = parts.school.campus.registrations

    def all(self) -> tuple[Registered, ...]:
        """All registrations, by name."""
        return tuple(Registered(one, self._kept.deployments(one.id)) for one in self._kept.all())

    def get(self, registration: str) -> Registration:
        """One registration. Raises NotThere."""
        found = self._kept.get(registration)
        if found is None:
            raise NotThere(registration)
        return found

    def add(self, fields: Mapping[str, str], by: By) -> Registration:
        """Register a campus by hand; it may launch at once. Raises Complaints, by field."""
        checked = self._checked(fields)
        made = Registration(
            self._parts.ids.next(),
            checked["issuer"],
            checked["client_id"],
            checked["auth_url"],
            checked["token_url"],
            checked["jwks_url"],
            checked["name"],
            self._parts.now(),
            origins_of(checked["auth_url"], checked["issuer"]),
            "active",
            checked["token_audience"] or None,
        )
        try:
            self._kept.add(made)
        except Taken:
            raise Complaints({"client_id": "This client id is registered already."}) from None
        self._parts.note(by, "campus registered", made.id, f"{made.name}, {made.issuer}")
        for deployment in fields.get("deployment", "").split():
            self._kept.see(Deployment(made.id, deployment[:255], "allowed", self._parts.now()))
        return made

    def _checked(self, fields: Mapping[str, str]) -> dict[str, str]:
        said: dict[str, str] = {}
        names = ("name", "issuer", "client_id", "token_audience", *ADDRESSES)
        checked = {name: fields.get(name, "").strip() for name in names}
        for name in ADDRESSES:
            if not is_https(checked[name]):
                said[name] = "Write the whole address, from https:// on."
        host = _host_of(checked["issuer"])
        if not checked["issuer"] or len(checked["issuer"]) > 500 or host is None:
            said["issuer"] = "Write the issuer as your campus shows it."
        if not checked["client_id"] or len(checked["client_id"]) > 255:
            said["client_id"] = "Write the client id as your campus shows it."
        checked["name"] = tidy(checked["name"], 200) or host or "Campus"
        if said:
            raise Complaints(said)
        return checked

    def set_state(self, registration: str, state: RegistrationState, by: By) -> None:
        """Let a campus in, or shut it out. Raises NotThere."""
        found = self.get(registration)
        self._kept.save(replace(found, state=state))
        self._parts.note(by, f"campus {state}", registration, found.name)

    def set_deployment(
        self, registration: str, deployment: str, state: DeploymentState, by: By
    ) -> None:
        """Let a deployment in, or shut it out. Raises NotThere."""
        found = self.get(registration)
        if deployment not in {one.deployment for one in self._kept.deployments(registration)}:
            raise NotThere(deployment)
        self._kept.set_deployment(registration, deployment, state)
        self._parts.note(by, f"deployment {state}", registration, f"{found.name}, {deployment}")

    def set_origins(self, registration: str, text: str, by: By) -> None:
        """Say which sites may show our pages in a frame. Raises NotThere, Complaints."""
        found = self.get(registration)
        origins = tuple(dict.fromkeys(filter(None, map(origin_of, text.split()))))
        if len(origins) < len(set(text.split())):
            raise Complaints({"origins": "Write origins only, such as https://uni.example.edu."})
        self._kept.save(replace(found, origins=origins))
        self._parts.note(by, "campus origins changed", registration, " ".join(origins))

    def learn_origin(self, registration: Registration, address: str | None) -> Registration:
        """Let a site show our pages that a verified launch named as its own."""
        origin = origin_of(address or "")
        if origin is None or origin in registration.origins:
            return registration
        # No more than that is written: the host may switch it off at this moment.
        self._kept.add_origin(registration.id, origin, MOST_ORIGINS)
        return self.get(registration.id)

    # -------------------------------------------------------------- our keys

    def jwks(self) -> Claims:
        """Our public keys: the one that signs, the next one, and those retired of late."""
        now = self._parts.now()
        shown = [
            key
            for key in self._own()
            if key.retired_at is None or key.retired_at + SHOWN_AFTER > now
        ]
        return {"keys": [self._parts.campus().public(key) for key in shown]}

    def signing_key(self) -> OwnKey:
        """The key that signs now."""
        now = self._parts.now()
        ready = [key for key in self._own() if key.signs_from <= now]
        return max(ready, key=lambda key: (key.signs_from, key.kid))

    def _own(self) -> tuple[OwnKey, ...]:
        """Our keys; the first one is made when it is first asked for."""
        keys = self._kept.keys()
        if not keys:
            self._make_key(self._parts.now())
            keys = self._kept.keys()
        return keys

    def _make_key(self, signs_from: datetime) -> OwnKey:
        kid, private = self._parts.campus().new_key()
        made = OwnKey(kid, private, self._parts.now(), signs_from)
        self._kept.add_key(made)
        return made

    def new_key(self, by: By) -> OwnKey:
        """Another key: published now, signing in a day; the one before stays known for a month."""
        before = self._own()
        starts = self._parts.now() + SHOWN_BEFORE
        made = self._make_key(starts)
        for key in before:
            if key.retired_at is None:
                self._kept.retire_key(key.kid, starts)
            elif key.retired_at + SHOWN_AFTER <= self._parts.now():
                self._kept.forget_key(key.kid)
        self._parts.note(by, "campus key made", made.kid)
        return made

    # -------------------------------------------------------------- offers

    def offer(self, by: By) -> str:
        """A token for an address under which one campus may register itself, within a week."""
        token = secrets.token_urlsafe(24)
        account = None if isinstance(by, str) else by.id
        until = self._parts.now() + OFFER_LASTS
        self._kept.add_offer(token_hash(token), account, until)
        self._parts.note(by, "campus offer made")
        return token


def is_https(address: str) -> bool:
    """Whether an address is whole and https."""
    try:
        parts = urlsplit(address)
        return parts.scheme == "https" and bool(parts.hostname) and parts.username is None
    except ValueError:
        return False


def _host_of(address: str) -> str | None:
    """The host of an address, "" where it names none; None for what can be no address."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return None


def origin_of(address: str) -> str | None:
    """The origin of an address as a header may hold it; None for anything but https."""
    try:
        parts = urlsplit(address)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return None
    host = parts.hostname or ""
    plain = host.isascii() and host.replace("-", "").replace(".", "").isalnum()
    return f"https://{host}{port}" if parts.scheme == "https" and plain else None


def origins_of(*addresses: str) -> tuple[str, ...]:
    """The origins of some addresses, each once."""
    return tuple(dict.fromkeys(filter(None, map(origin_of, addresses))))
