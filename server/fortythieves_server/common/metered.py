"""Measures how much processor time a coroutine takes, without what it waits for."""

import time
from collections.abc import Callable, Coroutine, Generator, Iterator
from types import coroutine
from typing import Any, TypeVar

T = TypeVar("T")


@coroutine
def metered(work: Coroutine[Any, Any, T], charge: Callable[[float], None]) -> Generator[Any, Any, T]:
    """Await some work, and say after each of its steps how many seconds of the processor that has taken.

    What it waits for is not counted: neither other tasks nor other processes.
    """
    step, argument = work.send, None
    while True:
        began = time.thread_time()
        try:
            awaited = step(argument)
        except StopIteration as done:
            value: T = done.value
            return value
        finally:
            charge(time.thread_time() - began)
        try:
            argument = yield awaited
            step = work.send
        except BaseException as error:  # noqa: BLE001 - it is for the work, which was interrupted.
            step, argument = work.throw, error


def metered_parts(parts: Iterator[T], charge: Callable[[float, T], None]) -> Iterator[T]:
    """The same parts, and of each how many seconds of the processor it took to make."""
    while True:
        began = time.thread_time()
        try:
            part = next(parts)
        except StopIteration:
            return
        charge(time.thread_time() - began, part)
        yield part
