"""A virtual clock, and an event loop for each simulated process. One seed gives one timeline.

The simulation runs one loop at a time, until all its callbacks are done. Then time jumps to the next event. A paused
process is not run for a while, and a crashed process never.
"""

import asyncio
import contextlib
import gc
import hashlib
import heapq
import itertools
import random
import selectors
import struct
import warnings
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Executor
from contextvars import Context
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeVar, TypeVarTuple, Unpack
from unittest.mock import patch

if TYPE_CHECKING:
    from tests.sim.network import Transport

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

#: When the simulation begins, in seconds since 1970.
BEGIN = 300_000_000.0
#: Seconds that a function in another thread takes.
IN_A_THREAD = 0.05
#: Shorter waits are none: of sums of floats, something may be left.
_NOTHING = 1e-9
#: The most iterations at one time. A loop that needs more will never be idle.
_SPINS = 100_000
_NEVER = float("inf")
#: The most attempts to cancel the tasks of a process.
_ROUNDS = 100


class Idle(Exception):
    """The running loop has nothing to do now."""


@dataclass(eq=False)
class Machine:
    """A computer: its address, and its clocks."""

    name: str
    address: str
    #: The seconds of its monotonic clock at the beginning.
    uptime: float
    #: How many seconds its clock is ahead of the true time.
    ahead: float = 0.0


class Simulation:
    """The time, all events, and all randomness."""

    def __init__(self, seed: object) -> None:
        self.seed = seed
        self.now = 0.0
        #: For decisions of the simulation itself. Other parts have their own: `random_for`.
        self.random = self.random_for("simulation")
        #: The loop that runs now.
        self.current: SimLoop | None = None
        self.machines: dict[str, Machine] = {}
        self.loops: list[SimLoop] = []
        #: Errors that no code handled: each with the loop, and the context of its exception handler.
        self.errors: list[tuple[SimLoop, Mapping[str, Any]]] = []
        self.digest = hashlib.blake2b()
        self._events: list[tuple[float, int, Callable[[Any], object], Any]] = []
        self._number = itertools.count()
        self._secret = self.random_for("secrets")
        self._cpu = 0.0
        self._stack = contextlib.ExitStack()

    def random_for(self, part: object) -> random.Random:
        """The random numbers of a part, which do not depend on those of other parts."""
        return random.Random(f"{self.seed} {part}")

    # Time, secrets and randomness of all modules

    def __enter__(self) -> Self:
        """While it is open, the modules `time`, `os`, `random` and `secrets` belong to the simulation."""
        enter, collect = self._stack.enter_context, gc.collect
        functions = {
            "time.time": self.wall,
            "time.sleep": self._sleep,
            "os.urandom": self._secret.randbytes,
            **dict.fromkeys(("time.monotonic", "time.perf_counter"), self.monotonic),
            **dict.fromkeys(("time.thread_time", "time.process_time"), self._cpu_time),
            "gc.collect": lambda: 0,
        }
        for name, function in functions.items():
            enter(patch(name, function))
        for name in ("random", "randbytes", "getrandbits"):
            draw = getattr(self._secret, name)
            enter(patch.object(random.SystemRandom, name, lambda _, *arguments, draw=draw: draw(*arguments)))
        enter(warnings.catch_warnings())
        warnings.simplefilter("ignore", ResourceWarning)  # a crashed process closes nothing
        self._stack.callback(random.setstate, random.getstate())
        random.seed(f"{self.seed}")
        if gc.isenabled():
            self._stack.callback(gc.enable)
            gc.disable()  # its order depends on the addresses of objects
        self._stack.callback(self._close, collect)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _close(self, collect: Callable[[], int]) -> None:
        """End all processes. They can send nothing any more."""
        for loop in self.loops:
            loop.crash()
        end = self.now
        for loop in self.loops:
            loop.bury()
        self.now = end
        self.loops.clear()
        self._events.clear()
        collect()

    def wall(self) -> float:
        """The seconds since 1970 by the clock of the running process."""
        loop = self.current
        return BEGIN + (self.now if loop is None else loop.now + loop.machine.ahead)

    def monotonic(self) -> float:
        return self.now if self.current is None else self.current.time()

    def _cpu_time(self) -> float:
        """The same work takes as long each time: one microsecond."""
        self._cpu += 1e-6
        return self._cpu

    def _sleep(self, seconds: float) -> None:
        assert self.current is not None, "nobody sleeps outside of the simulated processes"
        self.current.now += max(0.0, seconds)

    # Events

    def at(self, when: float, call: Callable[[Any], object], argument: Any = None) -> None:
        """Call a function at that time."""
        heapq.heappush(self._events, (when, next(self._number), call, argument))

    def later(self, seconds: float, call: Callable[[], object]) -> None:
        self.at(self.now + seconds, lambda _: call())

    def run(self, seconds: float = _NEVER, until: Callable[[], object] | None = None) -> bool:
        """Let time pass, for some seconds or until a condition is true. Returns whether it is."""
        events, end = self._events, self.now + seconds
        while events and events[0][0] <= end:
            when, _, call, argument = heapq.heappop(events)
            if when > self.now:
                self.now = when
            call(argument)
            if until is not None and until():
                return True
        if end < _NEVER:
            self.now = end
        return False

    def record(self, number: int, data: bytes) -> None:
        """Add to the digest of the timeline."""
        self.digest.update(struct.pack("<dqq", self.now, number, len(data)) + data)

    def machine(self, name: str) -> Machine:
        if name not in self.machines:
            number, uptime = len(self.machines) + 1, self.random_for(name).uniform(1e3, 1e6)
            self.machines[name] = Machine(name, f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}", uptime)
        return self.machines[name]


