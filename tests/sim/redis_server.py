"""Redis servers on the simulated network: alone, with sentinels, or as a cluster.

A server answers when its disk has synced. Sentinels and nodes of a cluster look at each other once a second.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from hiredis import Reader
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

from tests.sim.loop import BEGIN
from tests.sim.network import Network, NetworkLoop
from tests.sim.redis_model import OK, Node, Slots
from tests.sim.redis_scripts import Scripts
from tests.sim.redis_values import GROWS, READS, WRITES, Error, Scores, Status, number

PORT, SENTINEL_PORT, SERVICE = 6379, 26379, "mymaster"
#: Seconds between two looks at WAIT, and at other servers.
WAITS, LOOKS = 0.01, 1.0
#: Seconds of a sync to the disk.
SYNC = 0.0005
#: Seconds of silence after which a server counts as dead.
DOWN_AFTER = 3.0
#: Seconds until the sentinel tells a replica that it has another master, and until it tells an old master.
TOLD, OLD_TOLD = 1.0, 10.0

_MORE = object()
_SUBSCRIBING = (b"SUBSCRIBE", b"UNSUBSCRIBE", b"SSUBSCRIBE", b"SUNSUBSCRIBE")


def encoded(answer: Any) -> bytes:
    """An answer in the third version of the protocol."""
    if type(answer) is bytes:
        return b"$%d\r\n%b\r\n" % (len(answer), answer)
    match answer:
        case None:
            return b"_\r\n"
        case Exception():
            return b"-%b\r\n" % str(answer).encode()
        case Status():
            return b"+%b\r\n" % answer
        case int():
            return b":%d\r\n" % answer
        case float():
            return b",%b\r\n" % number(answer)
        case Scores():
            return encoded([[member, score] for member, score in answer.items()])
        case dict():
            return b"%%%d\r\n" % len(answer) + b"".join(encoded(word) for pair in answer.items() for word in pair)
        case list():
            return b"*%d\r\n" % len(answer) + b"".join(map(encoded, answer))
    raise TypeError(answer)


class Connection(asyncio.Protocol):
    """A client's connection to a server or a sentinel."""

    def __init__(self, server: "Server") -> None:
        self.server = server
        self.transport: Any = None
        self.out: list[bytes] = []
        self.waiting: deque[list[bytes]] = deque()
        #: Of pub/sub: whether sharded, and the channel.
        self.channels: dict[tuple[bool, bytes], None] = {}
        self._reader = Reader(notEnoughData=_MORE)
        self._asking = False
        #: The changes of the server after the last one of this connection, and until when it waits for replicas.
        self._written = 0
        self._waits: tuple[int, float] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.server.connections[self] = None

    def connection_lost(self, error: Exception | None) -> None:
        self.server.connections.pop(self, None)
        for channel in self.channels:
            self.server.node.subscribers.get(channel, {}).pop(self.receive, None)

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        while (words := self._reader.gets()) is not _MORE:
            self.waiting.append(words)
        self.server.soon(self)

    def run(self) -> None:
        """Run the commands that have come, until one waits."""
        while self.waiting and self._waits is None and not self.transport.is_closing():
            words = self.waiting.popleft()
            answer = self._answer(words[0].upper(), words)
            if answer is not _MORE:
                self.out.append(encoded(answer))

    def _answer(self, name: bytes, words: list[bytes]) -> Any:
        asking, self._asking = self._asking, False
        match name, *words[1:]:
            case b"HELLO", b"3", *_:
                return {b"server": b"redis", b"version": b"7.4.0", b"proto": 3}
            case [b"CLIENT", what, *_] if what.upper() == b"MAINT_NOTIFICATIONS":
                return Error("ERR unknown subcommand 'MAINT_NOTIFICATIONS'")
            case [(b"CLIENT" | b"AUTH" | b"SELECT"), *_]:
                return OK
            case [b"ASKING"]:
                self._asking = True
                return OK
            case b"PING", data:
                return data
            case b"WAIT", wanted, ms:
                self._waits = int(wanted), self.server.loop.time() + int(ms) / 1000
                self._wait()
                return _MORE
            case [command, *channels] if command in _SUBSCRIBING:
                self._subscribe(command, channels)
                return _MORE
        node, before = self.server.node, self.server.node.offset
        answer = self.server.more(words)
        answer = node.execute(words, asking=asking) if answer is None else answer
        if node.offset != before:
            self._written = node.offset
        return answer

    def _wait(self) -> None:
        if self._waits is None or self.transport.is_closing():
            return
        (wanted, until), loop = self._waits, self.server.loop
        found = self.server.node.acknowledged(self._written)
        if found < wanted and loop.time() < until:
            loop.do_at(loop.now + WAITS, self._wait)
            return
        self._waits = None
        self.out.append(encoded(found))
        self.server.soon(self)

    def _subscribe(self, command: bytes, channels: Iterable[bytes]) -> None:
        sharded, node = command.startswith(b"S") and command != b"SUBSCRIBE", self.server.node
        for channel in channels:
            if b"UN" in command:
                self.leave(sharded, channel)
                continue
            try:
                if sharded:
                    node.redirect([channel])
            except Error as error:
                self.out.append(encoded(error))
                return
            self.channels[sharded, channel] = None
            node.subscribers.setdefault((sharded, channel), {})[self.receive] = None
            self._push(command.lower(), channel, len(self.channels))

    def leave(self, sharded: bool, channel: bytes) -> None:
        self.channels.pop((sharded, channel), None)
        self.server.node.subscribers.get((sharded, channel), {}).pop(self.receive, None)
        self._push(b"sunsubscribe" if sharded else b"unsubscribe", channel, len(self.channels))

    def receive(self, kind: bytes, channel: bytes, data: bytes) -> None:
        """A message for a subscriber."""
        self._push(kind, channel, data)
        self.server.soon(self)

    def _push(self, *parts: bytes | int) -> None:
        self.out.append(b">" + encoded(list(parts))[1:])


