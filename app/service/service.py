"""All use cases in one, and the life of the server: start, readiness, close."""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from app.model import Layer
from app.ports import Load
from app.service.door import Core
from app.service.drafts import Keeping
from app.service.follow_ups import FollowUps
from app.service.hints import Revealing
from app.service.learners import Accounts
from app.service.reading import Reading
from app.service.submissions import Submitting

log = structlog.get_logger()

DRAIN_S = 5.0
"""How long a closing server lets running jobs end; the next start takes up what did not."""


@dataclass(frozen=True)
class Ready:
    """Whether this server may grade, and why not.

    `one_address`: every learner so far came from the same address, as behind an unknown proxy.
    """

    grades: bool
    layers: tuple[Layer, ...]
    complaints: tuple[str, ...]
    exercises: int
    load: Load
    one_address: bool = False


class Service(Submitting, FollowUps, Reading, Revealing, Keeping, Accounts, Core):
    """What the web side and the command line call; safe to use from several threads."""

    def start(self) -> None:
        """Begin to grade: first what an earlier start left without a report.

        Expectations that are not cached are computed in the background meanwhile.
        """
        self._parts.line.start()
        self._take_up_all()
        self._parts.expecting.warm(self.exercises())
        log.info("started", exercises=len(self.exercises()), complaints=len(self.complaints()))

    def close(self) -> None:
        """Let what runs end and store its reports; what waits is taken up at the next start."""
        self._parts.expecting.close()
        self._parts.line.close(DRAIN_S)
        self._parts.sandbox.close()
        self._parts.store.close()

    def complaints(self) -> tuple[str, ...]:
        """What is wrong with exercise folders, one line each, for the host's and authors' eyes."""
        found = [str(complaint) for complaint in self._parts.catalog.complaints()]
        for exercise in self.exercises():
            told = self._parts.expecting.complaints(exercise.slug)
            found += [f"{exercise.slug}/{line}" for line in told]
        return tuple(found)

    def layers(self) -> tuple[Layer, ...]:
        """The layers of the wall on this machine."""
        return self._parts.sandbox.layers()

    def ready(self) -> Ready:
        """Layers, complaints and how busy the line is; `grades` needs every required layer."""
        layers = self.layers()
        return Ready(
            grades=all(layer.present for layer in layers if layer.required),
            layers=layers,
            complaints=self.complaints(),
            exercises=len(self.exercises()),
            load=self._parts.line.load(),
            one_address=self._crowd.one_address,
        )
