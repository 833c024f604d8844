"""A machine's jail over HTTP: `POST /run`, `/readyz`, `/metrics`, `/healthz`.

It has no database, no exercise and no answer: what comes is source, arguments and limits, what
goes back is what the jail saw. Its token lets a caller have code run here, and nothing more.
"""

from __future__ import annotations

import asyncio
import hmac
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import copy_context
from http import HTTPStatus
from typing import Any

import structlog
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from app.jail.wire import FrameError
from app.logs import bound
from app.metrics import RUNNER_ORDERS
from app.model import Order
from app.ports import PLACE, GaveWay, Sandbox, SandboxFault
from app.sandbox import parcel, parcel_ran
from app.sandbox.headers import ALONE, LANE, SOFTWARE, kind, logged
from app.sandbox.slots import Place, Slots
from app.sandbox.software import software

log = structlog.get_logger()

BEAT_S = 1.0
BODY_S = 10.0
SCHEME = "Bearer "


class Gone:
    """The place of an order whose caller may hang up: then its child is ended."""

    def __init__(self) -> None:
        self.hung_up = threading.Event()

    def spent(self, cpu_s: float) -> bool:
        """It shares its place with no other. Raises GaveWay where its caller is gone."""
        if self.hung_up.is_set():
            raise GaveWay
        return True

    def stand(self) -> None:
        """Never asked for."""


