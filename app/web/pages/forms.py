"""What the workbench's buttons do without a script: each ends on a page, nothing typed is lost.

All buttons of the page belong to one form, which carries the code; each has its own address. What
is not a submission keeps the code as a draft first.
"""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import replace
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from app.model import Slug
from app.service import (
    AskFirst,
    BadArguments,
    BadName,
    NoSuchSubmission,
    OutOfOrder,
    Press,
)
from app.service.small_inputs import MOST_NUMBER
from app.web.deps import COUNTED, OWN_PAGES_ONLY, Site, SitePart, Visitor, Writer, submission_id
from app.web.form import Form, form
from app.web.guard import notes
from app.web.html.text import as_text
from app.web.pages.workbench import Shown, workbench
from app.web.waits import ended
from app.web.wall import Role, needs

router = APIRouter(
    include_in_schema=False, dependencies=[*COUNTED, needs(Role.VISITOR), *OWN_PAGES_ONLY]
)

Sent = Annotated[Form, Depends(form)]


def _to(address: str) -> Response:
    return RedirectResponse(address, 303)


def _on(
    request: Request, site: Site, who: Visitor, slug: Slug, sent: Form, address: str
) -> Response:
    """On to an address; who sends no cookie would find nothing there, so the page comes at once."""
    if who.known or sent.source is None:
        return _to(address)
    shown = Shown(source=as_text(sent.source), cookieless=True)
    return workbench(request, site, who, slug, shown)


def _source(sent: Form) -> bytes:
    if sent.source is None:
        raise HTTPException(422, "This form arrived without any code. Go back and send it again.")
    return sent.source


def keep(site: Site, who: Visitor, slug: Slug, sent: Form) -> str:
    """Keep the form's code as a draft, unless it is what the page opened with; where to go on.

    It takes the place of the text it grew out of; one that grew out of none stands by itself.
    A form without a cookie has become a learner by now, so the draft is found again.
    """
    source = sent.source
    exercise = site.service.exercises.get_for(who.learner, slug)
    if sent.text("submission"):
        with suppress(NoSuchSubmission):  # the cookie went since the page was opened
            found = site.service.submissions.get(
                submission_id(sent.text("submission")), who.learner
            )
            if source in {None, found.source}:
                return f"/submissions/{found.id}"
    if source is not None and source.strip() not in {b"", exercise.files["starter.py"].strip()}:
        drafts = site.service.drafts.all(who.learner, slug)
        if drafts.opened is None or drafts.opened.source != source:
            grown = [d for d in (drafts.opened, *drafts.others) if d and d.version == sent.base]
            device = grown[0].device if grown else f"form-{secrets.token_hex(8)}"
            site.service.drafts.save(
                who.learner, slug, source, base=sent.base, device=device, address=who.address
            )
    return f"/exercises/{slug}"


@router.post("/exercises/{slug}/submissions")
def submit(request: Request, slug: Slug, site: SitePart, who: Writer, sent: Sent) -> Response:
    """Submit: stored, then shown on its page. Who refuses cookies gets the key in the address.

    Where the site asks for a name and none came, the page comes again with the code and says so.
    What a class has to ask first is asked on the page of the exercise, above the buttons.
    """
    if site.settings.ask_name:
        try:
            site.service.learners.name_for_submission(
                who.learner, sent.text("learner_name"), address=who.address
            )
        except BadName as error:
            shown = Shown(source=as_text(_source(sent)), name_complaint=str(error))
            return workbench(request, site, who, slug, shown)
    key, source = sent.text("key") or None, _source(sent)
    attempt = sent.text("attempt") or None
    if sent.text("sure") != "yes":
        try:
            site.service.ask_first(who.learner, slug, source, Press(key, attempt))
        except AskFirst as asked:
            shown = Shown(source=as_text(source), question=asked.question)
            return workbench(request, site, who, slug, shown)
    submission = site.service.submissions.submit(
        who.learner,
        slug,
        source,
        key=key,
        address=who.address,
        see=True,
        attempt=attempt,
    )
    notes(request).submission = submission.id
    address = f"/submissions/{submission.id}"
    if who.known:
        return _to(f"{address}#results")
    return _to(f"{address}?read_token={site.service.submissions.read_token(submission.id)}#results")


