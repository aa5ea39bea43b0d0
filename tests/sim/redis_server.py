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
from tests.sim.redis_model import OK, Disk, Node, View
from tests.sim.redis_scripts import Scripts
from tests.sim.redis_values import GROWS, READS, WRITES, Error, Scores, Status, flat, number

PORT, SENTINEL_PORT, SERVICE = 6379, 26379, "mymaster"
#: Seconds between two looks at WAIT, and at other servers.
WAITS, LOOKS = 0.01, 1.0
#: Seconds of a sync to the disk.
SYNC = 0.0005
#: Seconds of silence after which a server counts as dead.
DOWN_AFTER = 3.0
#: Seconds until sentinels tell a replica that it has another master, and until they tell an old master.
TOLD, OLD_TOLD = 1.0, 10.0

_MORE = object()
_SUBSCRIBING = (b"SUBSCRIBE", b"UNSUBSCRIBE", b"SSUBSCRIBE", b"SUNSUBSCRIBE")


def encoded(answer: Any, protocol: int) -> bytes:
    """An answer in the second or third version of the protocol."""
    if type(answer) is bytes:
        return b"$%d\r\n%b\r\n" % (len(answer), answer)
    match answer:
        case None:
            return b"_\r\n" if protocol == 3 else b"$-1\r\n"
        case Exception():
            return b"-%b\r\n" % str(answer).encode()
        case Status():
            return b"+%b\r\n" % answer
        case int():
            return b":%d\r\n" % answer
        case float() if protocol == 3:
            return b",%b\r\n" % number(answer)
        case Scores() if protocol == 3:
            return encoded([[member, score] for member, score in answer.items()], 3)
        case dict() if protocol == 3:
            pairs = (encoded(word, 3) for pair in answer.items() for word in pair)
            return b"%%%d\r\n" % len(answer) + b"".join(pairs)
        case dict() | float():
            return encoded(flat(answer), protocol)
        case list():
            return b"*%d\r\n" % len(answer) + b"".join(encoded(each, protocol) for each in answer)
    raise TypeError(answer)


class Connection(asyncio.Protocol):
    """A client's connection to a server or a sentinel."""

    def __init__(self, server: "Server") -> None:
        self.server = server
        self.transport: Any = None
        self.out: list[bytes] = []
        self.protocol = 2
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
                self.out.append(encoded(answer, self.protocol))

    def _answer(self, name: bytes, words: list[bytes]) -> Any:
        asking, self._asking = self._asking, False
        match name, *words[1:]:
            case b"HELLO", protocol, *_:
                self.protocol = int(protocol)
                return {b"server": b"redis", b"version": self.server.node.version.encode(), b"proto": self.protocol}
            case [b"CLIENT", what, *_] if what.upper() == b"MAINT_NOTIFICATIONS":
                return Error("ERR unknown subcommand 'MAINT_NOTIFICATIONS'")
            case [(b"CLIENT" | b"AUTH" | b"SELECT"), *_]:
                return OK
            case [b"ASKING"]:
                self._asking = True
                return OK
            case b"PING", *data:
                return [b"pong", *data] if self.channels and self.protocol == 2 else (data or [Status(b"PONG")])[0]
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
        self.out.append(encoded(found, self.protocol))
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
                self.out.append(encoded(error, self.protocol))
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
        head = b">" if self.protocol == 3 else b"*"
        self.out.append(head + encoded(list(parts), self.protocol)[1:])


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
        """Kill the process. ``keep``: see `Node.crash`. ``power``: the machine fails, too, and closes no connection."""
        if power:
            self.network.fail(self.machine.name)
        self.loop.crash()
        self.node.crash(keep)

    def start(self, from_copy: Disk | None = None, *, torn: int = 0) -> None:
        """Start after a crash, unless it runs again."""
        if self.node.up:
            return
        self.network.repair(self.machine.name)
        self.node.start(from_copy, torn=torn)
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

    #: Whether a failover may lose what was acknowledged.
    may_lose = False

    def __init__(self, network: Network, names: Iterable[str]) -> None:
        self.network = network
        scripts = Scripts()
        self.servers = [Server(network, name, scripts) for name in names]
        self._unseen: dict[tuple[str, str], float] = {}
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

    def masters_of(self, key: bytes) -> list[Node]:
        """The node that has a key, and the one to which it moves."""
        return self.nodes

    def is_moving(self, code: str) -> bool:
        """Whether the keys of a room move to another node."""
        return False

    def end_moves(self) -> None:
        """No keys move any more."""

    def server_of(self, node: Node) -> Server:
        return next(server for server in self.servers if server.node is node)

    def _tick(self) -> None:
        self.network.simulation.later(LOOKS, self._tick)
        for server in self.servers:
            server.node.catch_up()
        self.look()

    def look(self) -> None:
        """Notice who is down."""

    def unseen(self, witness: str, server: Server) -> float:
        """For how many seconds a machine has not seen a server."""
        key, now = (witness, server.machine.name), self.network.simulation.now
        if server.is_alive and reaches(self.network, *key):
            self._unseen[key] = now
        return now - self._unseen.setdefault(key, now)


