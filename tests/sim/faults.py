"""All that can go wrong in a world.

A fault begins, yields the name of the thing that it strikes, and later ends. Without such a thing it yields nothing.
"""

import random
from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from redis.crc import key_slot

from tests.sim.loop import Machine
from tests.sim.network import DELAY, NetworkLoop
from tests.sim.process import ServerProcess
from tests.sim.redis_model import Node
from tests.sim.redis_server import SYNC, Cluster, Sentinel, Server

if TYPE_CHECKING:
    from tests.sim.world import World

#: All choices come from the random numbers.
Strike = Callable[["World", random.Random], Generator[str]]


class Fault(NamedTuple):
    """``where``: "server", "network", "redis", a kind of Redis, or "lossy".

    Those of "single" and "lossy" may lose acknowledged data. ``is_between``: whether frames of players may arrive late
    at servers, unless it strikes a Redis. ``is_mild``: all others go on as if nothing had failed, except the rooms of a
    slot that moves. ``often``: how often it is drawn, in comparison with the others of its theme.
    """

    strike: Strike
    where: str
    is_between: bool = False
    is_mild: bool = False
    often: int = 1


FAULTS: dict[str, Fault] = {}


def _fault(where: str, **options: Any) -> Callable[[Strike], Strike]:
    def add(strike: Strike) -> Strike:
        FAULTS[strike.__name__] = Fault(strike, where, **options)
        return strike

    return add


def _value(
    kind: str, where: str, of: Callable[..., Any], name: str, values: Sequence[Any], normal: Any = 0.0, **options: Any
) -> None:
    """A fault that gives another value to something."""

    def strike(world: "World", dice: random.Random) -> Generator[str]:
        thing = of(world, dice)
        setattr(thing, name, dice.choice(values))
        yield getattr(thing, "machine", thing).name
        setattr(thing, name, normal)

    FAULTS[kind] = Fault(strike, where, **options)


# Server processes


def _server(world: "World", dice: random.Random) -> ServerProcess:
    return dice.choice(world.servers)


def _loop(world: "World", dice: random.Random) -> NetworkLoop:
    """Some process: of a server, a player or a Redis."""
    of = dice.choice((world.loops, [server.loop for server in world.servers], world.redis.servers))
    loops = [loop if isinstance(loop, NetworkLoop) else loop.loop for loop in of if loop is not None]
    return dice.choice(loops or world.loops)


@_fault("server", often=2)
def crash(world: "World", dice: random.Random) -> Generator[str]:
    """A process dies at some await, or its machine loses its power."""
    server = _server(world, dice)
    if dice.random() < 0.5:
        world.network.fail(server.machine)
    elif server.loop is not None:
        server.loop.crash_in = dice.randint(0, 300)
    yield server.machine
    server.crash()
    world.network.repair(server.machine)
    world.restart(server)


@_fault("server")
def stop(world: "World", dice: random.Random) -> Generator[str]:
    server = _server(world, dice)
    server.stop()
    yield server.machine
    world.restart(server)


@_fault("server", is_between=True)
def pause(world: "World", dice: random.Random) -> Generator[str]:
    loop = _loop(world, dice)
    loop.pause()
    yield loop.machine.name
    loop.resume()


_value("slow", "server", _loop, "slowness", (0.01, 0.1, 0.5), is_between=True)


# The network


@_fault("network")
def cut(world: "World", dice: random.Random) -> Generator[str]:
    found = world.network.connections(dice.choice((None, *world.redis.machines)))
    chosen = dice.sample(found, min(len(found), dice.choice((1, 1, 3, 100))))
    for transport in chosen:
        world.network.cut(transport)
    yield f"{len(chosen)} connections"


@_fault("network")
def stall(world: "World", dice: random.Random) -> Generator[str]:
    """For example the pub/sub connection of a process, while its commands arrive."""
    machine = dice.choice(world.redis.machines)
    if found := world.network.connections(machine):
        end = world.network.stall(dice.choice(found))
        yield machine
        end()


def _pair(world: "World", dice: random.Random) -> tuple[str, str]:
    inside = [*[server.machine for server in world.servers], *world.redis.machines]
    one = dice.choice(inside)
    return one, dice.choice([name for name in (*inside, world.loops[0].machine.name) if name != one])


@_fault("network", is_between=True, often=2)
def partition(world: "World", dice: random.Random) -> Generator[str]:
    """In one direction, or in both."""
    one, other = _pair(world, dice)
    world.network.partition(one, other, both=dice.random() < 0.5)
    yield f"{one} and {other}"
    world.network.heal(one, other)


@_fault("network", is_between=True)
def lag(world: "World", dice: random.Random) -> Generator[str]:
    one, other = _pair(world, dice)
    link = world.network.links[one, other]
    link.delay = dice.choice((0.05, 0.5))
    yield f"{one} to {other}"
    link.delay = DELAY


