"""What is put into a course by deep linking: items, and the message that carries them. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from app.classroom.launch import CLAIM, DeepSettings
from app.model.classes import POINT, Assignment

DL = "https://purl.imsglobal.org/spec/lti-dl/claim/"
EARLIER_S, LASTS_S = 5, 300
"""The message is good from a little before now, for five minutes: clocks differ."""


def item_of(given: Assignment, origin: str, settings: DeepSettings) -> Mapping[str, Any]:
    """A link to an assignment, with its column where the campus takes one.

    Its address is always there (some campuses refuse items without), and the exercise's name
    beside the id: a copied course keeps the name, and the id means nothing there.
    """
    item: dict[str, Any] = {
        "type": "ltiResourceLink",
        "title": given.title,
        "url": f"{origin}/lti/launch",
        "custom": {"exercise": given.exercise, "assignment": given.id},
    }
    if settings.line_items:
        item["lineItem"] = {
            "label": given.title,
            "scoreMaximum": given.policy.points / POINT,
            "resourceId": given.id,
            "tag": "mlgrind",
        }
    return item


def class_page(title: str, origin: str) -> Mapping[str, Any]:
    """A link to the class's own page."""
    return {
        "type": "ltiResourceLink",
        "title": title,
        "url": f"{origin}/lti/launch",
        "custom": {"page": "class"},
    }


def message(
    issuer: str,
    client_id: str,
    deployment: str,
    settings: DeepSettings,
    items: Sequence[Mapping[str, Any]],
    nonce: str,
    now: datetime,
) -> Mapping[str, Any]:
    """The claims of the answer; `aud` is text, since some campuses read no list."""
    at = int(now.timestamp())
    said: dict[str, Any] = {
        "iss": client_id,
        "aud": issuer,
        "iat": at - EARLIER_S,
        "exp": at + LASTS_S,
        "nonce": nonce,
        CLAIM + "message_type": "LtiDeepLinkingResponse",
        CLAIM + "version": "1.3.0",
        CLAIM + "deployment_id": deployment,
        DL + "content_items": list(items),
    }
    if settings.data is not None:
        said[DL + "data"] = settings.data
    return said
