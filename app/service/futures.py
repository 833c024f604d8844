"""Futures handed to strangers: each gets one of their own, so that nobody cancels another's."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from typing import TypeVar

T = TypeVar("T")


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


def pass_on(done: Future[T], to: Future[T]) -> None:
    """Give one future's end to another that may have been given up meanwhile."""
    if done.cancelled():
        to.cancel()
        return
    error = done.exception()
    if error is not None:
        fail(to, error)
    else:
        succeed(to, done.result())


def succeed(future: Future[T], value: T) -> None:
    """Set the result, unless nobody waits any more."""
    _quietly(lambda: future.set_result(value))


def fail(future: Future[T], error: BaseException) -> None:
    """Set the error, unless nobody waits any more."""
    _quietly(lambda: future.set_exception(error))


def _quietly(end: Callable[[], None]) -> None:
    try:
        end()
    except InvalidStateError:
        return
