"""A learner's drafts as JSON: for the interface, and for the script of the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.records import Draft, Drafts
from app.web.html.text import as_text

Json = Mapping[str, Any]


def drafts_json(drafts: Drafts) -> Json:
    """A learner's texts as the interface gives them."""
    return {
        "opened": None if drafts.opened is None else _draft(drafts.opened),
        "others": [_draft(draft) for draft in drafts.others],
    }


def _draft(draft: Draft) -> Json:
    return {
        "source": as_text(draft.source),
        "version": draft.version,
        "device": draft.device,
        "saved_at": draft.saved_at.isoformat(),
        "name": draft.name,
    }