@router.post("/exercises/{slug}/run")
async def run(request: Request, slug: Slug, site: SitePart, who: Writer, sent: Sent) -> Response:
    """Run: the same page with the examples' results; nothing is recorded."""
    source = _source(sent)
    own = sent.text("arguments") if "custom" in sent else None
    future = await run_in_threadpool(
        lambda: site.service.runs.run(
            who.learner,
            slug,
            source,
            arguments=own,
            draw=secrets.randbelow(MOST_NUMBER) if "draw" in sent else None,
            smallest="smallest" in sent,
            address=who.address,
        )
    )
    shown = Shown(source=as_text(source), arguments=sent.text("arguments"))
    try:
        report = await ended(request, future)
        shown = replace(shown, report=report)
    except BadArguments as error:
        shown = replace(shown, complaint=str(error))
    return await run_in_threadpool(workbench, request, site, who, slug, shown)


@router.post("/exercises/{slug}/hints")
def hint(request: Request, slug: Slug, site: SitePart, who: Writer, sent: Sent) -> Response:
    """Open a hint. One that is not next is no error here: the page shows which one is."""
    back = keep(site, who, slug, sent)
    number = sent.number("number")
    try:
        site.service.hints.reveal(who.learner, slug, number, address=who.address)
    except OutOfOrder:
        return _on(request, site, who, slug, sent, f"{back}#hints")
    return _on(request, site, who, slug, sent, f"{back}#hint-{number}")


@router.post("/exercises/{slug}/solution")
def solution(request: Request, slug: Slug, site: SitePart, who: Writer, sent: Sent) -> Response:
    """Open the reference solution and the other right ways."""
    back = keep(site, who, slug, sent)
    try:
        site.service.hints.reveal_solution(who.learner, slug, address=who.address)
    except OutOfOrder:
        return _on(request, site, who, slug, sent, f"{back}#hints")
    return _on(request, site, who, slug, sent, f"{back}#ways")


@router.post("/exercises/{slug}/keep")
async def keep_all(
    request: Request, slug: Slug, site: SitePart, who: Writer, sent: Sent
) -> Response:
    """Keep what is on the page: the code, and the answers to follow-up questions that changed."""
    back = await run_in_threadpool(keep, site, who, slug, sent)
    known = {a.number: a.text for a in site.service.follow_ups.answers(who.learner, slug)}
    count = len(site.service.exercises.get_for(who.learner, slug).follow_ups)
    anchor = ""
    for number, text in sorted(sent.numbered("answer-").items()):
        if 1 <= number <= count and text.strip() and text != known.get(number):
            future = await run_in_threadpool(
                lambda n=number, t=text: site.service.follow_ups.answer(  # type: ignore[misc]
                    who.learner, slug, n, t, address=who.address
                )
            )
            await ended(request, future)
            anchor = f"#question-{number}"
    return await run_in_threadpool(_on, request, site, who, slug, sent, back + anchor)


@router.post("/exercises/{slug}/drafts")
def open_draft(slug: Slug, site: SitePart, who: Writer, sent: Sent) -> Response:
    """Open another draft; what is in the editor is kept beside it."""
    keep(site, who, slug, sent)
    version = sent.text("open")
    known = {draft.version for draft in site.service.drafts.all(who.learner, slug).others}
    return _to(f"/exercises/{slug}?draft={version}" if version in known else f"/exercises/{slug}")


@router.post("/submissions/{submission}/look")
def look_again(
    request: Request, submission: str, site: SitePart, who: Writer, sent: Sent
) -> Response:
    """Look whether a submission is judged; what was typed meanwhile is kept as a draft."""
    token = sent.text("read_token")
    found = site.service.submissions.get(submission_id(submission), who.learner, token or None)
    address = f"/submissions/{found.id}{'?' + urlencode({'read_token': token}) if token else ''}"
    if who.known:
        keep(site, who, found.exercise, sent)
    elif sent.source not in {None, found.source}:
        return _on(request, site, who, found.exercise, sent, address)
    return _to(f"{address}#results")


@router.post("/submissions/{submission}/share")
def share(submission: str, site: SitePart, who: Writer, sent: Sent) -> Response:
    """Make a link to a read-only copy, or with `revoke` end it."""
    found = site.service.submissions.get(submission_id(submission), who.learner)
    keep(site, who, found.exercise, sent)  # what was typed meanwhile is kept beside it
    if "revoke" in sent:
        site.service.links.revoke(found.id, who.learner, address=who.address)
    else:
        site.service.links.share(found.id, who.learner, address=who.address)
    return _to(f"/submissions/{found.id}#share")