class Sentinels(Deployment):
    """A master, replicas and three sentinels."""

    def __init__(
        self, network: Network, servers: Sequence[str], sentinels: Sequence[str], *, is_safe: bool = False
    ) -> None:
        super().__init__(network, servers)
        self.may_lose = not is_safe
        for server in self.servers if is_safe else ():
            server.node.min_replicas, server.node.max_lag = 1, 2
        self.master = self.servers[0]
        for server in self.servers[1:]:
            server.node.follow(self.master.node)
        self.sentinels = [Server(network, name, Scripts(), SENTINEL_PORT) for name in sentinels]
        #: The master that each sentinel knows.
        self._known = dict.fromkeys(sentinels, self.master)
        self._wrong: dict[str, float] = {}
        for sentinel in self.sentinels:
            sentinel.more = lambda words, name=sentinel.machine.name: self._answer(name, words)  # type: ignore[misc]

    @property
    def url(self) -> str:
        sentinels = ",".join(f"{name}:{SENTINEL_PORT}" for name in self._known)
        return f"redis+sentinel://{sentinels}/{SERVICE}{'' if self.may_lose else '?replicas=1'}"

    def masters_of(self, key: bytes) -> list[Node]:
        return [self.master.node]

    def fail_over(self) -> None:
        """Let the replica that has most be the master. The old one answers until it hears of it."""
        before = self.master
        others = [server for server in self.servers if server is not before and server.is_alive]
        others = [
            server for server in others if any(reaches(self.network, name, server.node.host) for name in self._known)
        ]
        if others:
            self.master = max(others, key=lambda server: server.node.offset)
            self.master.node.promote()
            self.master.disconnect()
            self._spread()

    def _spread(self) -> None:
        """Sentinels that see the others know the master."""
        names = list(self._known)
        for name in names:
            seen = sum(reaches(self.network, name, other) for other in names)
            if 2 * seen > len(names):
                self._known[name] = self.master

    def look(self) -> None:
        down = sum(self.unseen(name, self.master) >= DOWN_AFTER for name in self._known)
        if 2 * down > len(self._known):
            self.fail_over()
        self._spread()
        now = self.network.simulation.now
        for server in self.servers:
            name = server.machine.name
            is_told = server.is_alive and any(
                known is self.master and reaches(self.network, sentinel, name)
                for sentinel, known in self._known.items()
            )
            if server is self.master or server.node.master is self.master.node or not is_told:
                self._wrong.pop(name, None)
            elif now - self._wrong.setdefault(name, now) >= (TOLD if server.node.master else OLD_TOLD) - LOOKS / 2:
                server.node.follow(self.master.node)
                server.disconnect()

    def _answer(self, sentinel: str, words: Sequence[bytes]) -> Any:
        match [word.upper() for word in words]:
            case [b"SENTINEL", b"MASTERS"]:
                return [self._about(sentinel, self._known[sentinel], "master")]
            case [b"SENTINEL", b"SLAVES" | b"REPLICAS", _]:
                others = [server for server in self.servers if server is not self._known[sentinel]]
                return [self._about(sentinel, server, "slave") for server in others]
            case [b"SENTINEL", b"GET-MASTER-ADDR-BY-NAME", _]:
                master = self._known[sentinel]
                return [master.machine.name.encode(), b"%d" % master.port]
        return None

    def _about(self, sentinel: str, server: Server, role: str) -> dict[bytes, bytes]:
        flags = role + (",s_down" if self.unseen(sentinel, server) >= DOWN_AFTER else "")
        about = {
            "name": SERVICE if role == "master" else server.node.name,
            "ip": server.machine.name,
            "port": server.port,
            "flags": flags,
            "num-other-sentinels": len(self.sentinels) - 1,
        }
        return {name.encode(): str(value).encode() for name, value in about.items()}