class Server:
    """A process with a port on a machine: a Redis server, with a node, or a sentinel."""

    loop: NetworkLoop

    def __init__(self, network: Network, machine: str, scripts: Scripts, port: int = PORT) -> None:
        self.network = network
        self.machine = network.simulation.machine(machine)
        self.port = port
        self.node = Node(machine, port, lambda: BEGIN + network.simulation.now, scripts)
        self.node.reaches = lambda other: self.is_alive and reaches(network, machine, other.host)
        self.sync_seconds = SYNC
        #: Which part of its answers is lost, together with their connections.
        self.flakiness = 0.0
        self.connections: dict[Connection, None] = {}
        #: Commands that the node does not have.
        self.more: Callable[[Sequence[bytes]], Any] = lambda words: None
        self._ready: dict[Connection, None] = {}
        self._busy = False
        self._begin()

    @property
    def url(self) -> str:
        return f"redis://{self.machine.name}:{self.port}"

    @property
    def is_alive(self) -> bool:
        down = self.network.is_down(self.machine.name)
        return self.loop.is_alive and not self.loop.is_paused and self.node.up and not down

    def _begin(self) -> None:
        self.loop = self.network.process(self.machine.name)
        self.loop.is_plain = True
        self.loop.spawn(self.loop.create_server(lambda: Connection(self), port=self.port))
        self.connections.clear()
        self._ready.clear()
        self._busy = False

    def crash(self, keep: int | None = None, *, power: bool = False) -> None:
        """Kill the process. ``keep``: as in `Node.crash`. ``power``: the machine fails, and closes no connection."""
        if power:
            self.network.fail(self.machine.name)
        self.loop.crash()
        self.node.crash(keep)

    def start(self, torn: int = 0) -> None:
        """Start after a crash, unless it runs again. ``torn``: as in `Node.start`."""
        if self.node.up:
            return
        self.network.repair(self.machine.name)
        self.node.start(torn)
        self._begin()

    def disconnect(self) -> None:
        """Close the connections of all clients."""
        for connection in list(self.connections):
            connection.transport.abort()

    def soon(self, connection: Connection) -> None:
        """Run its commands, and send its answers."""
        self._ready[connection] = None
        if not self._busy:
            self._busy = True
            self.loop.do_at(self.network.simulation.now, self._turn)

    def _turn(self) -> None:
        self.node.ahead = self.machine.ahead
        ready, self._ready = self._ready, {}
        for connection in ready:
            connection.run()
        written = [connection for connection in self.connections if connection.out]
        if self.node.unsynced:
            self.loop.do_at(self.loop.now + self.sync_seconds, self._synced)
        else:
            self._send(written)

    def _synced(self) -> None:
        self.node.sync()
        self._send([connection for connection in self.connections if connection.out])

    def _send(self, connections: Iterable[Connection]) -> None:
        for connection in connections:
            out, connection.out = connection.out, []
            if self.loop.random.random() < self.flakiness:
                connection.transport.abort()
            else:
                connection.transport.write(b"".join(out))
        self._busy = False
        again = next((connection for connection in self._ready if connection.waiting or connection.out), None)
        if again is not None:
            self.soon(again)


