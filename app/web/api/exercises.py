"""The interface to exercises: what there is, runs, hints, the solution, follow-up questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool

from app.catalog import full_statement
from app.model import Exercise, Slug
from app.web.api import responses
from app.web.api.openapi import READS, WRITES, errors
from app.web.api.requests import FollowUpBody, HintBody, RunBody
from app.web.deps import COUNTED, OWN_PAGES_ONLY, Reader, Site, SitePart, Visitor, Writer
from app.web.html.render import answer
from app.web.html.text import as_text
from app.web.report.view import expected, report_view
from app.web.threads import at_once
from app.web.waits import ended
from app.web.wall import Role, needs

router = APIRouter(prefix="/api", tags=["exercises"], dependencies=[*COUNTED, needs(Role.VISITOR)])


def _listed(exercise: Exercise) -> dict[str, Any]:
    return {
        "slug": exercise.slug,
        "title": exercise.title,
        "section": exercise.section,
        "order": exercise.order,
        "after": list(exercise.after),
        "difficulty": exercise.difficulty,
        "summary": exercise.summary,
        "entry_point": exercise.entry_point,
        "url": f"/exercises/{exercise.slug}",
    }


@router.get("/exercises", responses={200: {"model": responses.ExercisesJson}, **errors()})
def list_exercises(request: Request, site: SitePart, who: Reader) -> Response:
    """All exercises, by section and order."""
    there = site.service.exercises.all_for(who.learner)
    return answer(request, {"exercises": [_listed(each) for each in there]})


@router.get("/exercises/{slug}", responses={200: {"model": responses.ExerciseFullJson}, **READS})
def read_exercise(request: Request, slug: Slug, site: SitePart, who: Reader) -> Response:
    """One exercise: statement, starter code, and what its test cases probe."""
    exercise = site.service.exercises.get_for(who.learner, slug)
    expectations = expected(site.service, slug)
    tests = () if expectations is None else expectations.tests
    return answer(
        request,
        {
            **_listed(exercise),
            "digest": exercise.digest,
            "statement": full_statement(exercise),
            "starter": as_text(exercise.files["starter.py"]),
            "hints": len(exercise.hints),
            "tolerance": {"rtol": exercise.tolerance.rtol, "atol": exercise.tolerance.atol},
            "tests": [
                {"name": test.name, "purpose": test.purpose, "visible": test.visible}
                for test in tests
            ],
        },
    )


@router.post(
    "/exercises/{slug}/runs",
    responses={200: {"model": responses.ReportJson}, **WRITES},
    dependencies=OWN_PAGES_ONLY,
)
async def run(request: Request, slug: Slug, body: RunBody, site: SitePart, who: Writer) -> Response:
    """Try a source on visible cases or own arguments. Nothing is recorded; hanging up cancels."""
    future = await at_once(
        lambda: site.service.runs.run(
            who.learner,
            slug,
            body.source,
            case=body.case,
            arguments=body.arguments,
            draw=body.draw,
            smallest=body.smallest,
            trace=body.trace,
            live=body.live,
            address=who.address,
        )
    )
    judged = await ended(request, future)
    report = dict(judged)
    if body.html:
        report["html"] = await at_once(_html, site, who, slug, report)
    return answer(request, report)


def _html(site: Site, who: Visitor, slug: Slug, report: Mapping[str, Any]) -> str:
    return site.renderer.part(
        "parts/report.html",
        report=report_view(site.service, report),
        exercise=site.service.exercises.get(slug),
        said=True,
        hints_open=site.service.hints.revealed(who.learner, slug).hints,
    )


@router.post(
    "/exercises/{slug}/hints",
    responses={200: {"model": responses.HintJson}, **WRITES, **errors(409)},
    dependencies=OWN_PAGES_ONLY,
)
def open_hint(
    request: Request, slug: Slug, body: HintBody, site: SitePart, who: Writer
) -> Response:
    """Open the next hint, or read one that is open."""
    hint = site.service.hints.reveal(who.learner, slug, body.number, address=who.address)
    return answer(
        request,
        {
            "number": body.number,
            "title": hint.title,
            "body": hint.body,
            "html": site.renderer.markdown.rendered(hint.body),
        },
    )


@router.post(
    "/exercises/{slug}/solution",
    responses={200: {"model": responses.SolutionJson}, **WRITES, **errors(409)},
    dependencies=OWN_PAGES_ONLY,
)
def open_solution(request: Request, slug: Slug, site: SitePart, who: Writer) -> Response:
    """Open the reference solution and the other right ways: after the last hint, or passing."""
    solution = site.service.hints.reveal_solution(who.learner, slug, address=who.address)
    others = [{"name": n, "source": as_text(code)} for n, code in solution.alternatives]
    return answer(request, {"reference": as_text(solution.reference), "alternatives": others})


@router.post(
    "/exercises/{slug}/follow-ups",
    responses={200: {"model": responses.FollowUpJson}, **WRITES},
    dependencies=OWN_PAGES_ONLY,
)
async def answer_question(
    request: Request, slug: Slug, body: FollowUpBody, site: SitePart, who: Writer
) -> Response:
    """Answer a follow-up question; a formula is compared at eight random points, in the jail."""
    future = await run_in_threadpool(
        lambda: site.service.follow_ups.answer(
            who.learner, slug, body.number, body.text, address=who.address
        )
    )
    result = await ended(request, future)
    told: dict[str, Any] = {
        "outcome": result.outcome,
        "message": result.message,
        "answer": result.answer,
        "explanation": result.explanation,
    }
    if body.html:
        told["html"] = await run_in_threadpool(
            site.renderer.part, "parts/outcome.html", result=result
        )
    return answer(request, told)
