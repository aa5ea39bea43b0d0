"""A simulated network, reached by `create_connection` and `create_server` of a simulated process.

Connections behave as TCP: bytes keep their order, writers wait for slow readers, a closed port refuses, and a process
that dies resets its connections. A machine that is down sends nothing at all.
"""

import asyncio
import contextvars
import socket
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any, cast

from tests.sim.loop import Idle, Machine, SimLoop, Simulation

#: Bytes that the systems of both ends hold, beside the buffer of the transport.
SYSTEM = 64 * 1024
#: The bounds of the transport's buffer, as in asyncio.
HIGH, LOW = 64 * 1024, 16 * 1024
#: Seconds until a connection without an answer fails, as in Linux.
UNANSWERED = 127.0
#: The most seconds after a partition until a system repeats lost packets.
REPEATED = 0.5
#: The marks for the end of a connection.
_END, _RESET = b"end", b"reset"

#: Of a network without faults: seconds, and bytes a second.
DELAY, BANDWIDTH = 0.0005, 12_500_000.0

Protocols = Callable[[], asyncio.BaseProtocol]


@dataclass(eq=False)
class Link:
    """The way from one machine to another."""

    #: Everything takes these seconds, and up to as many more.
    delay: float = DELAY
    is_cut: bool = False
    #: The connections with flights that came while it was cut. Their systems repeat them.
    held: "list[Transport]" = field(default_factory=list)


@dataclass(slots=True)
class Flight:
    """Bytes that were written at one time, and perhaps the end of the connection."""

    written: float
    end: bytes | None = None
    chunks: list[bytes] = field(default_factory=list)


class Network:
    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.ports: dict[tuple[str, int], Port] = {}
        #: From machine to machine. Their values may be changed.
        self.links = defaultdict[tuple[str, str], Link](Link)
        self._down: set[str] = set()
        self._count = 0

    def process(self, machine: str) -> "NetworkLoop":
        """A new process on a machine, with this network."""
        loop = NetworkLoop(self.simulation, self.simulation.machine(machine), self)
        self.simulation.loops.append(loop)
        return loop

    # Faults

    def partition(self, one: str, other: str, *, both: bool = True) -> None:
        """From now on, nothing arrives from one machine at another one, or in both directions."""
        for way in [*permutations((one, other), 2)][: 1 + both]:
            self.links[way].is_cut = True

    def heal(self, one: str | None = None, other: str | None = None) -> None:
        """End a partition, or all. Data from that time arrives now, because the systems repeat it."""
        for (begin, end), link in self.links.items():
            if link.is_cut and (one is None or {begin, end} == {one, other}):
                link.is_cut = False
                held, link.held = link.held, []
                for transport in held:
                    transport.repeat()

    def fail(self, machine: str) -> None:
        """The machine loses its power: its processes end, and its connections say nothing."""
        self._down.add(machine)
        for loop in self.simulation.loops:
            if loop.machine.name == machine:
                loop.crash()

    def repair(self, machine: str) -> None:
        """The machine is up, and knows none of its old connections."""
        self._down.discard(machine)

    def is_down(self, machine: str) -> bool:
        return machine in self._down

    def connections(self, machine: str | None = None) -> "list[Transport]":
        """The open connections of a machine or of all, each once: by its end that connected."""
        return [
            transport
            for loop in self.simulation.loops
            for transport in cast("NetworkLoop", loop).transports
            if transport.number % 2 == 0
            and machine in (None, transport.loop.machine.name, transport.peer.loop.machine.name)
        ]

    def cut(self, transport: "Transport") -> None:
        """Reset a connection at both ends. Some of the data on its way may arrive."""
        transport.cut()
        transport.peer.cut()

    def stall(self, connection: "Transport") -> Callable[[], None]:
        """Let nothing arrive on one connection, in both directions. Returns the function that ends that."""
        links = {end: end.link for end in (connection, connection.peer)}
        for end in links:
            end.link = Link()
            end.link.is_cut = True

        def heal() -> None:
            for end, link in links.items():
                held, end.link = end.link.held, link
                for transport in held:
                    transport.repeat()

        return heal

    # Connections

    def pair(self, here: "NetworkLoop", there: "NetworkLoop", port: int) -> "tuple[Transport, Transport]":
        self._count += 1
        name, to = (here.machine.address, 40_000 + self._count % 20_000), (there.machine.address, port)
        one, other = here.machine.name, there.machine.name
        begin = Transport(here, 2 * self._count, self.links[one, other], name, to)
        end = Transport(there, 2 * self._count + 1, self.links[other, one], to, name)
        begin.peer, end.peer = end, begin
        return begin, end

    def machine_of(self, host: str) -> Machine:
        for machine in self.simulation.machines.values():
            if host in (machine.name, machine.address):
                return machine
        raise socket.gaierror(socket.EAI_NONAME, f"There is no machine {host}.")