def reaches(network: Network, one: str, other: str) -> bool:
    """Whether bytes arrive from each machine at the other one."""
    cut = network.links[one, other].is_cut or network.links[other, one].is_cut
    return not (cut or network.is_down(one) or network.is_down(other))


class Deployment:
    """A Redis: one server, or some that look at each other once a second."""

    #: Whether it may lose acknowledged data by itself.
    may_lose = False

    def __init__(self, network: Network, names: Iterable[str] = ("redis0",)) -> None:
        self.network = network
        scripts = Scripts()
        self.servers = [Server(network, name, scripts) for name in names]
        network.simulation.later(LOOKS, self._tick)

    @property
    def url(self) -> str:
        return self.servers[0].url

    @property
    def nodes(self) -> list[Node]:
        return [server.node for server in self.servers]

    @property
    def machines(self) -> list[str]:
        return [server.machine.name for server in self.servers]

    @property
    def state(self) -> object:
        """Differs after each change of any data."""
        return [(node.history, node.offset) for node in self.nodes]

    def value(self, key: bytes) -> Any:
        """The true value of a key, or None."""
        return next((node.data.values[key] for node in self._masters_of(key) if key in node.data.values), None)

    def _masters_of(self, key: bytes) -> Sequence[Node]:
        return self.nodes

    def is_moving(self, code: str) -> bool:
        """Whether the keys of a room move to another node."""
        return False

    def end_moves(self) -> None:
        """No keys move any more."""

    def _tick(self) -> None:
        self.network.simulation.later(LOOKS, self._tick)
        for server in self.servers:
            server.node.catch_up()
        self.look()

    def look(self) -> None:
        """Notice which server is down."""


class Sentinel(Deployment):
    """A master, two replicas and a sentinel. ``is_safe``: commits need replicas that can take over."""

    def __init__(self, network: Network, *, is_safe: bool) -> None:
        super().__init__(network, ("redis0", "redis1", "redis2"))
        self.may_lose = not is_safe
        for server in self.servers if is_safe else ():
            server.node.min_replicas, server.node.max_lag = 1, 2
        self.master = self.servers[0]
        for server in self.servers[1:]:
            server.node.follow(self.master.node)
        self.sentinel = "sentinel"
        Server(network, self.sentinel, Scripts(), SENTINEL_PORT).more = self._answer
        #: When the sentinel saw each server last, and since when each one has another master.
        self._seen = dict.fromkeys(self.servers, network.simulation.now)
        self._wrong: dict[Server, float] = {}

    @property
    def url(self) -> str:
        replicas = "" if self.may_lose else "?replicas=1"
        return f"redis+sentinel://{self.sentinel}:{SENTINEL_PORT}/{SERVICE}{replicas}"

    @property
    def machines(self) -> list[str]:
        return [*super().machines, self.sentinel]

    def _masters_of(self, key: bytes) -> Sequence[Node]:
        return [self.master.node]

    def _sees(self, server: Server) -> bool:
        return server.is_alive and reaches(self.network, self.sentinel, server.machine.name)

    def fail_over(self) -> None:
        """Let the replica that has most be the master. The old one answers until it hears of it."""
        if others := [server for server in self.servers if server is not self.master and self._sees(server)]:
            self.master = max(others, key=lambda server: server.node.offset)
            self.master.node.promote()
            self.master.disconnect()

    def look(self) -> None:
        now = self.network.simulation.now
        self._seen |= {server: now for server in self.servers if self._sees(server)}
        if now - self._seen[self.master] >= DOWN_AFTER:
            self.fail_over()
        for server in self.servers:
            if server is self.master or server.node.master is self.master.node or self._seen[server] < now:
                self._wrong.pop(server, None)
            elif now - self._wrong.setdefault(server, now) >= (TOLD if server.node.master else OLD_TOLD) - LOOKS / 2:
                server.node.follow(self.master.node)
                server.disconnect()

    def _answer(self, words: Sequence[bytes]) -> Any:
        match [word.upper() for word in words]:
            case [b"SENTINEL", b"MASTERS"]:
                return [self._about(self.master)]
            case [b"SENTINEL", b"SLAVES", _]:
                return [self._about(server) for server in self.servers if server is not self.master]
            case [b"SENTINEL", b"GET-MASTER-ADDR-BY-NAME", _]:
                return [self.master.machine.name.encode(), b"%d" % self.master.port]
        return None

    def _about(self, server: Server) -> dict[bytes, bytes]:
        is_down = self.network.simulation.now - self._seen[server] >= DOWN_AFTER
        about = {
            "name": SERVICE if server is self.master else server.node.name,
            "ip": server.machine.name,
            "port": server.port,
            "flags": ("master" if server is self.master else "slave") + (",s_down" if is_down else ""),
            "num-other-sentinels": 0,
        }
        return {name.encode(): str(value).encode() for name, value in about.items()}