class Cluster(Deployment):
    """Masters, and a replica of each."""

    may_lose = True

    def __init__(self, network: Network, masters: Sequence[str], replicas: Sequence[str] = ()) -> None:
        super().__init__(network, [*masters, *replicas])
        nodes = [server.node for server in self.servers]
        slots = range(REDIS_CLUSTER_HASH_SLOTS)
        self.view = View([nodes[slot * len(masters) // len(slots)] for slot in slots])
        for master, replica in zip(nodes, nodes[len(masters) :], strict=False):
            replica.follow(master)
        for server in self.servers:
            server.node.view = self.view
            server.more = lambda words, node=server.node: self._answer(node, words)  # type: ignore[misc]

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(f"{server.machine.name}:{PORT}" for server in self.servers[:2])

    def masters_of(self, key: bytes) -> list[Node]:
        slot = key_slot(key)
        return [self.view.owners[slot], *self.view.moving.get(slot, ())]

    def is_moving(self, code: str) -> bool:
        return key_slot(f"{{{code}}}".encode()) in self.view.moving

    def end_moves(self) -> None:
        for slot in list(self.view.moving):
            self.end_move(slot)

    def begin_move(self, slot: int, target: Server) -> None:
        """Begin to move a slot. Its keys move with `Node.move_keys`."""
        self.view.moving[slot] = self.view.owners[slot], target.node

    def end_move(self, slot: int) -> None:
        source, target = self.view.moving.pop(slot)
        source.move_keys(source.keys_in(slot), target)
        self.view.owners[slot] = target
        for connection in list(self.server_of(source).connections):
            for sharded, channel in list(connection.channels):
                if sharded and key_slot(channel) == slot:
                    connection.leave(sharded, channel)
                    connection.server.soon(connection)

    def fail_over(self, server: Server) -> None:
        """Let the replica of a master take over. A living master waits for it."""
        replicas = [one for one in self.servers if one.node.master is server.node and one.is_alive]
        if replicas:
            new = replicas[0].node
            new.lag = 0 if server.is_alive else new.lag
            new.promote()
            self.view = self.view.after(server.node, new)
            self._spread()

    def look(self) -> None:
        masters = [self.server_of(node) for node in dict.fromkeys(self.view.owners)]
        for server in masters:
            others = [other for other in masters if other is not server and other.is_alive]
            down = sum(self.unseen(other.machine.name, server) >= DOWN_AFTER for other in others)
            if 2 * down > len(masters):
                self.fail_over(server)
        self._spread()

    def _spread(self) -> None:
        """All nodes that see most masters know the view."""
        masters = [self.server_of(node) for node in dict.fromkeys(self.view.owners)]
        for server in self.servers:
            node, name = server.node, server.machine.name
            seen = sum(self.unseen(name, other) < DOWN_AFTER for other in masters)
            node.is_cut_off = 2 * seen <= len(masters)
            if node.is_cut_off or not server.is_alive or node.view is self.view:
                continue
            before, node.view = node.view, self.view
            lead = node.master or node
            if lead not in self.view.owners and before is not None and lead in before.owners:
                node.follow(self.view.owners[before.owners.index(lead)])

    def _answer(self, node: Node, words: Sequence[bytes]) -> Any:
        match [word.upper() for word in words]:
            case [b"CLUSTER", b"SLOTS"]:
                assert node.view is not None
                return [[first, last, *map(_address, [one, *one.replicas])] for first, last, one in node.view.ranges()]
            case [b"COMMAND"]:
                names = [*READS, *WRITES, b"GET", b"SET", b"EXISTS", b"DEL", b"EXPIRE"]
                kinds = [b"write" if name in WRITES or name in GROWS else b"readonly" for name in names]
                return [[name.lower(), -2, [kind], 1, 1, 1, []] for name, kind in zip(names, kinds, strict=True)]
        return None


def _address(node: Node) -> list[Any]:
    return [node.host.encode(), node.port, node.name.encode(), []]
