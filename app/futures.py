"""Futures whose end follows another's, for callers who may cancel theirs at any time."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from typing import TypeVar

T = TypeVar("T")
U = TypeVar("U")


def settled(value: T) -> Future[T]:
    """A future that holds its value already."""
    future: Future[T] = Future()
    future.set_result(value)
    return future


def follower(leader: Future[T]) -> Future[T]:
    """A future that ends as `leader` does and may be cancelled without touching it."""
    future: Future[T] = Future()
    leader.add_done_callback(lambda done: pass_on(done, future))
    return future


def then(leader: Future[T], change: Callable[[Future[T]], U]) -> Future[U]:
    """A future of what `change` makes of `leader` once it is done; what `change` raises fails it.

    Cancelling either cancels the other; `change` is not called then.
    """
    future: Future[U] = Future()

    def end(done: Future[T]) -> None:
        if done.cancelled():
            future.cancel()
            return
        try:
            value = change(done)
        except Exception as error:  # noqa: BLE001 - it is the caller's, and the future carries it there
            fail(future, error)
        else:
            succeed(future, value)

    leader.add_done_callback(end)
    cancel_with(future, leader)
    return future


def cancel_with(future: Future[T], other: Future[U]) -> None:
    """Cancel `other` where `future` is cancelled."""
    future.add_done_callback(lambda done: done.cancelled() and other.cancel())


def pass_on(done: Future[T], to: Future[T]) -> None:
    """Give one future's end to another that may have been cancelled meanwhile."""
    if done.cancelled():
        to.cancel()
        return
    error = done.exception()
    if error is not None:
        fail(to, error)
    else:
        succeed(to, done.result())


def succeed(future: Future[T], value: T) -> None:
    """Set the result, unless the future was cancelled."""
    _quietly(lambda: future.set_result(value))


def fail(future: Future[T], error: BaseException) -> None:
    """Set the error, unless the future was cancelled."""
    _quietly(lambda: future.set_exception(error))


def _quietly(end: Callable[[], None]) -> None:
    try:
        end()
    except InvalidStateError:
        return
