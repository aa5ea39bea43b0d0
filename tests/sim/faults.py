"""The Redis of a world, and all that can go wrong. Each fault ends after some seconds, and says what it struck."""

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from redis.crc import key_slot

from tests.sim.loop import Machine
from tests.sim.network import DELAY, Network, NetworkLoop
from tests.sim.process import ServerProcess
from tests.sim.redis_model import Disk, Node
from tests.sim.redis_server import SYNC, Cluster, Deployment, Sentinels, Server

if TYPE_CHECKING:
    from tests.sim.world import World

#: Of the swarm: a Redis alone, one with sentinels, and a cluster; "safe": no commit is acknowledged before replicas
#: that can take over have it.
REDISES = ("single", "single", "sentinel", "sentinel safe", "cluster")
SENTINELS = ("sentinel0", "sentinel1", "sentinel2")


def deployed(network: Network, kind: str) -> Deployment:
    """A Redis of some kind."""
    name, _, safe = kind.partition(" ")
    if name == "cluster":
        return Cluster(network, [f"redis{k}" for k in range(3)], [f"redis{k}" for k in range(3, 6)])
    if name == "sentinel":
        return Sentinels(network, ("redis0", "redis1", "redis2"), SENTINELS, is_safe=bool(safe))
    return Deployment(network, ("redis0",))


#: Does it now, with choices by chance and for so many seconds. Returns what it has struck.
Strike = Callable[["World", random.Random, float], str]


class Fault(NamedTuple):
    """``where``: "server", "network", "redis", a kind of Redis, or "lossy".

    Those of "single" and "lossy" may lose what was acknowledged. ``is_between``: whether frames of players may arrive
    late at servers, unless it strikes a Redis. ``is_mild``: all others go on as if nothing had failed, except the rooms
    of a slot that moves.
    """

    strike: Strike
    where: str
    is_between: bool = False
    is_mild: bool = False
    #: How often it is drawn, in comparison with the others of its theme.
    often: int = 1


FAULTS: dict[str, Fault] = {}
#: By how many seconds a clock is ahead.
_AHEAD = (-3600.0, -1.0, 1.0, 30.0, 3600.0, 3600.0)


def _fault(where: str, **options: Any) -> Callable[[Strike], Strike]:
    def add(strike: Strike) -> Strike:
        FAULTS[strike.__name__] = Fault(strike, where, **options)
        return strike

    return add


def _on(
    kind: str, where: str, of: Callable[..., Any], begin: Callable[..., object], end: Any = None, **options: Any
) -> None:
    """A fault that changes something in a world, found by chance, and changes it back after some time."""

    def strike(world: "World", dice: random.Random, seconds: float) -> str:
        thing = of(world, dice)
        begin(thing, dice)
        if end is not None:
            world.later(seconds, lambda: end(thing, world))
        machine = getattr(thing, "machine", thing)
        return str(getattr(machine, "name", machine))

    FAULTS[kind] = Fault(strike, where, **options)


def _value(
    kind: str, where: str, of: Callable[..., Any], name: str, values: Sequence[Any], normal: Any = 0.0, **options: Any
) -> None:
    """A fault that gives another value to something for some time."""
    _on(
        kind,
        where,
        of,
        lambda thing, dice: setattr(thing, name, dice.choice(values)),
        lambda thing, _: setattr(thing, name, normal),
        **options,
    )


# Server processes


def _server(world: "World", dice: random.Random) -> ServerProcess:
    return dice.choice(world.servers)


def _machine(world: "World", dice: random.Random) -> Machine:
    return world.simulation.machine(_server(world, dice).machine)


def _loop(world: "World", dice: random.Random) -> NetworkLoop:
    """Some process: of a server, a player, a Redis or a sentinel."""
    of = dice.choice((world.loops, [server.loop for server in world.servers], world.redis.servers))
    loops = [loop if isinstance(loop, NetworkLoop) else loop.loop for loop in of if loop is not None]
    return dice.choice(loops or world.loops)


@_fault("server")
def crash(world: "World", dice: random.Random, seconds: float) -> str:
    server = _server(world, dice)
    if server.loop is not None:
        server.loop.crash_in = dice.randint(0, 300)
    world.later(seconds, server.crash)
    world.later(seconds, lambda: world.restart(server))
    return server.machine


