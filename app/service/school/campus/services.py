"""One way to ask a service of a campus: with a token, and with a new one where it was refused."""

from __future__ import annotations

from app.model.campuses import Registration
from app.ports.campuses import Reply
from app.service.school.campus.registering import Registering
from app.service.school.parts import SchoolParts


class CampusServices:
    """Asks the services of campuses."""

    def __init__(self, parts: SchoolParts, registering: Registering) -> None:
        self._parts = parts
        self._registering = registering

    def ask(
        self,
        registration: Registration,
        scope: str,
        method: str,
        address: str,
        *,
        content: object = None,
        accept: str = "application/json",
        kind: str = "application/json",
    ) -> Reply:
        """Ask a service; a token that was refused is asked for anew, once."""
        campus, key = self._parts.campus(), self._registering.signing_key()
        for _ in range(2):
            token = campus.token(registration, key, (scope,))
            reply = campus.call(
                method, address, token=token, content=content, accept=accept, kind=kind
            )
            if reply.status != 401:
                break
            campus.forget_token(registration)
        return reply
