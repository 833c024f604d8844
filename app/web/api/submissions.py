"""The interface to submissions: judged within the answer where that is quick, else an address."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from typing import Annotated, Any, cast

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from app.model import Slug
from app.records import Attempt, Json, Submission
from app.service import Press
from app.web.api import responses
from app.web.api.openapi import READS, WRITES
from app.web.api.requests import SubmissionBody
from app.web.deps import COUNTED, OWN_PAGES_ONLY, Reader, Site, SitePart, Writer, submission_id
from app.web.guard import notes
from app.web.html.render import answer
from app.web.html.text import as_text
from app.web.report.accepted import mistakes_met, timed_solutions
from app.web.report.second_look import second_look_row
from app.web.report.view import expected, report_view
from app.web.threads import at_once
from app.web.waits import report_of, within
from app.web.wall import Role, needs

router = APIRouter(
    prefix="/api", tags=["submissions"], dependencies=[*COUNTED, needs(Role.VISITOR)]
)

_LATER: dict[int | str, dict[str, Any]] = {
    202: {"model": responses.InLineJson, "description": "It is stored, and in line."}
}
_ASK_AGAIN_S = 1
_DRAWN = ("arguments", "expected", "got", "mismatch", "cpu_ms")


async def _as_answer(
    request: Request,
    site: Site,
    found: Submission,
    report: Json | None,
    *,
    html: bool,
    apart: bool,
    new: bool,
) -> Response:
    """The report, or the submission's place in line and where to ask again."""
    token = site.service.submissions.read_token(found.id)
    where = f"/api/submissions/{found.id}"
    if report is None:
        place = await run_in_threadpool(site.service.submissions.place, found.id)
        content: dict[str, Any] = {"submission": found.id, "place": place, "read_token": token}
        headers = {"Location": where, "Retry-After": str(_ASK_AGAIN_S)}
        return answer(request, content, status=202, headers=headers)
    told = _apart(report) if apart else report
    content = {**told, "read_token": token, "created_at": found.created_at.isoformat()}
    if not new and not apart:
        content["source"] = as_text(found.source)
    if html:
        apart_from_pages = at_once if new else run_in_threadpool
        content["html"] = await apart_from_pages(_html, site, found, report, apart)
    if new:
        return answer(request, content, status=201, headers={"Location": where})
    return await run_in_threadpool(answer, request, content)  # as long as a report may be


def _apart(report: Json) -> Json:
    """The report without the values that its HTML draws, or names the addresses of."""
    tests = cast("list[Mapping[str, Any]]", report["tests"])
    return {**report, "tests": [{**test, **dict.fromkeys(_DRAWN)} for test in tests]}


def _html(site: Site, found: Submission, report: Json, apart: bool) -> str:
    exercise = site.service.exercises.get(found.exercise)
    history = site.service.submissions.history(found.learner, found.exercise)
    ids = [attempt.id for attempt in reversed(history)]
    passed = report["verdict"] == "accepted"
    return site.renderer.part(
        "parts/report.html",
        report=report_view(site.service, report, site.secret if apart else None),
        exercise=exercise,
        submission=found,
        said=True,
        hints_open=0
        if passed
        else site.service.hints.revealed(found.learner, found.exercise).hints,
        hint_cost=site.service.rules(found.learner, found.exercise).hint_cost,
        ordinal=ids.index(found.id) + 1 if found.id in ids else None,
        met=mistakes_met(site.service, history, found) if passed else (),
        timed=timed_solutions(
            site.service, report, found.learner
        ),  # in time for the one that passes
        following=site.service.exercises.following(exercise, found.learner) if passed else None,
    )


@router.post(
    "/exercises/{slug}/submissions",
    status_code=201,
    responses={201: {"model": responses.JudgedJson}, **_LATER, **WRITES},
    dependencies=OWN_PAGES_ONLY,
)
async def submit(
    request: Request,
    slug: Slug,
    body: SubmissionBody,
    site: SitePart,
    who: Writer,
    idempotency_key: Annotated[
        str | None, Header(description="The same key and source give the same submission.")
    ] = None,
) -> Response:
    """Submit a source: 201 with the report, or 202 with its address while it is in line."""

    def begin() -> tuple[Submission, Future[Json]]:
        if body.ask:
            press = Press(idempotency_key, body.attempt)
            site.service.ask_first(who.learner, slug, body.source, press)
        if site.settings.ask_name:
            learners = site.service.learners
            learners.name_for_submission(who.learner, body.name, address=who.address)
        stored = site.service.submissions.submit(
            who.learner,
            slug,
            body.source,
            key=idempotency_key,
            address=who.address,
            see=body.html,
            attempt=body.attempt,
        )
        return stored, site.service.submissions.verdict(stored.id)

    found, verdict = await at_once(begin)
    notes(request).submission = found.id
    report = await within(verdict, site.inline_s)
    return await _as_answer(
        request, site, found, report, html=body.html, apart=body.apart, new=True
    )


