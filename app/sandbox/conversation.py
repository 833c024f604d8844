"""One conversation with one child: send the order, read the answers, end it where it must end."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from app.jail import wire
from app.jail.control import Answer, OrderFrame
from app.model import Call, Lane, Order
from app.ports import PLACE
from app.sandbox import spelled_calls
from app.sandbox.child_process import Child, Exit, KeeperGone
from app.sandbox.transcript import Transcript, bounds
from app.sandbox.watch import Budget, Reason, Watch

CHUNK_BYTES = 1 << 18
PARTING_S = 20.0
FRAMES_BYTES = 1 << 20
TELL_S = 0.03
STOPPED_S = 1.0
"""How often a slow child's place hears what it has used."""

MANY_READS = 200
BREATH_S = 0.001
"""Between two reads of a child that says much in little pieces: each costs us more than it."""


@dataclass(frozen=True)
class Seen:
    """All that one child gave: what it said, how it ended, why we ended it (None: we did not)."""

    transcript: Transcript
    exit: Exit
    reason: Reason | None
    flooded: bool
    cpu_s: float
    own_s: float
    wall_s: float
    goes_on: bool = False
    """Whether the child was still at work: this is what it had given so far."""


def spell(order: Order, calls: Sequence[Call]) -> bytes:
    """The order as a child reads it, for some of its calls. It holds no expected output."""
    parameters = {
        "stdout_bytes": order.limits.stdout_bytes,
        "result_bytes": order.limits.result_bytes,
        "trace": order.trace,
    }
    frames = [wire.frame(OrderFrame.PARAMETERS, wire.encode(parameters))]
    for source in order.sources:
        frames.append(wire.frame(OrderFrame.FILE, wire.named_bytes(source.name, source.text)))
    frames += [spelled_calls.calls.frame(call) for call in calls]
    return b"".join([*frames, wire.frame(OrderFrame.GO)])


