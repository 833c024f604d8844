"""Deep linking, and a campus that registers itself: what is offered, and what comes of it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from app.classroom import deep_links, tool_configuration
from app.classroom.tool_configuration import NotTaken
from app.model.campuses import Deployment, Registration
from app.model.classes import Assignment, ClassId
from app.ports.campuses import Unreachable
from app.ports.classes import Taken
from app.service.school.campus.arrivals import Arrived
from app.service.school.campus.registering import Registering, is_https, origins_of
from app.service.school.errors import Conflict, NotThere
from app.service.school.parts import SchoolParts
from app.service.tokens import token_hash

MOST_CONFIGURATION = 64 * 1024


class Offering:
    """The use cases around content for a course and offers to campuses."""

    def __init__(self, parts: SchoolParts, registering: Registering) -> None:
        self._parts = parts
        self._registering = registering
        self._kept = parts.school.campus.registrations

    # -------------------------------------------------------------- deep linking

    def choices(self, came: Arrived) -> tuple[Assignment, ...]:
        """What of a class can be put into its course."""
        course = came.course
        found = course.class_id if course is not None else None
        return () if found is None else self._parts.school.assignments.of_class(found)

    def answer(self, came: Arrived, chosen: Iterable[str], origin: str) -> str:
        """The signed message that puts what was chosen into the course. Raises NotThere.

        "class" stands for the class's own page. Nothing chosen is an answer too.
        """
        settings, course = came.launch.deep, came.course
        if settings is None or course is None or course.class_id is None:
            raise NotThere("course")
        given = {str(one.id): one for one in self.choices(came)}
        names = list(dict.fromkeys(chosen))
        if not settings.several:
            names = names[:1]
        items = [
            self._class_page(course.class_id, origin)
            if name == "class"
            else deep_links.item_of(given[name], origin, settings)
            for name in names
            if name == "class" or name in given
        ]
        registration = came.registration
        message = deep_links.message(
            registration.issuer,
            registration.client_id,
            came.launch.deployment,
            settings,
            items,
            secrets.token_urlsafe(18),
            self._parts.now(),
        )
        return self._parts.campus().sign(self._registering.signing_key(), message)

    def _class_page(self, class_id: ClassId, origin: str) -> dict[str, object]:
        title = self._parts.class_of(class_id).title
        return dict(deep_links.class_page(title, origin))

    # -------------------------------------------------------------- dynamic registration

    def is_good(self, offer: str) -> bool:
        """Whether an offer can still be taken up."""
        return self._kept.offer(token_hash(offer), self._parts.now())

    def register(self, offer: str, configuration: str, token: str, origin: str) -> Registration:
        """Register with a campus under an offer, which is used up; it waits for the host's yes.

        Raises NotThere for an offer that is none, Conflict with the campus's words.
        """
        if not self.is_good(offer):
            raise NotThere("offer")
        if not is_https(configuration):
            raise Conflict("Your campus gave no https address for its configuration.")
        try:
            there = self._platform(configuration, token)
            client, deployment = self._register(there, token, origin)
        except (Unreachable, NotTaken) as error:
            raise Conflict(str(error)) from None
        if not self._kept.use_offer(token_hash(offer), self._parts.now()):
            raise NotThere("offer")
        return self._keep(there, client, deployment)

    def _platform(self, configuration: str, token: str) -> tool_configuration.Platform:
        reply = self._parts.campus().call("GET", configuration, token=token)
        if reply.status != 200:
            raise Unreachable(
                f"Your campus does not show its configuration ({reply.status}). {reply.words}"
            )
        return tool_configuration.platform(reply.content, configuration)

    def _register(
        self, there: tool_configuration.Platform, token: str, origin: str
    ) -> tuple[str, str | None]:
        """Some campuses give no token of registration and want none."""
        said = tool_configuration.tool(origin, there.scopes)
        reply = self._parts.campus().call("POST", there.registration_url, token=token, content=said)
        if reply.status not in (200, 201):
            words = f" It says: “{reply.words}”" if reply.words else ""
            raise Unreachable(f"Your campus refuses to register ({reply.status}).{words}")
        return tool_configuration.registered(reply.content)

    def _keep(
        self, there: tool_configuration.Platform, client: str, deployment: str | None
    ) -> Registration:
        made = Registration(
            self._parts.ids.next(),
            there.issuer,
            client,
            there.auth_url,
            there.token_url,
            there.jwks_url,
            there.name,
            self._parts.now(),
            origins_of(there.auth_url, there.issuer),
            "pending",
            there.token_audience,
        )
        try:
            self._kept.add(made)
        except Taken:
            raise Conflict("Your campus gave us a client id that is registered already.") from None
        if deployment is not None:
            self._kept.see(Deployment(made.id, deployment, "seen", self._parts.now()))
        self._parts.note("the campus", "campus registered itself", made.id, made.name)
        return made
