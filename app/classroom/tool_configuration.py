"""Dynamic registration: what a campus says of itself, and what we say of ourselves. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from app.classroom.campus_scores import SCOPE_LINEITEM, SCOPE_MEMBERS, SCOPE_SCORE

TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration"
PLATFORM = "https://purl.imsglobal.org/spec/lti-platform-configuration"
SCOPES = (SCOPE_LINEITEM, SCOPE_SCORE, SCOPE_MEMBERS)


_BELOW_COUNTRIES = frozenset({"ac", "co", "com", "edu", "gov", "net", "org", "sch"})
_ONE_OWNER = {"canvaslms.com": "instructure.com"}
"""Canvas signs in at one of its domains and registers at the other."""


class NotTaken(Exception):
    """A configuration that can't be registered; the text is a sentence."""


@dataclass(frozen=True)
class Platform:
    """A campus as its own configuration describes it."""

    issuer: str
    auth_url: str
    token_url: str
    jwks_url: str
    registration_url: str
    name: str
    token_audience: str | None = None
    scopes: tuple[str, ...] = ()


def platform(content: object, address: str) -> Platform:
    """A campus's configuration, read from `address`. Raises NotTaken.

    Its issuer and addresses must be on its own domain: none registers in another's name.
    """
    if not isinstance(content, dict):
        raise NotTaken("What your campus sent as its configuration is not one.")
    names = ("issuer", "authorization_endpoint", "token_endpoint", "jwks_uri",
             "registration_endpoint")  # fmt: skip
    found = [content.get(name) for name in names]
    texts = [one for one in found if isinstance(one, str) and one]
    if len(texts) < len(names):
        raise NotTaken("Your campus’s configuration is incomplete.")
    home = _home(address)
    for text in texts:
        if not home or _home(text) != home:
            raise NotTaken(f"Your campus’s configuration names {text[:200]}, which is not its own.")
    issuer, auth, token, jwks, registration = texts
    listed = content.get("scopes_supported")
    audience = content.get("authorization_server")
    return Platform(
        issuer,
        auth,
        token,
        jwks,
        registration,
        _family(content) or urlsplit(issuer).hostname or issuer,
        audience if isinstance(audience, str) and audience else None,
        tuple(one for one in listed if isinstance(one, str)) if isinstance(listed, list) else (),
    )


def _family(content: Mapping[str, Any]) -> str:
    found = content.get(PLATFORM)
    family = found.get("product_family_code") if isinstance(found, dict) else None
    host = urlsplit(str(content.get("issuer"))).hostname or ""
    return f"{family} at {host}"[:200] if isinstance(family, str) and family else ""


def _home(address: str) -> str:
    """The domain of an https address; "" where it is none."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return _domain(parts.hostname or "") if parts.scheme == "https" else ""


def _domain(host: str) -> str:
    """What of a name belongs to one owner, near enough for a campus: uni.edu, uni.ac.uk."""
    labels = host.lower().split(".")
    below = len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _BELOW_COUNTRIES
    domain = ".".join(labels[-3:] if below else labels[-2:])
    return _ONE_OWNER.get(domain, domain)


def tool(origin: str, scopes: tuple[str, ...]) -> Mapping[str, Any]:
    """What is registered of us; `scopes` are those that the campus knows, or all of ours."""
    wanted = [one for one in SCOPES if not scopes or one in scopes]
    return {
        "application_type": "web",
        "response_types": ["id_token"],
        "grant_types": ["client_credentials", "implicit"],
        "initiate_login_uri": f"{origin}/lti/login",
        "redirect_uris": [f"{origin}/lti/launch"],
        "client_name": "ML Grind",
        "jwks_uri": f"{origin}/lti/jwks",
        "token_endpoint_auth_method": "private_key_jwt",
        "scope": " ".join(wanted),
        TOOL: {
            "domain": urlsplit(origin).netloc,
            "description": "Write the core of machine learning by hand, judged in milliseconds.",
            "target_link_uri": f"{origin}/lti/launch",
            "claims": ["iss", "sub", "name", "given_name", "family_name", "email"],
            "messages": [
                {"type": "LtiResourceLinkRequest", "target_link_uri": f"{origin}/lti/launch"},
                {
                    "type": "LtiDeepLinkingRequest",
                    "target_link_uri": f"{origin}/lti/launch",
                    "label": "ML Grind",
                },
            ],
        },
    }


def registered(content: object) -> tuple[str, str | None]:
    """The client id that a campus gave us, and the deployment where it says one too.

    Raises NotTaken.
    """
    client = content.get("client_id") if isinstance(content, dict) else None
    if isinstance(client, int) and not isinstance(client, bool):
        client = str(client)
    if not isinstance(client, str) or not 0 < len(client) <= 255:
        raise NotTaken("Your campus gave no client id.")
    assert isinstance(content, dict)  # noqa: S101 (it had a client id)
    ours = content.get(TOOL)
    deployment = ours.get("deployment_id") if isinstance(ours, dict) else None
    return client, str(deployment)[:255] if isinstance(deployment, str | int) else None
