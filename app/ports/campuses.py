"""The seams of campus systems: what is kept of them, and how they are spoken to.

`storage/` keeps, `campus/` signs, checks and fetches. What a message means is decided in
`classroom/`, without either.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeAlias

from app.model import LearnerId
from app.model.campuses import (
    Course,
    Deployment,
    DeploymentState,
    Identity,
    Link,
    LoginState,
    OwnKey,
    Registration,
    Score,
    ScoreState,
    Ticket,
)
from app.model.classes import AccountId, AssignmentId, Class, ClassId, EnrolmentId

Claims: TypeAlias = Mapping[str, Any]
"""What a signed message says, as it came."""


class NotGenuine(Exception):
    """A message that the campus did not sign; the text says in a sentence why."""


class Unreachable(Exception):
    """The campus did not answer in a way that can be read; the text says how in a sentence."""


@dataclass(frozen=True)
class Reply:
    """What a campus answered: status, JSON or None, headers in small letters, its words."""

    status: int
    content: Any
    headers: Mapping[str, str]
    words: str = ""


class Campus(Protocol):
    """Signs, checks and fetches. Every address is https, and no redirect is followed."""

    def new_key(self) -> tuple[str, bytes]:
        """A key pair of ours: its id, and its private half encrypted."""

    def public(self, key: OwnKey) -> Claims:
        """The public half as a JWK."""

    def sign(self, key: OwnKey, claims: Claims) -> str:
        """A token signed with a key of ours."""

    def verified(self, registration: Registration, token: str) -> Claims:
        """What a token of a campus says. Raises NotGenuine, Unreachable (its keys)."""

    def token(self, registration: Registration, key: OwnKey, scopes: Iterable[str]) -> str:
        """An access token for a campus's services. Raises Unreachable."""

    def forget_token(self, registration: Registration) -> None:
        """Ask for a new one the next time: the campus refused it."""

    def call(
        self,
        method: str,
        address: str,
        *,
        token: str = "",
        content: object = None,
        accept: str = "application/json",
        kind: str = "application/json",
    ) -> Reply:
        """Ask a service of a campus; whatever status it has. Raises Unreachable."""


class Registrations(Protocol):
    """Campuses, their deployments, logins under way, our keys, and offers to register."""

    def add(self, registration: Registration) -> None:
        """Keep a new one. Raises Taken where issuer and client id are there already."""

    def save(self, registration: Registration) -> None:
        """Change one. Raises Taken."""

    def get(self, registration: str) -> Registration | None:
        """One registration."""

    def all(self) -> tuple[Registration, ...]:
        """All, by name."""

    def add_origin(self, registration: str, origin: str, most: int) -> None:
        """Let one more site show our pages, unless there are `most`; nothing else is written."""

    def deployments(self, registration: str) -> tuple[Deployment, ...]:
        """Its deployments, in the order they were seen."""

    def see(self, deployment: Deployment) -> Deployment:
        """Keep a deployment unless it is there; the one that is there now."""

    def set_deployment(self, registration: str, deployment: str, state: DeploymentState) -> None:
        """Let a deployment in, or shut it."""

    def begin(self, state: LoginState) -> None:
        """Keep a login under way; those long over and the oldest of too many are forgotten."""

    def forget_logins(self, now: datetime) -> None:
        """Forget the logins long over."""

    def state(self, state_hash: bytes) -> LoginState | None:
        """A login, however old, used or not."""

    def use(self, state_hash: bytes, now: datetime) -> bool:
        """Use a login up; false where it is used, too old or none."""

    def keys(self) -> tuple[OwnKey, ...]:
        """Our keys, oldest first."""

    def add_key(self, key: OwnKey) -> None:
        """Keep a key."""

    def retire_key(self, kid: str, at: datetime) -> None:
        """Let a key sign no more from a moment on."""

    def forget_key(self, kid: str) -> None:
        """Drop a key for good."""

    def add_offer(self, token_hash: bytes, by: str | None, until: datetime) -> None:
        """Keep an address under which a campus may register itself once."""

    def offer(self, token_hash: bytes, now: datetime) -> bool:
        """Whether an offer is good."""

    def use_offer(self, token_hash: bytes, now: datetime) -> bool:
        """Use an offer up; false where it is used, too old or none."""


