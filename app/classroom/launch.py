"""What a launch says, and whether it may be believed: pure, on the claims of a signed message.

    state ▸ signature ▸ whose, for whom, how old ▸ which message ▸ who, which course, which link

Each refusal is a sentence for the person in front of the page. Fields that the specification lets
out may be missing, and are: names, e-mail, course, custom values.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias
from urllib.parse import urlsplit

from app.classroom.campus_roles import Part, part

CLAIM = "https://purl.imsglobal.org/spec/lti/claim/"
AGS = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
NRPS = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
DEEP = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"
RESOURCE_LINK, DEEP_LINKING = "LtiResourceLinkRequest", "LtiDeepLinkingRequest"

LEEWAY_S = 60
OLDEST_S = 600
LONGEST_ID = 255
_PORTS = {"https": 443, "http": 80}

Claims: TypeAlias = Mapping[str, Any]
Kind: TypeAlias = Literal["resource", "deep"]


class NotBelieved(Exception):
    """A launch that is refused; the text is a sentence. `status` is that of the page."""

    def __init__(self, sentence: str, status: int = 401) -> None:
        """Keep the sentence."""
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True)
class DeepSettings:
    """Where chosen content goes back to, and what may be chosen."""

    return_url: str
    data: object = None
    several: bool = True
    line_items: bool = True
    kinds: tuple[str, ...] = ("ltiResourceLink",)


@dataclass(frozen=True)
class Launch:
    """A launch that is believed. `context` is None outside a course; `name` may be ""."""

    kind: Kind
    subject: str
    deployment: str
    part: Part
    target: str
    context: str | None = None
    title: str = ""
    resource_link: str = ""
    resource_title: str = ""
    name: str = ""
    email: str = ""
    student_id: str = ""
    custom: Mapping[str, str] = field(default_factory=dict)
    lineitem_url: str | None = None
    lineitems_url: str | None = None
    nrps_url: str | None = None
    scopes: tuple[str, ...] = ()
    return_url: str | None = None
    deep: DeepSettings | None = None


@dataclass(frozen=True)
class Expected:
    """What a launch is held against: whose it should be, for whom, and our own origin."""

    issuer: str
    client_id: str
    origin: str
    now: datetime


def read(claims: Claims, expected: Expected) -> Launch:
    """A launch from verified claims; its nonce is the caller's to compare. Raises NotBelieved."""
    _check_sender(claims, expected)
    _check_age(claims, expected.now.timestamp())
    if claims.get(CLAIM + "version") != "1.3.0":
        raise NotBelieved("Your campus sent a message of another version than LTI 1.3.", 400)
    kind = claims.get(CLAIM + "message_type")
    if kind not in (RESOURCE_LINK, DEEP_LINKING):
        raise NotBelieved("Your campus sent a message of a kind that is not known here.", 400)
    target = _text(claims, CLAIM + "target_link_uri", "the address to open")
    if not own(target, expected.origin):
        raise NotBelieved("Your campus asked for an address on another server.", 400)
    return _launch(claims, "deep" if kind == DEEP_LINKING else "resource", target)


def own(address: str, origin: str) -> bool:
    """Whether an address is on our own origin."""
    try:
        one, other = urlsplit(address), urlsplit(origin)
        ports = (one.port or _PORTS.get(one.scheme), other.port or _PORTS.get(other.scheme))
    except ValueError:
        return False
    same = (one.scheme, one.hostname) == (other.scheme, other.hostname) and ports[0] == ports[1]
    return same and one.hostname is not None and one.username is None


def _check_sender(claims: Claims, expected: Expected) -> None:
    if claims.get("iss") != expected.issuer:
        raise NotBelieved("The message is from another campus than the one that began this.")
    audience = claims.get("aud")
    listed = [audience] if isinstance(audience, str) else audience
    if not isinstance(listed, list) or expected.client_id not in listed:
        raise NotBelieved("The message is meant for another tool.")
    party = claims.get("azp")
    if party != expected.client_id and (len(listed) > 1 or party is not None):
        raise NotBelieved("The message is meant for several tools and does not say for which.")