class Cluster(Deployment):
    """Three masters, which share the slots."""

    def __init__(self, network: Network) -> None:
        super().__init__(network, ("redis0", "redis1", "redis2"))
        slots, nodes = range(REDIS_CLUSTER_HASH_SLOTS), self.nodes
        self.slots = Slots([nodes[slot * len(nodes) // len(slots)] for slot in slots])
        for server in self.servers:
            server.node.slots, server.more = self.slots, self._answer

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"{name}:{PORT}" for name in self.machines[:2])

    def _masters_of(self, key: bytes) -> Sequence[Node]:
        slot = key_slot(key)
        return [self.slots.owners[slot], *self.slots.moving.get(slot, ())]

    def is_moving(self, code: str) -> bool:
        return key_slot(f"{{{code}}}".encode()) in self.slots.moving

    def end_moves(self) -> None:
        for slot in list(self.slots.moving):
            self.end_move(slot)

    def end_move(self, slot: int) -> None:
        """Let a slot belong to its target, if it still moves."""
        if slot not in self.slots.moving:
            return
        source, target = self.slots.moving.pop(slot)
        source.move_keys(source.keys_in(slot), target)
        self.slots.owners[slot] = target
        for server in self.servers:
            for connection in list(server.connections) if server.node is source else ():
                for sharded, channel in list(connection.channels):
                    if sharded and key_slot(channel) == slot:
                        connection.leave(sharded, channel)
                        server.soon(connection)

    def _answer(self, words: Sequence[bytes]) -> Any:
        match [word.upper() for word in words]:
            case [b"CLUSTER", b"SLOTS"]:
                return self._ranges()
            case [b"COMMAND"]:
                names = [*READS, *WRITES, b"GET", b"SET", b"EXISTS", b"DEL", b"EXPIRE"]
                kinds = [b"write" if name in WRITES or name in GROWS else b"readonly" for name in names]
                return [[name.lower(), -2, [kind], 1, 1, 1, []] for name, kind in zip(names, kinds, strict=True)]
        return None

    def _ranges(self) -> list[Any]:
        """Each range of slots, and its node."""
        found: list[Any] = []
        for slot, node in enumerate(self.slots.owners):
            if not found or node is not self.slots.owners[slot - 1]:
                found.append([slot, slot, [node.host.encode(), node.port, node.name.encode(), []]])
            found[-1][1] = slot
        return found


def deployed(network: Network, kind: str) -> Deployment:
    """A Redis of some kind: "single", "cluster", "sentinel", or "sentinel safe", which loses nothing."""
    match kind.split():
        case ["cluster"]:
            return Cluster(network)
        case ["sentinel", *safe]:
            return Sentinel(network, is_safe=bool(safe))
    return Deployment(network)
