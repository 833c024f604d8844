"""A learner's drafts as JSON: for the interface, and for the script of the page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from app.model.bounds import PAGE_DRAFTS_BYTES
from app.records import Draft, Drafts
from app.web.html.text import as_text

Json = Mapping[str, Any]


def drafts_json(drafts: Drafts) -> Json:
    """A learner's texts as the interface gives them; `left_out` older ones are kept, not sent."""
    others: list[Json] = []
    room = PAGE_DRAFTS_BYTES
    for draft in drafts.others:
        told = _draft(draft)
        room -= len(json.dumps(told))
        if room < 0:
            break
        others.append(told)
    return {
        "opened": None if drafts.opened is None else _draft(drafts.opened),
        "others": others,
        "left_out": len(drafts.others) - len(others),
    }


def _draft(draft: Draft) -> Json:
    return {
        "source": as_text(draft.source),
        "version": draft.version,
        "device": draft.device,
        "saved_at": draft.saved_at.isoformat(),
        "name": draft.name,
    }
