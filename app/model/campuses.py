"""The nouns of campus systems that speak LTI 1.3: frozen data. Times are aware and in UTC.

registration ─ a campus and its client id ▸ deployment ▸ course (a context) ▸ link (a place in it)
identity     ─ somebody there (registration and subject) ▸ a learner or an account here
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from app.model.classes import AccountId, AssignmentId, ClassId, EnrolmentId
from app.model.verdicts import LearnerId

RegistrationState: TypeAlias = Literal["pending", "active", "off"]
DeploymentState: TypeAlias = Literal["seen", "allowed", "off"]
ScoreState: TypeAlias = Literal["waiting", "sent", "failed", "held"]
Then: TypeAlias = Literal["go", "connect", "choose", "deep"]
"""What stands between somebody who came in and their page."""


@dataclass(frozen=True)
class Registration:
    """A campus as it was registered; `origins` are the sites that may show us in a frame."""

    id: str
    issuer: str
    client_id: str
    auth_url: str
    token_url: str
    jwks_url: str
    name: str
    made_at: datetime
    origins: tuple[str, ...] = ()
    state: RegistrationState = "pending"
    token_audience: str | None = None


@dataclass(frozen=True)
class Deployment:
    """A place of the campus where the tool was put; the host says yes to each."""

    registration: str
    deployment: str
    state: DeploymentState
    first_seen: datetime


@dataclass(frozen=True)
class Course:
    """A course there (LTI: a context), and the class here that it is connected to.

    `lineitems_url`, `nrps_url` and `scopes` are what the latest launch said.
    """

    id: str
    registration: str
    deployment: str
    context: str
    title: str
    class_id: ClassId | None = None
    lineitems_url: str | None = None
    nrps_url: str | None = None
    scopes: tuple[str, ...] = ()
    synced_at: datetime | None = None


@dataclass(frozen=True)
class Link:
    """A link in a course, the assignment it leads to, and the column its scores go into."""

    course: str
    resource_link: str
    assignment: AssignmentId | None = None
    lineitem_url: str | None = None


@dataclass(frozen=True)
class Identity:
    """Who somebody of a campus is here: a learner, an account of staff, or both."""

    registration: str
    subject: str
    learner: LearnerId | None = None
    account: AccountId | None = None


@dataclass(frozen=True)
class LoginState:
    """A login under way: made when the campus began it, used up by the launch that follows.

    `target` is what the campus asked for, as a query: the same login can be begun again with it.
    """

    state_hash: bytes
    nonce_hash: bytes
    registration: str
    target: str
    made_at: datetime
    expires_at: datetime
    deployment: str | None = None
    storage_target: str | None = None
    used_at: datetime | None = None


@dataclass(frozen=True)
class Ticket:
    """What a page may go on with, once: who came in by a launch, and where to.

    `launch` is what is still wanted of it, as JSON: no name, no e-mail.
    """

    token_hash: bytes
    registration: str
    path: str
    then: Then
    launch: str
    expires_at: datetime
    course: str | None = None
    learner: LearnerId | None = None
    account: AccountId | None = None


@dataclass(frozen=True)
class OwnKey:
    """A key of ours; `private` is encrypted. It signs from `signs_from` until another does."""

    kid: str
    private: bytes
    made_at: datetime
    signs_from: datetime
    retired_at: datetime | None = None


@dataclass(frozen=True)
class Score:
    """A learner's points on their way to the campus; one a learner and assignment.

    `as_of` is when they became what they are; `error` says why they did not arrive.
    """

    assignment: AssignmentId
    enrolment: EnrolmentId
    points: int
    max: int
    as_of: datetime
    next_at: datetime
    lineitem: str = ""
    submitted_at: datetime | None = None
    state: ScoreState = "waiting"
    tries: int = 0
    sent_as_of: datetime | None = None
    error: str = ""