def _check_age(claims: Claims, now: float) -> None:
    made, ends = _moment(claims, "iat"), _moment(claims, "exp")
    if ends + LEEWAY_S < now or ends <= made:
        raise NotBelieved("The message is too old. Open the link in your course again.")
    if made - LEEWAY_S > now:
        raise NotBelieved("The message is from the future: the clock of your campus is wrong.")
    if now - made > OLDEST_S + LEEWAY_S:
        raise NotBelieved("The message is too old. Open the link in your course again.")


def _moment(claims: Claims, name: str) -> float:
    found = claims.get(name)
    if isinstance(found, bool) or not isinstance(found, int | float):
        found = math.nan
    if not -1e12 < found < 1e12:  # nor is nan
        raise NotBelieved("The message does not say when it was made or when it ends.")
    return float(found)


def _launch(claims: Claims, kind: Kind, target: str) -> Launch:
    subject = claims.get("sub")
    if not isinstance(subject, str) or not subject or len(subject) > LONGEST_ID:
        raise NotBelieved(
            "Your campus does not say who you are, so nothing could be kept for you. "
            "Sign in there and open the link again.",
            403,
        )
    roles = claims.get(CLAIM + "roles")
    if not isinstance(roles, list):
        raise NotBelieved("Your campus does not say what you are in this course.", 400)
    link = _mapping(claims, CLAIM + "resource_link")
    context = _mapping(claims, CLAIM + "context")
    service, presentation = _mapping(claims, AGS), _mapping(claims, CLAIM + "launch_presentation")
    return Launch(
        kind=kind,
        subject=subject,
        deployment=_text(claims, CLAIM + "deployment_id", "its deployment"),
        part=part(roles),
        target=target,
        context=_id(context.get("id")),
        title=_any(context, "title", "label") or "A course",
        resource_link=_text(link, "id", "the link that was opened") if kind == "resource" else "",
        resource_title=_any(link, "title"),
        name=_name(claims),
        email=_any(claims, "email"),
        student_id=_any(_mapping(claims, CLAIM + "lis"), "person_sourcedid"),
        custom=_custom(claims),
        lineitem_url=_any(service, "lineitem") or None,
        lineitems_url=_any(service, "lineitems") or None,
        nrps_url=_any(_mapping(claims, NRPS), "context_memberships_url") or None,
        scopes=_scopes(service, _mapping(claims, NRPS)),
        return_url=_any(presentation, "return_url") or None,
        deep=_deep(claims) if kind == "deep" else None,
    )


def _deep(claims: Claims) -> DeepSettings:
    found = _mapping(claims, DEEP)
    kinds = found.get("accept_types")
    return DeepSettings(
        return_url=_text(found, "deep_link_return_url", "where the choice goes"),
        data=found.get("data"),
        several=found.get("accept_multiple") is not False,
        line_items=found.get("accept_lineitem") is not False,
        kinds=tuple(k for k in kinds if isinstance(k, str)) if isinstance(kinds, list) else (),
    )


def _scopes(service: Claims, members: Claims) -> tuple[str, ...]:
    listed = service.get("scope")
    found = [one for one in listed if isinstance(one, str)] if isinstance(listed, list) else []
    if _any(members, "context_memberships_url"):
        found.append("https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly")
    return tuple(dict.fromkeys(found))


def _custom(claims: Claims) -> Mapping[str, str]:
    found = _mapping(claims, CLAIM + "custom")
    return {name: value for name, value in found.items() if isinstance(value, str)}


def _name(claims: Claims) -> str:
    whole = _any(claims, "name")
    parts = (_any(claims, "given_name"), _any(claims, "family_name"))
    return whole or " ".join(one for one in parts if one)


def _mapping(claims: Claims, name: str) -> Claims:
    """A claim that is an object; an empty one where it is missing or is something else."""
    found = claims.get(name)
    return found if isinstance(found, dict) else {}


def _any(claims: Claims, *names: str) -> str:
    """The first of some fields that is text, else ""."""
    found: Sequence[Any] = [claims.get(name) for name in names]
    return next((one for one in found if isinstance(one, str) and one), "")


def _id(value: object) -> str | None:
    """An id; some campuses write theirs as numbers."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    return value if isinstance(value, str) and 0 < len(value) <= LONGEST_ID else None


def _text(claims: Claims, name: str, what: str) -> str:
    found = claims.get(name)
    found = _id(found) if name == "id" or name.endswith("deployment_id") else found
    if not isinstance(found, str) or not found:
        raise NotBelieved(f"Your campus does not name {what}.", 400)
    return found