class Courses(Protocol):
    """Courses of campuses, the links in them, and who is who."""

    def see(self, course: Course) -> Course:
        """Keep what a launch says of a course; its class and last sync stay as they were."""

    def get(self, course: str) -> Course | None:
        """One course."""

    def of_class(self, class_id: ClassId) -> Course | None:
        """The course that a class is connected to."""

    def connected(self) -> tuple[Course, ...]:
        """All courses with a class."""

    def connect(self, course: str, class_id: ClassId) -> bool:
        """Connect a course to a class, which lets go of any other course.

        False where the course has a class already; then nothing was written.
        """

    def connect_new(self, course: str, made: Class, by: AccountId) -> bool:
        """Keep a new class with its first instructor, and connect a course to it, at one stroke.

        False where the course has a class already; then nothing was written.
        """

    def let_go(self, course: str) -> None:
        """End a course's connection to its class."""

    def synced(self, course: str, at: datetime) -> None:
        """Its members were read whole."""

    def link(self, course: str, resource_link: str) -> Link | None:
        """One link."""

    def links(self, course: str) -> tuple[Link, ...]:
        """The links of a course."""

    def save_link(self, link: Link) -> None:
        """Keep a link in place of an earlier one."""

    def identity(self, registration: str, subject: str) -> Identity | None:
        """Who somebody is."""

    def save_identity(self, identity: Identity, at: datetime) -> None:
        """Keep who somebody is; the learner's row is made where there is none."""

    def subjects(self, registration: str) -> Mapping[LearnerId, str]:
        """What a campus calls each learner that came from it."""


class Scores(Protocol):
    """The outbox of scores."""

    def put(self, score: Score) -> None:
        """Keep a score in place of the one before."""

    def of_class(self, class_id: ClassId) -> tuple[Score, ...]:
        """The scores of a class."""

    def get(self, assignment: AssignmentId, enrolment: EnrolmentId) -> Score | None:
        """One score."""

    def due(self, now: datetime, most: int = 50) -> tuple[Score, ...]:
        """Scores that wait and whose time has come, longest waiting first."""

    def claim(self, score: Score, until: datetime) -> bool:
        """Keep a due score from other senders until a moment; false where another has it."""

    def settle(self, score: Score, until: datetime) -> bool:
        """Keep what became of a score claimed `until` then; false where it changed meanwhile."""

    def counts(self) -> Mapping[ScoreState, int]:
        """How many there are of each state."""

    def oldest_waiting(self) -> datetime | None:
        """Since when the longest waiting score waits."""

    def again(self, class_id: ClassId, now: datetime) -> int:
        """Let all that failed or wait be tried now; how many."""


class KeptTickets(Protocol):
    """Tickets of people who came in, by the hash of what their page carries."""

    def keep(self, ticket: Ticket, now: datetime) -> None:
        """Keep a ticket; those that are good no more and the oldest of too many are forgotten."""

    def look(self, token_hash: bytes, now: datetime) -> Ticket | None:
        """A ticket that is good; it stays good."""

    def take(self, token_hash: bytes, now: datetime) -> Ticket | None:
        """A ticket that is good, and is good no more: of two who take it, one has it."""

    def forget(self, now: datetime) -> None:
        """Forget those that are good no more."""


class CampusStore(Protocol):
    """Everything durable about campuses.

    Each property is a port of this name; that port's docstring says what it is (hence D102).
    """

    @property
    def registrations(self) -> Registrations: ...  # noqa: D102
    @property
    def courses(self) -> Courses: ...  # noqa: D102
    @property
    def scores(self) -> Scores: ...  # noqa: D102
    @property
    def tickets(self) -> KeptTickets: ...  # noqa: D102