class Conversation:
    """One child that was sent an order for `calls`, and what it says; `listen` hears it."""

    def __init__(self, child: Child, order: Order, calls: Sequence[Call], budget: Budget) -> None:
        self._child, limits = child, order.limits
        spelled = spell(order, calls)
        self._unsent = memoryview(spelled)
        self._order = child.order.fileno()
        os.set_blocking(self._order, False)
        self._watch = Watch(child, limits, order.lane, budget)
        self._more = self._send()  # first of all: the child works while we go on here
        self._watch.sent()
        most = bounds(limits.stdout_bytes, limits.result_bytes, len(spelled), trace=order.trace)
        self._reader = wire.FrameReader(most)
        self._transcript = Transcript(len(calls), limits.stdout_bytes)
        self._calls = calls
        self._room = limits.result_bytes + 8 * limits.stdout_bytes
        self._room += 2 * len(spelled) + FRAMES_BYTES
        self._room += len(calls) * most.get(Answer.TRACE, 0)
        self._reason: Reason | None = None
        self._flooded = False
        self._own_s = self._give_up = 0.0
        self._reads = 0
        self._place = None if order.lane is Lane.FAST else PLACE.get()
        self._told_s, self._tell_at = 0.0, time.monotonic() + TELL_S
        self._poll = select.poll()
        self._poll.register(child.answers.fileno(), select.POLLIN)
        if self._more:
            self._poll.register(self._order, select.POLLOUT)

    def listen(self, calls: int | None = None) -> Seen:
        """See the child to its end, or until so many calls are behind it; then listen on.

        Raises KeeperGone.
        """
        answers, ended, poll = self._child.answers.fileno(), self._child.pidfd, self._poll
        seen = self._all_wanted(calls)
        while seen is None:
            events = self._events()
            if self._order in events and not self._send():
                poll.unregister(self._order)
            if answers in events and not self._listen():
                poll.unregister(answers)
                poll.register(ended, select.POLLIN)
                self._watch.hurry()
                events[ended] = self._ends()
            if events.get(ended):
                return self._seen(self._child.exit())
            seen = self._all_wanted(calls)  # what it gave in time counts, however late we look
            if seen is not None:
                break
            if self._reason is None and not self._flooded:
                self._reason = self._watch.exceeded()
                if self._reason is not None:
                    self._stop()
                else:
                    self._share()
            elif time.monotonic() > self._give_up:
                raise KeeperGone("a child that was ended does not end")
        return seen

    def _events(self) -> dict[int, int]:
        """What is to be done; while this process was stopped, no time of the child passed."""
        wait_s, asked = self._wait_s(), time.monotonic()
        events = dict(self._poll.poll(wait_s * 1000))
        late_s = time.monotonic() - asked - wait_s
        if late_s > STOPPED_S:
            self._watch.stood(late_s)
        return events

    def _all_wanted(self, calls: int | None) -> Seen | None:
        """What was seen, if the child has done all, or as many calls as are wanted."""
        so_far = None
        if calls is not None and len(self._transcript.heard) > calls:
            so_far = self._so_far()
        if so_far is None and self._is_done():
            return self._seen(self._parted())
        return so_far

    def _is_done(self) -> bool:
        return self._reason is None and not self._flooded and self._transcript.done

    def _so_far(self) -> Seen | None:
        """What was seen of a child that goes on; None where it does not, or /proc shows nothing."""
        peak = self._child.peak_memory_bytes()
        if peak is None or self._reason is not None or self._flooded:
            return None
        with suppress(OSError):
            return self._seen(Exit(0, self._child.cpu_s(), peak), goes_on=True)
        return None

    def _wait_s(self) -> float:
        wait_s = self._watch.wait_s()
        return wait_s if self._place is None else min(wait_s, TELL_S)

    def _share(self) -> None:
        """Tell our place what the child has used, and stand still for others. Raises GaveWay."""
        if self._place is None or time.monotonic() < self._tell_at:
            return
        cpu_s = self._watch.cpu_s
        used_s, self._told_s = cpu_s - self._told_s, cpu_s
        if not self._place.spent(max(0.0, used_s)):
            began = time.monotonic()
            self._child.stop()
            self._place.stand()
            self._child.go_on()
            self._watch.stood(time.monotonic() - began)
        self._tell_at = time.monotonic() + TELL_S

    def _ends(self) -> bool:
        """Whether the answers end because the child does: its memory goes before its files.

        Else it lives and has closed them itself.
        """
        return self._child.peak_memory_bytes() is None

    def _parted(self) -> Exit:
        """How a child that has done all is left, without waiting until the kernel has cleared it.

        That takes longer than most calls. Where it has ended already, or /proc does not show it to
        us (a mount with `hidepid`), its keeper will tell.
        """
        peak = self._child.peak_memory_bytes()
        if peak is not None:
            with suppress(OSError):
                return Exit(0, self._child.cpu_s(), peak)
        self._child.kill()
        told = self._child.exit()
        return replace(told, status=0) if told.signal is signal.SIGKILL else told

    def _send(self) -> bool:
        """Send more of the order; whether there is more to come. After the last there is an end."""
        try:
            sent = self._child.order.write(self._unsent[:CHUNK_BYTES])
            self._unsent = self._unsent[sent or 0 :]
        except BrokenPipeError:
            self._unsent = self._unsent[:0]
        if not self._unsent:
            self._child.order.close()  # whoever reads on in there reads an end
        return bool(self._unsent)

    def _listen(self) -> bool:
        """Take in what the child said; whether there may be more to come."""
        self._reads += 1
        if self._reads > MANY_READS:
            time.sleep(BREATH_S)
        data = self._child.answers.read(CHUNK_BYTES)
        if not data:
            return False
        self._room -= len(data)
        if self._room < 0 and not self._flooded:
            self._flooded = True
            self._stop()
        transcript = self._transcript
        if transcript.broken is None and not self._flooded:
            try:
                for kind, payload in self._reader.feed(data):
                    transcript.hear(kind, payload)
                    if kind == Answer.BEGUN or (kind == Answer.STARTED and self._is_new()):
                        self._watch.call_started()
            except wire.FrameError as error:
                transcript.broken = str(error)
                self._watch.hurry()  # it may be waiting to be ended by whoever believes it
        return True

    def _is_new(self) -> bool:
        """Whether the call that began has limits of its own."""
        at = len(self._transcript.heard) - 1
        return at == 0 or not self._calls[at].goes_on

    def _stop(self) -> None:
        self._own_s = self._watch.own_s
        self._child.kill()
        self._give_up = time.monotonic() + PARTING_S

    def _seen(self, exit: Exit, *, goes_on: bool = False) -> Seen:
        if not goes_on and self._reader.unfinished and self._transcript.broken is None:
            self._transcript.broken = "a frame that never ended"
        cpu_s = max(0.0, exit.cpu_s - self._watch.start_cpu_s)
        own_s = self._own_s or self._watch.own_s
        wall_s = self._watch.wall_s
        said, why = self._transcript, self._reason
        return Seen(said, exit, why, self._flooded, cpu_s, own_s, wall_s, goes_on)