_on("stop", "server", _server, lambda server, _: server.stop(), lambda server, world: world.restart(server))


@_fault("server")
def power(world: "World", dice: random.Random, seconds: float) -> str:
    server = _server(world, dice)
    world.network.fail(server.machine)
    world.later(seconds, lambda: world.network.repair(server.machine))
    world.later(seconds, lambda: world.restart(server))
    return server.machine


_on("pause", "server", _loop, lambda loop, _: loop.pause(), lambda loop, _: loop.resume(), is_between=True)
_value("slow", "server", _loop, "slowness", (0.01, 0.1, 0.5), is_between=True)
_value("server_clock", "server", _machine, "ahead", _AHEAD)


# The network


@_fault("network")
def cut(world: "World", dice: random.Random, seconds: float) -> str:
    found = world.network.connections(dice.choice((None, *world.redis.machines)))
    chosen = dice.sample(found, min(len(found), dice.choice((1, 1, 3, 100))))
    for transport in chosen:
        world.network.cut(transport)
    return f"{len(chosen)} connections"


@_fault("network")
def stall(world: "World", dice: random.Random, seconds: float) -> str:
    """For example the pub/sub connection of a process, while its commands arrive."""
    machine = dice.choice(world.redis.machines)
    if found := world.network.connections(machine):
        world.later(seconds, world.network.stall(dice.choice(found)))
    return f"a connection of {machine}"


def _pair(world: "World", dice: random.Random) -> tuple[str, str]:
    inside = [*[server.machine for server in world.servers], *world.redis.machines]
    inside += SENTINELS if isinstance(world.redis, Sentinels) else []
    one = dice.choice(inside)
    return one, dice.choice([name for name in (*inside, world.loops[0].machine.name) if name != one])


@_fault("network", is_between=True)
def partition(world: "World", dice: random.Random, seconds: float, *, both: bool = True) -> str:
    one, other = _pair(world, dice)
    world.network.partition(one, other, both=both)
    world.later(seconds, lambda: world.network.heal(one, other))
    return f"{one} and {other}"


@_fault("network", is_between=True)
def one_way(world: "World", dice: random.Random, seconds: float) -> str:
    return partition(world, dice, seconds, both=False)  # type: ignore[call-arg]


@_fault("network", is_between=True)
def lag(world: "World", dice: random.Random, seconds: float) -> str:
    one, other = _pair(world, dice)
    link = world.network.links[one, other]
    link.delay = dice.choice((0.05, 0.5))
    world.later(seconds, lambda: setattr(link, "delay", DELAY))
    return f"from {one} to {other}"


# Redis


def _redis(world: "World", dice: random.Random) -> Server:
    return dice.choice(world.redis.servers)


_on("redis_crash", "redis", _redis, lambda server, _: server.crash(), lambda server, _: server.start())
_on(
    "redis_power",
    "redis",
    _redis,
    lambda server, dice: server.crash(dice.randint(0, server.node.unsynced), power=True),
    lambda server, _: server.start(),
)
_value("slow_disk", "redis", _redis, "sync_seconds", (0.05, 0.5, 3.0), SYNC)
# Answers of a Redis are lost, together with their connections.
_value("flaky", "redis", _redis, "flakiness", (0.1, 0.5), often=6)
_value("full_disk", "redis", lambda world, dice: _redis(world, dice).node, "disk_full", (True,), normal=False)


@_fault("redis")
def full_memory(world: "World", dice: random.Random, seconds: float) -> str:
    node = _redis(world, dice).node
    node.maxmemory = int(node.used * dice.choice((1.0, 1.2)))
    world.later(seconds, lambda: setattr(node, "maxmemory", 0))
    return node.name


_on("forget_scripts", "redis", _redis, lambda server, _: server.node.execute([b"SCRIPT", b"FLUSH"]))
_on("disconnect", "redis", _redis, lambda server, _: server.disconnect())