class _Selector(selectors.BaseSelector):
    """Delivers data from the network, and never waits."""

    def __init__(self) -> None:
        self.loop: SimLoop | None = None
        self._keys: dict[int, selectors.SelectorKey] = {}

    def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
        if self.loop is not None:
            raise RuntimeError("A simulated process has no real sockets.")
        key = self._keys[fileobj] = selectors.SelectorKey(fileobj, fileobj, events, data)  # the loop's own pipe
        return key

    def unregister(self, fileobj: Any) -> selectors.SelectorKey:
        return self._keys.pop(fileobj)

    def get_map(self) -> Any:
        return self._keys

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if self.loop is not None:
            self.loop.poll(timeout)
        return []


class SimLoop(asyncio.SelectorEventLoop):
    """The event loop of one process."""

    def __init__(self, simulation: Simulation, machine: Machine) -> None:
        self.simulation = simulation
        self.machine = machine
        self.number = len(simulation.loops)
        #: Its own time. It is ahead of the simulation while the process computes or sleeps.
        self.now = simulation.now
        self.is_alive, self.is_paused = True, False
        #: The most seconds that each of its activations takes, for a process that is slow.
        self.slowness = 0.0
        #: Whether its protocols need no iteration, because they use no tasks.
        self.is_plain = False
        #: It crashes after this number of iterations.
        self.crash_in: int | None = None
        #: Called when it crashes.
        self.on_crash: Callable[[], None] = lambda: None
        #: Its open connections, in order, and those with new data.
        self.transports: dict[Transport, None] = {}
        self.inbox: list[Transport] = []
        self.random = simulation.random_for(f"loop {self.number}")
        self._wake = _NEVER
        self._spins = 0
        #: The tasks of a crashed process. If they were deleted, their `finally` blocks would run.
        self._dead: set[asyncio.Task[Any]] = set()
        selector = _Selector()
        super().__init__(selector)
        selector.loop = self
        self.set_exception_handler(self._failed)

    def _failed(self, _: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
        if self.is_alive:
            self.simulation.errors.append((self, context))

    def time(self) -> float:
        return self.now + self.machine.uptime

    # Called by the simulation

    def wake_by(self, when: float) -> None:
        """Run at that time at the latest."""
        if when < self._wake:
            self._wake = when
            self.simulation.at(when, self._run_if_due, when)

    def wake(self) -> None:
        """Run as soon as possible, because another process or the simulation has given it work."""
        self.wake_by(max(self.now, self.simulation.now))

    def _run_if_due(self, when: float) -> None:
        if when == self._wake:
            self.activate()

    def activate(self) -> None:
        """Run until all callbacks are done, unless the process is still computing."""
        simulation = self.simulation
        if not self.is_alive or self.is_paused:
            self._wake = _NEVER
            return
        if self.now > simulation.now:
            self.wake_by(self.now)
            return
        self.now, self._wake, self._spins = simulation.now, _NEVER, 0
        before, simulation.current = simulation.current, self
        try:
            self.run_forever()
        except Idle:
            pass
        finally:
            simulation.current = before

    def poll(self, timeout: float | None) -> None:
        """Called in each iteration, with the seconds until the next timer. None: there is no timer."""
        if self.crash_in is not None:
            self.crash_in -= 1
            if self.crash_in < 0:
                self.crash()
                raise Idle
        if self.now == self.simulation.now:  # otherwise others run first
            if self.inbox:
                inbox, self.inbox = self.inbox, []
                if len(inbox) > 1:  # after a pause; a real system has no order, either
                    self.random.shuffle(inbox)
                for transport in inbox:
                    transport.deliver()
                return
            if timeout is not None and timeout < _NOTHING:
                self._spins += 1
                if self._spins > _SPINS:
                    raise RuntimeError("a process never becomes idle")
                return
        if self.slowness:
            self.now += self.random.random() * self.slowness
        if self.inbox:
            timeout = 0
        if timeout is not None:
            self.wake_by(self.now + timeout)
        raise Idle

    def do_at(self, when: float, call: Callable[[], object]) -> None:
        """Do something in this process at that time, or once it is idle."""
        self.simulation.at(when, self.do, call)

    def do(self, call: Callable[[], object]) -> None:
        """Do something in this process now, or once it is idle. Without an iteration, it costs a third."""
        simulation = self.simulation
        if not self.is_alive:
            return
        if self.is_paused or self.slowness or self.now > simulation.now:
            self.call_soon_threadsafe(call)
            return
        before, simulation.current, self.now = simulation.current, self, simulation.now
        try:
            call()
        finally:
            simulation.current = before

    def crash(self) -> None:
        """Stop for good. Its machine closes its connections, unless the machine is down."""
        if self.is_alive:
            self.is_alive, self.crash_in = False, None
            self._dead = asyncio.all_tasks(self)
            self.on_crash()

    def pause(self) -> None:
        self.is_paused = True

    def resume(self) -> None:
        self.is_paused = False
        self.wake()

    def bury(self) -> None:
        """Cancel the tasks of a crashed process, so that they are not reported."""
        self.inbox.clear()
        self.set_exception_handler(lambda *_: None)
        self.simulation.current = self
        for _ in range(_ROUNDS):
            if not (tasks := asyncio.all_tasks(self)):
                break
            for task in tasks:
                task.cancel()
            self.simulation.now = self.now = self.simulation.now + 1
            self.stop()
            with contextlib.suppress(Idle):
                self.run_forever()
        self._dead.clear()
        self.close()
        self.simulation.current = None

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Begin a task of this process."""
        task = self.create_task(work)
        self.wake()
        return task

    # Methods of asyncio

    def call_soon_threadsafe(
        self, callback: Callable[[Unpack[Ts]], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        handle = self.call_soon(callback, *args, context=context)
        if self.simulation.current is not self:
            self.wake()
        return handle

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[Unpack[Ts]], T], *args: *Ts
    ) -> asyncio.Future[T]:
        """Run a function now, and return its result later."""
        done: asyncio.Future[T] = self.create_future()

        def settle(how: Callable[[Any], None], result: object) -> None:
            if not done.done():
                how(result)

        try:
            result = func(*args) if executor is None else executor.submit(func, *args).result()
        except Exception as error:  # noqa: BLE001 - the caller gets each kind
            self.call_later(IN_A_THREAD, settle, done.set_exception, error)
        else:
            self.call_later(IN_A_THREAD, settle, done.set_result, result)
        return done

    #: A simulated process has no children.
    subprocess_exec = subprocess_shell = None  # type: ignore[assignment]