class Port:
    """A port that is listened to. ``accept`` gets each new connection: it calls `Transport.start`, now or later."""

    def __init__(self, loop: "NetworkLoop", port: int, accept: "Callable[[Transport], None]") -> None:
        self.loop, self.accept, self.key = loop, accept, (loop.machine.name, port)
        if self.key in loop.network.ports:
            raise OSError(98, f"{self.key} is in use")
        loop.network.ports[self.key] = self

    def close(self) -> None:
        self.loop.network.ports.pop(self.key, None)


class Socket:
    """The socket of a transport, for libraries that want one. It has no descriptor."""

    family = socket.AF_INET

    def fileno(self) -> int:
        return -1

    def setsockopt(self, *_: object) -> None:
        pass

    def getsockopt(self, *_: object) -> int:
        return 0


class Transport(asyncio.Transport):
    """One end of a connection."""

    def __init__(
        self, loop: "NetworkLoop", number: int, link: Link, name: tuple[str, int], peer: tuple[str, int]
    ) -> None:
        super().__init__({"socket": Socket(), "sockname": name, "peername": peer})
        self.loop, self.number = loop, number
        self.peer: Transport
        #: The bytes that arrived and are not read yet, and the end after them.
        self.received: list[bytes] = []
        self._end: bytes | None = None
        #: How many bytes were written and not read yet.
        self.unread = 0
        self._protocol: Any = None
        self._is_buffered = False
        self._context = contextvars.Context()
        self._random = loop.simulation.random_for(f"connection {number}")
        self.link = link
        self._free_at = self._arrives = 0.0
        #: Flights that have not arrived.
        self._flights: deque[Flight] = deque()
        self._low, self._high = LOW, HIGH
        self._is_closing = self._is_lost = self._has_ended = False
        self._is_cut = self._reading_paused = self._writing_paused = False
        #: Done when data has arrived for `first_line`.
        self._waiting: asyncio.Future[None] | None = None
        loop.transports[self] = None

    def start(self, protocol: asyncio.BaseProtocol) -> None:
        """Give it its protocol. Called by its process."""
        self._context = contextvars.copy_context()
        self.set_protocol(protocol)
        self.loop.call_soon(protocol.connection_made, self)
        if self.received or self._end:
            self.loop.call_soon(self.deliver)

    # Sending

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._is_lost or self._has_ended or not data:
            return
        flights, now = self._flights, self.loop.now
        if not flights or flights[-1].written != now:
            self._send(Flight(now))
        flights[-1].chunks.append(bytes(data))
        self.unread += len(data)
        if not self._writing_paused and self.unread - SYSTEM > self._high:
            self._writing_paused = True
            self._protocol.pause_writing()

    def _send(self, flight: Flight) -> None:
        """Send a flight. Later writes at the same time are added to it."""
        link, simulation = self.link, self.loop.simulation
        delay = link.delay * (1 + self._random.random())
        self._arrives = max(self._arrives, max(self.loop.now, simulation.now, self._free_at) + delay)
        self._flights.append(flight)
        simulation.at(self._arrives, self._arrived)

    def _arrived(self, _: None) -> None:
        """Called by the simulation."""
        link, peer, network = self.link, self.peer, self.loop.network
        if link.is_cut:
            link.held.append(self)
            return
        flight = self._flights.popleft()
        data = b"".join(flight.chunks)
        self._free_at = network.simulation.now - link.delay + len(data) / BANDWIDTH
        if self._is_cut:
            data, flight.end = data[: int(self._random.random() * len(data))], _RESET
        if network.is_down(peer.loop.machine.name):
            return
        network.simulation.record(self.number, data)
        if not peer.accepts:
            if flight.end is None and not self._is_lost:
                peer.send_end(_RESET)
            return
        if data:
            peer.received.append(data)
        peer.has_come(flight.end)

    @property
    def accepts(self) -> bool:
        """Whether its process still reads. If not, its system answers with a reset."""
        return self.loop.is_alive and not self._is_closing

    def has_come(self, end: bytes | None) -> None:
        self._end = end or self._end
        if self.loop.is_plain:
            self.loop.do(self.deliver)
        else:
            self.loop.inbox.append(self)
            self.loop.activate()

    def repeat(self) -> None:
        """Send the next flight that was held, as TCP repeats it."""
        delay = self.link.delay + self._random.random() * REPEATED
        self.loop.simulation.at(self.loop.simulation.now + delay, self._arrived)

    def send_end(self, end: bytes) -> None:
        self._send(Flight(-1.0, end))

    def cut(self) -> None:
        self._is_cut = True
        if not self._flights:
            self.send_end(_RESET)

    # Receiving

    def deliver(self) -> None:
        """Give new data to the protocol. Called in an iteration of its loop."""
        if self._waiting is not None:
            if not self._waiting.done():
                self._waiting.set_result(None)
            return
        if self._is_lost or self._protocol is None:
            return
        if self._end == _RESET:
            self.received.clear()
            self._lose(ConnectionResetError(104, "Connection reset by peer"))
            return
        if self._reading_paused or self._is_closing:
            return
        try:
            if self.received:
                data, self.received = b"".join(self.received), []
                self.peer.was_read(len(data))
                self._context.run(self._fill if self._is_buffered else self._protocol.data_received, data)
            if self._end == _END and not self.received and not self._reading_paused:
                self._end = None
                if not self._context.run(self._protocol.eof_received):
                    self.close()
        except Idle:
            raise
        except Exception as error:  # noqa: BLE001 - as asyncio does
            context = {
                "message": "a protocol failed",
                "exception": error,
                "transport": self,
                "protocol": self._protocol,
            }
            self.loop.call_exception_handler(context)
            self.abort()

    def _fill(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            buffer = self._protocol.get_buffer(-1)
            count = min(len(buffer), len(rest))
            buffer[:count] = rest[:count]
            rest = rest[count:]
            self._protocol.buffer_updated(count)

    def was_read(self, count: int) -> None:
        """The other end has read."""
        self.unread -= count
        if self._writing_paused and self.unread - SYSTEM <= self._low:
            self._writing_paused = False
            self.loop.call_soon_threadsafe(self._resume_writing)
        if self._is_closing and not self._is_lost and self.unread <= SYSTEM:
            self._lose(None)

    def _resume_writing(self) -> None:
        if not self._writing_paused and not self._is_lost:
            self._protocol.resume_writing()

    async def first_line(self) -> bytes:
        """Wait for a whole line. Returns all data, which stays unread. b"": the connection has ended."""
        while b"\n" not in (line := b"".join(self.received)) and not self._end:
            self._waiting = self.loop.create_future()
            await self._waiting
            self._waiting = None
        return b"" if self._end == _RESET else line

    # The end

    def close(self) -> None:
        if self._is_closing:
            return
        self._is_closing = True
        if self.received:  # Linux does that if something is unread
            self.send_end(_RESET)
        else:
            self.write_eof()
        if self.unread <= SYSTEM:
            self._lose(None)

    def abort(self) -> None:
        if not self._is_lost:
            if not self._is_closing:
                self.write_eof()
            self._lose(None)

    def _lose(self, error: Exception | None) -> None:
        if self._is_lost:
            return
        self._is_closing = self._is_lost = True
        self.loop.transports.pop(self, None)
        if self._protocol is not None:
            self.loop.call_soon_threadsafe(self._tell_lost, error, context=self._context)

    def _tell_lost(self, error: Exception | None) -> None:
        protocol = self._protocol
        self._forget()
        protocol.connection_lost(error)

    def _forget(self) -> None:
        self._protocol, self._context = None, contextvars.Context()

    def drop(self) -> None:
        """Its process has died: its system closes it, unless the machine is down."""
        self._forget()
        if self._is_closing:
            return
        self._is_closing = self._is_lost = True
        self.loop.transports.pop(self, None)
        if not self.loop.network.is_down(self.loop.machine.name):
            self.send_end(_RESET if self.received or self._random.random() < 0.5 else _END)

    def write_eof(self) -> None:
        if not self._has_ended:
            self._has_ended = True
            self.send_end(_END)

    # The rest of asyncio's transports

    def can_write_eof(self) -> bool:
        return True

    def is_closing(self) -> bool:
        return self._is_closing

    def pause_reading(self) -> None:
        self._reading_paused = True

    def resume_reading(self) -> None:
        self._reading_paused = False
        if self.received or self._end:
            self.loop.call_soon(self.deliver)

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._protocol, self._is_buffered = protocol, isinstance(protocol, asyncio.BufferedProtocol)

    def get_protocol(self) -> asyncio.BaseProtocol:
        return cast("asyncio.BaseProtocol", self._protocol)

    def get_write_buffer_size(self) -> int:
        return max(0, self.unread - SYSTEM)

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        if high is None:
            high = HIGH if low is None else 4 * low
        self._high, self._low = high, high // 4 if low is None else low


class NetworkLoop(SimLoop):
    """The event loop of a process with a network."""

    transports: dict[Transport, None]
    inbox: list[Transport]

    def __init__(self, simulation: Simulation, machine: Machine, network: Network) -> None:
        self.network = network
        super().__init__(simulation, machine)

    def crash(self) -> None:
        if self.is_alive:
            super().crash()
            for port in [port for port in self.network.ports.values() if port.loop is self]:
                port.close()
            for transport in list(self.transports):
                transport.drop()

    async def _connect(self, host: str, port: int) -> Transport:
        network, machine = self.network, self.network.machine_of(host)
        there, back = (network.links[way] for way in permutations((self.machine.name, machine.name), 2))
        await asyncio.sleep(there.delay + back.delay + there.delay * self.random.random())
        pause, waited = 1.0, 0.0
        while there.is_cut or back.is_cut or network.is_down(machine.name):
            if waited > UNANSWERED:
                raise TimeoutError(110, "Connection timed out")
            await asyncio.sleep(pause)
            pause, waited = 2 * pause, waited + pause
        open_port = network.ports.get((machine.name, port))
        if open_port is None:
            raise ConnectionRefusedError(111, f"Connection refused by {machine.name}:{port}")
        here, other = network.pair(self, open_port.loop, port)
        open_port.loop.call_soon_threadsafe(open_port.accept, other, context=contextvars.Context())
        return here

    async def create_connection(
        self, protocol_factory: Protocols, host: Any = None, port: Any = None, *, ssl: object = None, **_: object
    ) -> tuple[asyncio.Transport, Any]:
        assert not ssl, "the simulated network has no TLS"
        transport, protocol = await self._connect(host, int(port)), protocol_factory()
        transport.start(protocol)
        await asyncio.sleep(0)  # until it knows its transport
        return transport, protocol

    async def create_unix_connection(
        self, protocol_factory: Protocols, path: Any = None, **__: object
    ) -> tuple[asyncio.Transport, Any]:
        """The path is "MACHINE:PORT", for libraries that connect sockets themselves."""
        host, _, port = str(path).rpartition(":")
        return await self.create_connection(protocol_factory, host, port)

    async def create_server(  # type: ignore[override]
        self, protocol_factory: Protocols, host: object = None, port: int = 0, **_: object
    ) -> Port:
        return Port(self, port, lambda transport: transport.start(protocol_factory()))

    async def connect_accepted_socket(
        self, protocol_factory: Protocols, sock: Any, **_: object
    ) -> tuple[asyncio.Transport, Any]:
        """``sock`` is anything that has a transport of this network."""
        protocol = protocol_factory()
        sock.transport.start(protocol)
        await asyncio.sleep(0)
        return sock.transport, protocol

    async def getaddrinfo(self, host: Any, port: Any, **_: object) -> list[Any]:
        address = self.network.machine_of(host).address
        return [(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address, int(port)))]