@_fault("redis", is_mild=True)
def deaf(world: "World", dice: random.Random, seconds: float) -> str:
    """A Redis closes a pub/sub connection, and the process does not hear of it for some seconds."""
    found = [(server, one) for server in world.redis.servers for one in server.connections if one.channels]
    if not found:
        return "nothing"
    server, connection = dice.choice(found)
    for channel in connection.channels:
        server.node.subscribers.get(channel, {}).pop(connection.receive, None)
    world.later(seconds, connection.transport.abort)
    return f"a process, of {server.machine.name}"


_value("redis_clock", "redis", lambda world, dice: _redis(world, dice).machine, "ahead", _AHEAD)


@_fault("sentinel")
def planned_failover(world: "World", dice: random.Random, seconds: float) -> str:
    assert isinstance(world.redis, Sentinels)
    world.redis.fail_over()
    return f"to {world.redis.master.machine.name}"


def _replica(world: "World", dice: random.Random) -> Node:
    return dice.choice([node for node in world.redis.nodes if node.master] or world.redis.nodes)


_value("lagging_replica", "sentinel", _replica, "lag", (0.1, 1.0, 10.0))


@_fault("cluster", is_mild=True)
def moving_slot(world: "World", dice: random.Random, seconds: float) -> str:
    """A slot moves to another node, and for some time its keys are at both."""
    cluster = world.redis
    assert isinstance(cluster, Cluster)
    slot = key_slot(f"{{{dice.choice(world.codes or ['public'])}}}".encode())
    source = cluster.view.owners[slot]
    targets = [cluster.server_of(node) for node in dict.fromkeys(cluster.view.owners) if node is not source]
    if slot in cluster.view.moving:
        return "nothing"
    target = dice.choice(targets)
    cluster.begin_move(slot, target)
    keys = sorted(source.keys_in(slot))
    source.move_keys(dice.sample(keys, dice.randint(0, len(keys))), target.node)
    world.later(min(3 * seconds, 15.0), lambda: cluster.end_move(slot) if slot in cluster.view.moving else None)
    return f"{slot} from {source.name} to {target.node.name}"


@_fault("cluster")
def cluster_failover(world: "World", dice: random.Random, seconds: float) -> str:
    cluster = world.redis
    assert isinstance(cluster, Cluster)
    server = cluster.server_of(dice.choice(list(dict.fromkeys(cluster.view.owners))))
    cluster.fail_over(server)
    return server.machine.name


@_fault("lossy")
def older_copy(world: "World", dice: random.Random, seconds: float) -> str:
    """A Redis starts from a copy of some seconds ago."""
    server = _redis(world, dice)
    copy: Disk = server.node.backup()

    def fall() -> None:
        if server.node.up:
            server.crash()
            world.later(1.0, lambda: server.start(copy))

    world.later(seconds, fall)
    return server.machine.name


@_fault("lossy")
def torn_log(world: "World", dice: random.Random, seconds: float) -> str:
    server, torn = _redis(world, dice), dice.choice((10, 1000, 20_000))
    if not server.node.up:
        return "nothing"
    server.crash()
    world.later(seconds, lambda: server.start(torn=torn))
    return f"{torn} bytes of {server.machine.name}"


@_fault("lossy")
def flush(world: "World", dice: random.Random, seconds: float) -> str:
    node = _redis(world, dice).node
    node.execute([b"FLUSHALL"])
    node.first, node.disk = node.offset, Disk(node.data.copied(), [])  # a later torn write brings nothing back
    node.sync()
    return node.name


@_fault("single")
def outage(world: "World", dice: random.Random, seconds: float) -> str:
    """Everything falls. While no server runs, older data is put back, or the end of the log is torn."""
    server = _redis(world, dice)
    if not server.node.up:
        return "nothing"
    copy = server.node.backup() if dice.random() < 0.5 else None
    torn = 0 if copy else dice.choice((1000, 20_000))

    def fall() -> None:
        if not server.node.up:
            return
        world.history.alone_until = world.simulation.now + 2.5
        server.crash()
        for process in world.servers:
            process.crash()
            world.later(3.0, partial(world.restart, process))
        world.later(2.0, lambda: server.start(copy, torn=torn))

    world.later(min(seconds, 6.0), fall)
    return f"of everything, {torn} bytes are torn" if torn else "of everything, with older data"