class RunnerSite:
    """What the routes answer with, over one sandbox."""

    def __init__(self, sandbox: Sandbox, token: bytes, slots: Slots) -> None:
        self._sandbox, self._token, self._slots = sandbox, token, slots
        self._threads = ThreadPoolExecutor(slots.fast + slots.slow, thread_name_prefix="order")
        self._leaving = threading.Event()

    async def run(self, request: Request) -> Response:
        """Run an order and stream what came of it; 503 at once where no place is free."""
        refusal = self._refused(request)
        if refusal is not None:
            return refusal
        place: Place = "fast" if request.headers.get(LANE) == "fast" else "slow"
        if not self._slots.take(place, kind(request.headers), alone=ALONE in request.headers):
            RUNNER_ORDERS.labels("full").inc()
            return PlainTextResponse("every place is taken\n", 503)
        try:
            order = await self._order(request, place)
        except BaseException:
            self._slots.give_back(place)
            raise
        if isinstance(order, Response):
            self._slots.give_back(place)
            return order
        with bound(**logged(request.headers)):
            context = copy_context()

        def begin(gone: Gone) -> Future[bytes]:
            work = self._threads.submit(context.run, self._work, order, gone)
            work.add_done_callback(lambda _: self._slots.give_back(place))
            return work

        return Working(begin, lambda: self._slots.give_back(place), self._leaving)

    async def ready(self, request: Request) -> Response:
        """503 where a required layer of the wall is missing; the places, and what it is made of."""
        layers = await run_in_threadpool(self._sandbox.layers)
        missing = [one.name for one in layers if one.required and not one.present]
        content = {
            "ready": not missing,
            "software": software(),
            "fast": self._slots.fast,
            "slow": self._slots.slow,
            "layers": [{"name": x.name, "present": x.present} for x in layers],
        }
        return JSONResponse(content, 503 if missing else 200)

    async def healthy(self, request: Request) -> Response:
        """It answers."""
        return PlainTextResponse("ok\n")

    async def metrics(self, request: Request) -> Response:
        """Counters of this runner, for who holds its token."""
        if not self._knows(request):
            return PlainTextResponse("no token of this runner\n", HTTPStatus.UNAUTHORIZED)
        await run_in_threadpool(self._sandbox.layers)
        return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)

    def leave(self) -> None:
        """Tell the callers of orders that run: if this machine ends now, it is not by them."""
        self._leaving.set()

    def close(self) -> None:
        """End the jail; orders under way have ended before."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._sandbox.close()

    def _knows(self, request: Request) -> bool:
        sent = request.headers.get("authorization", "").removeprefix(SCHEME)
        return hmac.compare_digest(sent.encode(), self._token)

    def _refused(self, request: Request) -> Response | None:
        if not self._knows(request):
            return PlainTextResponse("no token of this runner\n", HTTPStatus.UNAUTHORIZED)
        if request.headers.get(SOFTWARE) != software():
            return PlainTextResponse("another version\n", HTTPStatus.CONFLICT)
        size = request.headers.get("content-length", "")
        if not size.isdigit() or int(size) > parcel.ORDER_BYTES:
            return PlainTextResponse("too large\n", HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        return None

    async def _order(self, request: Request, place: Place) -> Order | Response:
        try:
            order = parcel.unpack(await asyncio.wait_for(request.body(), BODY_S))
        except TimeoutError:  # its caller may be cut off: the place is not kept for it
            return PlainTextResponse("too slow\n", HTTPStatus.REQUEST_TIMEOUT)
        except (FrameError, ClientDisconnect) as error:
            return PlainTextResponse(f"no order: {error}\n", HTTPStatus.BAD_REQUEST)
        if (order.lane == "fast") != (place == "fast"):
            return PlainTextResponse("an order for another place\n", HTTPStatus.BAD_REQUEST)
        return order

    def _work(self, order: Order, gone: Gone) -> bytes:
        token = PLACE.set(gone)
        try:
            answer = b"".join(parcel_ran.pack(self._sandbox.run(order)))
        except GaveWay:
            RUNNER_ORDERS.labels("gave_way").inc()
            return b""
        except SandboxFault as fault:
            log.warning("order_failed", reason=str(fault))
            RUNNER_ORDERS.labels("fault").inc()
            return parcel_ran.pack_fault(fault)
        except Exception as error:  # a bug of ours is no death of this machine
            log.exception("order_failed")
            RUNNER_ORDERS.labels("fault").inc()
            return parcel_ran.pack_fault(SandboxFault(type(error).__name__))
        finally:
            PLACE.reset(token)
        RUNNER_ORDERS.labels("answered").inc()
        log.info("order_answered", calls=len(order.calls), lane=order.lane.value)
        return answer


class Working(Response):
    """A byte at once and then every second while the order runs, then its answer.

    The first byte goes before the order begins: a caller then knows what a runner that ends here
    was ended by. An order ends with its caller.
    """

    def __init__(
        self,
        begin: Callable[[Gone], Future[bytes]],
        give_back: Callable[[], None],
        leaving: threading.Event,
    ) -> None:
        """`give_back` is called where the order does not even begin."""
        super().__init__(media_type="application/octet-stream")
        self._begin, self._give_back, self._leaving = begin, give_back, leaving

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        gone = Gone()
        try:
            await send(
                {
                    "type": "http.response.start",
                    "status": 200,
                    "headers": [(b"content-type", b"application/octet-stream")],
                }
            )
            await _say(send, self._beat())
        except BaseException:
            self._give_back()
            raise
        work: asyncio.Future[Any] = asyncio.wrap_future(self._begin(gone))
        hangs_up: asyncio.Future[Any] = asyncio.ensure_future(receive())
        try:
            while not work.done() and not hangs_up.done():
                done, _ = await asyncio.wait(
                    {work, hangs_up}, timeout=BEAT_S, return_when=asyncio.FIRST_COMPLETED
                )
                if not done:
                    await _say(send, self._beat())
            if work.done():
                await _say(send, work.result(), more=False)
        finally:
            gone.hung_up.set()
            hangs_up.cancel()

    def _beat(self) -> bytes:
        return parcel_ran.LEAVING if self._leaving.is_set() else parcel_ran.WORKING


async def _say(send: Send, data: bytes, *, more: bool = True) -> None:
    await send({"type": "http.response.body", "body": data, "more_body": more})


def site(sandbox: Sandbox, token: bytes, slots: Slots) -> Starlette:
    """The runner as an application for uvicorn. It closes the sandbox where it ends."""
    runner = RunnerSite(sandbox, token, slots)

    @asynccontextmanager
    async def life(_site: Starlette) -> AsyncIterator[None]:
        yield
        runner.close()

    made = Starlette(
        routes=[
            Route("/run", runner.run, methods=["POST"]),
            Route("/readyz", runner.ready),
            Route("/healthz", runner.healthy),
            Route("/metrics", runner.metrics),
        ],
        lifespan=life,
    )
    made.state.leave = runner.leave
    return made
