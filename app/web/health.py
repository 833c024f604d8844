"""For the host's eyes: is it alive, may it grade, how is it doing."""

from __future__ import annotations

import hmac
import shutil
from contextlib import suppress

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.exceptions import HTTPException

from app.metrics import FREE_DISK
from app.web.arrival import is_loopback, is_own_name
from app.web.deps import SitePart
from app.web.guard import notes
from app.web.html.render import answer
from app.web.wall import Role, needs

router = APIRouter(include_in_schema=False)
ANYBODY = [needs(Role.VISITOR)]


@router.get("/healthz", dependencies=ANYBODY)
async def alive() -> Response:
    """200 while the process lives; it asks nothing else."""
    return PlainTextResponse("ok\n")


@router.get("/readyz", dependencies=ANYBODY)
def ready(request: Request, site: SitePart) -> Response:
    """503 when it must not grade, can't store or is about to leave; the layers of the wall."""
    found = site.service.ready()
    layers = [
        {
            "name": layer.name,
            "required": layer.required,
            "present": layer.present,
            "detail": layer.detail,
        }
        for layer in found.layers
    ]
    is_ready = found.grades and found.database and not found.leaving
    content = {
        "ready": is_ready,
        "database": found.database,
        "layers": layers,
        "exercises": found.exercises,
        "broken": len(found.complaints),
        "waiting": {"submissions": found.load.submissions, "runs": found.load.runs},
        "running": found.load.running,
        "one_address": found.one_address,
    }
    return answer(request, content, status=200 if is_ready else 503)


@router.get("/metrics", dependencies=[needs(Role.OPERATOR)])
def metrics(request: Request, site: SitePart) -> Response:
    """Counters, for this machine itself or a caller with MLGRIND_METRICS_TOKEN."""
    token = site.settings.metrics_token
    sent = request.headers.get("authorization", "").removeprefix("Bearer ")
    named = bool(token) and hmac.compare_digest(sent.encode(), str(token).encode())
    arrived = notes(request).arrival
    own = arrived.direct and is_loopback(arrived.address) and is_own_name(arrived.host)
    if not named and not own:
        raise HTTPException(403, "Ask from this machine, or send the metrics token.")
    site.service.layers()
    with suppress(OSError):
        FREE_DISK.set(shutil.disk_usage(site.settings.data).free)
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)