@router.get(
    "/submissions/{submission}",
    responses={200: {"model": responses.JudgedJson}, **_LATER, **READS},
)
async def read_submission(
    request: Request,
    submission: str,
    site: SitePart,
    who: Reader,
    read_token: Annotated[str | None, Query(description="Instead of the cookie.")] = None,
    html: bool = False,
    apart: Annotated[bool, Query(description="Without the values that the HTML draws.")] = False,
    wait: Annotated[float, Query(ge=0, le=20, description="Seconds to wait for it.")] = 0,
) -> Response:
    """A submission's report with its source, for its learner or the holder of its `read_token`."""
    found = await run_in_threadpool(
        site.service.submissions.get, submission_id(submission), who.learner, read_token
    )
    notes(request).submission = found.id
    report = found.report or await report_of(request, site.service, found.id, wait)
    return await _as_answer(request, site, found, report, html=html, apart=apart, new=False)


@router.get(
    "/submissions/{submission}/second-look",
    responses={200: {"model": responses.SecondLookJson}, **READS},
)
def second_look(
    request: Request,
    submission: str,
    site: SitePart,
    who: Reader,
    read_token: Annotated[str | None, Query(description="Instead of the cookie.")] = None,
    html: bool = False,
) -> Response:
    """What random inputs said of an accepted submission: `right`, `off` with the smallest, `none`.

    `none` where it was not looked at: not yet, not accepted, or an exercise without such inputs.
    """
    found = site.service.submissions.get(submission_id(submission), who.learner, read_token)
    look = site.service.second_looks.get(found)
    state = "none" if look is None else "right" if look.draw is None else "off"
    content: dict[str, Any] = {
        "state": state,
        "draw": None if look is None else look.draw,
        "test": None if look is None else look.test,
    }
    if html:
        exercise = site.service.exercises.get(found.exercise)
        row = second_look_row(look, exercise, expected(site.service, exercise.slug))
        content["html"] = site.renderer.part(
            "parts/second_look.html", second_look=row, exercise=exercise
        )
    return answer(request, content)


@router.get(
    "/exercises/{slug}/submissions",
    responses={200: {"model": responses.AttemptsJson}, **READS},
)
def history(request: Request, slug: Slug, site: SitePart, who: Reader) -> Response:
    """The learner's submissions for an exercise, newest first."""
    site.service.exercises.get_for(who.learner, slug)
    attempts = site.service.submissions.history(who.learner, slug)
    return answer(request, {"submissions": [_attempt(each) for each in attempts]})


def _attempt(attempt: Attempt) -> dict[str, Any]:
    return {
        "submission": attempt.id,
        "exercise": attempt.exercise,
        "created_at": attempt.created_at.isoformat(),
        "verdict": attempt.verdict,
        "passed": attempt.passed,
        "total": attempt.total,
        "shared": attempt.shared,
        "mistakes": attempt.mistakes,
        "url": f"/submissions/{attempt.id}",
    }


@router.post(
    "/submissions/{submission}/share",
    responses={200: {"model": responses.ShareJson}, **WRITES},
    dependencies=OWN_PAGES_ONLY,
)
def share(request: Request, submission: str, site: SitePart, who: Reader) -> Response:
    """Make a link to a read-only copy of one's submission; the same each time until it is ended."""
    token = site.service.links.share(submission_id(submission), who.learner, address=who.address)
    return answer(request, {"url": f"{notes(request).arrival.origin}/shared/{token}"})


@router.delete(
    "/submissions/{submission}/share",
    status_code=204,
    responses={204: {"description": "The link leads nowhere from now on."}, **WRITES},
    dependencies=OWN_PAGES_ONLY,
)
def end_share(submission: str, site: SitePart, who: Reader) -> Response:
    """End the link."""
    site.service.links.revoke(submission_id(submission), who.learner, address=who.address)
    return Response(status_code=204)
