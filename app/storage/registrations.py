"""Campuses: registrations, deployments, logins under way, our keys, offers to register."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Delete, Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from app.model.campuses import (
    Deployment,
    DeploymentState,
    LoginState,
    OwnKey,
    Registration,
)
from app.ports.classes import Taken
from app.storage.database import Database, add_once
from app.storage.schema_classes import lti_registrations
from app.storage.schema_lti import lti_deployments, lti_keys, lti_offers, lti_states

FORGOTTEN_AFTER = timedelta(hours=1)
"""How long a login that is over is kept: long enough to say that it was used."""

OFFERS = timedelta(days=60)
"""An offer is forgotten so long before the newest one ends: it is asked for no more."""

MOST_LOGINS = 20_000
"""Logins kept at once, of all campuses: where there are more, the oldest is forgotten."""


class SqlRegistrations:
    """The port `Registrations` on a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, registration: Registration) -> None:
        """Keep a new one. Raises Taken where issuer and client id are there already."""
        try:
            with self._database.write() as connection:
                values = {"id": registration.id, **_values(registration)}
                connection.execute(insert(lti_registrations).values(values))
        except IntegrityError as error:
            raise Taken(registration.issuer) from error

    def save(self, registration: Registration) -> None:
        """Change one. Raises Taken."""
        try:
            with self._database.write() as connection:
                connection.execute(
                    update(lti_registrations)
                    .where(lti_registrations.c.id == registration.id)
                    .values(_values(registration))
                )
        except IntegrityError as error:
            raise Taken(registration.issuer) from error

    def get(self, registration: str) -> Registration | None:
        """One registration."""
        query = select(lti_registrations).where(lti_registrations.c.id == registration)
        with self._database.read() as connection:
            row = connection.execute(query).first()
        return None if row is None else _registration(row)

    def all(self) -> tuple[Registration, ...]:
        """All, by name."""
        query = select(lti_registrations).order_by(lti_registrations.c.name, lti_registrations.c.id)
        with self._database.read() as connection:
            return tuple(_registration(row) for row in connection.execute(query))

    def add_origin(self, registration: str, origin: str, most: int) -> None:
        """Let one more site show our pages, unless there are `most`; nothing else is written."""
        mine = lti_registrations.c.id == registration
        with self._database.write() as connection:
            text = connection.execute(select(lti_registrations.c.origins).where(mine)).scalar()
            origins = [] if text is None else json.loads(text)
            if origin not in origins and len(origins) < most:
                changed = json.dumps([*origins, origin])
                connection.execute(update(lti_registrations).where(mine).values(origins=changed))

    # -------------------------------------------------------------- deployments

    def deployments(self, registration: str) -> tuple[Deployment, ...]:
        """Its deployments, in the order they were seen."""
        query = (
            select(lti_deployments)
            .where(lti_deployments.c.registration == registration)
            .order_by(lti_deployments.c.first_seen, lti_deployments.c.deployment)
        )
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        return tuple(
            Deployment(row.registration, row.deployment, row.state, row.first_seen) for row in rows
        )

    def see(self, deployment: Deployment) -> Deployment:
        """Keep a deployment unless it is there; the one that is there now."""
        for known in self.deployments(deployment.registration):
            if known.deployment == deployment.deployment:
                return known
        with self._database.write() as connection:
            add_once(
                connection,
                lti_deployments,
                registration=deployment.registration,
                deployment=deployment.deployment,
                state=deployment.state,
                first_seen=deployment.first_seen,
            )
        return deployment

    def set_deployment(self, registration: str, deployment: str, state: DeploymentState) -> None:
        """Let a deployment in, or shut it."""
        with self._database.write() as connection:
            connection.execute(
                update(lti_deployments)
                .where(
                    lti_deployments.c.registration == registration,
                    lti_deployments.c.deployment == deployment,
                )
                .values(state=state)
            )

    # -------------------------------------------------------------- logins

    def begin(self, state: LoginState) -> None:
        """Keep a login under way; those long over and the oldest of too many are forgotten."""
        newest_first = select(lti_states.c.state_hash).order_by(lti_states.c.expires_at.desc())
        too_many = newest_first.offset(MOST_LOGINS - 1)
        with self._database.write() as connection:
            connection.execute(_long_over(state.made_at))
            connection.execute(delete(lti_states).where(lti_states.c.state_hash.in_(too_many)))
            connection.execute(
                insert(lti_states).values(
                    state_hash=state.state_hash,
                    nonce_hash=state.nonce_hash,
                    registration=state.registration,
                    target=state.target,
                    deployment=state.deployment,
                    storage_target=state.storage_target,
                    made_at=state.made_at,
                    expires_at=state.expires_at,
                )
            )

    def forget_logins(self, now: datetime) -> None:
        """Forget the logins long over."""
        with self._database.write() as connection:
            connection.execute(_long_over(now))

    def state(self, state_hash: bytes) -> LoginState | None:
        """A login, however old, used or not."""
        query = select(lti_states).where(lti_states.c.state_hash == state_hash)
        with self._database.read() as connection:
            row = connection.execute(query).first()
        if row is None:
            return None
        return LoginState(
            row.state_hash,
            row.nonce_hash,
            row.registration,
            row.target,
            row.made_at,
            row.expires_at,
            row.deployment,
            row.storage_target,
            row.used_at,
        )

    def use(self, state_hash: bytes, now: datetime) -> bool:
        """Use a login up; false where it is used, too old or none."""
        with self._database.write() as connection:
            used = connection.execute(
                update(lti_states)
                .where(lti_states.c.state_hash == state_hash, lti_states.c.used_at.is_(None))
                .where(lti_states.c.expires_at > now)
                .values(used_at=now)
                .execution_options(preserve_rowcount=True)
            )
        return used.rowcount == 1

    # -------------------------------------------------------------- our keys

    def keys(self) -> tuple[OwnKey, ...]:
        """Our keys, oldest first."""
        query = select(lti_keys).order_by(lti_keys.c.made_at, lti_keys.c.kid)
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        return tuple(
            OwnKey(row.kid, row.private, row.made_at, row.signs_from, row.retired_at)
            for row in rows
        )

    def add_key(self, key: OwnKey) -> None:
        """Keep a key."""
        with self._database.write() as connection:
            connection.execute(
                insert(lti_keys).values(
                    kid=key.kid,
                    private=key.private,
                    made_at=key.made_at,
                    signs_from=key.signs_from,
                    retired_at=key.retired_at,
                )
            )

    def retire_key(self, kid: str, at: datetime) -> None:
        """Let a key sign no more from a moment on."""
        with self._database.write() as connection:
            connection.execute(update(lti_keys).where(lti_keys.c.kid == kid).values(retired_at=at))

    def forget_key(self, kid: str) -> None:
        """Drop a key for good."""
        with self._database.write() as connection:
            connection.execute(delete(lti_keys).where(lti_keys.c.kid == kid))

    # -------------------------------------------------------------- offers

    def add_offer(self, token_hash: bytes, by: str | None, until: datetime) -> None:
        """Keep an address under which a campus may register itself once."""
        with self._database.write() as connection:
            connection.execute(delete(lti_offers).where(lti_offers.c.expires_at < until - OFFERS))
            connection.execute(
                insert(lti_offers).values(token_hash=token_hash, by=by, expires_at=until)
            )

    def offer(self, token_hash: bytes, now: datetime) -> bool:
        """Whether an offer is good."""
        query = select(lti_offers.c.token_hash).where(
            lti_offers.c.token_hash == token_hash,
            lti_offers.c.used_at.is_(None),
            lti_offers.c.expires_at > now,
        )
        with self._database.read() as connection:
            return connection.execute(query).first() is not None

    def use_offer(self, token_hash: bytes, now: datetime) -> bool:
        """Use an offer up; false where it is used, too old or none."""
        with self._database.write() as connection:
            used = connection.execute(
                update(lti_offers)
                .where(lti_offers.c.token_hash == token_hash, lti_offers.c.used_at.is_(None))
                .where(lti_offers.c.expires_at > now)
                .values(used_at=now)
                .execution_options(preserve_rowcount=True)
            )
        return used.rowcount == 1


def _long_over(now: datetime) -> Delete:
    return delete(lti_states).where(lti_states.c.expires_at < now - FORGOTTEN_AFTER)


def _values(registration: Registration) -> dict[str, object]:
    return {
        "issuer": registration.issuer,
        "client_id": registration.client_id,
        "auth_url": registration.auth_url,
        "token_url": registration.token_url,
        "token_audience": registration.token_audience,
        "jwks_url": registration.jwks_url,
        "origins": json.dumps(registration.origins),
        "name": registration.name,
        "state": registration.state,
        "made_at": registration.made_at,
    }


def _registration(row: Row[Any]) -> Registration:
    return Registration(
        row.id,
        row.issuer,
        row.client_id,
        row.auth_url,
        row.token_url,
        row.jwks_url,
        row.name,
        row.made_at,
        tuple(json.loads(row.origins)),
        row.state,
        row.token_audience,
    )