# Redis


def _redis(world: "World", dice: random.Random) -> Server:
    return dice.choice(world.redis.servers)


@_fault("redis", often=2)
def redis_crash(world: "World", dice: random.Random) -> Generator[str]:
    """Of the process, or of the machine, with writes that are not synced."""
    server = _redis(world, dice)
    if dice.random() < 0.5:
        server.crash()
    else:
        server.crash(dice.randint(0, server.node.unsynced), power=True)
    yield server.machine.name
    server.start()


_value("slow_disk", "redis", _redis, "sync_seconds", (0.05, 0.5, 3.0), SYNC)
# Answers of a Redis are lost, together with their connections.
_value("flaky", "redis", _redis, "flakiness", (0.1, 0.5), often=6)
_value(
    "full",
    "redis",
    lambda world, dice: _redis(world, dice).node,
    "refusal",
    (
        "MISCONF Errors writing to the AOF file: No space left on device",
        "OOM command not allowed when used memory > 'maxmemory'.",
    ),
    "",
    often=2,
)


def _machine(world: "World", dice: random.Random) -> Machine:
    names = dice.choice((world.redis.machines, world.redis.machines, [server.machine for server in world.servers]))
    return world.simulation.machine(dice.choice(names))


_value("clock", "redis", _machine, "ahead", (-3600.0, -1.0, 1.0, 30.0, 3600.0, 3600.0), often=2)


@_fault("redis", is_mild=True)
def deaf(world: "World", dice: random.Random) -> Generator[str]:
    """A Redis closes a pub/sub connection, and the process does not hear of it for some seconds."""
    found = [(server, one) for server in world.redis.servers for one in server.connections if one.channels]
    if found:
        server, connection = dice.choice(found)
        for channel in connection.channels:
            server.node.subscribers.get(channel, {}).pop(connection.receive, None)
        yield server.machine.name
        connection.transport.abort()


def _replica(world: "World", dice: random.Random) -> Node:
    return dice.choice([node for node in world.redis.nodes if node.master] or world.redis.nodes)


_value("lagging_replica", "sentinel", _replica, "lag", (0.1, 1.0, 10.0))


@_fault("sentinel", often=3)
def failover(world: "World", dice: random.Random) -> Generator[str]:
    """Planned. The replicas may lack the latest changes, and some processes go on with the old master for a while."""
    redis, seconds = world.redis, dice.choice((0.0, 0.3, 1.0))
    assert isinstance(redis, Sentinel)
    unaware = [server.machine for server in dice.sample(world.servers, dice.randint(0, len(world.servers) - 1))]
    for machine in unaware:
        world.network.partition(machine, redis.sentinel)
    for node in redis.nodes:
        node.lag = max(node.lag, seconds)

    def fail_over() -> None:
        redis.fail_over()
        for node in redis.nodes:
            node.lag = 0.0

    world.later(seconds, fail_over)
    yield f"{redis.master.machine.name}, without {unaware}"
    for machine in unaware:
        world.network.heal(machine, redis.sentinel)


@_fault("cluster", is_mild=True)
def moving_slot(world: "World", dice: random.Random) -> Generator[str]:
    """A slot moves to another node, and for some time its keys are at both."""
    cluster = world.redis
    assert isinstance(cluster, Cluster)
    slot, moving = key_slot(f"{{{dice.choice(world.codes or ['public'])}}}".encode()), cluster.slots.moving
    if slot not in moving:
        source = cluster.slots.owners[slot]
        target = dice.choice([node for node in cluster.nodes if node is not source])
        moving[slot] = source, target
        keys = sorted(source.keys_in(slot))
        source.move_keys(dice.sample(keys, dice.randint(0, len(keys))), target)
        world.later(15.0, lambda: cluster.end_move(slot))
        yield f"{slot} from {source.name} to {target.name}"
        cluster.end_move(slot)


@_fault("lossy", often=2)
def torn_log(world: "World", dice: random.Random) -> Generator[str]:
    """A Redis starts with older data: the end of its log is missing."""
    server, torn = _redis(world, dice), dice.choice((10, 1000, 20_000))
    if server.node.up:
        server.crash()
        yield f"{torn} bytes of {server.machine.name}"
        server.start(torn)


@_fault("lossy")
def flush(world: "World", dice: random.Random) -> Generator[str]:
    node = _redis(world, dice).node
    node.flush()
    yield node.name


@_fault("single")
def outage(world: "World", dice: random.Random) -> Generator[str]:
    """Everything falls. While no server runs, the end of the log is torn."""
    server, torn = _redis(world, dice), dice.choice((1000, 20_000))
    if server.node.up:
        server.crash()
        for process in world.servers:
            process.crash()
        yield f"of everything, {torn} bytes are torn"
        server.start(torn)
        for process in world.servers:
            world.restart(process)
