"""Measure the CPU time of a coroutine, without the time that it waits."""

import time
from collections.abc import Callable, Coroutine, Generator, Iterator
from types import coroutine
from typing import Any, TypeVar

T = TypeVar("T")


@coroutine
def metered(work: Coroutine[Any, Any, T], charge: Callable[[float], None]) -> Generator[Any, Any, T]:
    """Await some work. ``charge`` gets the seconds of CPU time of each of its steps. Waiting costs nothing."""
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
        except BaseException as error:  # noqa: BLE001 - the work must see whatever interrupts it
            step, argument = work.throw, error


def metered_parts(parts: Iterator[T], charge: Callable[[float, T], None]) -> Iterator[T]:
    """The same parts. ``charge`` is called with the CPU seconds that each part took to make, and the part."""
    while True:
        began = time.thread_time()
        try:
            part = next(parts)
        except StopIteration:
            return
        charge(time.thread_time() - began, part)
        yield part
